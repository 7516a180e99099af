"""Values that depend on one byte of the pixel and on literals: what the stages make of each of the 256 bytes.

Where a bound adds the errors of a constant and of a product as if they met, this knows whether they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from backends.pica200.codegen.fragment.algebra.polynomials import Channel, Number
from backends.pica200.codegen.fragment.check import Bytes, Real
from backends.pica200.isa.fragment.combiners import FUNCTIONS, dot3_term
from backends.pica200.isa.fragment.rounding import byte_of
from compiler.records import dataclass

Interval = tuple[float, float]
_BYTES = range(256)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The bytes of a machine and the real numbers, by the byte of a channel; a constant has no channel.

    Each row is made once, so that it is the same object.
    """

    channel: Channel | None
    bytes: tuple[int, ...]
    reals: tuple[Fraction, ...]


@lru_cache(maxsize=1_000)
def error_of(row: Row) -> Interval:
    """The least and the greatest difference."""
    return _ends([byte - 255 * real for byte, real in zip(row.bytes, row.reals, strict=True)])


@lru_cache(maxsize=1_000)
def complement_of(row: Row) -> Row:
    return Row(row.channel, tuple(255 - byte for byte in row.bytes), tuple(1 - real for real in row.reals))


@lru_cache(maxsize=1_000)
def scaled(row: Row, scale: int) -> Row:
    """Both are clamped again."""
    bytes_ = tuple(min(255, byte * scale) for byte in row.bytes)
    return Row(row.channel, bytes_, tuple(min(Fraction(1), real * scale) for real in row.reals))


@lru_cache(maxsize=1_000)
def row_of(value: Channel | Number) -> Row:
    """A channel, or a literal constant."""
    if isinstance(value, Channel):
        return Row(value, tuple(_BYTES), tuple(Fraction(byte, 255) for byte in _BYTES))
    real = min(Fraction(1), max(Fraction(0), Fraction(value)))
    return Row(None, (byte_of(real),) * len(_BYTES), (real,) * len(_BYTES))


def joined(machine: Bytes, function: str, operands: Sequence[Row | None]) -> Row | None:
    """What a function makes of rows; None where one is missing that it reads, or two bytes come together."""
    rows = [row for row in operands[: FUNCTIONS[function].operands] if row is not None]
    if len(rows) < FUNCTIONS[function].operands or len({row.channel for row in rows} - {None}) > 1:
        return None
    return _joined(machine, function, (*rows, *[rows[0]] * (3 - len(rows))))


@lru_cache(maxsize=1_000)
def _joined(machine: Bytes, function: str, rows: tuple[Row, Row, Row]) -> Row:
    channel = next((row.channel for row in rows if row.channel is not None), None)
    numbers = Real()
    bytes_ = tuple(machine.combine(function, *row) for row in zip(*(row.bytes for row in rows), strict=True))
    reals = tuple(numbers.combine(function, *row) for row in zip(*(row.reals for row in rows), strict=True))
    return Row(channel, bytes_, reals)


@lru_cache(maxsize=1_000)
def term_error(machine: Bytes, left: Row | None, right: Row | None) -> Interval | None:
    """Of a term of DOT3, as `error_of`."""
    if left is None or right is None or len({left.channel, right.channel} - {None}) > 1:
        return None
    return _ends(
        [
            machine.dot3_term(a, b) - 255 * dot3_term(x, y)
            for a, b, x, y in zip(left.bytes, right.bytes, left.reals, right.reals, strict=True)
        ]
    )


def _ends(differences: Sequence[Fraction]) -> Interval:
    return float(min(differences)), float(max(differences))
