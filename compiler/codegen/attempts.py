"""Code made in one form, and where that does not fit, in others: the only place that asks again after an error.

Each form is tried with diagnostics of its own, so that what a failed one reports is never shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from compiler.diagnostics import CompileError, DiagnosticSink, Entry

Made = TypeVar("Made")
Attempt = Callable[[DiagnosticSink], Made]


def made_or_error(attempt: Attempt[Made], sink: DiagnosticSink) -> Made | CompileError:
    """What the attempt makes, its warnings in `sink`; where it has errors, these."""
    trial = sink.renewed()
    try:
        made = attempt(trial)
    except CompileError as error:
        return error
    sink.absorb(trial)
    return made


def made_or_none(attempt: Attempt[Made], sink: DiagnosticSink) -> Made | None:
    """What the attempt makes, its warnings in `sink`; None where it has errors."""
    made = made_or_error(attempt, sink)
    return None if isinstance(made, CompileError) else made


def first_that_fits(attempts: Iterable[Attempt[Made]], sink: DiagnosticSink, *, only_for: Entry | None = None) -> Made:
    """What the first attempt without errors makes; where all have some, `CompileError` with those of the last.

    Attempts are taken one by one: an iterator makes the next one only where those before it have failed.  An error
    other than `only_for`, where that is given, ends the search.
    """
    trial = sink.renewed()
    for attempt in attempts:
        trial = sink.renewed()
        try:
            made = attempt(trial)
        except CompileError:
            errors = (each.entry for each in trial.diagnostics if each.severity == "error")
            if only_for is not None and any(entry is not only_for for entry in errors):
                break
            continue
        sink.absorb(trial)
        return made
    sink.absorb(trial)
    raise CompileError(sink.diagnostics)
