"""Texture units: the coordinates of a pixel to the bytes of a texel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.colours import Colours
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile, SimulationFault
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Sampler:
    """What a unit does; filter and wrap are those of its texture."""

    unit: int
    #: Which pair of coordinates it takes.
    coordinate: int
    #: 2d, projection or cube; or disabled.
    kind: str = "2d"
    #: Whether the border's colour is beyond the edges, to the sides, and above and below.
    borders: tuple[bool, bool] = (False, False)


_CONFIG = "TEXUNIT_CONFIG"
UNITS = range(3)
_SIMULATED = ("2d", "cube", "projection", "disabled")


def coordinate_of(registers: RegisterFile, unit: int) -> int:
    """The pair of coordinates that a unit takes."""
    return 1 if unit == 2 and registers.fields(_CONFIG)["unit2_texcoord1"] else unit


def samplers_of(registers: RegisterFile) -> dict[str, Sampler]:
    """The units as registers set them up."""
    return {f"texture{unit}": _sampler(registers, unit) for unit in UNITS}


def _sampler(registers: RegisterFile, unit: int) -> Sampler:
    kind = registers.choice("TEXUNIT0_PARAM", "type") if unit == 0 else "2d"
    if kind not in _SIMULATED:
        raise SimulationFault(f"textures of type {kind} are not simulated")
    if not registers.fields(_CONFIG)[f"unit{unit}"]:
        kind = "disabled"
    # No direction leads beyond the sides of a cube.
    has_border = [registers.choice(f"TEXUNIT{unit}_PARAM", field) == "border" for field in ("wrap_s", "wrap_t")]
    s, t = (each and kind != "cube" for each in has_border)
    return Sampler(unit, coordinate_of(registers, unit), kind, (s, t))


def border_words(registers: RegisterFile) -> Iterator[tuple[int, list[int]]]:
    """The colours of borders, with their first words."""
    for unit in UNITS:
        yield words.BORDERS + len(CHANNELS) * unit, list(registers.fields(f"TEXUNIT{unit}_BORDER_COLOR").values())


class TextureUnit:
    """Reads one texture."""

    def __init__(self, colours: Colours, sampler: Sampler) -> None:
        self._colours, self._lanes, self._sampler = colours, colours.lanes, sampler
        self._a = self._lanes.operations

    def texel(self) -> list[Any]:
        """Four channels; how the machine rounds what it has filtered is not known, bytes are to nearest."""
        a, sampler = self._a, self._sampler
        if sampler.kind == "disabled":
            return [self._colours.nearest(a.dconst(0.0))] * len(CHANNELS)
        point = self._point()
        no_bias = a.dconst(0.0)
        is_cube = sampler.kind == "cube"
        colour = self._lanes.sample(sampler.unit, point, no_bias, by_steps=True, is_cube=is_cube)
        outside = self._is_outside(point) if any(sampler.borders) else None
        return [self._channel(number, x, outside) for number, x in enumerate(colour)]

    def _channel(self, number: int, x: Number, outside: Number | None) -> Any:
        """What a channel is, and that of the border outside of the image."""
        if outside is None:
            return self._colours.nearest(x)
        border = self._colours.constant(words.BORDERS + len(CHANNELS) * self._sampler.unit + number)
        return self._colours.choose(outside, border, self._colours.nearest(x))

    def _point(self) -> list[Number]:
        a, name = self._a, f"texcoord{self._sampler.coordinate}"
        point = [a.widened(self._lanes.input((name, component))) for component in range(2)]
        if self._sampler.kind == "2d":
            return point
        w = a.widened(self._lanes.input((f"{name}w", 0)))
        return [*point, w] if self._sampler.kind == "cube" else [a.fdiv(x, w) for x in point]

    def _is_outside(self, point: Sequence[Number]) -> Number:
        """Whether a point is beyond 0 to 1, where that shows the border."""
        a = self._a
        outside = a.bconst(False)
        for x, has_border in zip(point, self._sampler.borders, strict=False):
            if has_border:
                outside = a.bor(outside, a.bor(a.flt(x, a.dconst(0.0)), a.fle(a.dconst(1.0), x)))
        return outside
