"""What the rules of selection share: numbers as the machine knows them, tests of signs, guarded instructions, masks."""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.machine_ops import ROW, SETS, ZERO, guarded
from glslc_multi.backends.theia.codegen.rows.emitter import RowEmitter
from glslc_multi.backends.theia.codegen.selection.conditions import Term, Test
from glslc_multi.backends.theia.isa.numbers import ONE, SIGN, pattern_of
from glslc_multi.compiler.codegen.machine import Def, Use
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Value

#: `MOD` subtracts 1.0 from its second source and then is a bitwise AND: this one leaves the sign (section 5.8).
_SIGN_MASK = (SIGN + ONE - (1 << 32)) / ONE
#: A sign times this (as the first factor) is 1.0, or 2.0.
SIGN_TO_ONE, SIGN_TO_TWO = -8 / ONE, -16 / ONE


def rules_of(*rows: str) -> RuleSet[RowEmitter]:
    """Rules in which a number is what the machine knows as that number."""
    return RuleSet(*rows, is_number=lambda constant, literal: is_number(constant, literal.value))


def is_number(value: Value, number: float) -> bool:
    """Whether the machine knows the value as this number, or any number will do."""
    if not isinstance(value, Constant):
        return False
    return all(part is None or pattern_of(float(part)) == pattern_of(number) for part in value.components)


def below_zero(e: RowEmitter, row: Use, factor: float = SIGN_TO_ONE, into: Def | None = None) -> Use:
    """In each lane the number that `factor` makes of a sign where the row is below 0, else 0: 2 words (section 7)."""
    return e.compute("MUL", e.number(factor), e.compute("MOD", row, e.number(_SIGN_MASK)), into=into)


def opposite(e: RowEmitter, row: Use) -> Use:
    """The negative for its sign: unlike that of `NEG`, it is not below 0 for the smallest number (section 5.1)."""
    return e.compute("SUB", Use(ZERO, ROW), row)


def choose(e: RowEmitter, mask: Use, x: Use, y: Use, result: Def) -> None:
    """x * mask + y * (1.0 - mask): exact for all numbers."""
    other = e.compute("NEG", e.compute("DEC", mask))
    e.compute("ADD", e.compute("MUL", mask, x), e.compute("MUL", other, y), into=result)


def mask_of(e: RowEmitter, op: ops.Opcode, x: Value, y: Value) -> Use:
    """1.0 in each lane where a comparison holds."""
    result = e.new()
    e.compute("ZERO", into=result)
    for lane in range(x.type.width):
        test = Test(e)
        condition = test.compare(op, Term(x, lane), Term(y, lane))
        guard(e, SETS[lane], result, [], test, condition, immediate=1.0)
    return Use(result.register, ROW)


def guard_value(e: RowEmitter, result: Def, value: Value, test: Test, condition: object) -> None:
    """Put a value into the result where the condition holds."""
    if isinstance(value, Constant) and value.is_undef:
        return
    for number, name, sources in ((0.0, "ZERO", []), (1.0, "INC", [Use(ZERO, ROW)]), (-1.0, "DEC", [Use(ZERO, ROW)])):
        if is_number(value, number):
            guard(e, name, result, sources, test, condition)
            return
    guard(e, "COPY", result, [e.use(value)], test, condition)


def guard(
    e: RowEmitter,
    name: str,
    result: Def,
    sources: list[Use],
    test: Test,
    condition: object,
    immediate: float | None = None,
) -> None:
    """Emit an instruction that runs where the condition holds."""
    old = Use(result.register, ROW)
    op = guarded(name, len(test.operands))
    e.emit(op, [result], [old, *sources, *test.operands], condition=condition, immediate=immediate)
