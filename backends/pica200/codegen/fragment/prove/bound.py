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

from backends.pica200.codegen.fragment.prove.check import MACHINES, Bytes, Real
from backends.pica200.codegen.fragment.prove.problem import HostColour, PlannedStage
from backends.pica200.codegen.fragment.read.clamps import clamp
from backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Channel,
    Number,
    Polynomial,
    is_whole,
    polynomial,
)
from backends.pica200.codegen.fragment.read.ranges import range_of
from backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    CHANNELS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    dot3_term,
)
from backends.pica200.isa.fragment.program import Operand
from backends.pica200.isa.fragment.rounding import Rounding, byte_of
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


_HALF = 0.5
#: What rounding a quotient by 255 to the nearest changes at most.
_NEAREST = 127 / 255
#: What cutting off towards 0 adds to a negative term of a dot product at most.
_UPWARDS = 1.0


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


#: What becomes of a quotient by 255.
_ROUNDED: Mapping[Rounding, Interval] = {"azahar": (-254 / 255, 0.0), "hardware": (-_NEAREST, _NEAREST)}
_EXACT: Mapping[tuple[str, str], Interval] = {}
_ZERO = Value(ZERO, 0.0, 0.0, row_of(0))
Pixel = tuple[Value, Value, Value, Value]


@dataclass(frozen=True, slots=True)
class _Sources:
    """What a stage reads, and how it rounds."""

    rounding: Rounding
    held: Mapping[str, Pixel]
    #: Errors of inputs.
    errors: Mapping[tuple[str, str], Interval]

    def channels(self, source: str, channels: str) -> list[Value]:
        if source in self.held:
            by_name = dict(zip(CHANNELS, self.held[source], strict=True))
            return [by_name[channel] for channel in channels]
        errors = [self.errors.get((source, channel), (0.0, 0.0)) for channel in channels]
        return [_input(Channel(source, channel), error) for channel, error in zip(channels, errors, strict=True)]


def _input(channel: Channel, error: Interval) -> Value:
    return Value(polynomial(channel), *error, None if any(error) else row_of(channel))


def bound_of(
    stages: Sequence[PlannedStage],
    buffer_colour: HostColour,
    inputs: Mapping[tuple[str, str], Interval] = _EXACT,
    rounding: Rounding = "azahar",
) -> float:
    """The largest error of a channel of the result; `inputs`: those of what is not exact, by source and channel."""
    buffer: Pixel = (_ZERO, _ZERO, _ZERO, _ZERO)
    pending = _constants(buffer_colour)
    previous = buffer
    for stage in stages:
        sources = {"buffer": buffer, "previous": previous, "constant": _constants(stage.constant)}
        previous = _result(stage, _Sources(rounding, sources, inputs))
        buffer = pending
        colour = previous[:3] if stage.updates_colour else pending[:3]
        pending = (*colour, previous[3] if stage.updates_alpha else pending[3])
    return max(max(-value.low, value.high) for value in previous)


def _constants(colour: HostColour) -> Pixel:
    red, green, blue, alpha = map(_constant, colour)
    return red, green, blue, alpha


def _constant(value: Polynomial | None) -> Value:
    """Literals have the error of their nearest byte, which is none for k/255."""
    if value is None:
        return _ZERO
    number = value.constant
    if number is None:
        half = 0.0 if is_whole(value) else _HALF
        return Value(clamp(value), -half, half)
    row = row_of(number)
    return Value(clamp(value), *error_of(row), row)


def _result(stage: PlannedStage, sources: _Sources) -> Pixel:
    function, scale, rounding = stage.colour.function, stage.colour.scale, sources.rounding
    rows = [_read(operand, True, sources) for operand in stage.colour.operands]
    if FUNCTIONS[function].real is None:
        # The sum of three terms, of which each is rounded.
        left = rows[0]
        right = rows[1]
        total = sum((dot3_term(a.real, b.real) for a, b in zip(left, right, strict=True)), ZERO)
        error = (_emulated if rounding == "azahar" else _measured)(left, right)
        dot = _clamped(clamp(total), error)
        red = green = blue = _scaled(dot, scale)
    else:
        results = [_combined(rounding, function, channels) for channels in zip(*rows, strict=True)]
        red, green, blue = (_scaled(result, scale) for result in results)
    if function == "DOT3_RGBA":
        return red, green, blue, _scaled(dot, stage.alpha.scale)
    operands = [_read(operand, False, sources)[0] for operand in stage.alpha.operands]
    return red, green, blue, _scaled(_combined(sources.rounding, stage.alpha.function, operands), stage.alpha.scale)


def _read(operand: Operand, is_colour: bool, sources: _Sources) -> list[Value]:
    selection = (COLOUR_SELECTIONS if is_colour else ALPHA_SELECTIONS)[operand.selection]
    values = sources.channels(operand.source, selection.channels)
    return [_complement(value) if selection.complement else value for value in values]


def _complement(value: Value) -> Value:
    return Value(1 - value.real, -value.high, -value.low, None if value.row is None else complement_of(value.row))


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


def _product(rounding: Rounding, a: Value, b: Value) -> Interval:
    row = joined(MACHINES[rounding], "MODULATE", (a.row, b.row))
    return _plus(_product_error(a, b), _rounded(rounding, a, b)) if row is None else error_of(row)


def _rounded(rounding: Rounding, *factors: Value) -> Interval:
    return (0.0, 0.0) if any(factor.is_exact_end for factor in factors) else _ROUNDED[rounding]


def _combined(rounding: Rounding, function: str, operands: Sequence[Value]) -> Value:
    a, b, c = operands
    real = FUNCTIONS[function].real
    assert real is not None
    value = clamp(a.real + b.real) * c.real if function == "ADD_MULTIPLY" else clamp(real(a.real, b.real, c.real))
    row = joined(MACHINES[rounding], function, [operand.row for operand in operands])
    return _clamped(value, _error_of(rounding, function, a, b, c)) if row is None else Value(value, *error_of(row), row)


def _error_of(rounding: Rounding, function: str, a: Value, b: Value, c: Value) -> Interval:
    """Before the clamp, which brings no value farther from its real number."""
    if function == "REPLACE":
        return _error(a)
    if function == "ADD":
        return _plus(_error(a), _error(b))
    if function == "SUBTRACT":
        return _plus(_error(a), (-b.high, -b.low))
    if function == "ADD_SIGNED":
        return _plus(_error(a), _error(b), (-_HALF, _HALF))
    if function == "MODULATE":
        return _product(rounding, a, b)
    if function == "MULTIPLY_ADD":
        # Only the product is rounded.
        return _plus(_product(rounding, a, b), _error(c))
    if function == "ADD_MULTIPLY":
        total = _clamped(clamp(a.real + b.real), _plus(_error(a), _error(b)))
        return _plus(_product_error(total, c), _rounded(rounding, total, c))
    hull = min(a.low, b.low), max(a.high, b.high)
    # The weight as it is mixes both errors; what it is off counts as often as the real numbers are apart.
    return _plus(hull, _times(_size(a.real - b.real), _error(c)), _rounded(rounding, c))


def _clamped(real: Polynomial, error: Interval) -> Value:
    """The clamp may take away an error, or a part of it."""
    return Value(real, min(0.0, error[0]), max(0.0, error[1]))


def _scaled(value: Value, scale: int) -> Value:
    if scale == 1:
        return value
    row = None if value.row is None else scaled(value.row, scale)
    low, high = (value.low * scale, value.high * scale) if row is None else error_of(row)
    return Value(clamp(value.real * scale), low, high, row)


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
        known = term_error(MACHINES["azahar"], a.row, b.row)
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
        known = term_error(MACHINES["hardware"], a.row, b.row)
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
