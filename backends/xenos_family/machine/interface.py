"""Programs without a register map: what their code says of their interface."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.register_words import exports_of, stage_of
from glslc_multi.backends.xenos_family.isa.registers import (
    CONSTANTS,
    DEPTH,
    EXPORT_SPACE,
    FETCH_SPACE,
    PARAMETERS,
    POINT_SIZE,
    POSITION,
    REGISTER_SPACE,
)
from glslc_multi.backends.xenos_family.machine.fetch import elements_of
from glslc_multi.compiler.artifact import Binding, Literal32, Location, Reflection
from glslc_multi.compiler.isa.components import COMPONENTS

_BUILT_IN = {POSITION: ("gl_Position", "vec4"), POINT_SIZE: ("gl_PointSize", "float"), DEPTH: ("gl_FragDepth", "float")}


def reflection_of(
    target: str, program: Program, names: Mapping[int, str], literals: tuple[Literal32, ...] = ()
) -> Reflection:
    """What a program exports and fetches, by the names of elements for slots of fetches; varyings are called by the
    register that a fragment program finds them in."""
    exports = sorted(exports_of(program))
    stage = stage_of(exports)
    varyings = [number for number in exports if number < PARAMETERS] if stage == "vertex" else []
    attributes: dict[str, Binding] = {}
    for slot, number in elements_of(program).items():
        name = names.get(slot, f"{FETCH_SPACE}{number}")
        attributes.setdefault(name, Binding(name, "vec4", None, (Location(FETCH_SPACE, number, COMPONENTS),)))
    return Reflection(
        target,
        stage,
        attributes=tuple(attributes.values()),
        varyings=tuple(
            Binding(f"{REGISTER_SPACE}{number}", "vec4", None, (Location(EXPORT_SPACE, number, COMPONENTS),))
            for number in varyings
        ),
        outputs=tuple(_outputs([number for number in exports if number not in varyings])),
        literals=literals,
        limits={"constants": (0, CONSTANTS)},
    )


def _outputs(exports: Collection[int]) -> Iterator[Binding]:
    """What leaves the stage for the fixed parts of the chip."""
    for number, (name, type) in _BUILT_IN.items():
        if number in exports:
            letters = "x" if type == "float" else COMPONENTS
            yield Binding(name, type, None, (Location(EXPORT_SPACE, number, letters),))
    colours = [number for number in exports if number < PARAMETERS]
    if colours == [0]:
        yield Binding("gl_FragColor", "vec4", None, (Location(EXPORT_SPACE, 0, COMPONENTS),))
    elif colours:
        places = tuple(Location(EXPORT_SPACE, number, COMPONENTS, element=number) for number in colours)
        yield Binding("gl_FragData", "vec4", colours[-1] + 1, places)
