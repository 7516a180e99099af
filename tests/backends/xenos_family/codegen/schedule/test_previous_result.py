"""The previous result of the scalar unit, and moves that are exported by it: slots made by hand."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.codegen.machine_ops import MOVE, SAMPLE, SCALAR, VECTOR
from glslc_multi.backends.xenos_family.codegen.register_files import EXPORT, FETCHED, A, C, R
from glslc_multi.backends.xenos_family.codegen.schedule.previous_result import (
    export_by_previous_result,
    previous_result,
    retain,
)
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Slot, Use
from glslc_multi.compiler.codegen.registers import Register


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


def _scalar(name: str, target: Register, lane: int = 3, **attributes: object) -> MachineInstruction:
    return MachineInstruction(SCALAR[name], [Def(target, (lane,))], [Use(R[9], (2,))], attributes=dict(attributes))


def _fetch(target: Register) -> Slot:
    sources = [Use(R[7], (0, 1)), Use(FETCHED, (0, 1))]
    return (MachineInstruction(SAMPLE, [Def(target, (0, 1))], sources),)


# ------------------------------------------------------------------------------------------------- what it is
def test_the_previous_result_is_what_the_last_scalar_half_wrote() -> None:
    pair = (*_sum(R[4]), _scalar("SIN", R[5]))
    assert previous_result([pair]) == {(R[5], 3)}
    assert previous_result([(_scalar("SIN", R[5]),)]) == {(R[5], 3)}
    assert previous_result([pair, _sum(R[6]), _fetch(R[8])]) == {(R[5], 3)}
    assert previous_result([(_scalar("SIN", R[6]),), pair]) == {(R[5], 3)}
    assert previous_result([]) == previous_result([_sum(R[4])]) == set()


def test_a_limited_result_is_not_what_the_unit_keeps() -> None:
    assert previous_result([(_scalar("SIN", R[5], clamp=True),)]) == set()


def test_a_component_that_is_written_again_is_another_number() -> None:
    wide = MachineInstruction(SCALAR["SIN"], [Def(R[5], (0, 3))], [Use(R[9], (2,))])
    assert previous_result([(wide,)]) == {(R[5], 0), (R[5], 3)}
    assert previous_result([(wide,), _sum(R[5])]) == {(R[5], 3)}
    assert previous_result([(wide,), _sum(R[4]), _sum(R[5]), _sum(R[6])]) == {(R[5], 3)}


def test_the_previous_result_is_followed_through_eight_slots() -> None:
    sine: Slot = (_scalar("SIN", R[5]),)
    assert previous_result([sine, *[_sum(R[4])] * 7]) == {(R[5], 3)}
    assert previous_result([sine, *[_sum(R[4])] * 8]) == set()


# ------------------------------------------------------------------------------------------------ how it is kept
def test_empty_halves_keep_what_is_read_later() -> None:
    sine = (*_sum(R[4]), _scalar("SIN", R[5]))
    for reader in ("ADD_PREVs", "MUL_PREVs", "SUB_PREVs"):
        slots = [_sum(R[6]), sine, _sum(R[4]), _fetch(R[8]), _multiply_add(R[6]), (*_sum(R[4]), _scalar(reader, R[6]))]
        assert _names(retain(slots)) == [
            ["ADDv"], ["ADDv", "SIN"],
            ["ADDv", "RETAIN_PREV"], ["SAMPLE"], ["MULADDv", "RETAIN_PREV"],
            ["ADDv", reader],
        ]  # fmt: skip


def test_what_nobody_reads_is_not_kept() -> None:
    slots = [(*_sum(R[4]), _scalar("SIN", R[5])), _sum(R[4]), (*_sum(R[4]), _scalar("EXP_IEEE", R[6]))]
    assert retain(slots) == slots


# ------------------------------------------------------------------------------------------- what is no such move
def _stays(slots: list[Slot]) -> bool:
    return export_by_previous_result(list(slots)) == slots


def _exported(name: str, *uses: Use) -> Slot:
    return (MachineInstruction(VECTOR[name], [Def(EXPORT[0], (3,))], list(uses)),)


def test_only_moves_of_one_number_ride() -> None:
    before = [_sum(R[4]), _multiply_add(EXPORT[0])]
    number, other = Use(R[1], (2,)), Use(R[2], (2,))
    assert not _stays([*before, _exported("MAXv", number)])
    assert _stays([*before, _exported("MAXv", number, other)])
    assert _stays([*before, _exported("FRACv", number)])
    assert _stays([*before, _exported("MAXv", Use(C[1], (2,), relative=Use(A[0], (0,))))])
    assert _stays([_sum(R[4]), _multiply_add(R[5]), (MachineInstruction(MOVE, [Def(R[6], (3,))], [number]),)])
    two = MachineInstruction(MOVE, [Def(EXPORT[0], (0, 3))], [Use(R[1], (2, 1))])
    ahead = MachineInstruction(VECTOR["MULADDv"], [Def(EXPORT[0], (1, 2))], [Use(R[n], (0, 1)) for n in (1, 2, 3)])
    assert _stays([_sum(R[4]), (ahead,), (two,)])


def test_what_carries_it_exports_the_same_and_has_room() -> None:
    move = _move(R[1], 3)
    assert _stays([_sum(R[4]), _multiply_add(EXPORT[1]), move])
    assert _stays([_sum(R[4]), (*_multiply_add(EXPORT[0]), _scalar("SIN", EXPORT[0])), move])
    assert _stays([_sum(R[4]), (_scalar("SIN", EXPORT[0], 2),), move])
    assert _stays([_sum(R[4]), _multiply_add(EXPORT[0]), _move(R[1], 2)])


def test_the_number_is_read_where_a_source_is_free() -> None:
    move, carrier = _move(R[1], 3), _multiply_add(EXPORT[0])
    relative = Use(C[1], (0, 1, 2), relative=Use(A[0], (0,)))
    indexed: Slot = (MachineInstruction(VECTOR["ADDv"], [Def(R[4], (0, 1, 2))], [relative, Use(R[2], (0, 1, 2))]),)
    assert _stays([_multiply_add(R[4]), carrier, move])
    assert _stays([_fetch(R[8]), carrier, move])
    assert _stays([indexed, carrier, move])
    assert _stays([carrier, _sum(R[4]), move])
    made = export_by_previous_result([_sum(R[4]), _fetch(R[8]), indexed, carrier, move])
    assert _names(made) == [["ADDv", "MAXs"], ["SAMPLE"], ["ADDv", "RETAIN_PREV"], ["MULADDv", "RETAIN_PREV"]]


def test_a_move_in_front_rides_on_what_follows() -> None:
    limited = MachineInstruction(MOVE, [Def(EXPORT[0], (3,))], [Use(R[1], (2,))], attributes={"clamp": True})
    made = export_by_previous_result([(limited,), _sum(R[4]), _multiply_add(EXPORT[0])])
    assert _names(made) == [["ADDv", "MAXs"], ["MULADDv", "RETAIN_PREV"]]
    assert made[0][1].uses[0] == Use(R[1], (2, 2))
    assert (made[1][1].defs, made[1][1].attributes) == ([Def(EXPORT[0], (3,))], {"clamp": True})
    # Neither may what it moves be written before it is read now.
    assert _stays(
        [
            (limited,),
            (MachineInstruction(VECTOR["ADDv"], [Def(R[1], (2,))], [Use(R[2], (0,))] * 2),),
            _sum(R[4]),
            _multiply_add(EXPORT[0]),
        ]
    )
