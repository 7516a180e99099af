"""Configurations without a register map: what stages and registers say of their interface."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.pica200.isa.fragment.combiners import LIGHTING_SOURCES
from glslc_multi.backends.pica200.isa.fragment.program import Configuration
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import UPDATE_BUFFER
from glslc_multi.backends.pica200.machine.fragment.combiners import sources_of
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile
from glslc_multi.backends.pica200.machine.fragment.texture_units import UNITS, coordinate_of
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.isa.components import COMPONENTS

_COLOURS = {"primary": "color", **{source: source for source in LIGHTING_SOURCES.values()}}
#: Names of colours that lighting gives, as shaders have them.
_NAMES = {source: name for name, source in LIGHTING_SOURCES.items()}


def reflection_of(configuration: Configuration) -> Reflection:
    """The textures and colours that stages read, by the names that the rasteriser has for them."""
    sources, registers = set(sources_of(configuration.stages)), RegisterFile(configuration.unit_writes)
    kinds = {unit: _kind(unit, registers) for unit in UNITS if f"texture{unit}" in sources}
    return Reflection(
        "pica200",
        "fragment",
        samplers=tuple(
            Binding(
                f"texture{unit}",
                "samplerCube" if kind == "cube" else "sampler2D",
                None,
                (Location("texture", unit, ""),),
            )
            for unit, kind in kinds.items()
        ),
        varyings=(*_colours(sources), *_coordinates(kinds, registers)),
        inputs=_depth(registers),
        outputs=(Binding("gl_FragColor", "vec4", None, (Location("color", 0, COMPONENTS),)),),
    )


def _depth(registers: RegisterFile) -> tuple[Binding, ...]:
    """The place of a pixel, which fog reads."""
    has_fog = registers.choice(UPDATE_BUFFER.name, "mode") == "fog"
    location = Location("window", 0, COMPONENTS[2], first=2)
    return (Binding("gl_FragCoord", "vec4", None, (location,)),) if has_fog else ()


def _kind(unit: int, registers: RegisterFile) -> str:
    """What a unit looks up; 2D images where nobody says more."""
    name = f"TEXUNIT{unit}_PARAM"
    return registers.choice(name, "type") if unit == 0 and name in registers else "2d"


def _colours(sources: set[str]) -> Iterator[Binding]:
    """What is interpolated, and what lighting gives."""
    for source, space in _COLOURS.items():
        if source in sources:
            yield Binding(_NAMES.get(source, space), "vec4", None, (Location(space, 0, COMPONENTS),))


def _coordinates(kinds: dict[int, str], registers: RegisterFile) -> Iterator[Binding]:
    """Pairs of coordinates, and the third one of the first pair."""
    for number in sorted({coordinate_of(registers, unit) for unit in kinds}):
        yield Binding(f"texcoord{number}", "vec2", None, (Location(f"texcoord{number}", 0, "xy"),))
    if kinds.get(0) in ("cube", "projection"):
        yield Binding("texcoord0w", "float", None, (Location("texcoord0w", 0, "x"),))
