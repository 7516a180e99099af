"""Pages that are made from tables of the code: a table as Markdown, and the file that holds it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The lines of a table; a bar inside a cell is no border."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def spaced_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with an empty line before it, as after a paragraph."""
    return "\n" + table(heads, rows)


def write_page(path: Path, text: str) -> None:
    """Write a page, and its folder where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def show_or_write(path: Path, renew: Callable[[str], str], arguments: Sequence[str]) -> None:
    """Print the page with its parts made anew, or with `--write` put them into the file."""
    fresh = renew(path.read_text("utf-8"))
    if "--write" in arguments:
        path.write_text(fresh, "utf-8")
    else:
        sys.stdout.write(fresh)
