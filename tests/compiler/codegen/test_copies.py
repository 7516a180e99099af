"""Operands read copies of what an instruction cannot read where it is."""

from __future__ import annotations

from glslc_multi.compiler.codegen.copies import copy_for, lanes_read
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineOp, Use
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
