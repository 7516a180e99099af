"""Entries of look-up tables, and tables of functions, as the driver library makes them: in float32, cut off.

An entry has a value and the difference to the next one; between them is a straight line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from backends.pica200.isa.fragment.registers.fog import ENTRY as FOG_ENTRY
from backends.pica200.isa.fragment.registers.lighting import ENTRY as LIGHT_ENTRY
from compiler.arithmetic.protocol import round_to_float32 as f32

FOG_ENTRIES = 128
LIGHT_ENTRIES = 256

_Raw = tuple[int, ...]
_Function = Callable[[float], float]


def fog_entry(value: float, difference: float) -> int:
    """An entry of the fog table; both numbers are held to what fits."""
    value, difference = f32(value), f32(difference)
    least, most = FOG_ENTRY.format.by_name["difference"].range
    steps = min(max(_finite(f32(difference * 0x800)), least), most)
    return FOG_ENTRY.format.encode({"value": _unsigned(value, 11), "difference": int(steps)})


def light_entry(value: float, difference: float) -> int:
    """An entry of a table of the lighting unit."""
    value, difference = f32(value), f32(difference)
    return LIGHT_ENTRY.format.encode(
        {"value": _unsigned(value, 12), "difference": _unsigned(abs(difference), 11), "negative": int(difference < 0)}
    )


def _unsigned(value: float, bits: int) -> int:
    """0 to 1 as a number of so many bits."""
    if not value > 0:
        return 0
    return int(min(_finite(f32(value * (1 << bits))), (1 << bits) - 1))


def _finite(value: float) -> float:
    return math.copysign(1e30, value) if math.isinf(value) else 0.0 if math.isnan(value) else value


def fog_entry_at(entry: int, part: float) -> float:
    """What a line says at a part of its way, as the known emulator reads it."""
    fields, whole = FOG_ENTRY.format.decode(entry), FOG_ENTRY.format.by_name["value"].range[1]
    return min(max((fields["value"] + part * fields["difference"]) / whole, 0.0), 1.0)


def fog_entries(values: Sequence[float]) -> _Raw:
    """The fog table of its values, of which there is one more, at the end of the last line."""
    return tuple(fog_entry(*pair) for pair in _with_differences(values))


def light_entries(values: Sequence[float]) -> _Raw:
    """The table of a curve from 0 to 1, of its values at 0, 1/256 and so on to 1."""
    return tuple(light_entry(*pair) for pair in _with_differences(values))


def signed_light_entries(values: Sequence[float]) -> _Raw:
    """The table of a curve from -1 to 1, of its values at -1, -127/128 and so on to 1: its second half comes first."""
    entries = light_entries(values)
    return entries[LIGHT_ENTRIES // 2 :] + entries[: LIGHT_ENTRIES // 2]


def _with_differences(values: Sequence[float]) -> list[tuple[float, float]]:
    rounded = [f32(value) for value in values]
    return [(value, f32(after - value)) for value, after in itertools.pairwise(rounded)]


def light_table(function: _Function, *, signed: bool = False) -> _Raw:
    """LightLut_FromFunc: the table of a function of 0 to 1, or of -1 to 1."""
    half = LIGHT_ENTRIES // 2
    if signed:
        return signed_light_entries([function(x / half) for x in range(-half, half + 1)])
    return light_entries([function(x / LIGHT_ENTRIES) for x in range(LIGHT_ENTRIES + 1)])


def fog_table(function: _Function, near: float, far: float) -> _Raw:
    """The fog of a function of the distance from the eye, with citro3d's projections and map of depth."""
    return fog_entries([function(eye_distance(f32(n / FOG_ENTRIES), near, far)) for n in range(FOG_ENTRIES + 1)])


def eye_distance(depth: float, near: float, far: float) -> float:
    """FogLut_CalcZ: the distance that a depth stands for, 1 at the near plane and 0 at the far one."""
    near, far = f32(near), f32(far)
    divisor = f32(f32(depth * f32(far - near)) + near)
    return f32(f32(far * near) / divisor) if divisor else math.inf


# --- Curves of the driver library -------------------------------------------------------------------------------------


def exponential_fog(density: float, gradient: float, near: float, far: float) -> _Raw:
    """FogLut_Exp."""
    density, gradient = f32(density), f32(gradient)

    def fog(distance: float) -> float:
        return f32(math.exp(-_power(f32(density * distance), gradient)))

    return fog_table(fog, near, far)


def _power(base: float, exponent: float) -> float:
    if base < 0:
        return math.nan
    try:
        return f32(base**exponent)
    except (OverflowError, ZeroDivisionError):
        return math.inf


def phong(shininess: float) -> _Raw:
    """LightLut_Phong: a power of 0 to 1."""
    exponent = f32(shininess)
    return light_table(lambda x: _power(x, exponent))


def spotlight(angle: float) -> _Raw:
    """LightLut_Spotlight: 1 inside of an angle."""
    cutoff = f32(math.cos(f32(angle)))
    return light_table(lambda x: float(x >= cutoff), signed=True)


def quadratic_attenuation(start: float, end: float, linear: float, quadratic: float) -> tuple[_Raw, float, float]:
    """LightLutDA_Quadratic: the table between two distances, and scale and bias that bring distances to it."""
    start, end, linear, quadratic = f32(start), f32(end), f32(linear), f32(quadratic)
    span = f32(end - start)

    def attenuation(place: int) -> float:
        distance = f32(start + f32(f32(span * place) / LIGHT_ENTRIES))
        slower = f32(1 + f32(linear * distance))
        return f32(1 / f32(slower + f32(f32(quadratic * distance) * distance)))

    scale = f32(1 / span) if span else math.inf
    table = light_entries([attenuation(place) for place in range(LIGHT_ENTRIES + 1)])
    return table, scale, f32(-start * scale)


# --- Of a compiler ----------------------------------------------------------------------------------------------------


def nearest_light_entries(values: Sequence[float], *, signed: bool) -> _Raw:
    """The table of values at the ends of all lines, each number the nearest one that the machine has."""
    return _in_order([_line(*ends) for ends in itertools.pairwise(values)], signed=signed)


def fitted_light_entries(values: Sequence[float], *, signed: bool) -> _Raw:
    """The table of values at equal distances, several a line: the lines that are nowhere further off than necessary.

    Lines need not meet, since each entry has a difference of its own.
    """
    step = (len(values) - 1) // LIGHT_ENTRIES
    return _in_order(
        [_fitted(values[place : place + step + 1]) for place in range(0, len(values) - 1, step)], signed=signed
    )


def _in_order(entries: Sequence[int], *, signed: bool) -> _Raw:
    half = LIGHT_ENTRIES // 2
    return (*entries[half:], *entries[:half]) if signed else tuple(entries)


def _fitted(values: Sequence[float]) -> int:
    """Between the ends a line goes through both; moved by half of what it is off, it is off by that half at most."""
    last = len(values) - 1
    slope = values[last] - values[0]
    errors = [value - values[0] - slope * place / last for place, value in enumerate(values)]
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
