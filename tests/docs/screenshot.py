"""The pictures of explain pages in the documentation: `python -m tests.docs.screenshot`."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from glslc_multi.cli.main import main
from tests.browser import browser
from tests.shared_data import PROJECT_ROOT

SHADER, TARGET = "examples/shaders/07_lights.vert", "pica200"
IMAGES = PROJECT_ROOT / "docs" / "images"
#: The line to point at, and what to show: file -> element.
LINE = "0:17"
PICTURES = {"explain.png": "#source", "explain-graph.png": "#drawing1"}


def write_pictures() -> None:
    """Renew the pictures."""
    with TemporaryDirectory() as folder, browser() as window:
        page = Path(folder) / "page.html"
        with chdir(PROJECT_ROOT):
            assert main(["explain", SHADER, "--target", TARGET, "-o", str(page)]) == 0
        window.open(page)
        window.click('#code [data-w="4"]')
        window.point_at(f'#source [data-k="{LINE}"]')
        for name, element in PICTURES.items():
            window.run("document.querySelector(arguments[0]).scrollIntoView()", element)
            (IMAGES / name).write_bytes(window.screenshot())


if __name__ == "__main__":
    write_pictures()
