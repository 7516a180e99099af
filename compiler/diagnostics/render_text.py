"""Diagnostics as text for people: the headline, a caret frame, then everything that explains it.

lib.glsl:2:14: error: 'lenght' is not declared [E0301]
   2 | float size = lenght(p);
     |              ^^^^^^
note: in file included from scene.frag:4
help: did you mean 'length'?
   2 | float size = length(p);
     |              ++++++
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from glslc_multi.compiler.diagnostics.color import Paint, Role
from glslc_multi.compiler.diagnostics.frame import Mark, draw_frame, mark_span
from glslc_multi.compiler.diagnostics.model import Diagnostic, Label
from glslc_multi.compiler.diagnostics.patch import patches
from glslc_multi.compiler.diagnostics.render_lines import headline
from glslc_multi.compiler.diagnostics.source_line import printable
from glslc_multi.compiler.diagnostics.span import Span

#: Of a longer chain of macros, calls or includes, only this many links are shown at each end.
CHAIN_END = 4


def render_text(diagnostics: Iterable[Diagnostic], paint: Paint) -> str:
    return "".join(f"{line}\n" for diagnostic in diagnostics for line in _lines(diagnostic, paint))


def _lines(diagnostic: Diagnostic, paint: Paint) -> Iterator[str]:
    yield headline(diagnostic, paint)
    # The frame of the message, the labels in other files, and how the compiler came to this place.
    span = diagnostic.span
    here = [label for label in diagnostic.labels if span is not None and label.span.file is span.file]
    if span is not None:
        yield from _frame(span, _frame_marks(span, here), paint, diagnostic.severity)
        yield from _chain([_include_note(place, paint) for place in span.include_stack()], paint)
    for label in diagnostic.labels:
        if span is None or label.span.file is not span.file:
            yield from _place_note(label.span, label.text, paint)
    if span is not None:
        origins = ["\n".join(_place_note(origin.span, origin.text, paint)) for origin in span.origins()]
        yield from _chain(origins, paint)
    for note in (*_circumstances(diagnostic), *diagnostic.notes):
        yield _remark("note", note, paint)
    if diagnostic.help:
        yield _remark("help", diagnostic.help, paint)
    elif diagnostic.fixes:
        yield _remark("help", "change it to", paint)
    for patch in patches(diagnostic.fixes):
        yield from draw_frame(patch.file, patch.marks, paint, "fix")


def _frame_marks(span: Span, labels: Sequence[Label]) -> list[Mark]:
    """The primary mark, with the words of the first label at the same place, and the other labels' marks."""
    beside = next((label for label in labels if label.span.place == span.place), None)
    marks = mark_span(span, "^", "" if beside is None else beside.text)
    return marks + [mark for label in labels if label is not beside for mark in mark_span(label.span, "-", label.text)]


def _include_note(place: Span, paint: Paint) -> str:
    name, line = place.file.shown_line(place.line)
    return _remark("note", f"in file included from {name}:{line}", paint)


def _place_note(span: Span, text: str, paint: Paint) -> Iterator[str]:
    yield f"{paint('headline', f'{printable(span.location)}:')} {_remark('note', text, paint)}"
    yield from _frame(span, mark_span(span, "^"), paint, "note")


def _frame(span: Span, marks: Iterable[Mark], paint: Paint, primary: Role) -> Iterator[str]:
    """The frame of a span; none where the text of the file is not known."""
    if span.file.text:
        yield from draw_frame(span.file, marks, paint, primary)


def _circumstances(diagnostic: Diagnostic) -> Iterator[str]:
    if diagnostic.target is not None and diagnostic.target not in diagnostic.message:
        yield f"for target '{diagnostic.target}'"
    if diagnostic.pass_name is not None:
        yield f"in pass '{diagnostic.pass_name}'"


def _remark(kind: Literal["note", "help"], text: str, paint: Paint) -> str:
    continuation = "\n" + " " * len(f"{kind}: ")
    return f"{paint(kind, f'{kind}:')} {continuation.join(printable(line) for line in text.splitlines())}"


def _chain(links: Sequence[str], paint: Paint) -> Iterator[str]:
    """The links, without the middle of a long chain."""
    if len(links) <= 2 * CHAIN_END + 1:
        yield from links
        return
    yield from links[:CHAIN_END]
    yield _remark("note", f"({len(links) - 2 * CHAIN_END} more left out)", paint)
    yield from links[-CHAIN_END:]
