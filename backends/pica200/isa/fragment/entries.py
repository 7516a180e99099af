"""Entries of look-up tables: those of fog as the driver library makes them, in float32 and cut off.

An entry has a value and the difference to the next one; between them is a straight line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from glslc_multi.backends.pica200.isa.fragment.registers.fog import ENTRY as FOG_ENTRY
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import ENTRY as LIGHT_ENTRY
from glslc_multi.compiler.arithmetic.protocol import round_to_float32 as f32

FOG_ENTRIES = 128
LIGHT_ENTRIES = 256

_Raw = tuple[int, ...]


def fog_entry(value: float, difference: float) -> int:
    """An entry of the fog table; both numbers are held to what fits."""
    value, difference = f32(value), f32(difference)
    least, most = FOG_ENTRY.format.by_name["difference"].range
    steps = min(max(_finite(f32(difference * 0x800)), least), most)
    whole = FOG_ENTRY.format.by_name["value"].range[1]
    parts = int(min(f32(value * (whole + 1)), whole)) if value > 0 else 0
    return FOG_ENTRY.format.encode({"value": parts, "difference": int(steps)})


def _finite(value: float) -> float:
    return math.copysign(1e30, value) if math.isinf(value) else 0.0 if math.isnan(value) else value


def fog_entry_at(entry: int, part: float) -> float:
    """What a line says at a part of its way, as the known emulator reads it."""
    fields, whole = FOG_ENTRY.format.decode(entry), FOG_ENTRY.format.by_name["value"].range[1]
    return min(max((fields["value"] + part * fields["difference"]) / whole, 0.0), 1.0)


def fog_entries(values: Sequence[float]) -> _Raw:
    """The fog table of its values, of which there is one more, at the end of the last line."""
    rounded = [f32(value) for value in values]
    return tuple(fog_entry(value, f32(after - value)) for value, after in itertools.pairwise(rounded))


def nearest_light_entries(values: Sequence[float], *, signed: bool) -> _Raw:
    """The table of values at the ends of all lines, each number the nearest one that the machine has."""
    return _in_order([_line(*ends) for ends in itertools.pairwise(values)], signed=signed)


def fitted_light_entries(values: Sequence[float], *, signed: bool) -> _Raw:
    """The table of values at equal distances, several a line: the lines that are nowhere further off than necessary.

    Lines need not meet, since each entry has a difference of its own.
    """
    step = (len(values) - 1) // LIGHT_ENTRIES
    return _in_order(
        [_fitted(values[index : index + step + 1]) for index in range(0, len(values) - 1, step)], signed=signed
    )


def _in_order(entries: Sequence[int], *, signed: bool) -> _Raw:
    half = LIGHT_ENTRIES // 2
    return (*entries[half:], *entries[:half]) if signed else tuple(entries)


def _fitted(values: Sequence[float]) -> int:
    """Between the ends a line goes through both; moved by half of what it is off, it is off by that half at most."""
    last = len(values) - 1
    slope = values[last] - values[0]
    errors = [value - values[0] - slope * index / last for index, value in enumerate(values)]
    middle = (min(errors) + max(errors)) / 2
    return _line(values[0] + middle, values[last] + middle)


def _line(start: float, end: float) -> int:
    fields = LIGHT_ENTRY.format.by_name
    whole, parts = fields["value"].range[1], fields["difference"].range[1]
    first, last = min(max(_finite(start), 0.0), 1.0), max(_finite(end), 0.0)
    value = round(first * whole)
    difference = min(max(round((last - value / whole) * parts), -parts), parts)
    return LIGHT_ENTRY.format.encode({"value": value, "difference": abs(difference), "negative": int(difference < 0)})


def light_entry_at(entry: int, part: float) -> float:
    """What a line says at a part of its way, as the known emulator reads it."""
    fields = LIGHT_ENTRY.format.decode(entry)
    sizes = LIGHT_ENTRY.format.by_name
    size = fields["difference"] / sizes["difference"].range[1]
    return fields["value"] / sizes["value"].range[1] + part * (-size if fields["negative"] else size)
