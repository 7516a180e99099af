"""Products and quotients of whole numbers, found again in products of 24 bits and in shifts."""

from __future__ import annotations

from glslc_multi.compiler.analysis.component_sources import Source, source
from glslc_multi.compiler.analysis.ranges import value_ranges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.fold import fold
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import INT
from glslc_multi.compiler.passes.base import PassContext

#: Bits that a multiplier takes, and what they are in a word.
_WIDTH, _LOW = 24, (1 << 24) - 1
_SIGN_SHIFT, _WORD = 31, 32


def join_whole_numbers(function: Function) -> None:
    """Compute products and quotients at once; a shift to the left is a product."""
    analyses = PassContext().analyses(function)
    for instruction in list(function.instructions()):
        if instruction.type is not INT or not instruction.op.has_semantics or len(instruction.operands) != 2:
            continue
        b, (x, y) = Builder.before(instruction), instruction.operands
        number, joined = _number(y), None
        if instruction.op is ops.IAND and number == _LOW:
            ranges = analyses.get(value_ranges)
            is_low = ranges.knows(x) and all(0 <= each.low <= each.high <= _LOW for each in ranges.of(x))
            joined = x if is_low else None
        elif instruction.op is ops.ISHL and number is not None:
            joined = b.op(ops.IMUL, x, _power(number))
        elif instruction.op is ops.ISHR and number is not None:
            divided = _divided(x, number)
            joined = None if divided is None else b.op(ops.IDIV, divided, _power(number))
        elif instruction.op is ops.IADD:
            factors = _factors(x, y) or _factors(y, x)
            joined = None if factors is None else b.op(ops.IMUL, *factors)
        if joined is not None:
            instruction.replace_all_uses_with(joined)


def _divided(total: Value, exponent: int) -> Value | None:
    """Return the number that a shift divides by a power of 2: below 0 it is raised, so that it is rounded to 0."""
    match total:
        case Instruction(
            op=ops.IADD,
            operands=[
                x,
                Instruction(
                    op=ops.USHR, operands=[Instruction(op=ops.ISHR, operands=[Value() as own, sign_shift]), rest]
                ),
            ],
        ) if own is x and _number(sign_shift) == _SIGN_SHIFT and 0 < exponent < _SIGN_SHIFT:
            return x if _number(rest) == _WORD - exponent else None
    return None


def _factors(low: Value, high: Value) -> tuple[Value, Value] | None:
    """Return the factors of a product, put together of those of their parts."""
    match low, high:
        case (
            Instruction(op=ops.IMUL, operands=[one, two]),
            Instruction(op=ops.IMUL, operands=[Instruction(op=ops.IADD, operands=[upper, lower]), by]),
        ) if _number(by) == 1 << _WIDTH:
            first, second = _part(one), _part(two)
            crossed = [{_part_above(first), second}, {first, _part_above(second)}]
            parts = [_parts_of(upper), _parts_of(lower)]
            if first[1] == second[1] == 0 and parts in (crossed, crossed[::-1]):
                return _whole(one), _whole(two)
    return None


#: A number, which may be known, and from which bit on it is looked at; -1 of what is no part.
_Part = tuple[Source | int, int]


def _part(value: Value) -> _Part:
    """Return the number whose low bits, or other bits, a value is."""
    number = _number(value)
    if number is not None and number in range(_LOW + 1):
        return number, 0
    match value:
        case Instruction(op=ops.IAND, operands=[x, mask]) if _number(mask) == _LOW:
            own, start = _part(x)
            return (own, start) if start == _WIDTH else (source(x, 0), 0)
        case Instruction(op=ops.USHR, operands=[x, count]) if _number(count) == _WIDTH:
            return source(x, 0), _WIDTH
    return source(value, 0), -1


def _whole(low: Value) -> Value:
    """Return the number whose low bits these are."""
    number = _number(low)
    if number is not None:
        return int_constant(number)
    assert isinstance(low, Instruction)
    return low.operands[0]


def _part_above(part: _Part) -> _Part:
    """Return the other bits of a number: none of one that is known to fit."""
    number, _ = part
    return (0, 0) if isinstance(number, int) else (number, _WIDTH)


def _parts_of(product: Value) -> set[_Part]:
    """Return what parts of numbers a product multiplies."""
    if not isinstance(product, Instruction) or product.op is not ops.IMUL:
        return set()
    return {_part(operand) for operand in product.operands}


def _power(exponent: int) -> Constant:
    """Return 2 to the exponent, as a word."""
    return int_constant((1 << (exponent & _SIGN_SHIFT) ^ 1 << _SIGN_SHIFT) - (1 << _SIGN_SHIFT))


def _number(value: Value) -> int | None:
    """Return the number that a constant, or an operation on constants, is."""
    constant = fold(value) if isinstance(value, Instruction) else value
    return int(constant.components[0] or 0) if isinstance(constant, Constant) else None
