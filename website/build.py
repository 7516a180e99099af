"""Builds the site: `python -m website.build OUT`; with `--text`, without the playground and the gallery's pictures.

In: the pages of the repository, the playground that `make playground` builds, and the compiler.  Out: a static folder
that loads nothing from elsewhere.  Pages are gathered under the paths that they have in the repository, so that their
links lead to the same pages here and there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import glslc_multi
from website.gallery import gallery_pages
from website.gather import PROJECT, gather
from website.public_names import public_objects
from website.reference import reference_page

_HERE = Path(__file__).resolve().parent
CONFIGURATION = _HERE / "mkdocs.yml"
#: Pages that no other page links to.
_PAGES = ("docs/**/*.md", "README.md", "CHANGELOG.md", "CONTRIBUTING.md")
_PLAYGROUND = PROJECT / "build" / "playground"
_NO_PLAYGROUND = "the playground is not part of this build: `make playground` makes it, and needs npm"


def main(words: Sequence[str]) -> None:
    """Build what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m website.build", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--text", action="store_true", help="leave out the playground and the gallery's pictures")
    arguments = parser.parse_args(words)
    build(arguments.out, _PLAYGROUND if _PLAYGROUND.is_dir() and not arguments.text else None, not arguments.text)


def build(out: Path, playground: Path | None, has_pictures: bool) -> None:
    """Make the folder `out`; a link that leads nowhere is an error."""
    pages = out.with_name(f"{out.name}-pages")
    shutil.rmtree(pages, ignore_errors=True)
    gather([path for pattern in _PAGES for path in PROJECT.glob(pattern)], pages)
    shutil.copytree(_HERE / "assets", pages / "assets")
    front = pages / "README.md"
    front.write_text(front_page(front.read_text(encoding="utf-8"), playground is not None), encoding="utf-8")
    (pages / "docs" / "api.md").write_text(api_page(), encoding="utf-8")
    for name, content in gallery_pages(has_pictures).items():
        path = pages / "gallery" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    run_generator(pages, out)
    if playground is None:
        print(_NO_PLAYGROUND, file=sys.stderr)
    else:
        shutil.copytree(playground, out / "playground")


def run_generator(pages: Path, out: Path) -> None:
    """Let MkDocs make the site of the gathered pages, and stop if it warns of anything."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    folders = ["--config-file", str(CONFIGURATION), "--site-dir", str(out.resolve())]
    made = subprocess.run(
        [*command, *folders],
        env={**os.environ, "SITE_PAGES": str(pages.resolve()), "NO_MKDOCS_2_WARNING": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    if made.returncode:
        sys.exit(made.stderr)


def api_page() -> str:
    """Write the page of all public names."""
    offered = {f"glslc_multi.{name}" for name in glslc_multi.__all__}
    others = {name: value for name, value in public_objects().items() if name not in offered}
    return reference_page(glslc_multi, others)


def front_page(readme: str, has_playground: bool) -> str:
    """Put the playground below the title of the README, across the whole page."""
    title, _, rest = readme.partition("\n")
    return "\n".join(
        (
            "---\nhide: [navigation, toc]\n---\n",
            title,
            (_HERE / "playground.html").read_text(encoding="utf-8") if has_playground else f"\n*{_NO_PLAYGROUND}*\n",
            rest,
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
