"""Code made at levels: which one is taken, what is told, and why the others were not taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from compiler.codegen.invalid import InvalidCode, require_valid
from compiler.codegen.levels import (
    Failed,
    Failure,
    Found,
    Level,
    PassedOver,
    first_that_fits,
    outcome_of,
    required,
    smallest_that_fits,
)
from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink, SourceFile, Span
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE, RESOURCE_EXCEEDED, UNFED_INPUT

#: Registers that code takes at each level.
LEVELS = (Level("fast", "nothing is saved", 12), Level("plain", "some", 10), Level("small", "all", 7))
PLACE = Span(SourceFile("a.frag", "abc"), 1, 2, 1, 3)


def machine(registers: int) -> Callable[[Level[int], DiagnosticSink], str]:
    """Makes code for a machine of so many registers; of what does not fit, and of an input, it says so."""

    def make(level: Level[int], sink: DiagnosticSink) -> str:
        sink.report(UNFED_INPUT, target="m", name=level.name, register="r0")
        if level.values > registers:
            need = level.values
            sink.report(RESOURCE_EXCEEDED, PLACE, target="m", need=need, what="registers", limit=registers)
            sink.raise_if_errors()
        return "x" * level.values

    return make


def inexpressible(level: Level[int], sink: DiagnosticSink) -> str:
    sink.report(NOT_EXPRESSIBLE, target="m", construct=level.name)
    raise CompileError(sink.diagnostics)


def smallest(
    levels: Sequence[Level[int]],
    registers: int,
    sink: DiagnosticSink,
    order: Callable[[int], int] = lambda values: 0,
) -> Found[str] | Failure:
    return smallest_that_fits(levels, machine(registers), sink, size=len, unit="words", order=order)


def found(outcome: Found[str] | Failure) -> Found[str]:
    assert isinstance(outcome, Found)
    return outcome


def messages(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [diagnostic.message for diagnostic in diagnostics]


# ------------------------------------------------------------------------------- the first that fits
@pytest.mark.parametrize(("registers", "taken"), [(12, 12), (11, 10), (10, 10), (9, 7), (7, 7)])
def test_the_first_that_fits_is_taken(registers: int, taken: int) -> None:
    assert len(found(first_that_fits(LEVELS, machine(registers), DiagnosticSink())).made) == taken


def test_later_levels_are_not_made() -> None:
    made: list[str] = []

    def make(level: Level[int], sink: DiagnosticSink) -> str:
        made.append(level.name)
        return machine(10)(level, sink)

    first_that_fits(LEVELS, make, DiagnosticSink())
    assert made == ["fast", "plain"]


def test_what_a_failed_level_reports_is_not_told() -> None:
    sink = DiagnosticSink()
    first_that_fits(LEVELS, machine(10), sink)
    assert messages(sink.diagnostics) == ["nothing on m writes 'plain'; it is read from register r0"]


def test_the_failure_of_the_last_level_counts() -> None:
    failure = first_that_fits(LEVELS, machine(3), DiagnosticSink())
    assert isinstance(failure, Failure)
    assert messages(failure.errors) == ["needs 7 registers, m has 3"]


# ------------------------------------------------------------------------------ which levels may help
def test_a_level_helps_where_something_is_exceeded_only() -> None:
    failure = first_that_fits(LEVELS, inexpressible, DiagnosticSink())
    assert isinstance(failure, Failure)
    assert messages(failure.errors) == ["m cannot express fast"]


def test_another_error_beside_an_excess_cannot_be_helped() -> None:
    def make(level: Level[int], sink: DiagnosticSink) -> str:
        sink.report(NOT_EXPRESSIBLE, target="m", construct=level.name)
        return machine(3)(level, sink)

    failure = first_that_fits(LEVELS, make, DiagnosticSink())
    assert isinstance(failure, Failure)
    assert messages(failure.errors) == ["m cannot express fast", "needs 12 registers, m has 3"]


def test_a_target_has_its_own_rule() -> None:
    def helps(level: Level[int], failed: Sequence[Failed[int]]) -> bool:
        return failed[-1].failure.exceeded == {"registers"} and level.name != "plain"

    taken = found(first_that_fits(LEVELS, machine(10), DiagnosticSink(), helps))
    assert [level.name for level in taken.taken] == ["small"]
    assert [other.level for other in taken.taken[0].passed_over] == ["fast"]


def test_a_rule_sees_all_failures() -> None:
    seen: list[list[str]] = []

    def helps(level: Level[int], failed: Sequence[Failed[int]]) -> bool:
        seen.append([each.level.name for each in failed])
        return True

    first_that_fits(LEVELS, machine(3), DiagnosticSink(), helps)
    assert seen == [["fast"], ["fast", "plain"]]


# --------------------------------------------------------------------------------- the smallest that fits
def test_the_smallest_is_taken_with_its_warnings() -> None:
    sink = DiagnosticSink()
    taken = found(smallest(LEVELS[::-1], 10, sink))
    assert taken.made == "x" * 7
    assert messages(sink.diagnostics) == ["nothing on m writes 'small'; it is read from register r0"]


def test_any_error_leaves_a_form_out() -> None:
    def make(level: Level[int], sink: DiagnosticSink) -> str:
        return inexpressible(level, sink) if level.name == "small" else machine(12)(level, sink)

    taken = found(smallest_that_fits(LEVELS, make, DiagnosticSink(), size=len, unit="words"))
    assert taken.made == "x" * 10


def test_of_one_size_the_first_tried_is_taken() -> None:
    levels = [Level("one", "", 4), Level("other", "", 4)]
    assert [each.name for each in found(smallest(levels, 9, DiagnosticSink())).taken] == ["one"]
    levels = [Level("loose", "", 5), Level("tight", "", 4)]
    ordered = smallest_that_fits(levels, machine(9), DiagnosticSink(), size=lambda _: 1, unit="", order=lambda n: n)
    assert [each.name for each in found(ordered).taken] == ["tight"]


def test_where_none_fits_the_failure_of_the_last_in_the_table_counts() -> None:
    tried = {10: 0, 7: 1, 12: 2}
    failure = smallest(LEVELS, 3, DiagnosticSink(), order=tried.__getitem__)
    assert isinstance(failure, Failure)
    assert messages(failure.errors) == ["needs 7 registers, m has 3"]


# ------------------------------------------------------------------------------------- the report
def test_nothing_is_reported_of_a_first_level() -> None:
    assert found(first_that_fits(LEVELS, machine(12), DiagnosticSink())).taken == ()
    assert found(smallest(LEVELS[:1], 12, DiagnosticSink())).taken == ()


def test_the_report_says_why_levels_before_failed() -> None:
    (taken,) = found(first_that_fits(LEVELS, machine(7), DiagnosticSink())).taken
    assert (taken.name, taken.about, taken.number, taken.count) == ("small", "all", 3, 3)
    assert [(other.level, other.why) for other in taken.passed_over] == [
        ("fast", "failed: needs 12 registers, m has 7"),
        ("plain", "failed: needs 10 registers, m has 7"),
    ]
    error = taken.passed_over[0].error
    assert error is not None and error.entry is RESOURCE_EXCEEDED and error.span is PLACE
    assert error.values == {"need": "12", "what": "registers", "limit": "7"}


def test_the_report_says_how_large_other_forms_are() -> None:
    (taken,) = found(smallest(LEVELS, 10, DiagnosticSink())).taken
    assert (taken.name, taken.policy) == ("small", "smallest that fits")
    assert [other.why for other in taken.passed_over] == ["failed: needs 12 registers, m has 10", "takes 10 words"]


def test_code_that_was_given_up_says_why() -> None:
    def make(level: Level[int], sink: DiagnosticSink) -> str | Failure:
        return Failure(given_up="would be no shorter") if level.name == "plain" else machine(12)(level, sink)

    (taken,) = found(smallest_that_fits(LEVELS[:2], make, DiagnosticSink(), size=len, unit="words")).taken
    assert taken.passed_over == (PassedOver("plain", "would be no shorter"),)


# ----------------------------------------------------------------------------------- outcomes as values
def test_an_error_is_a_value() -> None:
    sink = DiagnosticSink()
    outcome = outcome_of(lambda trial: inexpressible(LEVELS[0], trial), sink)
    assert isinstance(outcome, Failure) and messages(outcome.errors) == ["m cannot express fast"]
    assert sink.diagnostics == []


def test_an_error_that_is_only_reported_is_a_failure() -> None:
    def make(sink: DiagnosticSink) -> str:
        sink.report(NOT_EXPRESSIBLE, target="m", construct="it")
        return "code"

    assert isinstance(outcome_of(make, DiagnosticSink()), Failure)


def test_failures_keep_the_warnings_before_them() -> None:
    failure = outcome_of(lambda sink: machine(3)(LEVELS[0], sink), DiagnosticSink())
    assert isinstance(failure, Failure) and len(failure.diagnostics) == 2 and len(failure.errors) == 1

    def make(sink: DiagnosticSink) -> str | Failure:
        sink.report(UNFED_INPUT, target="m", name="outer", register="r0")
        return failure

    outer = outcome_of(make, DiagnosticSink())
    assert isinstance(outer, Failure) and len(outer.diagnostics) == 3


def test_trials_have_the_settings_of_the_sink() -> None:
    strict = DiagnosticSink(warnings_as_errors=True)
    assert isinstance(first_that_fits(LEVELS, machine(12), strict), Failure)
    assert isinstance(smallest(LEVELS, 12, strict), Failure)
    silent = DiagnosticSink(disabled_groups=frozenset({UNFED_INPUT.group}))
    first_that_fits(LEVELS, machine(12), silent)
    assert silent.diagnostics == []


def test_a_failure_that_is_not_allowed_is_reported_and_raised() -> None:
    assert required("made", DiagnosticSink()) == "made"
    sink = DiagnosticSink()
    with pytest.raises(CompileError, match="needs 7 registers, m has 3"):
        required(first_that_fits(LEVELS, machine(3), sink), sink)
    assert len(sink.diagnostics) == 2 and sink.error_count == 1


def test_broken_code_is_an_error_of_the_compiler() -> None:
    require_valid("vc4", [])
    with pytest.raises(InvalidCode, match="vc4: the code generated breaks a rule: a; b"):
        require_valid("vc4", ["a", "b"])
