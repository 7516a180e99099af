"""What the source looks like after the fixes of a diagnostic: the changed lines, as a file of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.compiler.diagnostics.frame import Mark, mark_span
from glslc_multi.compiler.diagnostics.model import Fix
from glslc_multi.compiler.diagnostics.span import SourceFile, Span
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Patch:
    """Changed lines in the numbering of the original file, and marks on what is new in them."""

    file: SourceFile
    marks: tuple[Mark, ...]


def patches(fixes: Iterable[Fix]) -> Iterator[Patch]:
    """The result of applying all fixes, one patch for each run of lines that they touch."""
    group: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: (fix.span.file.name, fix.span.line, fix.span.column)):
        if group and not _touches(group[-1].span, fix.span):
            yield _patch(group)
            group = []
        group.append(fix)
    if group:
        yield _patch(group)


def _touches(earlier: Span, later: Span) -> bool:
    return earlier.file is later.file and later.line <= earlier.end_line


def _patch(fixes: Sequence[Fix]) -> Patch:
    """Apply fixes, in order of place, to the lines from the first to the last that they touch."""
    original = fixes[0].span.file
    first_line = fixes[0].span.line
    text = ""
    line, column = first_line, 1
    inserted: list[tuple[int, int]] = []
    for fix in fixes:
        text += _between(original, (line, column), (fix.span.line, fix.span.column))
        inserted.append((len(text), len(text) + len(fix.text)))
        text += fix.text
        line, column = fix.span.end_line, fix.span.end_column
    text += original.line_text(line)[column - 1 :]
    changed = SourceFile(original.name, text)
    shown_name, shown_line = original.shown_line(first_line)
    changed.renumber(1, shown_line, shown_name)
    return Patch(changed, tuple(mark for start, end in inserted for mark in _mark(changed, start, end)))


def _between(file: SourceFile, start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text of a file from one (line, column) to another."""
    lines = [file.line_text(line) for line in range(start[0], end[0] + 1)]
    if not lines:
        return ""
    lines[-1] = lines[-1][: end[1] - 1]
    lines[0] = lines[0][start[1] - 1 :]
    return "\n".join(lines)


def _mark(file: SourceFile, start: int, end: int) -> list[Mark]:
    line, column = _place(file.text, start)
    end_line, end_column = _place(file.text, end)
    return mark_span(Span(file, line, column, end_line, end_column), "+" if end > start else "~")


def _place(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1
