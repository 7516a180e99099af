"""Selection of arithmetic and geometry.

Numbers of words in comments count what `finalize.py` writes.  Where a short form needs numbers to stay in range, the
shader's ranges decide (`value_ranges.py`); the other form is exact for all numbers.
"""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.machine_ops import ROW, SQRT, ZERO
from glslc_multi.backends.theia.codegen.rows.emitter import Known, RowEmitter, splat
from glslc_multi.backends.theia.codegen.selection.common import (
    SIGN_TO_TWO,
    below_zero,
    choose,
    guard,
    guard_value,
    is_number,
    mask_of,
    opposite,
    rules_of,
)
from glslc_multi.backends.theia.codegen.selection.conditions import NOTHING, Term, Test
from glslc_multi.backends.theia.isa.numbers import ONE
from glslc_multi.compiler.codegen.machine import Use
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value

#: The smallest number: a product with it is the whole part, as an integer.
_STEP = 1 / ONE

RULES = rules_of(
    "fadd(x, y) -> ADD(x, y)",
    "fsub(x, y) -> SUB(x, y)",
    "fmul(x, y) -> MUL(x, y)",
    "fdiv(x, y) -> DIV(x, y)",
    "fneg(x) -> NEG(x)",
    "ffract(x) -> FRAC(x)",
    "cross(x, y) -> CROSS(x, y)",
    "dot(x:3, y) -> DOT(x, y)",
    "length(x:3) -> MAG(x)",
    # 1.0 and -1.0 need no register.
    "fadd(x, 1.0) -> INC(x)",
    "fadd(x, -1.0) -> DEC(x)",
    "fsub(x, 1.0) -> DEC(x)",
    "fmul(x, 2.0) -> ADD(x, x)",
    "fsub(0.0, x) -> NEG(x)",
    # A bitwise AND with its second source less 1.0: that of 0 cuts off the fraction (section 5.8).
    "ffloor(x) -> MOD(x, 0.0)",
    # Products are cut off towards zero: that with the smallest number is the whole part as an integer.
    f"ftrunc(x) -> IMUL(MUL(x, {_STEP}), 1.0)",
)


# ------------------------------------------------------------------------------------------ arithmetic
@RULES.rule("fabs(x:1)")
def magnitude(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    row = e.use(x)
    result = e.define(instruction)
    e.compute("NEG", row, into=result)
    test = Test(e)
    condition = test.compare(ops.FLT, NOTHING, Term(x))
    guard(e, "COPY", result, [row], test, condition)


@RULES.rule("fabs(x)")
def magnitudes(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    row = e.use(x)
    sign = e.compute("SUB", splat(1.0), below_zero(e, row, SIGN_TO_TWO))
    e.compute("MUL", sign, row, into=e.define(instruction))


@RULES.rule("fsign(x:1)")
def sign(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    result = e.define(instruction)
    e.compute("ZERO", into=result)
    for name, sides in (("INC", (NOTHING, Term(x))), ("DEC", (Term(x), NOTHING))):
        test = Test(e)
        condition = test.compare(ops.FLT, *sides)
        guard(e, name, result, [Use(ZERO, ROW)], test, condition)


@RULES.rule("fsign(x)")
def signs(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    row = e.use(x)
    negative = below_zero(e, row)
    positive = below_zero(e, opposite(e, row))
    e.compute("SUB", positive, negative, into=e.define(instruction))


def _constant_last(x: Value, y: Value) -> tuple[Value, Value]:
    return (y, x) if isinstance(x, Constant) else (x, y)


@RULES.rule("fmin(x:1, y)", "fmax(x:1, y)")
def extreme(e: RowEmitter, instruction: Instruction, x: Value, y: Value) -> None:
    x, y = _constant_last(x, y)
    result = e.define(instruction)
    test = Test(e)
    sides = (Term(x), Term(y)) if instruction.op is ops.FMAX else (Term(y), Term(x))
    e.copy(result, e.use(x))
    condition = test.compare(ops.FLT, *sides)
    guard_value(e, result, y, test, condition)


@RULES.rule("fmin(x, y)", "fmax(x, y)")
def extremes(e: RowEmitter, instruction: Instruction, x: Value, y: Value) -> None:
    x, y = _constant_last(x, y)
    is_max, result = instruction.op is ops.FMAX, e.define(instruction)
    rows = (e.use(x), e.use(y))
    if is_number(y, 0.0) and is_max:
        e.compute("SUB", rows[0], e.compute("MUL", below_zero(e, rows[0]), rows[0]), into=result)
    elif e.target.ranges.is_safe_difference(x, y):
        difference = e.compute("SUB", *rows)
        # x - y where it is below 0, else 0.
        part = e.compute("MUL", below_zero(e, difference), difference)
        if is_max:
            e.compute("SUB", rows[0], part, into=result)
        else:
            e.compute("ADD", rows[1], part, into=result)
    else:
        chosen = mask_of(e, ops.FLT, *((x, y) if is_max else (y, x)))
        choose(e, chosen, rows[1], rows[0], result)


@RULES.rule("fsqrt(x)")
def root(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    e.emit(SQRT, [e.define(instruction), e.new()], [e.use(x), splat(0.5)])


# --------------------------------------------------------------------------------------------- geometry
@RULES.rule("dot(x, y)")
def dot(e: RowEmitter, instruction: Instruction, x: Value, y: Value) -> None:
    """Both rows, one of them with zeros after its components: then the other's do not count."""
    e.compute("DOT", *_one_cut_off(e, *_constant_last(x, y)), into=e.define(instruction))


def _one_cut_off(e: RowEmitter, x: Value, y: Value) -> tuple[Use, Use]:
    if isinstance(y, Constant):
        return e.use(x), e.row_of([*(e.component(y, number) for number in range(2)), Known(0.0)])
    if x is y:
        row = e.without_z(e.use(x))
        return row, row
    return e.without_z(e.use(x)), e.use(y)


@RULES.rule("length(x:1)")
def length_of_number(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    row = e.row_of([e.component(x, 0), Known(0.0), Known(0.0)])
    e.compute("MAG", row, into=e.define(instruction))


@RULES.rule("length(x:2)")
def length_of_pair(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    e.compute("MAG", e.without_z(e.use(x)), into=e.define(instruction))
