"""Words of 32 bits that numbers stand behind: those of floats, rounded numbers, colours as bytes.

A machine without types moves, tests and combines words.  Whatever only does that loses nothing: a word remembers its
numbers.  Each rule here is an operation on bits that is one on numbers; all other results are words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glslc_multi.compiler.arithmetic.protocol import INT_MIN, PYTHON, PythonArithmetic, round_to_float32, wrap_to_int32
from glslc_multi.compiler.proof.field import PRIME, inverse
from glslc_multi.compiler.proof.numbers import Number, number_of

if TYPE_CHECKING:
    from typing import Self

_MAGNITUDE = 0x7FFFFFFF
_LARGEST_BYTE, _BYTE_WIDTH, _BYTE_COUNT = 255, 8, 4
_REPLICATE = 0x01010101
#: Masks that clear the end of a mantissa: those of a unit that computes 13 bits at least.
_ROUNDINGS = frozenset(-1 << count for count in range(1, 11))
_NOUGHT = number_of(0.0)


class _Remembering(int):
    """A word, and the number that stands behind it."""

    origin: Number

    @classmethod
    def made(cls, word: int, origin: Number) -> Self:
        found = cls(word)
        found.origin = origin
        return found


class Bits(_Remembering):
    """The bits of a float, and the float that they are of."""

    @classmethod
    def of(cls, x: Number) -> Self:
        return cls.made(PYTHON.bits(round_to_float32(x.value)), x)


class Rounded(_Remembering):
    """A whole number that stands for another one, which lies beside it: that is what it becomes as a float."""


class Bytes(int):
    """A word of four bytes, and the shares of 1 that were rounded to them, the lowest byte's first."""

    #: None of a byte that is one alone.
    shares: tuple[Number | None, ...]

    @classmethod
    def of(cls, word: int, shares: Sequence[Number | None]) -> int:
        if not any(shares):
            return word
        found = cls(word)
        found.shares = tuple(shares)
        return found


def byte_of(share: Number) -> int:
    """The byte nearest to a number from 0 to 1; others are limited."""
    if not share.value > 0.0:
        share = _NOUGHT
    elif share.value >= 1.0:
        share = number_of(1.0)
    return Bytes.of(int(share.value * _LARGEST_BYTE + 0.5), (share, None, None, None))


def share_of(word: int, number: int) -> Number | int:
    """What stands behind a byte of a word: the share, or the byte."""
    share = _shares(word)[number]
    return _byte(word, number) if share is None else share


def _shares(word: int) -> tuple[Number | None, ...]:
    return word.shares if isinstance(word, Bytes) else (None,) * _BYTE_COUNT


def _byte(word: int, number: int) -> int:
    return int(word) >> _BYTE_WIDTH * number & _LARGEST_BYTE


class WordOperations(PythonArithmetic):
    """The part of `ProofOperations` that takes words."""

    __slots__ = ()

    def bits(self, x: Number) -> int:  # type: ignore[override]
        return Bits.of(x)

    def number(self, x: int) -> Number:  # type: ignore[override]
        """The float that the bits were made of; of others, which are no algebra, the number alone."""
        return x.origin if isinstance(x, Bits) else number_of(super().number(x))

    def itof(self, x: int) -> Number:  # type: ignore[override]
        if isinstance(x, Rounded):
            return x.origin
        if isinstance(x, Bytes) and x >= 0:
            return _total(x)
        # Where a float holds less, that is a rounding, as of all floats here.
        return number_of(float(x))

    # --- Bits ---------------------------------------------------------------------------------------------------------

    def bits_and(self, x: int, y: int) -> int:
        if type(x) is int:
            x, y = y, x
        if type(x) is int or y == 0:
            return x & y
        if y == -1:
            return x
        if isinstance(x, Bits):
            if y == _MAGNITUDE:
                return Bits.of(self.fabs(x.origin))  # type: ignore[arg-type]
            # What is cut off is a rounding, and those are no part of a number.
            return Bits.made(x & y, x.origin) if y in _ROUNDINGS else x & y
        if isinstance(x, Bytes):
            kept = [_byte(y, number) == _LARGEST_BYTE for number in range(_BYTE_COUNT)]
            return Bytes.of(x & y, [share if k else None for share, k in zip(x.shares, kept, strict=True)])
        return x & y

    def bits_or(self, x: int, y: int) -> int:
        if isinstance(x, Bytes) or isinstance(y, Bytes):
            return Bytes.of(x | y, [_joined(x, y, number) for number in range(_BYTE_COUNT)])
        if y == 0 or x == y:
            return x
        return x | y if x else y

    def bits_xor(self, x: int, y: int) -> int:
        if type(x) is int:
            x, y = y, x
        if y == 0:
            return x
        if isinstance(x, Bits) and y == INT_MIN:
            return Bits.of(self.fneg(x.origin))  # type: ignore[arg-type]
        return x ^ y

    def shl(self, x: int, count: int) -> int:
        if count and isinstance(x, Bytes) and not count % _BYTE_WIDTH:
            free = (None,) * (count // _BYTE_WIDTH)
            return Bytes.of(wrap_to_int32(x << count), (free + x.shares)[:_BYTE_COUNT])
        return super().shl(x, count) if count else x

    def shr(self, x: int, count: int) -> int:
        if count and isinstance(x, Bytes) and not count % _BYTE_WIDTH:
            free = (None,) * (count // _BYTE_WIDTH)
            return Bytes.of(super().shr(x, count), (x.shares + free)[-_BYTE_COUNT:])
        return super().shr(x, count) if count else x

    def imul(self, x: int, y: int) -> int:
        if y == _REPLICATE and isinstance(x, Bytes) and 0 <= x <= _LARGEST_BYTE:
            return Bytes.of(super().imul(x, y), x.shares[:1] * _BYTE_COUNT)
        return super().imul(x, y)

    # --- Comparisons --------------------------------------------------------------------------------------------------

    def ieq(self, x: int, y: int) -> bool:
        """Words of floats are equal where these are."""
        if isinstance(x, Bits) or isinstance(y, Bits):
            left, right = _float_of(x), _float_of(y)
            if left is not None and right is not None:
                return self.feq(left, right)  # type: ignore[arg-type]
        return int(x) == int(y)

    def ilt(self, x: int, y: int) -> bool:
        """Words of floats are in the order of these."""
        if isinstance(x, Bits) or isinstance(y, Bits):
            left, right = _float_of(x), _float_of(y)
            if left is not None and right is not None:
                # Two negative words are in the other order.
                if x < 0 and y < 0:
                    left, right = right, left
                return self.flt(left, right)  # type: ignore[arg-type]
        return int(x) < int(y)


#: The one instance, for what needs no closeness.
WORDS = WordOperations()


def _float_of(word: int) -> Number | None:
    if isinstance(word, Bits):
        return word.origin
    return None if word else _NOUGHT


def _joined(x: int, y: int, number: int) -> Number | None:
    """The share of a byte that only one of two words has."""
    left, right = _shares(x)[number], _shares(y)[number]
    if left is None and not _byte(x, number):
        return right
    return left if right is None and not _byte(y, number) else None


def as_share(byte: int) -> Number:
    """A byte as a part of 1."""
    return Number(byte / _LARGEST_BYTE, byte * inverse(_LARGEST_BYTE) % PRIME)


def _total(word: Bytes) -> Number:
    """The sum of bytes, each with the weight of its place."""
    parts = [share or as_share(_byte(word, number)) for number, share in enumerate(word.shares)]
    weights = [_LARGEST_BYTE << _BYTE_WIDTH * number for number in range(_BYTE_COUNT)]
    value = sum(part.value * weight for part, weight in zip(parts, weights, strict=True))
    return Number(value, sum(part.element * weight for part, weight in zip(parts, weights, strict=True)) % PRIME)
