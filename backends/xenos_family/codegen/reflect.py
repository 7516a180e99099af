"""The register map: how a driver binds a compiled shader.

Spaces: `fetch` (vertex constants, three in each fetch constant from 20 on), `C` (constants of the stage's window),
`sampler` (fetch constants), `loop` (loop constants, one word), `R` (registers of interpolated varyings), `export`;
`window`, `facing` and `point` are the built-in inputs that the registers named in `host_state` bring.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from glslc_multi.backends.xenos_family.codegen.abi import Interface
from glslc_multi.backends.xenos_family.codegen.register_files import R
from glslc_multi.backends.xenos_family.codegen.rewrites.pack_varyings import PACKED
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import (
    COLOURS,
    CONSTANT_SPACE,
    EXPORT_SPACE,
    FETCH_SPACE,
    LOOP_SPACE,
    PARAMETERS,
    REGISTER_SPACE,
    SAMPLER_SPACE,
)
from glslc_multi.compiler.artifact import Artifact, Binding, Literal32, Location, Reflection
from glslc_multi.compiler.codegen.interface import Column, all_columns, columns_of
from glslc_multi.compiler.codegen.reflection import binding, bindings, built_ins, in_registers, literals
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.isa.components import COMPONENTS


def reflect(
    module: Module,
    interface: Interface,
    program: Program,
    registers: int,
    host_state: Mapping[str, bool | int | str],
) -> Reflection:
    """The register map of a shader."""
    variables = list(module.variables.values())
    constants, conventions = interface.constants, interface.conventions
    return Reflection(
        target=conventions.target,
        stage=module.stage,
        attributes=bindings(FETCH_SPACE, interface.attributes),
        uniforms=tuple(
            binding(v, in_registers(CONSTANT_SPACE, v, constants.registers_of(v)))
            for v in constants.uniforms
            if not v.contents
        ),
        samplers=bindings(SAMPLER_SPACE, all_columns(interface.samplers)),
        varyings=tuple(_varyings(REGISTER_SPACE if module.stage == "fragment" else EXPORT_SPACE, interface)),
        inputs=built_ins(module),
        outputs=bindings(EXPORT_SPACE, _exports(module, interface)),
        literals=(
            *literals(CONSTANT_SPACE, constants.literals),
            *(Literal32(Location(LOOP_SPACE, number, "x"), (count,)) for count, number in interface.loops.items()),
        ),
        limits={
            "slots": (len(program.slots), program.isa.slot_limit),
            "registers": (registers, R.count),
            "constants": (constants.bound, interface.constant_limit),
            "loops": (len(interface.loops), interface.loop_limit),
            "attributes": (len(interface.attributes), conventions.attribute_limit),
            "varyings": (len(interface.varyings), PARAMETERS),
            "samplers": (interface.sampler_bound, conventions.sampler_limit),
            "colours": (_colours(variables), COLOURS),
        },
        host_state={**_host_state(interface), **host_state},
    )


def _varyings(space: str, interface: Interface) -> Iterator[Binding]:
    """The varyings of the source; of what shares a register, each component is somewhere."""
    yield from bindings(space, {c: n for c, n in interface.varyings.items() if c[0].role != PACKED})
    for variable, share in interface.packed.items():
        letters = zip(share.components, COMPONENTS[share.first :], strict=False)
        yield binding(variable, (Location(space, share.register, letter, first=number) for number, letter in letters))


def vertex_fetches(program: Program, interface: Interface) -> Iterator[dict[str, object]]:
    """The vertex fetches, for an engine that packs vertices, or patches the fetches for buffers of its own."""
    slots: dict[tuple[int, int, int], list[int]] = {}
    for issue in program.issues():
        row, fields = program.isa.decode_fetch(program.instruction(issue.slot) or 0)
        if issue.is_fetch and row is not None and row.kind == "vertex":
            key = fields["const_index"], fields["const_index_sel"], fields["offset"]
            slots.setdefault(key, []).append(issue.slot)
    for (variable, element, column), fetch in interface.fetches.items():
        yield {
            "name": variable.name,
            "element": element,
            "column": column,
            "attribute_number": interface.attributes[variable, element, column],
            "vertex_constant": fetch.vertex_constant,
            "constant": list(fetch.fetch_constant),
            "type": fetch.format_name,
            "width": fetch.width,
            "format": fetch.code,
            "offset": fetch.offset,
            "stride": fetch.stride,
            "slots": slots.get((*fetch.fetch_constant, fetch.offset // program.isa.vertex_unit), []),
        }


#: What a header says of a vertex fetch, from its row in the register map.
_FETCH_NUMBERS = ("attribute_number", "vertex_constant", "format", "offset", "stride")
_REGISTER_WORDS = ("gprs", "program_control", "context_misc", "interpolator_control")


def host_numbers(artifact: Artifact) -> dict[str, int | Sequence[Mapping[str, int]]]:
    """Words for the chip's registers, and a row for each slot of a vertex fetch that a host may patch."""
    keys: Mapping[str, Any] = artifact.map_keys
    numbers: dict[str, int | Sequence[Mapping[str, int]]] = {
        name: keys[name] for name in _REGISTER_WORDS if name in keys
    }
    fetches = [
        {"slot": slot, **{name: row[name] for name in _FETCH_NUMBERS}}
        for row in keys["fetches"]
        for slot in row["slots"]
    ]
    return numbers | ({"fetches": fetches} if fetches else {})


def _colours(variables: Iterable[Variable]) -> int:
    colours = [variable for variable in variables if variable.role in ("frag_color", "frag_data")]
    return max(((variable.location or 0) + variable.length for variable in colours), default=0)


def _host_state(interface: Interface) -> dict[str, bool | int | str]:
    """Which registers bring built-in inputs, besides the varyings; and where fetches find the vertices."""
    state: dict[str, bool | int | str] = {}
    if interface.depth is not None:
        state["depth_register"] = interface.depth.index
    if interface.parameter is not None:
        state["parameter_register"] = interface.parameter.index
    if interface.fetches:
        state["first_vertex_constant"] = min(fetch.vertex_constant for fetch in interface.fetches.values())
    return state


def _exports(module: Module, interface: Interface) -> dict[Column, int]:
    columns = [column for variable in module.of_storage("output") for column in columns_of(variable)]
    return {column: export.index for column in columns if (export := interface.output(*column)) is not None}
