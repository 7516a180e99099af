"""The error that the evaluator raises: a diagnostic, like every error about a user's input."""

from __future__ import annotations

from typing import Any, NoReturn

from glslc_multi.compiler.diagnostics.model import Entry
from glslc_multi.compiler.diagnostics.sink import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.span import Span


class EvaluationError(CompileError):
    """A shader cannot be run, or not with the values it was given."""


def fail(entry: Entry, span: Span | None = None, *, help: str | None = None, **values: Any) -> NoReturn:
    """Raise an `EvaluationError` with the one diagnostic of `entry`."""
    sink = DiagnosticSink(max_errors=0)
    sink.report(entry, span, help=help, **values)
    raise EvaluationError(sink.diagnostics)
