"""From stages to what a loader gets: registers, what the host computes for them, and the register map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.finish.alpha_test import Test
from glslc_multi.backends.pica200.codegen.fragment.prove.problem import HostColour, Solution
from glslc_multi.backends.pica200.codegen.fragment.read.flatten import DEPTH
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import HostResult, byte_from, polynomial_of
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ONE
from glslc_multi.backends.pica200.codegen.fragment.read.promises import is_opaque
from glslc_multi.backends.pica200.codegen.fragment.read.walk import lighting_source
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.rotation import quaternion_of_normal
from glslc_multi.backends.pica200.codegen.fragment.units.tables import UnitCode
from glslc_multi.backends.pica200.codegen.fragment.units.textures import UNITS, Wiring, is_generated, source_of
from glslc_multi.backends.pica200.codegen.output_semantics import RASTERISER
from glslc_multi.backends.pica200.isa.fragment.combiners import STAGES
from glslc_multi.backends.pica200.isa.fragment.program import INERT, Bytes, Configuration, Stage
from glslc_multi.backends.pica200.isa.fragment.rounding import byte_of
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.codegen.reflection import binding
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.records import replace

#: Places of the space "tev": after the constants of the stages.
_BUFFER_COLOUR, _ALPHA_REFERENCE = 6, 7


def configuration_of(solution: Solution, test: Test, code: UnitCode) -> Configuration:
    """Return the registers; in constants of the host's, what it computes is 0."""
    stages = [
        Stage(stage.colour, stage.alpha, _bytes(stage.constant), stage.updates_colour, stage.updates_alpha)
        for stage in solution.stages
    ]
    stages += [INERT] * (STAGES - len(stages))
    return Configuration(tuple(stages), _bytes(solution.buffer_colour), test.test, tuple(code.writes), code.tables)


def stage_code(solution: Solution, test: Test) -> UnitCode:
    """Return what the host computes for the stages and the alpha test, and where it goes."""
    code = UnitCode()
    constants = [(f"constant{number}", stage.constant, number) for number, stage in enumerate(solution.stages)]
    for name, colour, index in (*constants, ("buffer_colour", solution.buffer_colour, _BUFFER_COLOUR)):
        if any(part is not None and part.constant is None for part in colour):
            # What nobody reads is 1, as in the library's own constants.
            components = tuple(byte_from(ONE if part is None else part) for part in colour)
            code.add_result(HostResult(f"${PREAMBLE}.{name}", components), Location("tev", index, "xyzw", "unorm8"))
    if test.reference is not None:
        reference = HostResult(f"${PREAMBLE}.alpha_reference", (test.reference,))
        code.add_result(reference, Location("tev", _ALPHA_REFERENCE, "x", "unorm8"))
    if test.never:
        drawn = HostResult(f"${PREAMBLE}.drawn", (polynomial_of(1 - test.never),))
        code.add_result(drawn, Location("draw", 0, "x", "unorm8"), registers=0)
    return code


def _bytes(colour: HostColour) -> Bytes:
    """Return the bytes of a colour: what nobody reads is 1, and what the host computes is 0."""
    constants = [ONE.constant if part is None else part.constant for part in colour]
    return tuple(0 if number is None else byte_of(number) for number in constants)


# --- The register map -------------------------------------------------------------------------------------------------


def reflect(module: Module, wiring: Wiring, code: UnitCode, stages: int) -> Reflection:
    return Reflection(
        TARGET_NAME,
        module.stage,
        uniforms=tuple(code.bindings),
        samplers=tuple(_samplers(wiring)),
        varyings=tuple(_varyings(module, wiring)),
        inputs=(*_lighting(module), *_depth(module)),
        outputs=tuple(_outputs(module)),
        limits={"combiner stages": (stages, STAGES), "texture units": (len(wiring.units), UNITS)},
        host_state=code.host_state or None,
    )


def _samplers(wiring: Wiring) -> Iterator[Binding]:
    """Bind samplers: one is in several units where it is read at several coordinates."""
    for sampler in dict.fromkeys(unit.sampler for unit in wiring.units.values() if not is_generated(unit.sampler)):
        places = [
            Location("texture", number, "", element=unit.element)
            for number, unit in sorted(wiring.units.items())
            if unit.sampler is sampler
        ]
        yield binding(sampler, places)


def _varyings(module: Module, wiring: Wiring) -> Iterator[Binding]:
    """List those of the source, by the parts of the rasteriser's outputs; else the outputs themselves, which a linked
    vertex shader writes."""
    if not wiring.outputs:
        for variable in module.variables.values():
            if variable.storage == "varying":
                space = variable.name.removeprefix(RASTERISER)
                yield binding(variable, [Location(space, 0, COMPONENTS[: variable.type.width])])
        return
    places: dict[Variable, list[Location]] = {}
    for output in wiring.outputs:
        space = output.variable.name.removeprefix(RASTERISER)
        for letter, term in zip(COMPONENTS, output.terms, strict=False):
            part, transform = source_of(term)
            if output.make is quaternion_of_normal:
                transform = "quaternion"
            if part is not None:
                places.setdefault(part.variable, []).append(
                    Location(space, 0, letter, transform, part.element, part.column, part.component)
                )
    for variable, locations in places.items():
        yield binding(variable, _joined(locations))


def _joined(locations: Iterable[Location]) -> Iterator[Location]:
    """Components that follow each other in both places are one location."""
    current: Location | None = None
    for location in locations:
        if current is not None:
            following = replace(location, components=current.components, first=current.first)
            if following == current and location.first == current.first + len(current.components):
                current = replace(current, components=current.components + location.components)
                continue
        if current is not None:
            yield current
        current = location
    if current is not None:
        yield current


def _lighting(module: Module) -> Iterator[Binding]:
    """Colours that lighting gives, which the host sets up."""
    for variable in module.variables.values():
        source = lighting_source(variable)
        if source is not None and variable in _read(module):
            yield binding(variable, [Location(source, 0, COMPONENTS)])


def _depth(module: Module) -> Iterator[Binding]:
    for variable in module.variables.values():
        if variable.role in ("frag_coord", DEPTH) and variable in _read(module):
            component = 2 if variable.role == "frag_coord" else 0
            yield binding(variable, [Location("window", 0, "z", first=component)])


def _read(module: Module) -> set[Variable]:
    return {i.address.variable for i in module.main.instructions() if i.op is ops.LOAD}


def _outputs(module: Module) -> Iterator[Binding]:
    # Alpha that nobody looks at may be what the alpha test needs.
    components = COMPONENTS[:3] if is_opaque(module) else COMPONENTS
    for variable in module.variables.values():
        if variable.storage == "output" and variable.role in ("frag_color", "frag_data"):
            yield binding(variable, [Location("color", 0, components, "unorm8")])
