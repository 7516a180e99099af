"""The arithmetic of the ALUs, the packing units and the SFU over numpy arrays of 32-bit words, one a lane.

Floats have the layout of IEEE single precision.  Denormal numbers and -0 count as +0, as operands and as results;
there is no NaN arithmetic: such patterns act as infinities of their sign.  Sums and products are rounded to nearest
(the machine is one unit in the last place off at most).  Run inside of `compiler.ir.lanes.quiet()`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from compiler.ir.lanes import Array

SIGN, EXPONENT, MAGNITUDE = np.uint32(0x80000000), np.uint32(0x7F800000), np.uint32(0x7FFFFFFF)
_BYTE_SHIFTS = np.array((0, 8, 16, 24), np.uint32)
#: Bits of a mantissa that the SFU does not compute.
SFU_MISSING = np.uint32(0x3FF)


def words(values: Array) -> Array:
    """Floats, or signed or wide integers, as words."""
    return values.view(np.uint32) if values.dtype.itemsize == 4 else values.astype(np.uint32)


def integers(x: Array) -> Array:
    """Words as signed integers."""
    return x.view(np.int32)


def floats(x: Array) -> Array:
    """Words as floats, exactly."""
    return x.view(np.float32)


def normal(x: Array) -> Array:
    """The word with denormal numbers and -0 as +0."""
    return np.where(x & EXPONENT == 0, np.uint32(0), x)


def _is_infinite(x: Array) -> Array:
    """Whether the word acts as an infinity."""
    infinite: Array = x & EXPONENT == EXPONENT
    return infinite


def _order(x: Array) -> Array:
    """Integers in the order of the floats."""
    signed = integers(x)
    order: Array = np.where(signed < 0, signed ^ np.int32(0x7FFFFFFF), signed)
    return order


class QpuArithmetic:
    """`backends.vc4.isa.WordArithmetic` over numpy."""

    __slots__ = ()

    def iconst(self, value: int) -> Array:
        return np.asarray(value & 0xFFFFFFFF, np.uint32)

    def select(self, condition: Array, if_true: Array, if_false: Array) -> Array:
        return np.where(condition, if_true, if_false)

    def never(self, x: Array) -> Array:
        return np.zeros(x.shape, np.bool_)

    def fadd(self, x: Array, y: Array) -> Array:
        x, y = normal(x), normal(y)
        total = normal(words(floats(x) + floats(y)))
        total = np.where(_is_infinite(x), x & SIGN | EXPONENT, total)
        return np.where(_is_infinite(y), y & SIGN | EXPONENT, total)

    def fsub(self, x: Array, y: Array) -> Array:
        return self.fadd(x, y ^ SIGN)

    def fmul(self, x: Array, y: Array) -> Array:
        x, y = normal(x), normal(y)
        product = normal(words(floats(x) * floats(y)))
        product = np.where(_is_infinite(x) | _is_infinite(y), (x ^ y) & SIGN | EXPONENT, product)
        return np.where((x == 0) | (y == 0), np.uint32(0), product)

    def fabs(self, x: Array) -> Array:
        return x & MAGNITUDE

    def flt(self, x: Array, y: Array) -> Array:
        return np.less(_order(x), _order(y))

    def normal(self, x: Array) -> Array:
        return normal(x)

    def ftoi(self, x: Array) -> Array:
        value = floats(x).astype(np.float64)
        in_range = (value > -(2.0**31) - 1) & (value < 2.0**31)
        return words(np.where(in_range, value, 0.0).astype(np.int64))

    def itof(self, x: Array) -> Array:
        return words(integers(x).astype(np.float32))

    def iadd(self, x: Array, y: Array) -> Array:
        return np.add(x, y)

    def isub(self, x: Array, y: Array) -> Array:
        return np.subtract(x, y)

    def imul(self, x: Array, y: Array) -> Array:
        return np.multiply(x, y)

    def idiv(self, x: Array, y: Array) -> Array:
        return np.floor_divide(x, y)

    def ilt(self, x: Array, y: Array) -> Array:
        return np.less(integers(x), integers(y))

    def ult(self, x: Array, y: Array) -> Array:
        return np.less(x, y)

    def bits_and(self, x: Array, y: Array) -> Array:
        return x & y

    def bits_or(self, x: Array, y: Array) -> Array:
        return x | y

    def bits_xor(self, x: Array, y: Array) -> Array:
        return x ^ y

    def bits_not(self, x: Array) -> Array:
        return ~x

    def leading_zeros(self, x: Array) -> Array:
        # The exponent of a float64 is exact for 32 bits, and 0 for 0.
        return (32 - np.frexp(x.astype(np.float64))[1]).astype(np.uint32)

    def shl(self, x: Array, count: Array) -> Array:
        return np.left_shift(x, count)

    def shr(self, x: Array, count: Array) -> Array:
        return np.right_shift(x, count)

    def asr(self, x: Array, count: Array) -> Array:
        return words(np.right_shift(integers(x), integers(count)))

    def bit(self, x: Array, position: Array) -> Array:
        inside = position < 32
        found: Array = inside & (np.right_shift(x, np.where(inside, position, 0)) & np.uint32(1) == 1)
        return found

    def by_bytes(self, function: Callable[[Array, Array], Array], x: Array, y: Array) -> Array:
        return join_bytes(function(split_bytes(x), split_bytes(y)))


QPU = QpuArithmetic()


def split_bytes(x: Array) -> Array:
    """The four bytes of words, lowest first, on a last axis."""
    return np.right_shift(x[..., None], _BYTE_SHIFTS) & np.uint32(0xFF)


def join_bytes(x: Array) -> Array:
    """Words of four bytes on the last axis."""
    joined: Array = np.bitwise_or.reduce(np.left_shift(x, _BYTE_SHIFTS), axis=-1)
    return joined


# --- SFU --------------------------------------------------------------------------------------------------------------


def _reciprocal(x: Array) -> Array:
    return 1.0 / x


def _reciprocal_root(x: Array) -> Array:
    return 1.0 / np.sqrt(np.abs(x))


def _logarithm(x: Array) -> Array:
    # Of negative numbers nothing is documented; recipsqrt takes the magnitude.
    return np.log2(np.abs(x))


_SFU: tuple[Callable[[Array], Array], ...] = (_reciprocal, _reciprocal_root, np.exp2, _logarithm)


def special_function(index: int, x: Array) -> Array:
    """What the SFU computes: 0 recip, 1 recipsqrt, 2 exp2, 3 log2; 13 bits of the mantissa are computed."""
    operand = normal(np.where(_is_infinite(x), x & SIGN | EXPONENT, x))
    result = words(_SFU[index](floats(operand).astype(np.float64)).astype(np.float32))
    return normal(result & ~SFU_MISSING)
