"""Files of programs: what is said of bytes that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import NOT_A_PROGRAM

_Program = TypeVar("_Program")


class BadContainer(ValueError):
    """The bytes are no program; the text says why."""


def start_of(filename: str) -> Span:
    """The place of what is wrong in a file that is no text."""
    return Span(SourceFile(filename), 1, 1, 1, 1)


def report_bad(error: BadContainer, filename: str, sink: DiagnosticSink, target: str) -> None:
    """Tell why a file holds no program."""
    sink.report(NOT_A_PROGRAM, start_of(filename), target=target, reason=error)


def unpacked(
    unpack: Callable[[bytes], _Program], data: bytes, filename: str, sink: DiagnosticSink, target: str
) -> _Program:
    """The program in a file; one that is none is reported, then raised."""
    try:
        return unpack(data)
    except BadContainer as error:
        report_bad(error, filename, sink, target)
        raise CompileError(sink.diagnostics) from None
