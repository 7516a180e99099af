"""Caret frames: source lines with a gutter of line numbers on the left, and marked ranges under them.

     3 |     vec4 c = mix(a, b);
       |              ^^^^^^^^^ expected float
       |                  - vec4

Marks of one line come one below the other, the primary one first.  A range over several lines is marked
on its first and its last line; lines that carry no mark are left out, a single one excepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from glslc_multi.compiler.diagnostics.color import Paint, Role
from glslc_multi.compiler.diagnostics.source_line import PrintedLine, printable
from glslc_multi.compiler.diagnostics.span import SourceFile, Span
from glslc_multi.compiler.records import dataclass

#: Primary place, second place, inserted text, place of deleted text.
Sign = Literal["^", "-", "+", "~"]

_ROLES: dict[Sign, Role] = {"-": "label", "+": "fix", "~": "fix"}

#: Frames of one message line up for shaders of less than 10 000 lines.
_GUTTER_WIDTH = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked range of columns (1-based, end exclusive) on one line, with words beside it."""

    line: int
    column: int
    end_column: int
    sign: Sign
    text: str = ""


def mark_span(span: Span, sign: Sign, text: str = "") -> list[Mark]:
    """The marks of a span: one, or one each on its first and last line."""
    if span.end_line <= span.line:
        return [Mark(span.line, span.column, span.end_column, sign, text)]
    last = span.file.line_text(span.end_line)
    indentation = len(last) - len(last.lstrip())
    head = Mark(span.line, span.column, len(span.file.line_text(span.line)) + 1, sign)
    if span.end_column <= indentation + 1:
        # The span ends with white space, so the last line holds nothing to mark.
        return [Mark(head.line, head.column, head.end_column, sign, text)]
    return [head, Mark(span.end_line, indentation + 1, span.end_column, sign, text)]


def draw_frame(file: SourceFile, marks: Iterable[Mark], paint: Paint, primary: Role) -> Iterator[str]:
    """The lines of a frame; `primary` is the role whose colour the "^" marks get."""
    by_line: dict[int, list[Mark]] = {}
    for mark in sorted(marks, key=lambda mark: (mark.sign != "^", mark.column)):
        by_line.setdefault(mark.line, []).append(mark)
    numbers = sorted(by_line)
    for previous, line in pairwise([numbers[0] - 1, *numbers]):
        if line - previous == 2:
            yield from _draw_line(file, line - 1, [], paint, primary)
        elif line - previous > 2:
            yield paint("gutter", "...")
        yield from _draw_line(file, line, by_line[line], paint, primary)


def _draw_line(file: SourceFile, line: int, marks: Sequence[Mark], paint: Paint, primary: Role) -> Iterator[str]:
    source = PrintedLine(file.line_text(line), first_mark=marks[0].column if marks else 1)
    number = str(file.shown_line(line)[1])
    yield f"{_gutter(number, paint)} {source.text}".rstrip()
    for mark in marks:
        start, end = source.cells(mark.column, mark.end_column)
        role = primary if mark.sign == "^" else _ROLES[mark.sign]
        words = f" {printable(mark.text)}" if mark.text else ""
        yield f"{_gutter('', paint)} {' ' * start}{paint(role, mark.sign * (end - start) + words)}"


def _gutter(number: str, paint: Paint) -> str:
    return paint("gutter", f"{number:>{_GUTTER_WIDTH}} |")
