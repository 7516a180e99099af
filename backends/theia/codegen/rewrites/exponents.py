"""Powers of two and logarithms in fixed point: the whole part of the exponent is counted in a loop.

    2^x = 2^(x - floor(x)), doubled or halved floor(x) times
    log2(x) = n + log2(m), where halving or doubling x n times leaves 1 <= m < 2

Jumps are cheap on the machine and words are dear.  One number, or two, are scaled under jumps, each in loops of its
own; three have one loop, in which masks choose the lanes that go on.  A logarithm of 0, or below, is that of the
smallest number.  The page `docs/theia-functions.md` has what errors remain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import split_block
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.lowering.elementary.polynomials import Coefficients, horner, odd
from glslc_multi.compiler.lowering.expansion import Emitter, Expander
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet

LOOPED = OpcodeSet("fexp2.flog2")
_SMALLEST = 2.0**-17
#: From so many components on, one loop for all is shorter than one for each.
ROW = 3

#: 2^f for f from 0 to 1, error 2.6e-6
_EXP2: Coefficients = (1.000002593, 0.6930038345, 0.2414427569, 0.05201146062, 0.01353416791)
#: log2((1 + sqrt(u)) / (1 - sqrt(u))) / sqrt(u) for u to 1/9, error 7.2e-6
_LOG2: Coefficients = (2.885410845, 0.9584972129, 0.6534980423)

_State = Sequence[Value]


def expand_exponents(function: Function) -> bool:
    """Expand all operations of `LOOPED`; True where there were some."""
    looped = [instruction for instruction in function.instructions() if instruction.op in LOOPED]
    for instruction in looped:
        expand = _power if instruction.op is ops.FEXP2 else _logarithm
        instruction.replace_all_uses_with(expand(instruction))
        instruction.erase()
    return bool(looped)


def _emitter(before: Instruction) -> Emitter:
    return Emitter(Expander((), lambda opcode: True), before)


def _power(power: Instruction) -> Value:
    e, x = _emitter(power), power.operands[0]
    fraction = e.op(ops.FFRACT, x)
    mantissa = horner(e, _EXP2, fraction)
    exponents = e.sub(x, fraction)
    if x.type.width >= ROW:
        return _repeat(power, (mantissa, exponents), _any_is_left, _scale_row)[0]
    scaled = []
    for number, count in zip(e.components(mantissa), e.components(exponents), strict=True):
        larger = _repeat(power, (number, count), _is_above_zero, _scaled(2.0, -1.0))
        scaled.append(_repeat(power, larger, _is_below_zero, _scaled(0.5, 1.0))[0])
    return _emitter(power).construct(scaled)


def _logarithm(logarithm: Instruction) -> Value:
    e, x = _emitter(logarithm), logarithm.operands[0]
    start: Value = e.op(ops.FMAX, x, e.number(_SMALLEST, x))
    if x.type.width >= ROW:
        mantissa, exponent = _repeat(logarithm, (start, e.number(0.0, x)), _any_is_outside, _normalise_row)
    else:
        pairs = [_normalised(logarithm, number) for number in e.components(start)]
        mantissa, exponent = (_emitter(logarithm).construct(parts) for parts in zip(*pairs, strict=True))
    e, one = _emitter(logarithm), e.number(1.0, x)
    quotient = e.op(ops.FDIV, e.sub(mantissa, one), e.add(mantissa, one))
    return e.add(odd(e, _LOG2, quotient), exponent)


def _normalised(before: Instruction, number: Value) -> _State:
    smaller = _repeat(before, (number, _number(0.0)), _is_two_or_more, _scaled(0.5, 1.0))
    return _repeat(before, smaller, _is_below_one, _scaled(2.0, -1.0))


# ------------------------------------------------------------------------------------------ one number
def _number(value: float, width: int = 1) -> Constant:
    return Constant.splat(FLOAT.with_width(width), value)


def _scaled(factor: float, step: float) -> Callable[[Builder, _State], _State]:
    """The next (number, count): the one times `factor`, the other plus `step`."""

    def following(builder: Builder, state: _State) -> _State:
        number, count = state
        return builder.op(ops.FMUL, number, _number(factor)), builder.op(ops.FADD, count, _number(step))

    return following


def _is_above_zero(builder: Builder, state: _State) -> Value:
    return builder.op(ops.FLT, _number(0.0), state[1])


def _is_below_zero(builder: Builder, state: _State) -> Value:
    return builder.op(ops.FLT, state[1], _number(0.0))


def _is_two_or_more(builder: Builder, state: _State) -> Value:
    return builder.op(ops.FLE, _number(2.0), state[0])


def _is_below_one(builder: Builder, state: _State) -> Value:
    return builder.op(ops.FLT, state[0], _number(1.0))


# ------------------------------------------------------------------------------------------ three numbers
def _any_is_left(builder: Builder, state: _State) -> Value:
    count = state[1]
    return builder.op(ops.ANY, builder.op(ops.FNE, count, _number(0.0, count.type.width)))


def _scale_row(builder: Builder, state: _State) -> _State:
    """The lanes whose count is above 0 are doubled, those whose count is below are halved."""
    number, count = state
    up, down = _is_negative(builder, builder.op(ops.FNEG, count)), _is_negative(builder, count)
    return _moved(builder, number, up, down), builder.op(ops.FADD, builder.op(ops.FSUB, count, up), down)


def _any_is_outside(builder: Builder, state: _State) -> Value:
    up, down = _outside(builder, state[0])
    return builder.op(ops.ANY, builder.op(ops.FNE, up, down))


def _normalise_row(builder: Builder, state: _State) -> _State:
    """The lanes below 1 are doubled, those from 2 on are halved."""
    number, count = state
    up, down = _outside(builder, number)
    return _moved(builder, number, up, down), builder.op(ops.FADD, count, builder.op(ops.FSUB, down, up))


def _outside(builder: Builder, number: Value) -> tuple[Value, Value]:
    """1.0 in the lanes below 1, and in those that are 2 or more."""
    one, two = (_number(value, number.type.width) for value in (1.0, 2.0))
    below_two = _is_negative(builder, builder.op(ops.FSUB, number, two))
    return _is_negative(builder, builder.op(ops.FSUB, number, one)), builder.op(ops.FSUB, one, below_two)


def _is_negative(builder: Builder, x: Value) -> Value:
    return builder.op(ops.BTOF, builder.op(ops.FLT, x, _number(0.0, x.type.width)))


def _moved(builder: Builder, number: Value, up: Value, down: Value) -> Value:
    larger = builder.op(ops.FADD, number, builder.op(ops.FMUL, number, up))
    half = _number(0.5, number.type.width)
    return builder.op(ops.FSUB, larger, builder.op(ops.FMUL, builder.op(ops.FMUL, number, down), half))


# --------------------------------------------------------------------------------------------------- loops
def _repeat(
    before: Instruction,
    start: _State,
    goes_on: Callable[[Builder, _State], Value],
    following: Callable[[Builder, _State], _State],
) -> _State:
    """The state when `goes_on` is no longer true of it; the loop is made before `before`."""
    outside = before.block
    assert outside is not None
    rest = split_block(before, "behind")
    head, body = outside.function.add_block("again"), outside.function.add_block("round")
    builder = Builder(outside)
    builder.span = before.span
    builder.br(head)
    builder.at_end_of(head)
    state = [builder.phi(value.type, [(value, outside)]) for value in start]
    builder.condbr(goes_on(builder, state), body, rest)
    builder.at_end_of(body)
    for phi, value in zip(state, following(builder, state), strict=True):
        phi.add_incoming(value, body)
    builder.br(head)
    return state
