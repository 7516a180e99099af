"""Operands read copies of what an instruction cannot read where it is; copies that are there stay out."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.copies import copy_for, drop_held_copies, lanes_read
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, MachineOp, Use
from glslc_multi.compiler.codegen.registers import RegisterClass, RegisterFile

_CONSTANTS, _TEMPORARIES = RegisterFile("c", 8), RegisterFile("r", 8)
_MOVE = MachineOp("mov", sources=("each",), copy=True)


def test_a_copy_has_the_components_that_are_read() -> None:
    function, constant = MachineFunction("f"), _CONSTANTS[3]
    address = Use(_CONSTANTS[0], (1,))
    one = Use(constant, (3, None, 1), negate=True, relative=address)
    other = Use(constant, (2, 2), relative=address)
    move = copy_for([one, other], function, _MOVE, RegisterClass("r", _TEMPORARIES.registers()))
    (copy,) = function.registers
    assert (copy.width, move.op) == (3, _MOVE)
    assert move.defs == [Def(copy, (0, 1, 2))]
    assert move.uses == [Use(constant, (1, 2, 3), relative=address)]
    assert one == Use(copy, (2, None, 0), negate=True)
    assert other == Use(copy, (1, 1))


def test_a_copy_of_what_nobody_cares_for_has_a_component() -> None:
    function = MachineFunction("f")
    use = Use(_CONSTANTS[1], (None,))
    assert lanes_read([use]) == ()
    move = copy_for([use], function, _MOVE, RegisterClass("r", _TEMPORARIES.registers()))
    assert move.uses == [Use(_CONSTANTS[1], (0,))]
    assert function.registers[0].width == 1


_SEND = MachineOp("send", "none", ("each",), effect=True)
_COMPUTE = MachineOp("rcp", sources=("each",))
_R = _TEMPORARIES.registers()


def _move(target: int, to: tuple[int, ...], lanes: tuple[int, ...], *, negate: bool = False) -> MachineInstruction:
    return MachineInstruction(_MOVE, [Def(_R[target], to)], [Use(_CONSTANTS[1], lanes, negate)])


def _computed(register: int, lane: int) -> MachineInstruction:
    return MachineInstruction(_COMPUTE, [Def(_R[register], (lane,))], [Use(_CONSTANTS[2], (0,))])


def _call(register: int) -> MachineInstruction:
    return MachineInstruction(MachineOp("call", "none", effect=True, clobbers=(_R[register],)))


def _kept(*instructions: MachineInstruction, reads: int = 0) -> int:
    """Count the instructions that stay of a block that reads a register at its end."""
    function = MachineFunction("f")
    function.add_block("entry").instructions = [*instructions, MachineInstruction(_SEND, [], [Use(_R[reads], (0,))])]
    drop_held_copies(function)
    return len(function.entry.instructions) - 1


@pytest.mark.parametrize(
    ("between", "again", "stay"),
    [
        ([], _move(0, (0, 1), (2, 3)), 1),
        ([_computed(0, 2)], _move(0, (1,), (3,)), 2),
        ([_computed(0, 1)], _move(0, (0, 1), (2, 3)), 3),
        ([_computed(0, 1)], _move(0, (0,), (2,)), 2),
        ([], _move(0, (0, 1), (3, 2)), 2),
        ([], _move(0, (0, 1, 2), (2, 3, 3)), 2),
        ([], _move(0, (0,), (2,), negate=True), 2),
        ([], _move(1, (0, 1), (2, 3)), 2),
        ([_call(0)], _move(0, (0, 1), (2, 3)), 3),
        ([_call(1)], _move(0, (0, 1), (2, 3)), 2),
    ],
)
def test_a_move_goes_whose_target_holds_the_same(
    between: list[MachineInstruction], again: MachineInstruction, stay: int
) -> None:
    assert _kept(_move(0, (0, 1), (2, 3)), *between, again) == stay


def test_moves_to_what_nothing_reads_stay() -> None:
    assert _kept(_move(0, (0,), (2,)), _move(0, (0,), (2,)), reads=1) == 2


def test_a_source_that_changes_is_another_value() -> None:
    def move() -> MachineInstruction:
        return MachineInstruction(_MOVE, [Def(_R[0], (0,))], [Use(_R[1], (2,))])

    assert _kept(move(), _computed(1, 3), move()) == 2
    assert _kept(move(), _computed(1, 2), move()) == 3
