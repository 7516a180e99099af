"""The sink, the exception and the exit status."""

from __future__ import annotations

import pickle

import pytest

from glslc_multi.compiler.diagnostics import (
    CompileError,
    Diagnostic,
    DiagnosticSink,
    Entry,
    Fix,
    Label,
    Origin,
    SourceFile,
    exit_status,
)
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.diagnostics.sink import LONGEST_VALUE, TooManyErrors
from tests.compiler.diagnostics.origins import with_origin
from tests.compiler.diagnostics.samples import BAD, CRASH, MISUSE, ODD, TOO_BIG, find, problem

FILE = SourceFile("a.frag", "float a = b;\n")


def test_a_report_fills_the_template_and_keeps_everything_it_is_given() -> None:
    entry = Entry("E0004", "error", "needs {need}, {target} has {limit}", "")
    label, fix = Label(find(FILE, "b"), "here"), Fix(find(FILE, "b"), "c")
    sink = DiagnosticSink()
    sink.report(
        entry,
        find(FILE, "a"),
        labels=[label],
        help="less",
        notes=["one"],
        fixes=[fix],
        target="agal",
        pass_name="allocate",
        need=9,
        limit=8,
    )
    assert sink.diagnostics == [
        Diagnostic(
            entry,
            "needs 9, agal has 8",
            find(FILE, "a"),
            (label,),
            "less",
            ("one",),
            (fix,),
            "error",
            "agal",
            "allocate",
        )
    ]


def test_errors_are_collected_until_the_phase_ends() -> None:
    sink = DiagnosticSink()
    sink.raise_if_errors()
    sink.report(BAD)
    sink.report(BAD)
    with pytest.raises(CompileError) as caught:
        sink.raise_if_errors()
    assert len(caught.value.diagnostics) == 2


def test_the_last_error_allowed_stops_the_phase_and_says_so() -> None:
    sink = DiagnosticSink(max_errors=2)
    sink.report(BAD)
    with pytest.raises(TooManyErrors) as caught:
        sink.report(BAD, notes=["first"])
    assert [diagnostic.notes for diagnostic in caught.value.diagnostics] == [(), ("first", "stopped after 2 errors")]


def test_no_errors_are_too_many_without_a_limit() -> None:
    sink = DiagnosticSink(max_errors=0)
    for _ in range(100):
        sink.report(BAD)
    assert sink.error_count == 100


def test_warnings_do_not_stop_anything() -> None:
    sink = DiagnosticSink(max_errors=1)
    sink.report(ODD)
    sink.raise_if_errors()
    assert [diagnostic.severity for diagnostic in sink.diagnostics] == ["warning"]


def test_of_too_many_warnings_the_last_says_how_many_more() -> None:
    sink = DiagnosticSink(max_warnings=3)
    for _ in range(10):
        sink.report(ODD)
    sink.report(BAD)
    sink.report(ODD)
    assert [each.severity for each in sink.diagnostics] == ["warning"] * 3 + ["error"]
    notes = [each.notes for each in sink.diagnostics]
    assert (notes, sink.warning_count) == ([(), (), ("more warnings, which --max-warnings shows: 8",), ()], 11)


def test_warnings_have_no_limit_on_demand() -> None:
    sink = DiagnosticSink(max_warnings=0)
    for _ in range(1000):
        sink.report(ODD)
    assert [each.entry for each in sink.diagnostics] == [ODD] * 1000


def test_warnings_of_a_trial_count() -> None:
    sink = DiagnosticSink(max_warnings=3)
    trial = sink.renewed()
    for each in (sink, trial, trial, trial, trial):
        each.report(ODD)
    sink.absorb(trial)
    assert (trial.max_warnings, sink.warning_count) == (3, 5)


def test_a_group_of_warnings_can_be_switched_off() -> None:
    sink = DiagnosticSink(disabled_groups=frozenset({"oddities"}), warnings_as_errors=True)
    sink.report(ODD)
    assert sink.diagnostics == []


def test_warnings_can_be_errors() -> None:
    sink = DiagnosticSink(warnings_as_errors=True)
    sink.report(ODD)
    assert [diagnostic.severity for diagnostic in sink.diagnostics] == ["error"]
    assert exit_status(sink.diagnostics) == 1


def test_a_very_long_value_is_shortened_in_the_message() -> None:
    sink = DiagnosticSink()
    sink.report(Entry("E0004", "error", "'{name}'", ""), name="a" * 10_000 + "z")
    message = sink.diagnostics[0].message
    assert len(message) == LONGEST_VALUE + len("''…")
    assert message.startswith("'aaa")
    assert message.endswith("az'")


def test_braces_in_a_value_stay_as_they_are() -> None:
    sink = DiagnosticSink()
    sink.report(Entry("E0004", "error", "found {found}", ""), found="'{name}'")
    assert sink.diagnostics[0].message == "found '{name}'"


@pytest.mark.parametrize(
    ("entries", "status"),
    [([], 0), ([ODD], 0), ([BAD], 1), ([TOO_BIG], 3), ([TOO_BIG, BAD], 1), ([BAD, MISUSE], 2), ([MISUSE, CRASH], 70)],
)
def test_the_gravest_error_decides_the_exit_status(entries: list[Entry], status: int) -> None:
    assert exit_status([problem(entry=entry) for entry in entries]) == status


def test_the_exception_is_summed_up_by_the_first_error_and_how_many_others_there_are() -> None:
    error = CompileError([problem(entry=ODD), problem(find(FILE, "b")), problem()])
    assert error.summary == "a.frag:1:11: something is wrong [E0000] (and 1 more)"


def test_the_exception_prints_what_the_command_prints() -> None:
    found = [problem(entry=ODD), problem(find(FILE, "b"))]
    assert f"{CompileError(found)}\n" == render(found)
    assert str(CompileError([])) == "compilation failed"


def test_the_exception_passes_between_processes() -> None:
    error = CompileError([problem(with_origin(find(FILE, "b"), Origin("inlined", "f", find(FILE, "a"))))])
    copy = pickle.loads(pickle.dumps(error))
    assert copy.diagnostics == error.diagnostics
    assert str(copy) == str(error)
