"""Code made again where it does not fit: when, knowing what, and what is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from glslc_multi.compiler.codegen.fit import Exceeded, attempt, fitting
from glslc_multi.compiler.codegen.phases import InvalidCode, require_valid
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE, RESOURCE_EXCEEDED, UNFED_INPUT

PLACE = Span(SourceFile("a.frag", "abc"), 1, 2, 1, 3)


class Machine:
    """Makes code for a machine of so many registers: of 12, or of 7 where there were too few."""

    def __init__(self, registers: int, construct: str = "") -> None:
        self.registers = registers
        self.construct = construct
        #: What each attempt was told.
        self.told: list[set[str]] = []

    def make(self, exceeded: Exceeded, sink: DiagnosticSink) -> str:
        self.told.append({*exceeded})
        need = 7 if exceeded else 12
        sink.report(UNFED_INPUT, target="m", name=f"x{need}", register="r0")
        if self.construct:
            sink.report(NOT_EXPRESSIBLE, target="m", construct=self.construct)
        if need > self.registers:
            sink.report(RESOURCE_EXCEEDED, PLACE, target="m", need=need, what="registers", limit=self.registers)
        sink.raise_if_errors()
        return "x" * need


def messages(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [diagnostic.message for diagnostic in diagnostics]


def refusal(machine: Machine, *curable: str) -> list[str]:
    """What is reported where nothing fits."""
    sink = DiagnosticSink()
    with pytest.raises(CompileError) as caught:
        fitting(machine.make, sink, curable or None)
    assert messages(caught.value.diagnostics) == messages(sink.diagnostics)
    assert sink.error_count == sum(each.severity == "error" for each in sink.diagnostics)
    return [each.message for each in sink.diagnostics if each.severity == "error"]


@pytest.mark.parametrize(("registers", "size"), [(12, 12), (11, 7), (7, 7)])
def test_code_is_made_again_where_registers_are_too_few(registers: int, size: int) -> None:
    machine, sink = Machine(registers), DiagnosticSink()
    made, exceeded = fitting(machine.make, sink)
    assert len(made) == size
    assert machine.told == ([set()] if size == 12 else [set(), {"registers"}])
    assert messages(exceeded) == ([] if size == 12 else [f"needs 12 registers, m has {registers}"])
    # What the code reports that is taken, and nothing else.
    assert messages(sink.diagnostics) == [f"nothing on m writes 'x{size}'; it is read from register r0"]


def test_the_second_failure_is_reported() -> None:
    machine = Machine(6)
    assert refusal(machine) == ["needs 7 registers, m has 6"]
    assert len(machine.told) == 2


def test_what_is_no_lack_of_resources_is_not_tried_again() -> None:
    for registers in (12, 3):
        machine = Machine(registers, construct="goto")
        assert refusal(machine)[0] == "m cannot express goto"
        assert len(machine.told) == 1


def test_what_nothing_cures_is_not_tried_again() -> None:
    machine = Machine(11)
    assert refusal(machine, "words") == ["needs 12 registers, m has 11"]
    assert len(machine.told) == 1
    assert len(fitting(Machine(11).make, DiagnosticSink(), ["words", "registers"])[0]) == 7


def test_an_attempt_is_a_value_or_an_error() -> None:
    def make(sink: DiagnosticSink) -> str:
        sink.report(NOT_EXPRESSIBLE, target="m", construct="goto")
        return "never"

    sink = DiagnosticSink()
    found = attempt(make, sink)
    assert isinstance(found, CompileError) and messages(found.diagnostics) == ["m cannot express goto"]
    assert sink.diagnostics == [] and attempt(lambda _: 1, sink) == 1


def test_attempts_have_the_settings_of_the_sink() -> None:
    strict = DiagnosticSink(warnings_as_errors=True)
    assert isinstance(attempt(lambda sink: Machine(12).make(frozenset(), sink), strict), CompileError)
    silent = DiagnosticSink(disabled_groups=frozenset({UNFED_INPUT.group}))
    fitting(Machine(12).make, silent)
    assert silent.diagnostics == []


def test_invalid_code_is_no_lack_of_resources() -> None:
    def make(exceeded: Exceeded, sink: DiagnosticSink) -> None:
        require_valid("m", ["a word"])

    with pytest.raises(InvalidCode):
        fitting(make, DiagnosticSink())
