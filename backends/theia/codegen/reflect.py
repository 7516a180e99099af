"""The register map: where a host finds inputs, uniforms and outputs (section 13 of the machine's reference).

The spaces are those of `isa/conventions.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.backends.theia.codegen.abi import Interface
from glslc_multi.backends.theia.codegen.rows.layout import Patch, element_rows
from glslc_multi.backends.theia.codegen.settings import Settings
from glslc_multi.backends.theia.isa.conventions import (
    CODE_SPACE,
    DEPTH,
    OUTPUT_SPACE,
    ROW_SPACE,
    SCENE_SPACE,
    SCENE_VALUES,
    TARGET_NAME,
    TEXTURE_SPACE,
)
from glslc_multi.backends.theia.isa.program import LIMITS
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.codegen.reflection import binding
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable

_LETTERS = "xyz"


def reflect(
    module: Module, interface: Interface, settings: Settings, patches: Sequence[tuple[int, Patch]], instructions: int
) -> Reflection:
    """The register map; `patches` are the uniforms' components by the addresses of their instructions."""
    varyings, inputs = _input_bindings(module, interface)
    letters = "xyzw" if settings.raw else "xyz"
    outputs = [v for v in module.variables.values() if v.storage == "output" and v.role in ("frag_color", "frag_data")]
    return Reflection(
        TARGET_NAME,
        "fragment",
        uniforms=_uniform_bindings(module, interface, patches),
        samplers=_sampler_bindings(module),
        varyings=varyings,
        inputs=inputs,
        outputs=tuple(binding(variable, [Location(OUTPUT_SPACE, 0, letters, "q17")]) for variable in outputs),
        limits={"instructions": (instructions, LIMITS[settings.variant])},
    )


def _input_bindings(module: Module, interface: Interface) -> tuple[tuple[Binding, ...], tuple[Binding, ...]]:
    """Varyings, and built-in inputs."""
    bindings: dict[Variable, Binding] = {}
    for variable in interface.preloaded:
        bindings[variable] = binding(variable, _row_locations(variable, interface.inputs[variable]))
    for variable, name in interface.scene.sources.items():
        letters = "xyzw"[: variable.type.width]
        locations = [Location(SCENE_SPACE, SCENE_VALUES.index(name), letters, "q17")]
        if name == "FragCoord" and DEPTH in interface.inputs.values():
            locations.append(Location(ROW_SPACE, DEPTH, "xy", "q17", first=2))
        bindings[variable] = binding(variable, locations)
    ordered = [variable for variable in module.variables.values() if variable in bindings]
    varyings = tuple(bindings[v] for v in ordered if v.storage == "varying")
    return varyings, tuple(bindings[v] for v in ordered if v.storage == "input")


def _row_locations(variable: Variable, first: int) -> list[Location]:
    """A location for each lane: its component; one that fills a row is there three times."""
    locations = []
    rows = element_rows(variable)
    for element in range(variable.length):
        for number, parts in enumerate(rows):
            register = first + element * len(rows) + number
            for lane, part in enumerate(parts):
                if part is not None:
                    column, component = part
                    locations.append(Location(ROW_SPACE, register, _LETTERS[lane], "q17", element, column, component))
    return locations


def _uniform_bindings(module: Module, interface: Interface, sites: Iterable[tuple[int, Patch]]) -> tuple[Binding, ...]:
    """Every uniform with the addresses of the instructions that hold it, none for one that is not used."""
    locations: dict[Variable, list[Location]] = {}
    for address, patch in sites:
        transform = "transpose" if patch.variable.layout == "rows" else "q17"
        location = Location(CODE_SPACE, address, "x", transform, patch.element, patch.column, patch.component)  # type: ignore[arg-type]
        locations.setdefault(patch.variable, []).append(location)
    for variable, name in interface.scene.sources.items():
        if variable.storage == "uniform":
            location = Location(SCENE_SPACE, SCENE_VALUES.index(name), "xyzw"[: variable.type.width], "q17")
            locations[variable] = [location]
    shown = [variable for variable in module.variables.values() if variable not in interface.results]
    uniforms = [variable for variable in shown if variable.storage == "uniform"]
    return tuple(binding(variable, locations.get(variable, [])) for variable in uniforms)


def _sampler_bindings(module: Module) -> tuple[Binding, ...]:
    """The one texture, where it is sampled."""
    sampled = {i.address for i in module.main.instructions() if i.op.name == "texture"}
    return tuple(
        binding(address.variable, [Location(TEXTURE_SPACE, 0, "", element=address.offset)]) for address in sampled
    )
