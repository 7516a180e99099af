"""Selection rules: one instruction of the IR to words of the machine.

Numbers of words in comments count what `finalize.py` writes.  Where a short form needs numbers to stay in range, the
shader's ranges decide (`value_ranges.py`); the other form is exact for all numbers.

Here are the rules of arithmetic; importing `select_logic` and `select_memory` adds theirs.
"""

from __future__ import annotations

from backends.theia.codegen import select_logic, select_memory
from backends.theia.codegen.machine_ops import ROW, SQRT, ZERO
from backends.theia.codegen.rows.emitter import Known, RowEmitter, splat
from backends.theia.codegen.rule_set import (
    RULES,
    SIGN_TO_ONE,
    SIGN_TO_TWO,
    Emit,
    below_zero,
    choose,
    discard,
    guard,
    guard_value,
    is_number,
    mask_of,
    opposite,
    rule,
)
from backends.theia.codegen.select_conditions import NOTHING, Term, Test
from backends.theia.isa.numbers import ONE
from compiler.codegen.machine import Def, Use
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value

__all__ = ["RULES", "select_logic", "select_memory"]

#: The smallest number: a product with it is the whole part, as an integer.
_STEP = 1 / ONE

# ------------------------------------------------------------------------------------------ arithmetic
_DIRECT = {
    ops.FADD: "ADD",
    ops.FSUB: "SUB",
    ops.FMUL: "MUL",
    ops.FDIV: "DIV",
    ops.FNEG: "NEG",
    ops.FFRACT: "FRAC",
    ops.CROSS: "CROSS",
    ops.AND: "MUL",
}


@rule(*_DIRECT)
def direct(instruction: Instruction) -> Emit:
    """What one instruction does; `and` is the product of 0 or 1.0."""

    def emit(e: RowEmitter) -> None:
        e.compute(_DIRECT[instruction.op], *map(e.use, instruction.operands), into=e.define(instruction))

    return emit


@rule(ops.FADD, ops.FSUB, priority=1)
def add_one(instruction: Instruction) -> Emit | None:
    """1.0 and -1.0 need no register."""
    x, y = instruction.operands
    if instruction.op is ops.FADD and isinstance(x, Constant):
        x, y = y, x
    for number, name in ((1.0, "INC"), (-1.0, "DEC")):
        if is_number(y, number if instruction.op is ops.FADD else -number):
            return lambda e: discard(e.compute(name, e.use(x), into=e.define(instruction)))
    return None


@rule(ops.FMUL, priority=1)
def double(instruction: Instruction) -> Emit | None:
    """Twice a number is a sum, -1 times a number its negative."""
    x, y = instruction.operands
    if isinstance(x, Constant):
        x, y = y, x
    if is_number(y, 2.0):
        return lambda e: discard(e.compute("ADD", e.use(x), e.use(x), into=e.define(instruction)))
    if is_number(y, -1.0):
        return lambda e: discard(e.compute("NEG", e.use(x), into=e.define(instruction)))
    return None


@rule(ops.FSUB, priority=2)
def negate(instruction: Instruction) -> Emit | None:
    x, y = instruction.operands
    if not is_number(x, 0.0):
        return None
    return lambda e: discard(e.compute("NEG", e.use(y), into=e.define(instruction)))


@rule(ops.FFLOOR)
def floor(instruction: Instruction) -> Emit:
    """`MOD` is a bitwise AND with its second source less 1.0: that of 0 cuts off the fraction (section 5.8)."""
    return lambda e: discard(
        e.compute("MOD", e.use(instruction.operands[0]), Use(ZERO, ROW), into=e.define(instruction))
    )


@rule(ops.FTRUNC)
def truncate(instruction: Instruction) -> Emit:
    """Products are cut off towards zero: that with the smallest number is the whole part as an integer."""

    def emit(e: RowEmitter) -> None:
        whole = e.compute("MUL", e.use(instruction.operands[0]), splat(_STEP))
        e.compute("IMUL", whole, splat(1.0), into=e.define(instruction))

    return emit


@rule(ops.FABS)
def magnitude(instruction: Instruction) -> Emit:
    x = instruction.operands[0]

    def scalar(e: RowEmitter) -> None:
        row = e.use(x)
        result = e.define(instruction)
        e.compute("NEG", row, into=result)
        test = Test(e)
        condition = test.compare(ops.FLT, NOTHING, Term(x))
        guard(e, "COPY", result, [row], test, condition)

    def vector(e: RowEmitter) -> None:
        row = e.use(x)
        twice = below_zero(e, row, SIGN_TO_TWO)
        sign = e.compute("SUB", splat(1.0), twice)
        e.compute("MUL", sign, row, into=e.define(instruction))

    return scalar if x.type.is_scalar else vector


@rule(ops.FSIGN)
def sign(instruction: Instruction) -> Emit:
    x = instruction.operands[0]

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        e.compute("ZERO", into=result)
        for name, order in (("INC", (0, 1)), ("DEC", (1, 0))):
            parts = [NOTHING, Term(x)]
            test = Test(e)
            condition = test.compare(ops.FLT, parts[order[0]], parts[order[1]])
            guard(e, name, result, [Use(ZERO, ROW)], test, condition)

    def vector(e: RowEmitter) -> None:
        row = e.use(x)
        negative = below_zero(e, row, SIGN_TO_ONE)
        positive = below_zero(e, opposite(e, row), SIGN_TO_ONE)
        e.compute("SUB", positive, negative, into=e.define(instruction))

    return scalar if x.type.is_scalar else vector


@rule(ops.FMIN, ops.FMAX)
def extreme(instruction: Instruction) -> Emit:
    x, y = instruction.operands
    if isinstance(x, Constant):
        x, y = y, x
    is_max = instruction.op is ops.FMAX

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        test = Test(e)
        parts = [Term(x), Term(y)]
        left, right = parts if is_max else reversed(parts)
        e.copy(result, e.use(x))
        condition = test.compare(ops.FLT, left, right)
        guard_value(e, result, y, test, condition)

    def vector(e: RowEmitter) -> None:
        rows = (e.use(x), e.use(y))
        if is_number(y, 0.0) and is_max:
            below = below_zero(e, rows[0], SIGN_TO_ONE)
            e.compute("SUB", rows[0], e.compute("MUL", below, rows[0]), into=e.define(instruction))
        elif e.ranges.is_safe_difference(x, y):
            difference = e.compute("SUB", *rows)
            below = below_zero(e, difference, SIGN_TO_ONE)
            # x - y where it is below 0, else 0.
            part = e.compute("MUL", below, difference)
            if is_max:
                e.compute("SUB", rows[0], part, into=e.define(instruction))
            else:
                e.compute("ADD", rows[1], part, into=e.define(instruction))
        else:
            chosen = mask_of(e, ops.FLT, *((x, y) if is_max else (y, x)))
            choose(e, chosen, rows[1], rows[0], e.define(instruction))

    return scalar if instruction.type.is_scalar else vector


@rule(ops.FSQRT)
def root(instruction: Instruction) -> Emit:
    def emit(e: RowEmitter) -> None:
        helper = Def(e.new_row(), ROW)
        e.emit(SQRT, [e.define(instruction), helper], [e.use(instruction.operands[0]), splat(0.5)])

    return emit


# --------------------------------------------------------------------------------------------- geometry
@rule(ops.DOT)
def dot(instruction: Instruction) -> Emit:
    x, y = instruction.operands

    def emit(e: RowEmitter) -> None:
        e.compute("DOT", *_two_lanes_kept(e, x, y), into=e.define(instruction))

    return emit


@rule(ops.LENGTH)
def length(instruction: Instruction) -> Emit:
    x = instruction.operands[0]

    def emit(e: RowEmitter) -> None:
        row = e.use(x)
        if x.type.width == 1:
            row = e.row_of([e.component(x, 0), Known(0.0), Known(0.0)])
        elif x.type.width == 2:
            row = e.without_z(row)
        e.compute("MAG", row, into=e.define(instruction))

    return emit


def _two_lanes_kept(e: RowEmitter, x: Value, y: Value) -> tuple[Use, Use]:
    """Both rows, one of them with zeros after its components: then the other's do not count."""
    width = x.type.width
    if width == 3:
        return e.use(x), e.use(y)
    if isinstance(x, Constant):
        x, y = y, x
    if isinstance(y, Constant) or width == 1:
        parts = [e.component(y, number) for number in range(width)]
        return e.use(x), e.row_of([*parts, *[Known(0.0)] * (3 - width)])
    if x is y:
        row = e.without_z(e.use(x))
        return row, row
    return e.without_z(e.use(x)), e.use(y)
