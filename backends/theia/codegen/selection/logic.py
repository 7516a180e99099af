"""Selection of bools, comparisons as numbers, and selects."""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.machine_ops import ROW, SETS, ZERO
from glslc_multi.backends.theia.codegen.rows.emitter import RowEmitter
from glslc_multi.backends.theia.codegen.selection.common import (
    below_zero,
    choose,
    guard,
    guard_value,
    is_number,
    opposite,
    rules_of,
)
from glslc_multi.backends.theia.codegen.selection.conditions import Test
from glslc_multi.compiler.codegen.machine import Use
from glslc_multi.compiler.ir.module import Constant, Instruction, Value

#: Bools are 0 or 1.0.
RULES = rules_of(
    "and(x, y) -> MUL(x, y)",
    "or(x, y) -> ADD(x, SUB(y, MUL(x, y)))",
    "xor(x, y) -> MUL(SUB(x, y), SUB(x, y))",
    "not(x) -> NEG(DEC(x))",
)


@RULES.rule("flt", "fle", "feq", "fne", "fstep", "all", "any")
def truth(e: RowEmitter, instruction: Instruction) -> None:
    """A comparison as a number: zeros, and 1.0 in each lane where it holds."""
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


# Three signs at once: 2 to 5 words for 7, and two numbers that other rules need as well.


@RULES.rule("flt(x:3, 0.0)")
def are_negative(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    below_zero(e, e.use(x), into=e.define(instruction))


@RULES.rule("flt(0.0, x:3)")
def are_positive(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    below_zero(e, opposite(e, e.use(x)), into=e.define(instruction))


@RULES.rule("fle(0.0, x:3)")
def are_not_negative(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    e.compute("NEG", e.compute("DEC", below_zero(e, e.use(x))), into=e.define(instruction))


@RULES.rule("fle(x:3, 0.0)")
def are_not_positive(e: RowEmitter, instruction: Instruction, x: Value) -> None:
    e.compute("NEG", e.compute("DEC", below_zero(e, opposite(e, e.use(x)))), into=e.define(instruction))


@RULES.rule("or(x:1, y)")
def either(e: RowEmitter, instruction: Instruction, x: Value, y: Value) -> None:
    """1.0 if x, else y."""
    result = e.define(instruction)
    test = Test(e)
    condition = test.condition_of(x)
    e.copy(result, e.use(y))
    guard(e, "INC", result, [Use(ZERO, ROW)], test, condition)


@RULES.rule("select(condition:1, x, y)")
def select(e: RowEmitter, instruction: Instruction, condition: Value, x: Value, y: Value) -> None:
    result = e.define(instruction)
    test = Test(e)
    # A number can be put in under the condition; what comes first is copied.
    negate = isinstance(y, Constant) and not isinstance(x, Constant)
    first, second = (x, y) if negate else (y, x)
    tree = test.condition_of(condition, negate=negate)
    e.move(first, e.register(instruction))
    guard_value(e, result, second, test, tree)


@RULES.rule("select(mask, x, y)")
def select_by_mask(e: RowEmitter, instruction: Instruction, mask: Value, x: Value, y: Value) -> None:
    row, result = e.use(mask), e.define(instruction)
    if is_number(y, 0.0):
        e.compute("MUL", row, e.use(x), into=result)
    elif e.target.ranges.is_safe_difference(x, y):
        rows = e.use(x), e.use(y)
        part = e.compute("MUL", row, e.compute("SUB", *rows))
        e.compute("ADD", rows[1], part, into=result)
    else:
        choose(e, row, e.use(x), e.use(y), result)
