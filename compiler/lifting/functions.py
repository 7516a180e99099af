"""Functions that a machine has no instruction for: found again in what a compiler makes of them.

Rounding down is truncation, corrected below zero, with a choice for numbers too large for an int.  Powers of two and
logarithms are those of a whole part, by the exponent of a float, and a polynomial for the rest: it is the function if
it is as near to it as single precision asks for, whatever its coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import RELAXED, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.lifting.samples import is_near, samples, variables_of

#: Floats from here on are whole.
_WHOLE = 2.0**23
#: Bits of a mantissa; powers with less than the least exponent are no normal numbers.
_MANTISSA, _LEAST_EXPONENT = 23, -126.0
#: Turns in both directions that a sine is looked at for, and numbers that its polynomial has at least.
_MOST_TURNS, _LEAST_DEGREE = 2.2, 2


def join_functions(function: Function) -> None:
    """Compute at once what is put together of other functions."""
    for instruction in list(function.instructions()):
        if instruction.type is not FLOAT or instruction.op not in _JOINS:
            continue
        operation = _JOINS[instruction.op](instruction)
        if operation is not None:
            op, x = operation
            result = x if op is None else Builder.before(instruction).op(op, x)
            instruction.replace_all_uses_with(result)
    for instruction in function.instructions():
        # A product is as good as the worse one of its factors.
        if instruction.op is ops.FMUL:
            for factor in instruction.operands:
                instruction.flags |= factor.flags & RELAXED if isinstance(factor, Instruction) else 0


#: An operation of a number; without one, that is the result.
_Operation = tuple[Opcode | None, Value] | None


# --- Roundings --------------------------------------------------------------------------------------------------------


def _rounding(choice: Instruction) -> _Operation:
    """Return which rounding a choice is, and of what."""
    condition, one, other = choice.operands
    while isinstance(condition, Instruction) and condition.op is ops.NOT:
        condition, one, other = condition.operands[0], other, one
    if not isinstance(condition, Instruction) or condition.op is not ops.FLT:
        return None
    low, high = condition.operands
    if isinstance(low, Constant):
        return _of_large(high, one, other) if float(low.components[0] or 0.0) >= _WHOLE else None
    if not isinstance(one, Instruction) or len(one.operands) != 2 or _number(high) != 0.0:
        return None
    base, step = one.operands
    is_down = (one.op, _number(step)) in ((ops.FSUB, 1.0), (ops.FADD, -1.0))
    is_up = (one.op, _number(step)) == (ops.FADD, 1.0)
    if isinstance(low, Instruction) and low.op is ops.FSUB and _is(base, other):
        first, second = low.operands
        if _is_truncated(second, first) and is_down and _is(other, second):
            return ops.FFLOOR, first
        if _is_truncated(second, first) and is_up and _is(other, low):
            return ops.FFRACT, first
        if _is_truncated(first, second) and is_up and _is(other, first):
            return ops.FCEIL, second
    return None


def _sign(choice: Instruction) -> _Operation:
    """Return what a choice between 0, 1 and -1 is the sign of."""
    match choice.operands:
        case [
            Instruction(op=ops.FEQ, operands=[x, nought]),
            zero,
            Instruction(
                op=ops.SELECT, operands=[Instruction(op=ops.FLT, operands=[Value() as own, limit]), below, above]
            ),
        ] if _is(own, x):
            is_sign = [_number(each) for each in (nought, zero, limit, below, above)] == [0.0, 0.0, 0.0, -1.0, 1.0]
            return (ops.FSIGN, x) if is_sign else None
    return None


def _of_large(magnitude: Value, large: Value, small: Value) -> _Operation:
    """Return a rounding of all numbers that are not too large for it, which are whole."""
    if not isinstance(magnitude, Instruction) or magnitude.op is not ops.FABS or not isinstance(small, Instruction):
        return None
    x = magnitude.operands[0]
    if _is_truncated(small, x):
        return (ops.FTRUNC, x) if _is(large, x) else None
    is_rounding = small.op in (ops.FFLOOR, ops.FCEIL) and _is(large, x)
    is_fraction = small.op is ops.FFRACT and _number(large) == 0.0
    return (None, small) if (is_rounding or is_fraction) and _is(small.operands[0], x) else None


def _is_truncated(whole: Value, x: Value) -> bool:
    """Tell whether a number is another one without its fraction."""
    match whole:
        case Instruction(op=ops.ITOF, operands=[Instruction(op=ops.FTOI, operands=[own])]):
            return _is(own, x)
    return False


# --- Powers and logarithms --------------------------------------------------------------------------------------------


def _power(product: Instruction) -> _Operation:
    """Return the power of 2 that is one of a whole number times a polynomial of the rest of the exponent."""
    for scale, factor in (product.operands, product.operands[::-1]):
        if not isinstance(scale, Instruction) or scale.op is not ops.FEXP2:
            continue
        whole = scale.operands[0]
        for rest in variables_of(factor):
            if not isinstance(rest, Instruction) or rest.op is not ops.FSUB or not _is(rest.operands[1], whole):
                continue
            x = rest.operands[0]
            ways = ((-1.0, 1.0), (0.0, 1.0), (-1.0, 0.0))
            if _is_truncated(whole, x) and any(is_near(factor, rest, samples(*way), lambda t: 2.0**t) for way in ways):
                return ops.FEXP2, _without_least(x)
    return None


def _without_least(x: Value) -> Value:
    """Return an exponent that is limited to those of normal numbers without this limit."""
    match x:
        case Instruction(op=ops.SELECT, operands=[Instruction(op=ops.FLT, operands=[one, other]), y, z]):
            for limit, own in ((one, other), (other, one)):
                number = _number(limit)
                is_limit = number is not None and number <= _LEAST_EXPONENT
                if is_limit and (_is(one, z) and _is(other, y)):
                    return own
    return x


def _logarithm(total: Instruction) -> _Operation:
    """Return the logarithm that is an exponent and a polynomial of the mantissa."""
    for exponent, part in (total.operands, total.operands[::-1]):
        match exponent:
            case Instruction(op=ops.SELECT, operands=[Instruction(op=ops.FEQ | ops.FNE), y, z]):
                # Of 0 there is no logarithm.
                exponent = z if isinstance(y, Constant) else y
        match exponent:
            case Instruction(op=ops.ITOF, operands=[whole]):
                for rest in variables_of(part):
                    x, start = _scaled_by(rest, whole)
                    rests = samples(start - 1.0, 2.0 * start - 1.0)
                    if x is not None and is_near(part, rest, rests, lambda t: math.log2(1.0 + t)):
                        return ops.FLOG2, x
    return None


def _scaled_by(rest: Value, whole: Value) -> tuple[Value | None, float]:
    """Return what a number is the mantissa of, less 1, if it has this exponent, and where such mantissas begin."""
    match rest:
        case Instruction(
            op=ops.FSUB | ops.FADD,
            operands=[
                Instruction(
                    op=ops.BITCAST_ITOF,
                    operands=[Instruction(op=ops.ISUB, operands=[word, Instruction(op=ops.ISHL, operands=[own, by])])],
                ),
                one,
            ],
        ) if own is whole and (rest.op, _number(one)) in ((ops.FSUB, 1.0), (ops.FADD, -1.0)):
            match whole, word:
                case (
                    Instruction(
                        op=ops.ISHR,
                        operands=[Instruction(op=ops.ISUB, operands=[other, Constant() as start]), again],
                    ),
                    Instruction(op=ops.BITCAST_FTOI, operands=[x]),
                ) if other is word and all(_number(count) == _MANTISSA for count in (by, again)):
                    number = fold_components(ops.BITCAST_ITOF, FLOAT, None, [start.components])
                    return x, 1.0 if number is None else float(number.components[0] or 0.0)
    return None, 1.0


# --- Sines ------------------------------------------------------------------------------------------------------------


def _sine(product: Instruction) -> _Operation:
    """Return the sine or cosine that a polynomial of a part of a turn is, whatever brings its argument there."""
    if not any(_is_polynomial(factor) for factor in product.operands):
        return None
    turns = samples(-_MOST_TURNS, _MOST_TURNS)
    angles = [math.tau * turn for turn in turns]
    for x in variables_of(product):
        for op, exact in ((ops.FSIN, math.sin), (ops.FCOS, math.cos)):
            if is_near(product, x, angles, exact):
                return op, x
            if is_near(product, x, turns, lambda turn, exact=exact: exact(math.tau * turn)):  # type: ignore[misc]
                return op, Builder.before(product).op(ops.FMUL, x, float_constant(math.tau))
    return None


def _is_polynomial(value: Value) -> bool:
    """Tell whether a value is put together of numbers as a polynomial is that has several."""
    count = 0
    while isinstance(value, Instruction) and value.op in (ops.FADD, ops.FMUL):
        constants = [operand for operand in value.operands if isinstance(operand, Constant)]
        others = [operand for operand in value.operands if not isinstance(operand, Constant)]
        if value.op is ops.FADD and len(constants) == 1:
            count += 1
        elif value.op is ops.FADD or (count and constants) or not others:
            break
        value = next((each for each in others if isinstance(each, Instruction) and each.op is ops.FADD), others[-1])
    return count >= _LEAST_DEGREE


# --- Values -----------------------------------------------------------------------------------------------------------


def _is(one: Value, other: Value) -> bool:
    """Tell whether two numbers are the same value."""
    return source(one, 0) == source(other, 0)


def _number(value: Value) -> float | None:
    """Return the number that a constant is."""
    return float(value.components[0] or 0.0) if isinstance(value, Constant) else None


_JOINS: dict[Opcode, Callable[[Instruction], _Operation]] = {
    ops.SELECT: lambda choice: _rounding(choice) or _sign(choice),
    ops.FMUL: lambda product: _power(product) or _sine(product),
    ops.FADD: _logarithm,
}
