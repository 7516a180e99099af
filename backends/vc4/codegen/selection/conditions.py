"""Rules for conditions.

Comparisons become flags right where a choice, a discard or a branch uses them, else words of 0 or ~0.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.vc4.codegen.machine_ops import ZERO
from backends.vc4.codegen.selection.emitter import QpuEmitter, literal, rule
from backends.vc4.isa.instructions import Condition
from compiler.codegen.machine import Use
from compiler.ir import ops
from compiler.ir.module import Instruction, Value
from compiler.ir.ops import Opcode

#: Comparison -> operation, whether its operands are exchanged, and the flag that says that it holds.
_TESTS: Mapping[Opcode, tuple[str, bool, Condition]] = {
    ops.FLT: ("fmax", True, Condition.C),
    ops.FLE: ("fmax", False, Condition.CC),
    ops.FEQ: ("fsub", False, Condition.Z),
    ops.FNE: ("fsub", False, Condition.NZ),
    ops.ILT: ("max", True, Condition.C),
    ops.ILE: ("max", False, Condition.CC),
    ops.IEQ: ("sub", False, Condition.Z),
    ops.INE: ("sub", False, Condition.NZ),
}


def test(e: QpuEmitter, condition: Value) -> Condition:
    """Set the flags by a condition; under which condition it holds."""
    if isinstance(condition, Instruction):
        if condition.op is ops.NOT:
            return Condition(test(e, condition.operands[0]) ^ 1)
        if condition.op in _TESTS:
            name, is_swapped, holds = _TESTS[condition.op]
            x, y = (e.read(operand) for operand in condition.operands)
            e.alu(name, None, *((y, x) if is_swapped else (x, y)), sets_flags=True)
            return holds
        if condition.op is ops.FTOB:
            e.alu("fsub", None, e.read(condition.operands[0]), Use(ZERO), sets_flags=True)
            return Condition.NZ
        if condition.op is ops.ITOB:
            e.alu("mov", None, e.read(condition.operands[0]), sets_flags=True)
            return Condition.NZ
    e.alu("mov", None, e.read(condition), sets_flags=True)
    return Condition.NZ


@rule(*_TESTS, ops.FTOB, ops.ITOB)
def comparison(e: QpuEmitter, instruction: Instruction) -> None:
    """A condition as a word: ~0 where it holds, else 0."""
    result = e.define(instruction)
    e.alu("mov", result, Use(ZERO))
    holds = test(e, instruction)
    e.alu("mov", result, literal(-1), cond=holds)


@rule(ops.BTOF, ops.BTOI)
def number_of_condition(e: QpuEmitter, instruction: Instruction) -> None:
    one = literal(1.0 if instruction.op is ops.BTOF else 1)
    condition, result = instruction.operands[0], e.define(instruction)
    if not isinstance(condition, Instruction) or condition.op not in _TESTS or e.is_wanted(condition):
        e.alu("and", result, e.read(condition), one)
        return
    e.alu("mov", result, Use(ZERO))
    holds = test(e, condition)
    e.alu("mov", result, one, cond=holds)


@rule(ops.SELECT)
def choice(e: QpuEmitter, instruction: Instruction) -> None:
    """One of the values, then the other one over it in the lanes where the condition holds."""
    condition, if_true, if_false = instruction.operands
    result = e.define(instruction)
    first, second, is_swapped = if_false, if_true, False
    if _keeps_phi(instruction, if_true) or (
        _prefers_first(if_true, if_false) and not _keeps_phi(instruction, if_false)
    ):
        first, second, is_swapped = if_true, if_false, True
    e.alu("mov", result, e.read(first))
    holds = test(e, condition)
    e.alu("mov", result, e.read(second), cond=Condition(holds ^ 1) if is_swapped else holds)


def _keeps_phi(choice: Instruction, value: Value) -> bool:
    """Whether a choice may keep the value of a loop's phi for the next iteration: then both can share a register."""
    return isinstance(value, Instruction) and value.op is ops.PHI and choice in value.operands


def _prefers_first(one: Value, other: Value) -> bool:
    """Whether `one` is likelier than `other` to be in the register of the choice."""
    return _users(one) < _users(other)


def _users(value: Value) -> int:
    """How many read a value; very many of what is in no register of its own."""
    if not isinstance(value, Instruction) or value.op in (ops.LOAD, ops.SWIZZLE):
        return 1 << 20
    return sum(value.users.values())
