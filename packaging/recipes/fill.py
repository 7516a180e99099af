"""Fills recipes for packagers, `python packaging/recipes/fill.py SDIST URL HOMEPAGE OUT`.

In: the recipes beside this file, the sdist, and the addresses that whoever publishes has given it.  Out: a folder.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from pathlib import Path

from glslc_multi.compiler import __version__

HERE = Path(__file__).parent
RECIPES = ("recipe.yaml", "glslc-multi.rb", "PKGBUILD")


def fill(sdist: Path, url: str, homepage: str, out: Path) -> None:
    """Write the recipes."""
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    values = {
        "VERSION": __version__,
        "URL": url,
        "SHA256": hashlib.sha256(sdist.read_bytes()).hexdigest(),
        "HOMEPAGE": homepage,
        "SUMMARY": f'"{project["description"]}"',
    }
    out.mkdir(parents=True, exist_ok=True)
    for name in RECIPES:
        text = (HERE / name).read_text(encoding="utf-8")
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        (out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    fill(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
