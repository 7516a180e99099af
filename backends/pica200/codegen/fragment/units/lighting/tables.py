"""Tables: functions of a cosine as functions of the number of an entry, which the host evaluates, and their errors.

In: the content of a table, a polynomial of `LitNumber`s and of the host.  Out: what makes an element of its array.
An array has one element more than the table has entries: a line of the machine ends where the next one begins.  The
compiler evaluates contents itself where they need no uniform, and to see how well tables fit.

By how much the colours of the lighting unit may differ from the shader's, in steps of 1/255: the bytes of the lights'
colours, the lines of tables (looked at point by point), and that the unit cuts its results off.  What does not count:
that directions and places of lights are floats of 16 bits, and that normals are interpolated as quaternions; both are
inputs of the unit, as texels are of combiners.  Where a function jumps, a table has a line of 1/256 or 1/128 that
rises; these lines do not count, and are warned of.  A table whose function has uniforms is looked at with these at the
ends of their ranges, and between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite, prod

from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host, PreambleWriter
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Polynomial
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import range_of
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.functions import (
    Domain,
    Functions,
    LitNumber,
    has_jumps,
    lit_numbers,
)
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.unit import (
    BLACK,
    REFLECTIONS,
    LightUse,
    TableUse,
    Unit,
    raised_tables,
)
from glslc_multi.backends.pica200.codegen.fragment.units.tables import POINTS, MakeValue, Sample, samples_of, values_at
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.entries import (
    LIGHT_ENTRIES,
    fitted_light_entries,
    light_entry_at,
    nearest_light_entries,
)
from glslc_multi.backends.pica200.isa.fragment.rounding import byte_above
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass

_HALF = LIGHT_ENTRIES // 2
_BYTE = 255.0
#: Least and greatest error.
Errors = tuple[float, float]
#: What a function that jumps changes by between two entries at least, where it does.
_JUMP = 1 / 64
#: By how many points the place of a distance may be off, as the scale is a float of 20 bits.
_MOVED = 2.0**-13 * LIGHT_ENTRIES * POINTS
#: The unit cuts off.
_CUT: Errors = (-1.0, 0.0)


# --- Contents ---------------------------------------------------------------------------------------------------------


def cosines_of(domain: Domain) -> list[float]:
    """Where a table is looked at: at points of all lines."""
    places = (number / POINTS for number in range(LIGHT_ENTRIES * POINTS + 1))
    return [place / LIGHT_ENTRIES if domain.is_positive else place / _HALF - 1 for place in places]


def content_of(use: TableUse, functions: Functions) -> MakeValue:
    """Return the content of a table at a cosine."""
    is_positive = use.domain.is_positive

    def make(writer: PreambleWriter, cosine: Value) -> Value:
        held = functions.distances.get(use.domain.cosine)
        if held is not None:
            distance, most = held
            writer.given(distance, writer.builder.op(ops.FMUL, cosine, writer.value(most)))
        for instruction, (domain, factor) in functions.leaves.items():
            if domain == use.domain:
                writer.given(instruction, writer.builder.op(ops.FMUL, writer.polynomial(factor), cosine))
        for number in lit_numbers(use.content):
            writer.given_atom(number, _scaled_number(writer, number, cosine, is_positive))
        return writer.polynomial(use.content)

    return make


def _scaled_number(writer: PreambleWriter, number: LitNumber, cosine: Value, is_positive: bool) -> Value:
    """The value of a function, scaled to 0 to 1."""
    op = writer.builder.op
    if number.value is None and number.domain.is_positive:
        return cosine if is_positive else op(ops.FMAX, cosine, float_constant(0.0))
    if number.value is None:
        return op(ops.FADD, op(ops.FMUL, cosine, float_constant(0.5)), float_constant(0.5))
    value = writer.component(number.value, number.component)
    if number.is_complement:
        return op(ops.FSUB, float_constant(1.0), value)
    return writer.scaled(value, number.low, number.width)


class Evaluator:
    """The contents of the tables of a shader."""

    def __init__(self, functions: Functions, host: Host) -> None:
        self.functions = functions
        self._host = host
        self._known: dict[tuple[str, str, str], list[float] | None] = {}

    def values(self, use: TableUse, sample: Sample | None) -> list[float] | None:
        """At the points of all lines; None where uniforms count and none are given."""
        key = str(use.domain), str(use.content), str(sample)
        if key not in self._known:
            make = content_of(use, self.functions)
            self._known[key] = values_at(self._host, make, cosines_of(use.domain), sample)
        return self._known[key]

    def number(self, make: Callable[[PreambleWriter], Value]) -> float | None:
        """Compute a number of the host; None where uniforms count."""
        values = values_at(self._host, lambda writer, _: make(writer), [0.0], None)
        return None if values is None else values[0]


# --- Errors -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Point:
    """What a table should say somewhere, and what it says less that."""

    value: float
    error: float


#: Where there is no table.
_ONE: Sequence[_Point] = (_Point(1.0, 0.0),)


class LightingErrors:
    """The errors of a set-up."""

    def __init__(self, unit: Unit, evaluator: Evaluator, promises: Mapping[Variable, Interval]) -> None:
        self._unit = unit
        self._evaluator = evaluator
        self._samples = samples_of(promises)
        raised = raised_tables(unit)
        self._points = {name: self._points_of(use, float(raised.get(name, 0))) for name, use in unit.tables.items()}
        self._dimming = [self._of_dimmers(light) for light in unit.lights]

    def of_channels(self) -> dict[tuple[str, str], Errors]:
        """By source and channel."""
        errors: dict[tuple[str, str], Errors] = {}
        for number, channel in enumerate(CHANNELS[:3]):
            primary, secondary = [_CUT, _of_byte(self._unit.ambient[number])], []
            for light, dimming in zip(self._unit.lights, self._dimming, strict=True):
                colours = light.diffuse[number], light.ambient[number]
                primary += [_or_less(_of_byte(colour)) for colour in colours]
                primary.append(_scaled(dimming, sum(map(_most, colours))))
                if light.specular0 != BLACK:
                    secondary.append(self._product(light, dimming, light.specular0[number], "d0"))
                if light.specular1 != BLACK:
                    secondary.append(self._product(light, dimming, light.specular1[number], "d1", REFLECTIONS[number]))
            errors["lighting0", channel] = _sum(primary)
            errors["lighting1", channel] = _sum([_CUT, *secondary]) if secondary else (0.0, 0.0)
        return errors

    def _of_dimmers(self, light: LightUse) -> Errors:
        """Of the product of what dims a light, in parts of 1."""
        points = [self._points_of(use, 0.0) for use in light.dimmers.values()]
        return _products(*points, *[_ONE] * (2 - len(points)))

    def _product(self, light: LightUse, dimming: Errors, colour: Polynomial, *names: str) -> Errors:
        """Colour times tables: (c + dc)(t + dt) - c t = dc (t + dt) + c dt; and the same again for what dims it."""
        first, second = ([*(self._points.get(name, _ONE) for name in names), _ONE])[:2]
        most = _most(colour)
        largest = prod(max((point.value for point in points), default=0.0) for points in (first, second))
        tables = _scaled(_products(first, second), most)
        parts = [_or_less(_of_byte(colour)), _or_less(tables) if light.dimmers else tables]
        return _sum([*parts, _scaled(dimming, most * largest)])

    # tables ----------------------------------------------------------------------------------
    def _points_of(self, use: TableUse, raised: float) -> list[_Point]:
        """What differs most, by how large the value is there."""
        jumps = has_jumps(use.content)
        values = self._evaluator.values(use, None)
        if values is not None:
            entries = fitted_light_entries([value + raised for value in values], signed=False)
            return _pruned(_differences(values, entries, use, jumps=jumps))
        points: list[_Point] = []
        for sample in self._samples:
            values = self._evaluator.values(use, sample) or []
            entries = nearest_light_entries([value + raised for value in values[::POINTS]], signed=False)
            points += _differences(values, entries, use, jumps=jumps)
        return _pruned(points)


def _differences(values: Sequence[float], entries: Sequence[int], use: TableUse, *, jumps: bool) -> list[_Point]:
    """List what lines say less what is meant, at their points and at places of distances that are a little off."""
    is_distance = use.domain.cosine.input == "distance"
    differences = []
    for line, entry in enumerate(entries):
        ends = values[line * POINTS], values[(line + 1) * POINTS]
        if jumps and abs(ends[1] - ends[0]) > _JUMP:
            continue
        for point in range(POINTS + 1):
            value = values[line * POINTS + point]
            # Where a function has no value, anything is right.
            if isfinite(value):
                error = light_entry_at(entry, point / POINTS) - min(max(value, 0.0), 1.0)
                change = _change(values, line * POINTS + point) if is_distance else 0.0
                differences += [
                    _Point(value * use.scale, each * use.scale) for each in (error - change, error + change)
                ]
    return differences


def _change(values: Sequence[float], place: int) -> float:
    """Tell by how much a function changes as the scale of its distance is rounded."""
    near = values[max(place - 1, 0) : place + 2]
    return min(1.0, max(abs(value - values[place]) for value in near)) * _MOVED


def _pruned(points: Sequence[_Point]) -> list[_Point]:
    """Of both signs those that no point of a larger value exceeds in error, and the largest value."""
    kept: list[_Point] = []
    for sign in (1, -1):
        worst = -1.0
        for point in sorted(points, key=lambda p: (-p.value, -sign * p.error)):
            if sign * point.error > worst:
                worst = sign * point.error
                kept.append(point)
    return kept


def _products(first: Sequence[_Point], second: Sequence[_Point]) -> Errors:
    """(a + da)(b + db) - a b, in parts of 1."""
    errors = [(x.value + x.error) * (y.value + y.error) - x.value * y.value for x in first for y in second]
    return min(errors, default=0.0), max(errors, default=0.0)


# --- Intervals --------------------------------------------------------------------------------------------------------


def _most(value: Polynomial) -> float:
    """What a register holds at most."""
    return min(1.0, float(range_of(value)[1]))


def _or_less(errors: Errors) -> Errors:
    """Times what is 0 to 1."""
    return min(errors[0], 0.0), max(errors[1], 0.0)


def _of_byte(value: Polynomial) -> Errors:
    """A byte that is not below the number, exact where the number is known."""
    number = value.constant
    if number is None:
        return 0.0, 1.0
    error = byte_above(float(number)) - _BYTE * float(number)
    return min(error, 0.0), max(error, 0.0)


def _scaled(errors: Errors, factor: float) -> Errors:
    return errors[0] * _BYTE * factor, errors[1] * _BYTE * factor


def _sum(errors: Sequence[Errors]) -> Errors:
    return sum(low for low, _ in errors), sum(high for _, high in errors)
