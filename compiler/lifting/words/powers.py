"""Products in which factors cancel: what a machine computes by a reciprocal and corrects, as what it is.

A product is a number and powers of values.  Where a factor meets its own reciprocal, in numbers of the reals nothing of
both is left: `x / w * w` is x, and a step of Newton's method, `r (2 - x r)` after `r = 1 / x`, is r.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import NamedTuple

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.signs import is_at_least_0
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.fold import fold
from glslc_multi.compiler.ir.module import RELAXED, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT

_ONE = Fraction(1)
_PRODUCTS = (ops.FMUL, ops.FDIV)
_ARITHMETIC = (*_PRODUCTS, ops.FADD, ops.FSUB)
#: More factors than this are one.
_MOST_FACTORS = 8
_Powers = Mapping[Hashable, tuple[Value, Fraction]]


class _Product(NamedTuple):
    """A number, and values with their exponents."""

    number: float
    powers: _Powers

    def times(self, other: _Product, exponent: Fraction) -> _Product:
        powers = dict(self.powers)
        for key, (value, own) in other.powers.items():
            powers[key] = value, powers.get(key, (value, Fraction(0)))[1] + own * exponent
        number = self.number * other.number if exponent > 0 else self.number / other.number
        return _Product(number, {key: power for key, power in powers.items() if power[1]})

    def meets(self, other: _Product, exponent: Fraction) -> bool:
        """Tell whether a factor of one is one of what the other is divided by."""
        return any(
            key in self.powers and self.powers[key][1] * p * exponent < 0 for key, (_, p) in other.powers.items()
        )


def cancel_powers(function: Function) -> None:
    """Make simpler products of those in which factors cancel, and what then is known."""
    products: dict[Value, _Product] = {}

    def product_of(value: Value) -> _Product:
        if isinstance(value, Constant):
            number = float(value.components[0] or 0.0)
            return _Product(number, {}) if number else _factor(value)
        return products.get(value) or _factor(value)

    for instruction in list(function.instructions()):
        if instruction.type is not FLOAT:
            continue
        simple = _simplified(instruction)
        if simple is None and instruction.op in _PRODUCTS:
            first, second = map(product_of, instruction.operands)
            exponent = _ONE if instruction.op is ops.FMUL else -_ONE
            whole = first.times(second, exponent)
            if first.meets(second, exponent):
                b = Builder.before(instruction)
                for operand in instruction.operands:
                    b.flags |= operand.flags & RELAXED if isinstance(operand, Instruction) else 0
                simple = _made(whole, b)
            if len(whole.powers) <= _MOST_FACTORS:
                products[simple or instruction] = whole
        elif instruction.op in (ops.FSQRT, ops.FRSQRT):
            # Of negative numbers there is no root: a machine may take their magnitude.
            own = _factor(_without_magnitude(instruction.operands[0]))
            products[instruction] = _Product(1.0, {}).times(own, Fraction(1 if instruction.op is ops.FSQRT else -1, 2))
        if simple is not None:
            instruction.replace_all_uses_with(simple)


def _factor(value: Value) -> _Product:
    key = source(value, 0)
    return _Product(1.0, {key: (value, _ONE)})


def _without_magnitude(value: Value) -> Value:
    """Return the number whose magnitude a value is."""
    return value.operands[0] if isinstance(value, Instruction) and value.op is ops.FABS else value


def _simplified(instruction: Instruction) -> Value | None:
    """Return what an operation yields where that is known, or one of its operands."""
    if instruction.op is ops.FABS and is_at_least_0(instruction.operands[0]):
        return instruction.operands[0]
    if instruction.op not in _ARITHMETIC:
        return None
    number = fold(instruction)
    if number is not None:
        return number
    first, second = instruction.operands
    match instruction.op:
        case ops.FMUL if _is(first, 1.0) or _is(second, 1.0):
            return _corrected(second if _is(first, 1.0) else first, Builder.before(instruction))
        case ops.FADD:
            return _sum(first, second) or _sum(second, first)
        case ops.FDIV if _is(second, 1.0):
            return first
        case ops.FSUB if _is(second, 0.0):
            return first
        case ops.FSUB if isinstance(first, Instruction) and first.op is ops.FADD:
            rest = [each for each in first.operands if source(each, 0) != source(second, 0)]
            return rest[0] if len(rest) == 1 else None
    return None


def _sum(first: Value, second: Value) -> Value | None:
    """Return a sum with 0, or with what was subtracted."""
    if _is(second, 0.0):
        return first
    if isinstance(first, Instruction) and first.op is ops.FSUB and source(first.operands[1], 0) == source(second, 0):
        return first.operands[0]
    return None


def _corrected(value: Value, b: Builder) -> Value:
    """Return a number whose last bits a factor near 1 has brought."""
    if not isinstance(value, Instruction) or not value.flags & RELAXED:
        return value
    return b.op(value.op, *value.operands)


def _is(value: Value, number: float) -> bool:
    return isinstance(value, Constant) and value.components == (number,)


def _made(product: _Product, b: Builder) -> Value | None:
    """Compute a product; None where it has powers that are no roots, and no whole ones."""
    above: list[Value] = []
    below: list[Value] = []
    for value, exponent in product.powers.values():
        whole, half = divmod(abs(exponent), 1)
        if half not in (0, Fraction(1, 2)):
            return None
        side = above if exponent > 0 else below
        side += [value] * int(whole)
        if half:
            above.append(b.op(ops.FSQRT if exponent > 0 else ops.FRSQRT, value))
    if product.number != 1.0 or not above:
        above.insert(0, float_constant(product.number))
    total = above[0]
    for value in above[1:]:
        total = b.op(ops.FMUL, total, value)
    if below:
        divisor = below[0]
        for value in below[1:]:
            divisor = b.op(ops.FMUL, divisor, value)
        total = b.op(ops.FDIV, total, divisor)
    return total
