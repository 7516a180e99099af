"""By how much a pixel with fog may differ from the shader's, in steps of 1/255.

What counts: what the stages are off, the byte of the fog's colour, the lines of the table, and that the unit cuts its
results off.  Every line of the table is looked at in some points, the worst ones in many.  A table with uniforms is
looked at with these at the ends of their ranges, and between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from backends.pica200.codegen.fragment.algebra.polynomials import Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import range_of
from backends.pica200.codegen.fragment.fog.depths import Depths
from backends.pica200.codegen.fragment.fog.split import Fog
from backends.pica200.codegen.fragment.fog.unit import content_of
from backends.pica200.codegen.fragment.host_tables import POINTS, MakeValue, Sample, samples_of, values_at
from backends.pica200.codegen.fragment.hosting import Host
from backends.pica200.isa.fragment.entries import FOG_ENTRIES, fog_entries, fog_entry_at
from backends.pica200.isa.fragment.rounding import WHOLE, byte_of
from compiler.analysis.ranges import Interval
from compiler.ir.variables import Variable

#: How far the nearest byte of a number of the host may be, in steps, and what the unit cuts off.
_HALF, _CUT = 0.5, 1.0
#: The worst lines, and in how many points they are looked at.
_WORST, _FINE = 4, 64


def fog_bound(fog: Fog, depths: Depths, host: Host, promises: Mapping[Variable, Interval], bound: float) -> float:
    """By how many steps the result may differ if its body differs by `bound`.

    A mix of two errors is no larger than the larger one.  An error of f counts as often as the two colours differ.
    """
    make = content_of(fog, depths)
    known = _table_error(host, make, None)
    wrong = known if known is not None else max(_table_error(host, make, s) or 0.0 for s in samples_of(promises))
    apart = max(abs(float(end)) for x, y in zip(fog.body, fog.colour, strict=True) for end in range_of(x - y))
    return max(bound, *map(_byte_error, fog.colour)) + WHOLE * wrong * min(apart, 1.0) + _CUT


def _byte_error(value: Polynomial) -> float:
    number = value.constant
    return _HALF if number is None else abs(float(byte_of(number) - WHOLE * number))


def _table_error(host: Host, make: MakeValue, sample: Sample | None) -> float | None:
    """How far lines are from the function at most; None where uniforms count and none are given."""
    lines = range(FOG_ENTRIES)
    values = values_at(host, make, _places(lines, POINTS), sample)
    if values is None:
        return None
    by_line = _by_line(values, POINTS)
    entries = fog_entries([*(line[0] for line in by_line), by_line[-1][-1]])
    worst = sorted(lines, key=lambda line: _line_error(entries[line], by_line[line]), reverse=True)[:_WORST]
    finer = _by_line(values_at(host, make, _places(worst, _FINE), sample) or [], _FINE)
    return max(_line_error(entries[line], found) for line, found in zip(worst, finer, strict=True))


def _places(lines: Sequence[int], points: int) -> list[float]:
    """Points of lines, both ends included."""
    return [(line + point / points) / FOG_ENTRIES for line in lines for point in range(points + 1)]


def _by_line(values: Sequence[float], points: int) -> list[Sequence[float]]:
    return [values[first : first + points + 1] for first in range(0, len(values), points + 1)]


def _line_error(entry: int, values: Sequence[float]) -> float:
    """Between two points function and line may be anywhere between what they are there, and even jump."""
    line = [fog_entry_at(entry, number / (len(values) - 1)) for number in range(len(values))]
    pairs = pairwise(zip(line, values, strict=True))
    return max(abs(x - y) for (here, value), (there, other) in pairs for x in (here, there) for y in (value, other))
