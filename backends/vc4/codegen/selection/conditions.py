"""Rules for conditions.

Comparisons become flags right where a choice, a discard or a branch uses them, else words of 0 or ~0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from glslc_multi.backends.vc4.codegen.machine_ops import ZERO
from glslc_multi.backends.vc4.codegen.selection.emitter import QpuEmitter, literal
from glslc_multi.backends.vc4.isa.instructions import Condition
from glslc_multi.compiler.codegen.machine import Def, Use
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
#: The tests of any other condition, which is a word of 0 or ~0, by the flag that says that it holds.
_TESTS = {
    Condition.Z: Template("not", (Source(0),)),
    Condition.NZ: Template("mov", (Source(0),)),
    Condition.C: Template("max", (0, Source(0))),
    Condition.CC: Template("sub", (Source(0), 1)),
}
_ALWAYS = Condition.ALWAYS
_LOGIC = (ops.AND, ops.OR)


class _Test(NamedTuple):
    """An instruction that sets the flags by a condition."""

    #: The flag that says that it holds; None of a word, which any flag can.
    flag: Condition | None
    #: Two conditions, both or one of which must hold: the second is tested where the first leaves that open.
    parts: tuple[Value, Value] | None = None


_WORD = _Test(None)


def test(e: QpuEmitter, condition: Value) -> Condition:
    """Set the flags by a condition; return under which condition it holds."""
    if isinstance(condition, Instruction) and condition.op is ops.NOT:
        return Condition(test(e, condition.operands[0]) ^ 1)
    compare = _COMPARES.find(condition)
    if compare is not None:
        return _compare(e, *compare)
    means = _test_of(e, condition)
    return _set_flags(e, condition, means, means.flag or Condition.NZ)


def _test_of(e: QpuEmitter, condition: Value) -> _Test:
    """Return what sets the flags by a part of a condition; what is a word already is tested as one."""
    if isinstance(condition, Instruction) and condition.op is ops.NOT:
        flag, parts = _test_of(e, condition.operands[0])
        return _Test(None if flag is None else Condition(flag ^ 1), parts)
    if not isinstance(condition, Instruction) or e.is_wanted(condition):
        return _WORD
    compare = _COMPARES.find(condition)
    if compare is not None:
        return _Test(Condition[compare[0].name])
    return _test_of_both(e, condition) if _is_read_once(condition) else _WORD


def _is_read_once(both: Instruction) -> bool:
    """Return whether it is `a && b` or `a || b`, for one reader."""
    return both.op in _LOGIC and sum(both.users.values()) == 1


def _test_of_both(e: QpuEmitter, both: Instruction) -> _Test:
    """Return what tests `a && b` or `a || b` at once: both end in the same flag, and one is a single test."""
    first, second = both.operands
    one, other = _test_of(e, first), _test_of(e, second)
    flags = {flag for flag in (one.flag, other.flag) if flag is not None}
    if len(flags) != 1 or (one.parts and other.parts):
        return _WORD
    return _Test(flags.pop(), (second, first) if other.parts else (first, second))


def _set_flags(e: QpuEmitter, condition: Value, means: _Test, flag: Condition, under: Condition = _ALWAYS) -> Condition:
    """Set the flags so that `flag` says whether a condition holds, in the lanes `under` another one; return `flag`."""
    if isinstance(condition, Instruction) and condition.op is ops.NOT:
        inner = condition.operands[0]
        return Condition(_set_flags(e, inner, _test_of(e, inner), Condition(flag ^ 1), under) ^ 1)
    compare = None if means.flag is None else _COMPARES.find(condition)
    if compare is not None:
        return _compare(e, *compare, under)
    if means.parts is None:
        _set(e, _TESTS[flag], (condition,), under)
        return flag
    assert isinstance(condition, Instruction)
    first, second = means.parts
    _set_flags(e, first, _test_of(e, first), flag)
    # Where the first one decides, the flags stay.
    return _set_flags(e, second, _test_of(e, second), flag, Condition(flag ^ (condition.op is ops.OR)))


def _compare(e: QpuEmitter, flag: Template, values: Sequence[Value], under: Condition = _ALWAYS) -> Condition:
    """Set the flags by a comparison, in the lanes `under` a condition; return under which it holds."""
    (setter,) = flag.operands
    assert isinstance(setter, Template)
    _set(e, setter, values, under)
    return Condition[flag.name]


def _set(e: QpuEmitter, setter: Template, values: Sequence[Value], under: Condition) -> None:
    uses = setter.uses(e, values)
    if under is _ALWAYS:
        e.alu(setter.name, None, *uses, sets_flags=True)
    else:
        # Where MUL alone sets the flags, the idle ADD has the condition.
        e.alu(setter.name, None, *uses, sets_flags=True, cond=under, half="add")


@RULES.rule("flt", "fle", "feq", "fne", "ilt", "ile", "ieq", "ine", "ult", "ule")
def comparison(e: QpuEmitter, instruction: Instruction) -> None:
    """A condition as a word: ~0 where it holds, else 0."""
    _choose(e, e.define(instruction), instruction, literal(-1), Use(ZERO))


@RULES.rule("and(x, y)", "or(x, y)")
def both_or_one(e: QpuEmitter, instruction: Instruction, x: Value, y: Value) -> None:
    """Two conditions as a word, by flags where neither is a word."""
    if _test_of(e, x).flag is None or _test_of(e, y).flag is None:
        e.compute(instruction.op.name, e.read(x), e.read(y), into=e.define(instruction))
    else:
        _choose_by_both(e, e.define(instruction), instruction, literal(-1), Use(ZERO))


@RULES.rule("btof(condition)", "btoi(condition)")
def number_of_condition(e: QpuEmitter, instruction: Instruction, condition: Value) -> None:
    one = literal(1.0 if instruction.op is ops.BTOF else 1)
    if _test_of(e, condition).flag is None:
        e.compute("and", e.read(condition), one, into=e.define(instruction))
    else:
        _choose(e, e.define(instruction), condition, one, Use(ZERO))


@RULES.rule("select(condition, x, y)")
def choice(e: QpuEmitter, instruction: Instruction, condition: Value, x: Value, y: Value) -> None:
    """One of the values, then the other one over it in the lanes where the condition holds."""
    result = e.define(instruction)
    is_swapped = _keeps_phi(instruction, x) or (_prefers_first(x, y) and not _keeps_phi(instruction, y))
    if isinstance(condition, Instruction) and _is_read_once(condition) and not e.is_wanted(condition):
        _choose_by_both(e, result, condition, e.read(x), e.read(y), is_swapped=is_swapped)
    else:
        _choose(e, result, condition, e.read(x), e.read(y), is_swapped=is_swapped)


def _choose(e: QpuEmitter, result: Def, condition: Value, yes: Use, no: Use, *, is_swapped: bool = False) -> None:
    """Write `no`, and `yes` over it where a condition holds; swapped, the other way round."""
    e.alu("mov", result, yes if is_swapped else no)
    _write_over(e, result, test(e, condition), yes, no, is_swapped)


def _choose_by_both(
    e: QpuEmitter, result: Def, both: Instruction, yes: Use, no: Use, *, is_swapped: bool = False
) -> None:
    """Write one of two values by `a && b` or `a || b`: tested at once, or one after the other where flags differ."""
    means = _test_of_both(e, both)
    first, second = both.operands
    is_at_once = means.flag is not None or _WORD in (_test_of(e, first), _test_of(e, second))
    e.alu("mov", result, yes if is_swapped else no)
    if means.flag is not None:
        holds = _set_flags(e, both, means, means.flag)
    else:
        holds = test(e, both if is_at_once else first)
    _write_over(e, result, holds, yes, no, is_swapped)
    if not is_at_once:
        _write_over(e, result, test(e, second), yes, no, both.op is ops.AND)


def _write_over(e: QpuEmitter, result: Def, holds: Condition, yes: Use, no: Use, is_no: bool) -> None:
    """Write `yes` where a condition holds, or `no` where it does not."""
    e.alu("mov", result, no if is_no else yes, cond=Condition(holds ^ is_no))


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
