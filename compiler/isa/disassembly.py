"""What disassemblers share: labels between lines, and what no text says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.machine import NO_TEXT
from glslc_multi.compiler.isa.container import start_of


def report_no_text(sink: DiagnosticSink, filename: str, what: str, reason: object) -> None:
    """Tell that something in a program cannot be written."""
    sink.report(NO_TEXT, start_of(filename), what=what, reason=reason)


def with_labels(lines: Sequence[str], labels_at: Callable[[int], Iterable[str]]) -> Iterator[str]:
    """The lines, each after the labels of its number; labels may stand after the last one, too."""
    for number, line in enumerate(lines):
        yield from labels_at(number)
        yield line
    yield from labels_at(len(lines))


def text_of(lines: Iterable[str]) -> str:
    """The text of lines."""
    return "".join([f"{line}\n" for line in lines])
