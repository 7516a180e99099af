"""Selection of what depends on a condition: selects, kills and branches, which test numbers against 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard, cast

from backends.adreno.codegen import machine_ops
from backends.adreno.codegen.machine_ops import SCALAR, VECTOR
from backends.adreno.codegen.register_files import GENERAL
from backends.adreno.codegen.rule_set import RULES, Emit, Selection, discard, interface_of, literal, negated
from compiler.codegen.machine import Def, Use
from compiler.codegen.select import Emitter
from compiler.ir import ops
from compiler.ir.module import PRECISE, Constant, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.records import dataclass, replace

#: Comparison -> the operation that kills, and whether it exchanges the operands.
_KILLS: Mapping[Opcode, tuple[str, bool]] = {
    ops.FLT: ("KILLGTv", True),
    ops.FLE: ("KILLGTEv", True),
    ops.FEQ: ("KILLEv", False),
    ops.FNE: ("KILLNEv", False),
}


@dataclass(frozen=True, slots=True)
class _Test:
    """`value` (or its negative) compared with 0."""

    #: E, NE, GT or GTE.
    relation: str
    value: Value
    negate: bool = False

    def use(self, e: Emitter, width: int) -> Use:
        use = e.use(self.value, width=width)
        return negated(use) if self.negate else use


def _test(condition: Value) -> _Test:
    """What to compare with 0 to know whether a condition holds."""
    if isinstance(condition, Instruction) and condition.op in _KILLS:
        x, y = condition.operands
        if condition.op is ops.FEQ or condition.op is ops.FNE:
            other = y if _is_zero(x) else x
            if _is_zero(x) or _is_zero(y):
                return _Test("E" if condition.op is ops.FEQ else "NE", other)
        elif _is_zero(x):
            return _Test("GT" if condition.op is ops.FLT else "GTE", y)
        elif _is_zero(y):
            return _Test("GT" if condition.op is ops.FLT else "GTE", x, negate=True)
    return _Test("NE", condition)


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and all(component == 0 for component in value.components)


@RULES.rule(ops.SELECT)
def select_by_test(instruction: Instruction) -> Emit:
    """CNDE, CNDGT and CNDGTE take the second source where the first passes the test."""
    condition, if_true, if_false = instruction.operands
    test, width = _test(condition), instruction.type.width

    def emit(e: Emitter) -> None:
        values = [e.use(if_true, width=width), e.use(if_false, width=width)]
        relation, tested = test.relation, None
        if test.value is condition and _is_order_of_numbers(condition):
            relation, tested = _difference(e, condition)
        if relation == "NE":
            relation, values = "E", values[::-1]
        tested = test.use(e, width) if tested is None else replace(tested, lanes=(0,) * width)
        e.emit(VECTOR[f"CND{relation}v"], [e.define(instruction)], [tested, *values])

    return emit


def _is_order_of_numbers(condition: Value) -> TypeGuard[Instruction]:
    """Whether one number is less than another, and only this is asked."""
    return (
        isinstance(condition, Instruction)
        and condition.op in (ops.FLT, ops.FLE)
        and condition.type.is_scalar
        and sum(condition.users.values()) == 1
        and not condition.flags & PRECISE
    )


def _difference(e: Emitter, condition: Instruction) -> tuple[str, Use]:
    """x < y as y - x > 0: the scalar unit may compute the difference."""
    x, y = condition.operands
    difference = e.temporary(1, GENERAL)
    e.emit(VECTOR["ADDv"], [Def(difference)], [e.use(y), negated(e.use(x))])
    return "GT" if condition.op is ops.FLT else "GTE", Use(difference)


@RULES.rule(ops.KILL)
def kill(instruction: Instruction) -> Emit:
    condition = instruction.operands[0]

    def emit(e: Emitter) -> None:
        if isinstance(condition, Constant):
            if condition.components[0]:
                e.emit(SCALAR["KILLEs"], [], [literal(0.0)])
            return
        test = _test(condition)
        if test.value is not condition:
            e.emit(SCALAR[f"KILL{test.relation}s"], [], [test.use(e, 1)])
            return
        assert isinstance(condition, Instruction)
        name, is_swapped = _KILLS[condition.op]
        sources = [e.use(operand, (0, 0, 0, 0)) for operand in condition.operands]
        e.emit(VECTOR[name], [], sources[::-1] if is_swapped else sources)

    return emit


@RULES.rule(ops.CONDBR)
def branch(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        count = cast(Selection, e.target).counted.get(instruction)
        if count is not None:
            e.emit(machine_ops.COUNTED, constant=interface_of(e).loops[count])
            return
        test = _test(instruction.operands[0])
        e.emit(machine_ops.BRANCH, [], [test.use(e, 1)], test=test.relation)

    return emit


@RULES.rule(ops.BR)
def go(instruction: Instruction) -> Emit:
    return lambda e: discard(e.emit(machine_ops.GO))


@RULES.rule(ops.RET)
def end(instruction: Instruction) -> Emit:
    return lambda e: discard(e.emit(machine_ops.END))
