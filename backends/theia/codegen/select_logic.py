"""Selection of bools, comparisons as numbers, and selects."""

from __future__ import annotations

from backends.theia.codegen.machine_ops import ROW, SETS, ZERO
from backends.theia.codegen.rows.emitter import RowEmitter
from backends.theia.codegen.rule_set import (
    SIGN_TO_ONE,
    Emit,
    below_zero,
    choose,
    guard,
    guard_value,
    is_number,
    opposite,
    rule,
)
from backends.theia.codegen.select_conditions import Test
from compiler.codegen.machine import Use
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction


@rule(ops.FLT, ops.FLE, ops.FEQ, ops.FNE, ops.FSTEP, ops.ALL, ops.ANY, ops.FTOB)
def truth(instruction: Instruction) -> Emit:
    """A comparison as a number: zeros, and 1.0 in each lane where it holds."""

    def emit(e: RowEmitter) -> None:
        result = e.define(instruction)
        width = instruction.type.width
        e.compute("ZERO", into=result)
        for lane in range(width):
            test = Test(e)
            condition = test.decide(instruction, lane)
            if width == 1:
                guard(e, "INC", result, [Use(ZERO, ROW)], test, condition)
            else:
                guard(e, SETS[lane], result, [], test, condition, immediate=1.0)

    return emit


@rule(ops.FLT, priority=1)
def signs(instruction: Instruction) -> Emit | None:
    """Three signs at once: 2 or 3 words for 7, and two numbers that other rules need as well."""
    x, y = instruction.operands
    if x.type.width < len(SETS) or not (is_number(x, 0.0) or is_number(y, 0.0)):
        return None

    def emit(e: RowEmitter) -> None:
        row = e.use(x) if is_number(y, 0.0) else opposite(e, e.use(y))
        below_zero(e, row, SIGN_TO_ONE, into=e.define(instruction))

    return emit


@rule(ops.FLE, priority=1)
def not_signs(instruction: Instruction) -> Emit | None:
    """Three signs at once: 1.0 where a row is not below 0, or not above: 4 or 5 words for 7."""
    x, y = instruction.operands
    if x.type.width < len(SETS) or not (is_number(x, 0.0) or is_number(y, 0.0)):
        return None

    def emit(e: RowEmitter) -> None:
        row = e.use(y) if is_number(x, 0.0) else opposite(e, e.use(x))
        e.compute("NEG", e.compute("DEC", below_zero(e, row, SIGN_TO_ONE)), into=e.define(instruction))

    return emit


@rule(ops.OR)
def either(instruction: Instruction) -> Emit:
    """x + y - x * y; of single bools: 1.0 if x, else y."""
    x, y = instruction.operands

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        test = Test(e)
        condition = test.condition_of(x)
        e.copy(result, e.use(y))
        guard(e, "INC", result, [Use(ZERO, ROW)], test, condition)

    def vector(e: RowEmitter) -> None:
        rows = e.use(x), e.use(y)
        rest = e.compute("SUB", rows[1], e.compute("MUL", *rows))
        e.compute("ADD", rows[0], rest, into=e.define(instruction))

    return scalar if instruction.type.is_scalar else vector


@rule(ops.XOR)
def differ(instruction: Instruction) -> Emit:
    """The square of the difference."""

    def emit(e: RowEmitter) -> None:
        difference = e.compute("SUB", *map(e.use, instruction.operands))
        e.compute("MUL", difference, difference, into=e.define(instruction))

    return emit


@rule(ops.NOT)
def invert(instruction: Instruction) -> Emit:
    """-(x - 1.0)"""

    def emit(e: RowEmitter) -> None:
        e.compute("NEG", e.compute("DEC", e.use(instruction.operands[0])), into=e.define(instruction))

    return emit


@rule(ops.SELECT)
def select(instruction: Instruction) -> Emit:
    condition, x, y = instruction.operands

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        test = Test(e)
        # A number can be put in under the condition; what comes first is copied.
        negate = isinstance(y, Constant) and not isinstance(x, Constant)
        first, second = (x, y) if negate else (y, x)
        tree = test.condition_of(condition, negate=negate)
        e.move(first, e.register(instruction))
        guard_value(e, result, second, test, tree)

    def vector(e: RowEmitter) -> None:
        mask = e.use(condition)
        if is_number(y, 0.0):
            e.compute("MUL", mask, e.use(x), into=e.define(instruction))
        elif e.ranges.is_safe_difference(x, y):
            rows = e.use(x), e.use(y)
            part = e.compute("MUL", mask, e.compute("SUB", *rows))
            e.compute("ADD", rows[1], part, into=e.define(instruction))
        else:
            choose(e, mask, e.use(x), e.use(y), e.define(instruction))

    return scalar if condition.type.is_scalar else vector
