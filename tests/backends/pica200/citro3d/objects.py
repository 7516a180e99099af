"""Calls that fill tables, and that bind the one of fog."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from glslc_multi.backends.pica200.isa.fragment.entries import fog_entry
from tests.backends.pica200.citro3d import tables
from tests.backends.pica200.citro3d.context import Attenuation, Context, Raw

_Numbers = Sequence[float]


def _filled(make: Callable[..., Raw]) -> Callable[..., None]:
    """A call that fills the table of its first argument."""

    def fill(context: Context, table: str, *arguments: float) -> None:
        context.tables[table] = make(*arguments)

    return fill


def _pairs(numbers: _Numbers) -> list[tuple[float, float]]:
    """Values and differences, which an array has one half after the other."""
    half = len(numbers) // 2
    return list(zip(numbers[:half], numbers[half:], strict=True))


def _fog_from_array(numbers: _Numbers) -> Raw:
    return tuple(fog_entry(*pair) for pair in _pairs(numbers))


def _light_from_array(numbers: _Numbers) -> Raw:
    return tuple(tables.light_entry(*pair) for pair in _pairs(numbers))


def _quadratic_attenuation(context: Context, table: str, *arguments: float) -> None:
    context.attenuations[table] = Attenuation(*tables.quadratic_attenuation(*arguments))


def _bind_fog(context: Context, table: str) -> None:
    context.fog = context.tables[table]


TABLE_CALLS: Mapping[str, Callable[..., None]] = {
    "FogLut_FromArray": _filled(_fog_from_array),
    "FogLut_Exp": _filled(tables.exponential_fog),
    "C3D_FogLutBind": _bind_fog,
    "LightLut_FromArray": _filled(_light_from_array),
    "LightLut_Phong": _filled(tables.phong),
    "LightLut_Spotlight": _filled(tables.spotlight),
    "LightLutDA_Quadratic": _quadratic_attenuation,
}
