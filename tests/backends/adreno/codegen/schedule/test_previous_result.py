"""Moves that are exported as previous scalar results: slots made by hand."""

from __future__ import annotations

from backends.adreno.codegen.machine_ops import MOVE, SCALAR, VECTOR
from backends.adreno.codegen.register_files import EXPORT, C, R
from backends.adreno.codegen.schedule.previous_result import export_by_previous_result
from compiler.codegen.machine import Def, MachineInstruction, Slot, Use
from compiler.codegen.registers import Register


def _sum(target: Register) -> Slot:
    """An operation of two sources, whose scalar half is idle."""
    sources = [Use(R[7], (0, 1, 2)), Use(R[8], (0, 1, 2))]
    return (MachineInstruction(VECTOR["ADDv"], [Def(target, (0, 1, 2))], sources),)


def _multiply_add(target: Register) -> Slot:
    sources = [Use(R[number], (0, 1, 2)) for number in (1, 2, 3)]
    return (MachineInstruction(VECTOR["MULADDv"], [Def(target, (0, 1, 2))], sources),)


def _move(source: Register, *lanes: int) -> Slot:
    return (MachineInstruction(MOVE, [Def(EXPORT[0], lanes)], [Use(source, (0,) * len(lanes))]),)


def _names(slots: list[Slot]) -> list[list[str]]:
    return [[instruction.op.name for instruction in slot] for slot in slots]


def test_a_move_rides_on_the_operation_in_front_of_it() -> None:
    slots = export_by_previous_result([_sum(R[4]), _multiply_add(EXPORT[0]), _move(C[0], 3)])
    assert _names(slots) == [["ADDv", "MAXs"], ["MULADDv", "RETAIN_PREV"]]
    reader, export = slots[0][1], slots[1][1]
    assert (reader.defs, reader.uses[0].register) == ([], C[0])
    assert export.defs == [Def(EXPORT[0], (3,))]


def test_what_is_computed_in_between_keeps_the_result() -> None:
    slots = [_sum(R[4]), _multiply_add(R[5]), _multiply_add(EXPORT[0]), _move(C[0], 3)]
    assert _names(export_by_previous_result(slots)) == [
        ["ADDv", "MAXs"],
        ["MULADDv", "RETAIN_PREV"],
        ["MULADDv", "RETAIN_PREV"],
    ]


def test_a_register_is_read_where_it_holds_what_was_moved() -> None:
    slots = [_sum(R[4]), _multiply_add(EXPORT[0]), _move(R[4], 3)]
    assert export_by_previous_result(list(slots)) == slots
    before = [_move(R[4], 3), _sum(R[4]), _sum(R[5]), _multiply_add(EXPORT[0])]
    assert export_by_previous_result(list(before)) == before


def test_a_scalar_operation_in_between_takes_the_place() -> None:
    sine = (MachineInstruction(SCALAR["SIN"], [Def(R[6])], [Use(R[6])]),)
    slots = [_sum(R[4]), sine, _multiply_add(EXPORT[0]), _move(C[0], 3)]
    assert export_by_previous_result(list(slots)) == slots


def test_of_two_moves_one_rides_on_the_other() -> None:
    made = export_by_previous_result([_sum(R[4]), _move(R[1], 0, 1, 3), _move(R[2], 2)])
    assert _names(made) == [["ADDv", "MAXs"], ["MAXv", "RETAIN_PREV"]]
    read, moved, kept = made[0][1], *made[1]
    assert (moved.uses[0].register, moved.defs[0].lanes) == (R[1], (0, 1, 3))
    assert (read.uses[0].register, kept.defs[0].lanes) == (R[2], (2,))
