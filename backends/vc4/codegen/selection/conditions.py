"""Rules for conditions.

Comparisons become flags right where a choice, a discard or a branch uses them, else words of 0 or ~0.
"""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.machine_ops import ZERO
from glslc_multi.backends.vc4.codegen.selection.emitter import QpuEmitter, literal
from glslc_multi.backends.vc4.isa.instructions import Condition
from glslc_multi.compiler.codegen.machine import Use
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.codegen.selection.templates import Source, Template, table_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Value

RULES: RuleSet[QpuEmitter] = RuleSet()

#: Comparison -> the flag that says that it holds, and what sets it.
_COMPARES = table_of(
    "flt(x, y) -> C(fmax(y, x))",
    "fle(x, y) -> CC(fmax(x, y))",
    "feq(x, y) -> Z(fsub(x, y))",
    "fne(x, y) -> NZ(fsub(x, y))",
    "ilt(x, y) -> C(max(y, x))",
    "ile(x, y) -> CC(max(x, y))",
    "ieq(x, y) -> Z(sub(x, y))",
    "ine(x, y) -> NZ(sub(x, y))",
    "ult(x, y) -> C(sub(x, y))",
    "ule(x, y) -> CC(sub(y, x))",
)
#: The test of any other condition, which is a word.
_IS_SET = Template("NZ", (Template("mov", (Source(0),)),))


def test(e: QpuEmitter, condition: Value) -> Condition:
    """Set the flags by a condition; under which condition it holds."""
    if isinstance(condition, Instruction) and condition.op is ops.NOT:
        return Condition(test(e, condition.operands[0]) ^ 1)
    flag, values = _COMPARES.find(condition) or (_IS_SET, (condition,))
    (setter,) = flag.operands
    assert isinstance(setter, Template)
    e.alu(setter.name, None, *setter.uses(e, values), sets_flags=True)
    return Condition[flag.name]


@RULES.rule("flt", "fle", "feq", "fne", "ilt", "ile", "ieq", "ine", "ult", "ule")
def comparison(e: QpuEmitter, instruction: Instruction) -> None:
    """A condition as a word: ~0 where it holds, else 0."""
    _choose(e, instruction, instruction, literal(-1))


@RULES.rule("btof(condition)", "btoi(condition)")
def number_of_condition(e: QpuEmitter, instruction: Instruction, condition: Value) -> None:
    one = literal(1.0 if instruction.op is ops.BTOF else 1)
    if _COMPARES.find(condition) is None or e.is_wanted(condition):
        e.compute("and", e.read(condition), one, into=e.define(instruction))
    else:
        _choose(e, instruction, condition, one)


def _choose(e: QpuEmitter, instruction: Instruction, condition: Value, number: Use) -> None:
    """A number where a condition holds, else 0."""
    result = e.define(instruction)
    e.alu("mov", result, Use(ZERO))
    holds = test(e, condition)
    e.alu("mov", result, number, cond=holds)


@RULES.rule("select(condition, x, y)")
def choice(e: QpuEmitter, instruction: Instruction, condition: Value, x: Value, y: Value) -> None:
    """One of the values, then the other one over it in the lanes where the condition holds."""
    result = e.define(instruction)
    is_swapped = _keeps_phi(instruction, x) or (_prefers_first(x, y) and not _keeps_phi(instruction, y))
    first, second = (x, y) if is_swapped else (y, x)
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
