"""What the tests of this folder share: entries outside the catalogue, and spans found by their text."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Diagnostic, Entry, SourceFile, Span

BAD = Entry("E0000", "error", "something is wrong", "An error.")
ODD = Entry("W0000", "warning", "something is odd", "A warning.", group="oddities")
TOO_BIG = Entry("E0001", "error", "too big", "A limit.", exit_status=3)
MISUSE = Entry("E0002", "error", "wrong use", "A usage error.", exit_status=2)
CRASH = Entry("E0003", "error", "internal error", "A mistake of the compiler.", exit_status=70)


def find(file: SourceFile, text: str) -> Span:
    """The span of the first occurrence of a text within one line."""
    for number, line in enumerate(file.lines, start=1):
        column = line.find(text) + 1
        if column:
            return Span(file, number, column, number, column + len(text))
    raise AssertionError(f"{text!r} is not in {file!r}")


def problem(span: Span | None = None, entry: Entry = BAD) -> Diagnostic:
    """A diagnostic with the plain message of its entry."""
    return Diagnostic(entry, entry.template, span, severity=entry.severity)
