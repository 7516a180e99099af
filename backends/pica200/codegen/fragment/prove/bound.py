"""How far the bytes of a solution may be from its real numbers: intervals of errors, in steps of 1/255.

Each value has an interval that its error lies in, the byte less 255 times the real number.  Texels and colours of
vertices are exact.  A product is cut off, so that it loses up to 254/255 of a step, or it is rounded to the nearest, as
was asked for (`isa/fragment/rounding.py`).  Constants are rounded to the nearest byte.  Errors pass with the factor of
the function: of x*y the error of x counts as often as y is large, and in a mix only the hull of both errors counts.
What depends on one byte and on literals alone is computed for all 256 bytes, a *row*, so that its error is exact: where
a bound adds the errors of a constant and of a product as if they met, a row knows whether they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf

from glslc_multi.backends.pica200.codegen.fragment.prove.check import MACHINES, Bytes, Real
from glslc_multi.backends.pica200.codegen.fragment.prove.problem import HostColour, PlannedStage, run_stages
from glslc_multi.backends.pica200.codegen.fragment.read.clamps import clamp
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Channel,
    Number,
    Polynomial,
    is_whole,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import range_of
from glslc_multi.backends.pica200.isa.fragment.combiners import UNCLAMPED
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding, byte_of
from glslc_multi.compiler.records import dataclass

Interval = tuple[float, float]
_BYTES = range(256)
_REAL = Real()
_BYTES_OF: Mapping[Rounding, Bytes] = {rounding: machine() for rounding, machine in MACHINES.items()}
_HALF, _A_HALF = 0.5, Fraction(1, 2)
#: What rounding a quotient by 255 to the nearest changes at most.
_NEAREST = 127 / 255
#: What cutting off towards 0 adds to a negative term of a dot product at most.
_UPWARDS = 1.0
#: What becomes of a quotient by 255.
_ROUNDED: Mapping[Rounding, Interval] = {"azahar": (-254 / 255, 0.0), "hardware": (-_NEAREST, _NEAREST)}
_EXACT: Mapping[tuple[str, str], Interval] = {}


# --- Rows -------------------------------------------------------------------------------------------------------------


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


def joined(machine: Bytes, operation: str, *operands: Row | None) -> Row | None:
    """Apply an operation to rows; None where one is missing, or two bytes come together."""
    rows = tuple(row for row in operands if row is not None)
    if len(rows) < len(operands) or len({row.channel for row in rows} - {None}) > 1:
        return None
    return _joined(machine, operation, rows)


@lru_cache(maxsize=1_000)
def _joined(machine: Bytes, operation: str, rows: tuple[Row, ...]) -> Row:
    channel = next((row.channel for row in rows if row.channel is not None), None)
    bytes_ = tuple(map(getattr(machine, operation), *(row.bytes for row in rows)))
    return Row(channel, bytes_, tuple(map(getattr(_REAL, operation), *(row.reals for row in rows))))


@lru_cache(maxsize=1_000)
def term_error(machine: Bytes, left: Row | None, right: Row | None) -> Interval | None:
    """Of a term of DOT3, as `error_of`."""
    if left is None or right is None or len({left.channel, right.channel} - {None}) > 1:
        return None
    return _ends(
        [
            machine.dot3_term(a, b) - 255 * _REAL.dot3_term(x, y)
            for a, b, x, y in zip(left.bytes, right.bytes, left.reals, right.reals, strict=True)
        ]
    )


def _ends(differences: Sequence[Fraction]) -> Interval:
    return float(min(differences)), float(max(differences))


# --- Intervals --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Value:
    """A real number between 0 and 1 that differs from pixel to pixel, and the error of its byte in steps."""

    real: Polynomial
    low: float
    high: float
    #: All of it, if it depends on one byte alone.
    row: Row | None = None

    @property
    def is_exact_end(self) -> bool:
        """0 and 1 as they are: products with them are exact."""
        return self.low == self.high == 0 and self.real in (ZERO, ONE)


def bound_of(
    stages: Sequence[PlannedStage],
    buffer_colour: HostColour,
    inputs: Mapping[tuple[str, str], Interval] = _EXACT,
    rounding: Rounding = "azahar",
) -> float:
    """The largest error of a channel of the result; `inputs`: those of what is not exact, by source and channel."""
    values: tuple[Value, ...] = run_stages(stages, buffer_colour, Errors(rounding, inputs))
    return max(max(-value.low, value.high) for value in values)


def _plus(*terms: Interval) -> Interval:
    return sum(term[0] for term in terms), sum(term[1] for term in terms)


def _times(left: Interval, right: Interval) -> Interval:
    ends = [x * y for x in left for y in right]
    return min(ends), max(ends)


def _error(value: Value) -> Interval:
    return value.low, value.high


def _size(value: Polynomial) -> Interval:
    low, high = range_of(value)
    return float(low), float(high)


def _product_error(a: Value, b: Value) -> Interval:
    """Of bytes: (255x + e)(255y + f)/255 less 255xy."""
    both = _times(_error(a), _error(b))
    return _plus(_times(_size(a.real), _error(b)), _times(_size(b.real), _error(a)), (both[0] / 255, both[1] / 255))


def _clamped(value: Value) -> Value:
    """Clamp a value: that may take away an error, or a part of it, and brings none farther from its real number."""
    return value if value.row is not None else Value(value.real, min(0.0, value.low), max(0.0, value.high))


class Errors:
    """The arithmetic of values, as a machine rounds; results may lose an error to the clamp that follows."""

    def __init__(self, rounding: Rounding, inputs: Mapping[tuple[str, str], Interval]) -> None:
        self._inputs = inputs
        self._machine, self._quotient = _BYTES_OF[rounding], _ROUNDED[rounding]
        self._dot3_error = _emulated if rounding == "azahar" else _measured

    def channel(self, source: str, channel: str) -> Value:
        atom, error = Channel(source, channel), self._inputs.get((source, channel))
        return Value(polynomial(atom), *(error or (0.0, 0.0)), None if error and any(error) else row_of(atom))

    def constant(self, value: Polynomial | None) -> Value:
        """Literals have the error of their nearest byte, which is none for k/255."""
        value = ZERO if value is None else value
        if value.constant is None:
            half = 0.0 if is_whole(value) else _HALF
            return Value(clamp(value), -half, half)
        row = row_of(value.constant)
        return Value(clamp(value), *error_of(row), row)

    def complement(self, a: Value) -> Value:
        return Value(1 - a.real, -a.high, -a.low, None if a.row is None else complement_of(a.row))

    def scaled(self, a: Value, scale: int) -> Value:
        """Scale a value: the clamps before and after bring none farther from its real number."""
        result = _clamped(a)
        if scale == 1:
            return result
        row = None if a.row is None else scaled(a.row, scale)
        low, high = (result.low * scale, result.high * scale) if row is None else error_of(row)
        return Value(clamp(a.real * scale), low, high, row)

    def add(self, a: Value, b: Value) -> Value:
        real = clamp(a.real + b.real)
        return self._of_one_byte("add", real, a, b) or _clamped(Value(real, *_plus(_error(a), _error(b))))

    def add_signed(self, a: Value, b: Value) -> Value:
        real = clamp(a.real + b.real - _A_HALF)
        error = _plus(_error(a), _error(b), (-_HALF, _HALF))
        return self._of_one_byte("add_signed", real, a, b) or Value(real, *error)

    def subtract(self, a: Value, b: Value) -> Value:
        real = clamp(a.real - b.real)
        return self._of_one_byte("subtract", real, a, b) or Value(real, *_plus(_error(a), (-b.high, -b.low)))

    def multiply(self, a: Value, b: Value) -> Value:
        real = a.real * b.real
        exact = self._of_one_byte("multiply", real, a, b)
        return exact or Value(real, *_plus(_product_error(a, b), self._rounded(a, b)))

    def mix(self, a: Value, b: Value, weight: Value) -> Value:
        """Mix two values and both errors by the weight, whose own error counts as often as the values are apart."""
        real = a.real * weight.real + b.real * (1 - weight.real)
        exact = self._of_one_byte("mix", real, a, b, weight)
        if exact is not None:
            return exact
        hull = min(a.low, b.low), max(a.high, b.high)
        return Value(real, *_plus(hull, _times(_size(a.real - b.real), _error(weight)), self._rounded(weight)))

    def dot3(self, a: Sequence[Value], b: Sequence[Value]) -> Value:
        """Add three terms, of which each is rounded."""
        real = UNCLAMPED.dot3([value.real for value in a], [value.real for value in b])
        return Value(clamp(real), *self._dot3_error(a, b))

    def _of_one_byte(self, operation: str, real: Polynomial, *operands: Value) -> Value | None:
        """Return the value of one byte and literals; None of others."""
        row = joined(self._machine, operation, *(operand.row for operand in operands))
        return None if row is None else Value(real, *error_of(row), row)

    def _rounded(self, *factors: Value) -> Interval:
        return (0.0, 0.0) if any(factor.is_exact_end for factor in factors) else self._quotient


# --- Dot products -----------------------------------------------------------------------------------------------------


def _emulated(left: Sequence[Value], right: Sequence[Value]) -> Interval:
    """(xy + 128)/256, cut off towards 0: half a step, and one more if negative.

    1/256 stands for 1/255, which takes a step from a sum of 1, and nothing from 0.  A term may be rounded up by a step
    and a half where it is negative.  If all are, the sum is cut off at 0, so that of a sum that counts one term is no
    more than rounded.
    """
    error: Interval = (0.0, 0.0)
    lost = 0.0
    upwards = _UPWARDS
    for a, b in zip(left, right, strict=True):
        known = term_error(_BYTES_OF["azahar"], a.row, b.row)
        if known is None:
            lost = -255 / 256
            x, y = _signed(a), _signed(b)
            low, high = _times(_size(x.real), _size(y.real))
            above = 0.0 if low >= 0 else _UPWARDS
            upwards = min(upwards, above)
            known = _plus(_product_error(x, y), (-_HALF if high > 0 else _HALF, _HALF + above))
        else:
            upwards = 0.0
        error = _plus(error, known)
    return _plus(error, (lost, -upwards))


def _measured(left: Sequence[Value], right: Sequence[Value]) -> Interval:
    """xy/255 to the nearest, in one's complement, where negative numbers are a step less than their size.

    So a term p of two negative numbers loses |x| + |y| steps, which is 1 + p at most, and one of mixed signs 1 - x of
    the positive x, which is 1 + p as well.  A sum above 1 is cut off: three terms lose no more than one step each and
    one together.
    """
    error: Interval = (0.0, 0.0)
    lost, most = 0.0, 1.0
    for a, b in zip(left, right, strict=True):
        x, y = _signed(a), _signed(b)
        known = term_error(_BYTES_OF["hardware"], a.row, b.row)
        if known is None:
            # How many steps one's complement may take from a product.
            (x_low, x_high), (y_low, y_high) = _of_bytes(x), _of_bytes(y)
            losses = [0.0]
            if x_low < 0 and y_low < 0:
                losses.append(min(-x_low, 1.0) + min(-y_low, 1.0))
            if x_high > 0 > y_low:
                losses.append(1 - max(x_low, 0.0))
            if y_high > 0 > x_low:
                losses.append(1 - max(y_low, 0.0))
            loss = max(losses)
            lost, most = lost + loss, most + min(loss, 1.0)
            error = _plus(error, _product_error(x, y), (-_NEAREST, _NEAREST))
        else:
            most = inf
            error = _plus(error, known)
    return _plus(error, (-min(lost, most), 0.0))


def _of_bytes(value: Value) -> Interval:
    """Between which numbers the bytes of a value are."""
    return _plus(_size(value.real), (value.low / 255, value.high / 255))


def _signed(value: Value) -> Value:
    """Of a byte the number from -1 to 1 that it stands for in a dot product."""
    return Value(value.real * 2 - 1, 2 * value.low, 2 * value.high)
