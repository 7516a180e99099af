"""Texts with marks: `¦` is the cursor, `«` and `»` stand around what an answer is to name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("lsprotocol", reason="the extra 'lsp' is not installed")

from lsprotocol import types as lsp

from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.records import dataclass
from glslc_multi.lsp.analysis import Analysis

URI = "file:///shaders/a.frag"


@dataclass(slots=True)
class Marked:
    """A text without its marks, and where they were."""

    analysis: Analysis
    offset: int
    marks: list[tuple[int, int]]

    @property
    def place(self) -> tuple[int, int]:
        return self.analysis.lines.place_at(self.offset)

    def offsets(self, place: lsp.Range) -> tuple[int, int]:
        return self.analysis.lines.offset(place.start), self.analysis.lines.offset(place.end)

    def analyse(self, text: str) -> Analysis:
        return analyse(text, self.analysis.filename)


def analyse(text: str, filename: str = "/shaders/a.frag") -> Analysis:
    stage = {".frag": "fragment", ".vert": "vertex"}.get(Path(filename).suffix)
    return Analysis(text, filename, stage, FrontEndOptions())


def marked(text: str, filename: str = "/shaders/a.frag") -> Marked:
    """The text as an analysis, with its marks."""
    marks: list[tuple[int, int]] = []
    clean, offset, begin = "", 0, 0
    for piece in re.split("([¦«»])", text):
        if piece == "¦":
            offset = len(clean)
        elif piece == "«":
            begin = len(clean)
        elif piece == "»":
            marks.append((begin, len(clean)))
        else:
            clean += piece
    return Marked(analyse(clean, filename), offset, marks)


def applied(text: str, edits: list[lsp.TextEdit], analysis: Analysis) -> str:
    """A text after edits, as an editor does them: from the last to the first."""
    for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
        start, end = analysis.lines.offset(edit.range.start), analysis.lines.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text
