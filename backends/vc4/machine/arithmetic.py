"""The arithmetic of the ALUs and the SFU over numpy lanes of 32-bit words.

Floats have the layout of IEEE single precision.  Denormal numbers and -0 count as +0, as operands and as results;
there is no NaN arithmetic: such patterns act as infinities of their sign.  Sums and products are rounded to nearest
(the machine is one unit in the last place off at most).  Run inside of `compiler.arithmetic.lanes.quiet()`.

Few results need one of these rules: where the sum or product that numpy computes is an ordinary number in every lane,
it is the machine's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from compiler.arithmetic.lanes import Array

SIGN, EXPONENT, MAGNITUDE = np.uint32(0x80000000), np.uint32(0x7F800000), np.uint32(0x7FFFFFFF)
_BYTE_SHIFTS = np.array((0, 8, 16, 24), np.uint32)
#: Bits of a mantissa that the SFU does not compute.
SFU_MISSING = np.uint32(0x3FF)
_SMALLEST_NORMAL = 2.0**-126
#: A rounded product is at least so much of the product.
_ROUNDED = 1 - 2.0**-23


def words(values: Array) -> Array:
    """Floats, or signed or wide integers, as words."""
    return values.view(np.uint32) if values.dtype.itemsize == 4 else values.astype(np.uint32)


def integers(x: Array) -> Array:
    """Words as signed integers."""
    return x.view(np.int32)


def floats(x: Array) -> Array:
    """Words as floats, exactly."""
    return x.view(np.float32)


class Words:
    """A word of each lane, or one word that all lanes have; it never changes.

    The number that float operations see is computed when it is first used, and so are the words of their results.
    """

    __slots__ = ("_bits", "_low", "_numbers")

    def __init__(self, bits: Array | None, numbers: Array | None = None, low: float = 0.0) -> None:
        self._bits = bits
        self._numbers = numbers
        self._low = low

    @property
    def bits(self) -> Array:
        """The words."""
        if self._bits is None:
            assert self._numbers is not None
            self._bits = words(self._numbers)
        return self._bits

    @property
    def numbers(self) -> Array:
        """The words as floats, with denormal numbers and -0 as +0."""
        return self._numbers if self._numbers is not None else self._look()

    @property
    def low(self) -> float:
        """None of the numbers is smaller than this, the sign aside; 0 if there are NaN patterns."""
        if self._numbers is None:
            self._look()
        return self._low

    def _look(self) -> Array:
        numbers = floats(self.bits)
        magnitudes = np.abs(numbers)
        self._low = float(magnitudes.min(initial=np.inf))
        if not self._low >= _SMALLEST_NORMAL:
            self._low = 0.0
            numbers = np.where(magnitudes < _SMALLEST_NORMAL, np.float32(0), numbers)
        self._numbers = numbers
        return numbers


def separate(bits: Array) -> list[Words]:
    """Words of all lanes, one of each word in a row."""
    numbers = Words(bits).numbers
    lows = np.nan_to_num(np.abs(numbers), nan=0.0, posinf=np.inf).tolist()
    return [Words(bits[at : at + 1], numbers[at : at + 1], low) for at, low in enumerate(lows)]


def _normal(x: Array) -> Array:
    """The word with denormal numbers and -0 as +0."""
    return np.where(x & EXPONENT == 0, np.uint32(0), x)


def _is_infinite(x: Array) -> Array:
    """Whether the word acts as an infinity."""
    infinite: Array = x & EXPONENT == EXPONENT
    return infinite


def _are_ordinary(numbers: Array) -> bool:
    """Whether these are neither zero, denormal nor NaN."""
    return bool(np.count_nonzero(np.abs(numbers) >= _SMALLEST_NORMAL) == numbers.size)


def _order(x: Array) -> Array:
    """Integers in the order of the floats."""
    signed = integers(x)
    order: Array = np.where(signed < 0, signed ^ np.int32(0x7FFFFFFF), signed)
    return order


class QpuArithmetic:
    """`backends.vc4.isa.instructions.WordArithmetic` over numpy."""

    __slots__ = ()

    def iconst(self, value: int) -> Words:
        return constant(value & 0xFFFFFFFF)

    def select(self, condition: Array, if_true: Words, if_false: Words) -> Words:
        return Words(np.where(condition, if_true.bits, if_false.bits))

    def never(self, x: Words) -> Array:
        return np.zeros(x.bits.shape, np.bool_)

    def fadd(self, x: Words, y: Words) -> Words:
        return _sum(x.numbers, y.numbers)

    def fsub(self, x: Words, y: Words) -> Words:
        return _sum(x.numbers, np.negative(y.numbers))

    def fmul(self, x: Words, y: Words) -> Words:
        product = np.multiply(x.numbers, y.numbers)
        low = x.low * y.low * _ROUNDED
        if low >= _SMALLEST_NORMAL:
            return Words(None, product, low)
        if _are_ordinary(product):
            return Words(None, product, _SMALLEST_NORMAL)
        first, second = words(x.numbers), words(y.numbers)
        is_infinite = _is_infinite(first) | _is_infinite(second)
        found = np.where(is_infinite, (first ^ second) & SIGN | EXPONENT, _normal(words(product)))
        return Words(np.where((first == 0) | (second == 0), np.uint32(0), found))

    def fabs(self, x: Words) -> Words:
        return Words(x.bits & MAGNITUDE)

    def flt(self, x: Words, y: Words) -> Array:
        return np.less(_order(x.bits), _order(y.bits))

    def normal(self, x: Words) -> Words:
        return Words(None, x.numbers, x.low)

    def ftoi(self, x: Words) -> Words:
        value = floats(x.bits).astype(np.float64)
        in_range = (value > -(2.0**31) - 1) & (value < 2.0**31)
        return Words(words(np.where(in_range, value, 0.0).astype(np.int64)))

    def itof(self, x: Words) -> Words:
        return Words(words(integers(x.bits).astype(np.float32)))

    def iadd(self, x: Words, y: Words) -> Words:
        return Words(np.add(x.bits, y.bits))

    def isub(self, x: Words, y: Words) -> Words:
        return Words(np.subtract(x.bits, y.bits))

    def imul(self, x: Words, y: Words) -> Words:
        return Words(np.multiply(x.bits, y.bits))

    def idiv(self, x: Words, y: Words) -> Words:
        return Words(np.floor_divide(x.bits, y.bits))

    def ilt(self, x: Words, y: Words) -> Array:
        return np.less(integers(x.bits), integers(y.bits))

    def ult(self, x: Words, y: Words) -> Array:
        return np.less(x.bits, y.bits)

    def bits_and(self, x: Words, y: Words) -> Words:
        return Words(x.bits & y.bits)

    def bits_or(self, x: Words, y: Words) -> Words:
        return Words(x.bits | y.bits)

    def bits_xor(self, x: Words, y: Words) -> Words:
        return Words(x.bits ^ y.bits)

    def bits_not(self, x: Words) -> Words:
        return Words(~x.bits)

    def leading_zeros(self, x: Words) -> Words:
        # The exponent of a float64 is exact for 32 bits, and 0 for 0.
        return Words((32 - np.frexp(x.bits.astype(np.float64))[1]).astype(np.uint32))

    def shl(self, x: Words, count: Words) -> Words:
        return Words(np.left_shift(x.bits, count.bits))

    def shr(self, x: Words, count: Words) -> Words:
        return Words(np.right_shift(x.bits, count.bits))

    def asr(self, x: Words, count: Words) -> Words:
        return Words(words(np.right_shift(integers(x.bits), integers(count.bits))))

    def bit(self, x: Words, position: Words) -> Array:
        inside = position.bits < 32
        number = np.where(inside, position.bits, np.uint32(0))
        found: Array = inside & (np.right_shift(x.bits, number) & np.uint32(1) == 1)
        return found

    def by_bytes(self, function: Callable[[Words, Words], Words], x: Words, y: Words) -> Words:
        return Words(_joined(function(Words(_bytes(x.bits)), Words(_bytes(y.bits))).bits))


QPU = QpuArithmetic()


def _sum(x: Array, y: Array) -> Words:
    """The sum of numbers; where one is infinite, that infinity, the second one first."""
    total = np.add(x, y)
    if _are_ordinary(total):
        return Words(None, total, _SMALLEST_NORMAL)
    first, second = words(x), words(y)
    found = np.where(_is_infinite(first), first & SIGN | EXPONENT, _normal(words(total)))
    return Words(np.where(_is_infinite(second), second & SIGN | EXPONENT, found))


@lru_cache(maxsize=4096)
def constant(word: int) -> Words:
    """The same word in all lanes."""
    return Words(np.array([word], np.uint32))


def _bytes(x: Array) -> Array:
    """The four bytes of words, lowest first, on a last axis."""
    return np.right_shift(x[..., None], _BYTE_SHIFTS) & np.uint32(0xFF)


def _joined(x: Array) -> Array:
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


def special_function(index: int, x: Words) -> Words:
    """What the SFU computes: 0 recip, 1 recipsqrt, 2 exp2, 3 log2; 13 bits of the mantissa are computed."""
    operand = words(x.numbers)
    operand = np.where(_is_infinite(operand), operand & SIGN | EXPONENT, operand)
    result = words(_SFU[index](floats(operand).astype(np.float64)).astype(np.float32))
    return Words(_normal(result & ~SFU_MISSING))
