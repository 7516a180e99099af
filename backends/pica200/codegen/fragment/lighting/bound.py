"""By how much the colours of the lighting unit may differ from the shader's, in steps of 1/255.

What counts: the bytes of the lights' colours, the lines of tables (looked at point by point), and that the unit cuts
its results off.  What does not: that directions and places of lights are floats of 16 bits, and that normals are
interpolated as quaternions; both are inputs of the unit, as texels are of combiners.

Where a function jumps, a table has a line of 1/256 or 1/128 that rises; these lines do not count, and are warned of.

A table whose function has uniforms is looked at with these at the ends of their ranges, and between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from backends.pica200.codegen.fragment.host_tables import POINTS, samples_of
from backends.pica200.codegen.fragment.lighting.evaluate import Evaluator
from backends.pica200.codegen.fragment.lighting.functions import has_jumps
from backends.pica200.codegen.fragment.lighting.terms import BLACK, Colour
from backends.pica200.codegen.fragment.lighting.unit import REFLECTIONS, LightUse, TableUse, Unit, raised_tables
from backends.pica200.codegen.fragment.polynomials import Polynomial
from backends.pica200.codegen.fragment.ranges import range_of
from backends.pica200.isa.fragment.combiners import CHANNELS
from backends.pica200.isa.fragment.entries import fitted_light_entries, light_entry_at, nearest_light_entries
from backends.pica200.isa.fragment.rounding import byte_above
from compiler.analysis.ranges import Interval
from compiler.ir.variables import Variable
from compiler.records import dataclass

_BYTE = 255.0
#: Least and greatest error.
Errors = tuple[float, float]
#: What a function that jumps changes by between two entries at least, where it does.
_JUMP = 1 / 64
#: The unit cuts off.
_CUT: Errors = (-1.0, 0.0)


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

    def of_channels(self) -> dict[tuple[str, str], Errors]:
        """By source and channel."""
        found = {}
        for number, channel in enumerate(CHANNELS[:3]):
            found["lighting0", channel] = self._primary(number)
            found["lighting1", channel] = self._secondary(number)
        if "fr" in self._unit.tables:
            found["lighting1", "a"] = _sum([_CUT, _scaled(_products(self._points["fr"], _ONE), 1.0)])
        return found

    def _primary(self, channel: int) -> Errors:
        lights = [_of_byte(light.diffuse[channel]) for light in self._unit.lights]
        return _sum(
            [_CUT, _of_byte(self._unit.ambient[channel]), *((min(low, 0.0), max(high, 0.0)) for low, high in lights)]
        )

    def _secondary(self, channel: int) -> Errors:
        parts = [part for light in self._unit.lights for part in self._of_light(light, channel)]
        return _sum([_CUT, *parts]) if parts else (0.0, 0.0)

    def _of_light(self, light: LightUse, channel: int) -> list[Errors]:
        parts = []
        if light.specular0 != BLACK:
            parts.append(self._product(light.specular0, channel, "d0", None))
        if light.specular1 != BLACK:
            parts.append(self._product(light.specular1, channel, "d1", REFLECTIONS[channel]))
        return parts

    def _product(self, colour: Colour, channel: int, first: str, second: str | None) -> Errors:
        """Colour times tables: (c + dc)(t + dt) - c t = dc (t + dt) + c dt."""
        tables = _products(self._points.get(first, _ONE), self._points.get(second or "", _ONE))
        low, high = _of_byte(colour[channel])
        most = min(1.0, float(range_of(colour[channel])[1]))
        return _sum([(min(low, 0.0), max(high, 0.0)), _scaled(tables, most)])

    # tables ----------------------------------------------------------------------------------
    def _points_of(self, use: TableUse, raised: float) -> list[_Point]:
        """What differs most, by how large the value is there."""
        jumps = has_jumps(use.content)
        values = self._evaluator.values(use, None)
        if values is not None:
            entries = fitted_light_entries([value + raised for value in values], signed=False)
            return _pruned(_differences(values, entries, use.scale, jumps=jumps))
        found: list[_Point] = []
        for sample in self._samples:
            values = self._evaluator.values(use, sample) or []
            entries = nearest_light_entries([value + raised for value in values[::POINTS]], signed=False)
            found += _differences(values, entries, use.scale, jumps=jumps)
        return _pruned(found)


def _differences(values: Sequence[float], entries: Sequence[int], scale: int, *, jumps: bool) -> list[_Point]:
    found = []
    for line, entry in enumerate(entries):
        ends = values[line * POINTS], values[(line + 1) * POINTS]
        if jumps and abs(ends[1] - ends[0]) > _JUMP:
            continue
        for point in range(POINTS + 1):
            value = values[line * POINTS + point]
            # Where a function has no value, anything is right.
            if isfinite(value):
                error = light_entry_at(entry, point / POINTS) - min(max(value, 0.0), 1.0)
                found.append(_Point(value * scale, error * scale))
    return found


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


# ------------------------------------------------------------------------------------ intervals
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
