"""Builds the npm package, `python packaging/npm/build.py OUT`: the command, run by the Python of Pyodide.

In: the files beside this one, and wheels.  Out: a folder that npm packs.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from glslc_multi.compiler import __version__
from glslc_multi.playground.build import PACKAGES, PROJECT, WEB, install, load_wheels, run
from glslc_multi.playground.licences import licences_text

HERE = Path(__file__).parent


def build(out: Path) -> None:
    """Make the folder anew."""
    install()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for path in (HERE / "glslc-multi.mjs", HERE / "README.md", PROJECT / "LICENSE"):
        shutil.copy(path, out)
    with TemporaryDirectory() as place:
        wheels = load_wheels(Path(place))
        run(["node", "pack.mjs", str((out / PACKAGES).resolve()), *map(str, wheels)], WEB)
        (out / "LICENCES.txt").write_text(licences_text(wheels), encoding="utf-8")
    page = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    about = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    about |= {"version": __version__, "dependencies": {"pyodide": page["dependencies"]["pyodide"]}}
    (out / "package.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]))
