"""The arithmetic unit over numpy lanes, bit for bit: v1.2 has that of trunk, icarus another divider and root.

A number is its signed 32-bit integer in an array of int64, which leaves room for the 64-bit sums and
products inside of an instruction.  Section numbers are those of the machine's reference.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.theia.isa.numbers import FRACTION_BITS, ONE, SIGN, WORD_MASK
from backends.theia.isa.registers import Variant

Array = NDArray[Any]

_WORD = np.uint64(WORD_MASK)
_FRACTION = np.uint64(FRACTION_BITS)
#: The largest magnitude whose triple fits into 32 bits, which makes products exact.
LARGEST_EXACT = WORD_MASK // 3
#: Base-4 digits of a 32-bit magnitude.
DIGITS = 16
#: The recurrence of the square root keeps four times the rest, which is up to twice the root: here that overflows.
FIRST_OVERFLOW = 1 << 60
#: Entries of icarus's table of roots, and what is read after its end.
TABLE_SIZE, BEHIND_TABLE = 128, 0xCACA


def wrap(x: Any) -> Array:
    """Integers reduced to signed 32 bits."""
    return np.asarray(x, dtype=np.int64).astype(np.int32).astype(np.int64)


def _is_within(x: Array, low: int, high: int) -> bool:
    """Whether all numbers are, both ends included."""
    # Searching the index takes half as long as searching the number.
    return not x.size or bool(low <= x.item(x.argmin()) and x.item(x.argmax()) <= high)


def _keep_sign(t: Array) -> Array:
    """A 64-bit sum as a number: its sign over its low 31 bits, which is no wrap-around (section 5.1)."""
    if _is_within(t, -SIGN, SIGN - 1):
        return t
    return np.where(t < 0, (t & (SIGN - 1)) - SIGN, t & (SIGN - 1))


def _magnitude(x: Array) -> Array:
    return np.abs(np.asarray(x, dtype=np.int64)).astype(np.uint64)


def _apply_sign(magnitude: Array, negative: Array) -> Array:
    value = magnitude.astype(np.int64)
    return np.where(negative, -value, value)


def _multiply_magnitudes(x: Array, y: Array) -> Array:
    """The product of magnitudes as the multiplier makes it: digit times `x` is cut to 32 bits (section 5.2)."""
    left, right = _magnitude(x), _magnitude(y)
    if _is_within(x, -LARGEST_EXACT, LARGEST_EXACT):
        return left * right
    total = np.zeros(np.broadcast_shapes(left.shape, right.shape), dtype=np.uint64)
    for position in range(DIGITS):
        shift = np.uint64(2 * position)
        digit = (right >> shift) & np.uint64(3)
        total = total + (((digit * left) & _WORD) << shift)
    return total


def whole_root(radicand: Array) -> Array:
    """The largest whole number whose square is not above this."""
    root = np.sqrt(radicand.astype(np.float64)).astype(np.int64)
    root = root - (root * root > radicand)
    return root + ((root + 1) * (root + 1) <= radicand)


class Unit(ABC):
    """The arithmetic that both variants share."""

    __slots__ = ()

    def row(self, x: Array, y: Array, z: Array) -> Array:
        found = np.empty((3, max(np.size(x), np.size(y), np.size(z))), np.int64)
        found[0], found[1], found[2] = x, y, z
        return found

    def iconst(self, value: int) -> Array:
        return wrap(value)

    def fadd(self, x: Array, y: Array) -> Array:
        return _keep_sign(x + y)

    def fsub(self, x: Array, y: Array) -> Array:
        return _keep_sign(x - y)

    def product(self, x: Array, y: Array) -> Array:
        if not _is_within(x, -LARGEST_EXACT, LARGEST_EXACT):
            return _apply_sign(_multiply_magnitudes(x, y) >> _FRACTION, (x < 0) != (y < 0))
        product = np.asarray(np.multiply(x, y))
        # A shift goes down: what is below 0 has to be raised for digits to be cut off.
        raised = product >> 63
        raised &= ONE - 1
        raised += product
        raised >>= FRACTION_BITS
        return raised

    def total(self, *terms: Array) -> Array:
        return _keep_sign(reduce(np.add, terms))

    def fmul(self, x: Array, y: Array) -> Array:
        return wrap(self.product(x, y))

    def imul(self, x: Array, y: Array) -> Array:
        return wrap(_apply_sign(_multiply_magnitudes(x, y) & _WORD, (x < 0) != (y < 0)))

    def isub(self, x: Array, y: Array) -> Array:
        return wrap(x - y)

    def bits_and(self, x: Array, y: Array) -> Array:
        return x & y

    def shift_left(self, x: Array, count: int) -> Array:
        return wrap((x & WORD_MASK) << count)

    def shift_right(self, x: Array, count: int) -> Array:
        return (x & WORD_MASK) >> count

    def flt(self, x: Array, y: Array) -> Array:
        return x < y

    def same_magnitude(self, x: Array, y: Array) -> Array:
        return np.asarray(np.abs(x) == np.abs(y))

    def bor(self, x: Array, y: Array) -> Array:
        return x | y

    def bnot(self, x: Array) -> Array:
        return ~x

    @abstractmethod
    def fdiv(self, x: Array, y: Array) -> Array: ...

    @abstractmethod
    def length(self, x: Array) -> Array: ...

    def division_cycles(self, x: Array, y: Array, usual: int) -> Array:
        """Cycles of a division of rows, one number a pixel."""
        return np.full(x.shape[1:], usual)

    def _sum_of_squares(self, x: Array) -> Array:
        return np.asarray(reduce(np.add, self.product(x, x))).astype(np.uint64)


class TrunkUnit(Unit):
    """Divider and square root of the main line."""

    __slots__ = ()

    def fdiv(self, x: Array, y: Array) -> Array:
        dividend, divisor = np.abs(x) << FRACTION_BITS, np.abs(y)
        by_zero = divisor == 0
        # In doubles: a quotient below a whole number lacks at least 1 / divisor of it, more than rounding adds.
        quotient = np.asarray(dividend / np.where(by_zero, 1, divisor)).astype(np.int64)
        kept = np.where(by_zero, 0x0FFFFFFF, quotient & (SIGN - 1))
        return wrap(_apply_sign(kept, (x < 0) != (y < 0)))

    def division_cycles(self, x: Array, y: Array, usual: int) -> Array:
        """Quick only where the quotient of every lane is 0, 1/2^17 or that of a division by zero (section 5.5)."""
        dividend, divisor = _magnitude(x) << _FRACTION, _magnitude(y)
        trivial = (divisor == 0) | (divisor >= dividend)
        return np.where(trivial.all(axis=0), 5, usual)

    def length(self, x: Array) -> Array:
        """The digit recurrence with its 32-bit registers (section 5.6): the root, while they do not overflow."""
        radicand = self._sum_of_squares(x) << _FRACTION
        if not radicand.size or radicand.max() < FIRST_OVERFLOW:
            return whole_root(radicand.astype(np.int64))
        root2, rest, root = (np.zeros_like(radicand) for _ in range(3))
        for position in range(31, -1, -1):
            digits = (radicand >> np.uint64(2 * position)) & np.uint64(3)
            root2 = (np.uint64(2) * root2 + np.uint64(1)) & _WORD
            rest = (np.uint64(4) * rest + digits) & _WORD
            below = root2 > rest
            root = np.where(below, root, root + np.uint64(1 << position))
            rest = np.where(below, rest, rest - root2)
            root2 = np.where(below, root2 - np.uint64(1), root2 + np.uint64(1)) & _WORD
        return wrap(root & _WORD)


class IcarusUnit(Unit):
    """Divider and table of square roots of the last branch."""

    __slots__ = ()

    def fdiv(self, x: Array, y: Array) -> Array:
        dividend, divisor = self._widened(x) << _FRACTION, self._widened(y)
        by_zero = divisor == 0
        quotient = np.where(by_zero, _WORD, dividend // np.where(by_zero, np.uint64(1), divisor))
        return wrap(_apply_sign(quotient & _WORD, (x < 0) != (y < 0)))

    @staticmethod
    def _widened(x: Array) -> Array:
        """The magnitude; that of the smallest number is sign-extended by mistake."""
        return np.where(x == -SIGN, np.uint64(2**64 - SIGN), _magnitude(x))

    def length(self, x: Array) -> Array:
        """A table over the integer part; large sums read it coarsely and double (section 5.6)."""
        total = self._sum_of_squares(x)
        is_large = (total >> np.uint64(24)) & np.uint64(1) == 1
        index = np.where(is_large, (total & _WORD) >> np.uint64(23), (total & _WORD) >> _FRACTION).astype(np.int64)
        found = np.where(index < TABLE_SIZE, _ROOTS[np.minimum(index, TABLE_SIZE - 1)], BEHIND_TABLE)
        return wrap(np.where(is_large, 2 * found, found))


#: Square roots of 0 and on, cut off.
_ROOTS = np.sqrt(np.arange(TABLE_SIZE, dtype=np.float64) * ONE * ONE).astype(np.int64)
UNITS: dict[Variant, Unit] = {"trunk": TrunkUnit(), "icarus": IcarusUnit(), "v1.2": TrunkUnit()}
