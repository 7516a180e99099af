"""Tables of functions as citro3d fills them: in float32, cut off.

An entry has a value and the difference to the next one; between them is a straight line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from glslc_multi.backends.pica200.isa.fragment.entries import FOG_ENTRIES, LIGHT_ENTRIES, fog_entries
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import ENTRY
from glslc_multi.compiler.arithmetic.protocol import round_to_float32 as f32

_Raw = tuple[int, ...]
_Function = Callable[[float], float]


def light_entry(value: float, difference: float) -> int:
    """An entry of a table of the lighting unit; both numbers are held to what fits."""
    value, difference = f32(value), f32(difference)
    parts = {"value": _unsigned(value, 12), "difference": _unsigned(abs(difference), 11)}
    return ENTRY.format.encode({**parts, "negative": int(difference < 0)})


def _unsigned(value: float, bits: int) -> int:
    """0 to 1 as a number of so many bits; 0 for what is no number."""
    return int(min(f32(value * (1 << bits)), (1 << bits) - 1)) if value > 0 else 0


def _light_entries(values: Sequence[float]) -> _Raw:
    """The table of a curve, of its values at the ends of all lines."""
    rounded = [f32(value) for value in values]
    return tuple(light_entry(value, f32(after - value)) for value, after in itertools.pairwise(rounded))


def light_table(function: _Function, *, signed: bool = False) -> _Raw:
    """LightLut_FromFunc: the table of a function of 0 to 1; or of -1 to 1, whose second half comes first."""
    half = LIGHT_ENTRIES // 2
    if not signed:
        return _light_entries([function(x / LIGHT_ENTRIES) for x in range(LIGHT_ENTRIES + 1)])
    entries = _light_entries([function(x / half) for x in range(-half, half + 1)])
    return entries[half:] + entries[:half]


def fog_table(function: _Function, near: float, far: float) -> _Raw:
    """The fog of a function of the distance from the eye, with citro3d's projections and map of depth."""
    return fog_entries([function(_eye_distance(f32(n / FOG_ENTRIES), near, far)) for n in range(FOG_ENTRIES + 1)])


def _eye_distance(depth: float, near: float, far: float) -> float:
    """FogLut_CalcZ: the distance that a depth stands for, 1 at the near plane and 0 at the far one."""
    near, far = f32(near), f32(far)
    divisor = f32(f32(depth * f32(far - near)) + near)
    return f32(f32(far * near) / divisor) if divisor else math.inf


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
    table = _light_entries([attenuation(place) for place in range(LIGHT_ENTRIES + 1)])
    return table, scale, f32(-start * scale)
