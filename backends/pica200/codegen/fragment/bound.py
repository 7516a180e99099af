"""How far the bytes of a solution may be from its real numbers: intervals of errors, in steps of 1/255.

Each value has an interval that its error lies in, the byte less 255 times the real number.  Texels and colours of
vertices are exact.  A product is cut off, so it loses up to 254/255 of a step; constants are rounded to the nearest
byte.  Errors pass with the factor of the function: of x*y the error of x counts as often as y is large, and in a mix
only the hull of both errors counts.  What depends on one byte and on literals alone is computed for all 256 bytes
(`one_byte.py`), so that its error is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor

from backends.pica200.codegen.fragment.algebra.clamps import clamp
from backends.pica200.codegen.fragment.algebra.polynomials import ONE, ZERO, Channel, Polynomial, polynomial
from backends.pica200.codegen.fragment.algebra.ranges import range_of
from backends.pica200.codegen.fragment.one_byte import Row, complement_of, error_of, joined, row_of, scaled, term_error
from backends.pica200.codegen.fragment.problem import HostColour, PlannedStage
from backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    CHANNELS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    dot3_term,
)
from backends.pica200.isa.fragment.program import Combiner, Operand
from compiler.records import dataclass

_HALF = 0.5
#: What cutting off a quotient by 255 loses at most.
_CUT = 254 / 255
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


Interval = tuple[float, float]
_EXACT: Mapping[tuple[str, str], Interval] = {}
_ZERO = Value(ZERO, 0.0, 0.0, row_of(0))
Pixel = tuple[Value, Value, Value, Value]


@dataclass(frozen=True, slots=True)
class _Sources:
    """What a stage reads."""

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
    stages: Sequence[PlannedStage], buffer_colour: HostColour, inputs: Mapping[tuple[str, str], Interval] = _EXACT
) -> float:
    """The largest error of a channel of the result; `inputs`: those of what is not exact, by source and channel."""
    buffer: Pixel = (_ZERO, _ZERO, _ZERO, _ZERO)
    pending = _constants(buffer_colour)
    previous = buffer
    for stage in stages:
        sources = {"buffer": buffer, "previous": previous, "constant": _constants(stage.constant)}
        previous = _result(stage, _Sources(sources, inputs))
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
        return Value(clamp(value), -_HALF, _HALF)
    steps = 255 * min(Fraction(1), max(Fraction(0), Fraction(number)))
    error = float(floor(steps + Fraction(1, 2)) - steps)
    return Value(value, error, error, row_of(number))


def _result(stage: PlannedStage, sources: _Sources) -> Pixel:
    rows = [_read(operand, True, sources) for operand in stage.colour.operands]
    if FUNCTIONS[stage.colour.function].real is None:
        dot = _dot3(rows[0], rows[1])
        red = green = blue = _scaled(dot, stage.colour.scale)
    else:
        red, green, blue = (
            _scaled(_combined(stage.colour.function, [row[channel] for row in rows]), stage.colour.scale)
            for channel in range(3)
        )
    if stage.colour.function == "DOT3_RGBA":
        return red, green, blue, _scaled(dot, stage.alpha.scale)
    return red, green, blue, _alpha(stage.alpha, sources)


def _alpha(combiner: Combiner, sources: _Sources) -> Value:
    operands = [_read(operand, False, sources)[0] for operand in combiner.operands]
    return _scaled(_combined(combiner.function, operands), combiner.scale)


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


def _product(a: Value, b: Value) -> Interval:
    row = joined("MODULATE", (a.row, b.row))
    return _plus(_product_error(a, b), _cut(a, b)) if row is None else error_of(row)


def _cut(*factors: Value) -> Interval:
    return (0.0, 0.0) if any(factor.is_exact_end for factor in factors) else (-_CUT, 0.0)


def _combined(function: str, operands: Sequence[Value]) -> Value:
    a, b, c = operands
    real = FUNCTIONS[function].real
    assert real is not None
    value = clamp(a.real + b.real) * c.real if function == "ADD_MULTIPLY" else clamp(real(a.real, b.real, c.real))
    row = joined(function, [operand.row for operand in operands])
    return _clamped(value, _error_of(function, a, b, c)) if row is None else Value(value, *error_of(row), row)


def _error_of(function: str, a: Value, b: Value, c: Value) -> Interval:
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
        return _product(a, b)
    if function == "MULTIPLY_ADD":
        # Only the product is cut off.
        return _plus(_product(a, b), _error(c))
    if function == "ADD_MULTIPLY":
        total = _clamped(clamp(a.real + b.real), _plus(_error(a), _error(b)))
        return _plus(_product_error(total, c), _cut(total, c))
    hull = min(a.low, b.low), max(a.high, b.high)
    return _plus(hull, _times(_widened(_size(a.real - b.real), a, b), _error(c)), _cut(c))


def _widened(size: Interval, a: Value, b: Value) -> Interval:
    """How far two bytes are apart, by their real numbers and their errors."""
    return size[0] + (a.low - b.high) / 255, size[1] + (a.high - b.low) / 255


def _clamped(real: Polynomial, error: Interval) -> Value:
    """The clamp may take away an error, or a part of it."""
    return Value(real, min(0.0, error[0]), max(0.0, error[1]))


def _scaled(value: Value, scale: int) -> Value:
    if scale == 1:
        return value
    row = None if value.row is None else scaled(value.row, scale)
    low, high = (value.low * scale, value.high * scale) if row is None else error_of(row)
    return Value(clamp(value.real * scale), low, high, row)


def _dot3(left: Sequence[Value], right: Sequence[Value]) -> Value:
    """Each term is rounded, and 1/256 stands for 1/255, which takes a step from a sum of 1, and nothing from 0.

    A term may be rounded up by a step and a half where it is negative.  If all are, the sum is cut off at 0, so that of
    a sum that counts one term is no more than rounded.
    """
    total = ZERO
    error: Interval = (0.0, 0.0)
    lost = 0.0
    upwards = _UPWARDS
    for a, b in zip(left, right, strict=True):
        total = total + dot3_term(a.real, b.real)
        known = term_error(a.row, b.row)
        if known is None:
            lost = -255 / 256
            known, above = _term_error(a, b)
            upwards = min(upwards, above)
        else:
            upwards = 0.0
        error = _plus(error, known)
    return _clamped(clamp(total), _plus(error, (lost, -upwards)))


def _term_error(a: Value, b: Value) -> tuple[Interval, float]:
    """(xy + 128)/256, cut off towards 0, of x, y from -255 to 255: half a step, and one more if negative; which it has
    only then."""
    x = Value(a.real * 2 - 1, 2 * a.low, 2 * a.high)
    y = Value(b.real * 2 - 1, 2 * b.low, 2 * b.high)
    low, high = _times(_size(x.real), _size(y.real))
    above = 0.0 if low >= 0 else _UPWARDS
    return _plus(_product_error(x, y), (-_HALF if high > 0 else _HALF, _HALF + above)), above
