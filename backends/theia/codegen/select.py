"""Selection rules: one instruction of the IR to words of the machine.

Numbers of words in comments count what `finalize.py` writes.  Where a short form needs numbers to stay in range, the
shader's ranges decide (`facts.py`); the other form is exact for all numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from backends.theia.codegen.ask import NOTHING, Question, Term
from backends.theia.codegen.machine_ops import (
    ALPHA,
    END,
    FILE,
    JUMP,
    OPS,
    OUTPUT,
    PIXEL,
    ROW,
    SETS,
    SINK,
    SQRT,
    ZERO,
    branch,
    guarded,
    skip,
)
from backends.theia.codegen.rows import Known, RowEmitter, splat
from backends.theia.codegen.texture import emit_lookup, emit_mixed_lookup
from backends.theia.isa.numbers import ONE, SIGN, pattern_of
from compiler.codegen.machine import Def, Use
from compiler.codegen.select import Emitter, RuleSet
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value
from compiler.ir.variables import PREAMBLE

RULES = RuleSet()
_Emit = Callable[[RowEmitter], None]

#: `MOD` subtracts 1.0 from its second source and then is a bitwise AND: this one leaves the sign (section 5.8).
_SIGN_MASK = (SIGN + ONE - (1 << 32)) / ONE
#: A sign times this (as the first factor) is 1.0, or 2.0.
_SIGN_TO_ONE, _SIGN_TO_TWO = -8 / ONE, -16 / ONE
#: The smallest number: a product with it is the whole part, as an integer.
_STEP = 1 / ONE


def _rule(*opcodes: ops.Opcode, priority: int = 0) -> Callable[[Callable[[Instruction], _Emit | None]], None]:
    """Decorator of rules whose emitter is known to be one of rows."""

    def register(match: Callable[[Instruction], _Emit | None]) -> None:
        def matched(instruction: Instruction) -> Callable[[Emitter], None] | None:
            emit = match(instruction)
            return None if emit is None else lambda emitter: emit(cast("RowEmitter", emitter))

        matched.__name__ = match.__name__
        RULES.rule(*opcodes, priority=priority)(matched)

    return register


def _is_number(value: Value, number: float) -> bool:
    """Whether the machine knows the value as this number, or does not care."""
    if not isinstance(value, Constant):
        return False
    return all(part is None or pattern_of(float(part)) == pattern_of(number) for part in value.components)


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


@_rule(*_DIRECT)
def direct(instruction: Instruction) -> _Emit:
    """What one instruction does; `and` is the product of 0 or 1.0."""

    def emit(e: RowEmitter) -> None:
        e.compute(_DIRECT[instruction.op], *map(e.use, instruction.operands), into=e.define(instruction))

    return emit


@_rule(ops.FADD, ops.FSUB, priority=1)
def add_one(instruction: Instruction) -> _Emit | None:
    """1.0 and -1.0 need no register."""
    x, y = instruction.operands
    if instruction.op is ops.FADD and isinstance(x, Constant):
        x, y = y, x
    for number, name in ((1.0, "INC"), (-1.0, "DEC")):
        if _is_number(y, number if instruction.op is ops.FADD else -number):
            return lambda e: _discard(e.compute(name, e.use(x), into=e.define(instruction)))
    return None


@_rule(ops.FMUL, priority=1)
def double(instruction: Instruction) -> _Emit | None:
    """Twice a number is a sum, -1 times a number its negative."""
    x, y = instruction.operands
    if isinstance(x, Constant):
        x, y = y, x
    if _is_number(y, 2.0):
        return lambda e: _discard(e.compute("ADD", e.use(x), e.use(x), into=e.define(instruction)))
    if _is_number(y, -1.0):
        return lambda e: _discard(e.compute("NEG", e.use(x), into=e.define(instruction)))
    return None


@_rule(ops.FSUB, priority=2)
def negate(instruction: Instruction) -> _Emit | None:
    x, y = instruction.operands
    if not _is_number(x, 0.0):
        return None
    return lambda e: _discard(e.compute("NEG", e.use(y), into=e.define(instruction)))


@_rule(ops.FFLOOR)
def floor(instruction: Instruction) -> _Emit:
    """`MOD` is a bitwise AND with its second source less 1.0: that of 0 cuts off the fraction (section 5.8)."""
    return lambda e: _discard(
        e.compute("MOD", e.use(instruction.operands[0]), Use(ZERO, ROW), into=e.define(instruction))
    )


@_rule(ops.FTRUNC)
def truncate(instruction: Instruction) -> _Emit:
    """Products are cut off towards zero: that with the smallest number is the whole part as an integer."""

    def emit(e: RowEmitter) -> None:
        whole = e.compute("MUL", e.use(instruction.operands[0]), splat(_STEP))
        e.compute("IMUL", whole, splat(1.0), into=e.define(instruction))

    return emit


@_rule(ops.FABS)
def magnitude(instruction: Instruction) -> _Emit:
    x = instruction.operands[0]

    def scalar(e: RowEmitter) -> None:
        row = e.use(x)
        result = e.define(instruction)
        e.compute("NEG", row, into=result)
        question = Question(e)
        condition = question.compare(ops.FLT, NOTHING, Term(x))
        _guard(e, "COPY", result, [row], question, condition)

    def vector(e: RowEmitter) -> None:
        row = e.use(x)
        twice = _below_zero(e, row, _SIGN_TO_TWO)
        sign = e.compute("SUB", splat(1.0), twice)
        e.compute("MUL", sign, row, into=e.define(instruction))

    return scalar if x.type.is_scalar else vector


@_rule(ops.FSIGN)
def sign(instruction: Instruction) -> _Emit:
    x = instruction.operands[0]

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        e.compute("ZERO", into=result)
        for name, order in (("INC", (0, 1)), ("DEC", (1, 0))):
            parts = [NOTHING, Term(x)]
            question = Question(e)
            condition = question.compare(ops.FLT, parts[order[0]], parts[order[1]])
            _guard(e, name, result, [Use(ZERO, ROW)], question, condition)

    def vector(e: RowEmitter) -> None:
        row = e.use(x)
        negative = _below_zero(e, row, _SIGN_TO_ONE)
        positive = _below_zero(e, _opposite(e, row), _SIGN_TO_ONE)
        e.compute("SUB", positive, negative, into=e.define(instruction))

    return scalar if x.type.is_scalar else vector


@_rule(ops.FMIN, ops.FMAX)
def extreme(instruction: Instruction) -> _Emit:
    x, y = instruction.operands
    if isinstance(x, Constant):
        x, y = y, x
    is_max = instruction.op is ops.FMAX

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        question = Question(e)
        parts = [Term(x), Term(y)]
        left, right = parts if is_max else reversed(parts)
        e.copy(result, e.use(x))
        condition = question.compare(ops.FLT, left, right)
        _guard_value(e, result, y, question, condition)

    def vector(e: RowEmitter) -> None:
        rows = (e.use(x), e.use(y))
        if _is_number(y, 0.0) and is_max:
            below = _below_zero(e, rows[0], _SIGN_TO_ONE)
            e.compute("SUB", rows[0], e.compute("MUL", below, rows[0]), into=e.define(instruction))
        elif e.facts.is_safe_difference(x, y):
            difference = e.compute("SUB", *rows)
            below = _below_zero(e, difference, _SIGN_TO_ONE)
            # x - y where it is below 0, else 0.
            part = e.compute("MUL", below, difference)
            if is_max:
                e.compute("SUB", rows[0], part, into=e.define(instruction))
            else:
                e.compute("ADD", rows[1], part, into=e.define(instruction))
        else:
            mask = _mask(e, ops.FLT, *((x, y) if is_max else (y, x)))
            _choose(e, mask, rows[1], rows[0], e.define(instruction))

    return scalar if instruction.type.is_scalar else vector


@_rule(ops.FSQRT)
def root(instruction: Instruction) -> _Emit:
    def emit(e: RowEmitter) -> None:
        helper = Def(e.new_row(), ROW)
        e.emit(SQRT, [e.define(instruction), helper], [e.use(instruction.operands[0]), splat(0.5)])

    return emit


def _below_zero(e: RowEmitter, row: Use, factor: float, into: Def | None = None) -> Use:
    """In each lane a number that `factor` stands for where the row is below 0, else 0: 2 words (section 7)."""
    return e.compute("MUL", splat(factor), e.compute("MOD", row, splat(_SIGN_MASK)), into=into)


def _opposite(e: RowEmitter, row: Use) -> Use:
    """The negative for its sign: unlike that of `NEG`, it is not below 0 for the smallest number (section 5.1)."""
    return e.compute("SUB", Use(ZERO, ROW), row)


# --------------------------------------------------------------------------------------------- geometry
@_rule(ops.DOT)
def dot(instruction: Instruction) -> _Emit:
    x, y = instruction.operands

    def emit(e: RowEmitter) -> None:
        e.compute("DOT", *_two_lanes_kept(e, x, y), into=e.define(instruction))

    return emit


@_rule(ops.LENGTH)
def length(instruction: Instruction) -> _Emit:
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
    """Both rows, one of them with zeros behind its components: then the other's do not count."""
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


# ----------------------------------------------------------------------------------- bools and selection
@_rule(ops.FLT, ops.FLE, ops.FEQ, ops.FNE, ops.FSTEP, ops.ALL, ops.ANY, ops.FTOB)
def truth(instruction: Instruction) -> _Emit:
    """A comparison as a number: zeros, and 1.0 in each lane where it holds."""

    def emit(e: RowEmitter) -> None:
        result = e.define(instruction)
        width = instruction.type.width
        e.compute("ZERO", into=result)
        for lane in range(width):
            question = Question(e)
            condition = question.decide(instruction, lane)
            if width == 1:
                _guard(e, "INC", result, [Use(ZERO, ROW)], question, condition)
            else:
                _guard(e, SETS[lane], result, [], question, condition, immediate=1.0)

    return emit


@_rule(ops.FLT, priority=1)
def signs(instruction: Instruction) -> _Emit | None:
    """Three signs at once: 2 or 3 words for 7, and two numbers that other rules need as well."""
    x, y = instruction.operands
    if x.type.width < len(SETS) or not (_is_number(x, 0.0) or _is_number(y, 0.0)):
        return None

    def emit(e: RowEmitter) -> None:
        row = e.use(x) if _is_number(y, 0.0) else _opposite(e, e.use(y))
        _below_zero(e, row, _SIGN_TO_ONE, into=e.define(instruction))

    return emit


@_rule(ops.FLE, priority=1)
def not_signs(instruction: Instruction) -> _Emit | None:
    """Three signs at once: 1.0 where a row is not below 0, or not above: 4 or 5 words for 7."""
    x, y = instruction.operands
    if x.type.width < len(SETS) or not (_is_number(x, 0.0) or _is_number(y, 0.0)):
        return None

    def emit(e: RowEmitter) -> None:
        row = e.use(y) if _is_number(x, 0.0) else _opposite(e, e.use(x))
        e.compute("NEG", e.compute("DEC", _below_zero(e, row, _SIGN_TO_ONE)), into=e.define(instruction))

    return emit


@_rule(ops.OR)
def either(instruction: Instruction) -> _Emit:
    """x + y - x * y; of single bools: 1.0 if x, else y."""
    x, y = instruction.operands

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        question = Question(e)
        condition = question.ask(x)
        e.copy(result, e.use(y))
        _guard(e, "INC", result, [Use(ZERO, ROW)], question, condition)

    def vector(e: RowEmitter) -> None:
        rows = e.use(x), e.use(y)
        rest = e.compute("SUB", rows[1], e.compute("MUL", *rows))
        e.compute("ADD", rows[0], rest, into=e.define(instruction))

    return scalar if instruction.type.is_scalar else vector


@_rule(ops.XOR)
def differ(instruction: Instruction) -> _Emit:
    """The square of the difference."""

    def emit(e: RowEmitter) -> None:
        difference = e.compute("SUB", *map(e.use, instruction.operands))
        e.compute("MUL", difference, difference, into=e.define(instruction))

    return emit


@_rule(ops.NOT)
def invert(instruction: Instruction) -> _Emit:
    """-(x - 1.0)"""

    def emit(e: RowEmitter) -> None:
        e.compute("NEG", e.compute("DEC", e.use(instruction.operands[0])), into=e.define(instruction))

    return emit


@_rule(ops.SELECT)
def select(instruction: Instruction) -> _Emit:
    condition, x, y = instruction.operands

    def scalar(e: RowEmitter) -> None:
        result = e.define(instruction)
        question = Question(e)
        # A number can be put in under the condition; what comes first is copied.
        negate = isinstance(y, Constant) and not isinstance(x, Constant)
        first, second = (x, y) if negate else (y, x)
        tree = question.ask(condition, negate=negate)
        e.move(first, e.register(instruction))
        _guard_value(e, result, second, question, tree)

    def vector(e: RowEmitter) -> None:
        mask = e.use(condition)
        if _is_number(y, 0.0):
            e.compute("MUL", mask, e.use(x), into=e.define(instruction))
        elif e.facts.is_safe_difference(x, y):
            rows = e.use(x), e.use(y)
            part = e.compute("MUL", mask, e.compute("SUB", *rows))
            e.compute("ADD", rows[1], part, into=e.define(instruction))
        else:
            _choose(e, mask, e.use(x), e.use(y), e.define(instruction))

    return scalar if condition.type.is_scalar else vector


def _choose(e: RowEmitter, mask: Use, x: Use, y: Use, result: Def) -> None:
    """x * mask + y * (1.0 - mask): exact for all numbers."""
    other = e.compute("NEG", e.compute("DEC", mask))
    e.compute("ADD", e.compute("MUL", mask, x), e.compute("MUL", other, y), into=result)


def _mask(e: RowEmitter, op: ops.Opcode, x: Value, y: Value) -> Use:
    """1.0 in each lane where a comparison holds."""
    result = Def(e.new_row(), ROW)
    e.compute("ZERO", into=result)
    for lane in range(x.type.width):
        question = Question(e)
        condition = question.compare(op, Term(x, lane), Term(y, lane))
        _guard(e, SETS[lane], result, [], question, condition, immediate=1.0)
    return Use(result.register, ROW)


def _guard_value(e: RowEmitter, result: Def, value: Value, question: Question, condition: object) -> None:
    """Put a value into the result where the condition holds."""
    if isinstance(value, Constant) and value.is_undef:
        return
    for number, name, sources in ((0.0, "ZERO", []), (1.0, "INC", [Use(ZERO, ROW)]), (-1.0, "DEC", [Use(ZERO, ROW)])):
        if _is_number(value, number):
            _guard(e, name, result, sources, question, condition)
            return
    _guard(e, "COPY", result, [e.use(value)], question, condition)


def _guard(
    e: RowEmitter,
    name: str,
    result: Def,
    sources: list[Use],
    question: Question,
    condition: object,
    immediate: float | None = None,
) -> None:
    """Emit an instruction that runs where the condition holds."""
    old = Use(result.register, ROW)
    op = guarded(name, len(question.operands))
    e.emit(op, [result], [old, *sources, *question.operands], condition=condition, immediate=immediate)


# ----------------------------------------------------------------------------- shuffles, memory, control
@_rule(ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT, ops.BTOF)
def shuffle(instruction: Instruction) -> _Emit | None:
    if instruction.type.width > 3:
        return None
    return lambda e: e.gather(instruction, e.register(instruction))


@_rule(ops.TEXTURE)
def texture(instruction: Instruction) -> _Emit:
    return lambda e: (emit_mixed_lookup if e.target.settings.linear else emit_lookup)(e, instruction)


@_rule(ops.STORE)
def store(instruction: Instruction) -> _Emit:
    """What the block of constants computes, or the pixel's colour; nothing else is stored where code is made."""
    value, variable = instruction.operands[-1], instruction.address.variable
    if variable.role == PREAMBLE:
        return lambda e: e.move(value, FILE[e.target.inputs[variable]])
    if instruction.address.offset or variable.role == "frag_depth":
        return lambda e: None
    return lambda e: _write_pixel(e, value)


def _write_pixel(e: RowEmitter, value: Value) -> None:
    """The colour, and (where someone reads it) alpha in a register of its own."""
    settings = e.target.settings
    channels = range(4 if settings.raw else 3)
    parts = [e.component(value, number) for number in channels]
    if not all(isinstance(part, Known) and part.number is None for part in parts):
        colour = e.row_of(parts[:3])
        if not settings.raw:
            colour = _above_zero(e, colour, value)
        if settings.has_memory:
            e.emit(OPS["OMWRITE"], [Def(SINK, ROW)], [Use(PIXEL, ROW), colour])
        else:
            e.emit(OUTPUT, [Def(SINK, ROW)], [colour])
    if settings.raw:
        e.copy(Def(ALPHA, ROW), e.row_of(parts[3:]))


def _above_zero(e: RowEmitter, row: Use, value: Value) -> Use:
    if e.facts.is_not_negative(value):
        return row
    return e.compute("SUB", row, e.compute("MUL", _below_zero(e, row, _SIGN_TO_ONE), row))


@_rule(ops.KILL)
def kill(instruction: Instruction) -> _Emit:
    """Skip the write of the pixel, which follows."""

    def emit(e: RowEmitter) -> None:
        question = Question(e)
        condition = question.ask(instruction.operands[0])
        e.emit(skip(len(question.operands)), [], question.operands, condition=condition)

    return emit


@_rule(ops.CONDBR)
def conditional(instruction: Instruction) -> _Emit:
    def emit(e: RowEmitter) -> None:
        question = Question(e)
        condition = question.ask(instruction.operands[0])
        e.emit(branch(len(question.operands)), [], question.operands, condition=condition)

    return emit


@_rule(ops.BR)
def jump(instruction: Instruction) -> _Emit:
    return lambda e: _discard(e.emit(JUMP))


@_rule(ops.RET)
def end(instruction: Instruction) -> _Emit:
    return lambda e: _discard(e.emit(END))


def _discard(_: object) -> None:
    """For rules of one expression."""
