"""Code that fits the machine: made as is best, and once more where that exceeds a limit.

A target makes code as it thinks best.  Where the machine has too little of something, and nothing else is wrong, it is
asked once more and told of what: then it does with as few registers, or words, as it can.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import NoReturn, TypeVar

from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED

Made = TypeVar("Made")
#: Names of resources that the machine has too little of.
Exceeded = frozenset[str]
#: Makes code, knowing what code made without care exceeded; what it reports or raises as an error is a failure.
Make = Callable[[Exceeded, DiagnosticSink], Made]


def fitting(
    make: Make[Made], sink: DiagnosticSink, curable: Collection[str] | None = None
) -> tuple[Made, tuple[Diagnostic, ...]]:
    """Return code that fits, and the errors of the code that was made first if that did not.

    Only a lack of resources in `curable` is a reason to make it again; without it, a lack of any.
    """
    first = attempt(partial(make, frozenset()), sink)
    if not isinstance(first, CompileError):
        return first, ()
    # The resources that there is too little of; none where anything else is wrong.
    errors = _errors(first.diagnostics)
    is_all = all(error.entry is RESOURCE_EXCEEDED for error in errors)
    exceeded = frozenset(error.values["what"] for error in errors) if is_all else frozenset()
    if not exceeded or not (curable is None or exceeded & {*curable}):
        raise_into(sink, first)
    again = make(exceeded, sink)
    sink.raise_if_errors()
    return again, tuple(_errors(first.diagnostics))


def attempt(make: Callable[[DiagnosticSink], Made], sink: DiagnosticSink) -> Made | CompileError:
    """Return what is made, its warnings in `sink`; or the error that nothing was, and nothing in `sink`."""
    trial = sink.renewed()
    try:
        made = make(trial)
        trial.raise_if_errors()
    except CompileError as error:
        return error
    sink.absorb(trial)
    return made


def raise_into(sink: DiagnosticSink, error: CompileError) -> NoReturn:
    """Report and raise the error of an attempt."""
    sink.diagnostics += error.diagnostics
    sink.error_count += len(_errors(error.diagnostics))
    raise CompileError(sink.diagnostics)


def _errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
