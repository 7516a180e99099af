"""Code made in other forms where the first does not fit: what is taken, and what is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from compiler.codegen.attempts import Attempt, first_that_fits, made_or_error, made_or_none
from compiler.codegen.invalid import InvalidCode, require_valid
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.usage import FILE_NOT_FOUND, UNREADABLE_FILE


def making(result: str) -> Attempt[str]:
    return lambda sink: result


def failing(path: str) -> Attempt[str]:
    def attempt(sink: DiagnosticSink) -> str:
        sink.report(FILE_NOT_FOUND, path=path)
        sink.raise_if_errors()
        return ""

    return attempt


def test_the_first_that_fits_is_taken_and_failures_are_not_told() -> None:
    sink = DiagnosticSink()
    assert first_that_fits([failing("a"), making("b"), making("c")], sink) == "b"
    assert sink.diagnostics == []


def test_the_last_failure_is_told() -> None:
    with pytest.raises(CompileError) as caught:
        first_that_fits([failing("a"), failing("b")], DiagnosticSink())
    assert ["b" in diagnostic.message for diagnostic in caught.value.diagnostics] == [True]


def test_an_attempt_is_made_only_where_those_before_it_fail() -> None:
    made = []

    def attempts() -> Iterator[Attempt[str]]:
        for attempt in (failing("a"), making("b"), making("c")):
            made.append(attempt)
            yield attempt

    assert first_that_fits(attempts(), DiagnosticSink()) == "b"
    assert len(made) == 2


def test_errors_are_a_value() -> None:
    sink = DiagnosticSink()
    error = made_or_error(failing("a"), sink)
    assert isinstance(error, CompileError) and len(error.diagnostics) == 1
    assert made_or_error(making("b"), sink) == "b"
    assert sink.diagnostics == []


def test_another_error_ends_the_search() -> None:
    with pytest.raises(CompileError) as caught:
        first_that_fits([failing("a"), making("b")], DiagnosticSink(), only_for=UNREADABLE_FILE)
    assert ["a" in diagnostic.message for diagnostic in caught.value.diagnostics] == [True]
    assert first_that_fits([failing("a"), making("b")], DiagnosticSink(), only_for=FILE_NOT_FOUND) == "b"


def test_notes_of_what_was_made_are_kept() -> None:
    def noted(sink: DiagnosticSink) -> str:
        sink.report(FILE_NOT_FOUND, path="noted")
        return "made"

    sink = DiagnosticSink()
    assert made_or_none(noted, sink) == "made"
    assert len(sink.diagnostics) == 1
    assert made_or_none(failing("a"), sink) is None
    assert len(sink.diagnostics) == 1


def test_broken_code_is_an_error_of_the_compiler() -> None:
    require_valid("vc4", [])
    with pytest.raises(InvalidCode, match="vc4: the code generated breaks a rule: a; b"):
        require_valid("vc4", ["a", "b"])
