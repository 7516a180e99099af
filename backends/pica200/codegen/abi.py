"""Where the values of a shader live: inputs, outputs, uniforms.

* Attributes take v registers in declared order, one for each column, unless `layout(location = n)` says otherwise.
* Uniforms take c registers in declared order, one for each element and column (or row: matrices are in row-major
  storage).  A bool takes a b register, whatever it is used for; arrays and vectors of bools are numbers in c registers.
* `gl_Position` is o0; what the rasteriser knows follows (see `output_semantics.py`), then everything else as dummies.
  Those for which the map has no room take the registers after it.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.backends.pica200.codegen.output_semantics import by_name, requested_outputs
from glslc_multi.backends.pica200.codegen.register_files import CONSTANTS
from glslc_multi.backends.pica200.codegen.rewrites.bools import is_flag
from glslc_multi.backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from glslc_multi.backends.pica200.codegen.rewrites.vertex_memory import VertexMemory, layout_of
from glslc_multi.backends.pica200.isa.program import SEMANTIC_WIDTHS
from glslc_multi.backends.pica200.isa.registers import BANKS, MAPPED_OUTPUTS
from glslc_multi.compiler.codegen.constants import ConstantTable, place_uniforms
from glslc_multi.compiler.codegen.interface import (
    Column,
    all_columns,
    check_limit,
    columns_of,
    first_numbers,
    in_order,
    register_count,
)
from glslc_multi.compiler.codegen.reflection import letters_of
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits, machine
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import MACHINE, Variable
from glslc_multi.compiler.records import dataclass, field, replace

TARGET_NAME = "pica200"
#: The b register that is kept for the jump that is always taken.
ALWAYS = 14
#: The b registers of bools; the hardware sets the last one for geometry shaders.
_FLAGS = {"geometry": range(ALWAYS), "vertex": (*range(ALWAYS), 15)}

_INPUTS = Limit(TARGET_NAME, "input registers", BANKS["v"], "use fewer attributes")
_VERTICES = replace(
    _INPUTS, help="take fewer vertices, or put several inputs in one, or put 'fixed,' before them in the pragma"
)


@dataclass(slots=True)
class Interface:
    """The registers of everything that has a name."""

    #: v registers of attributes; of geometry shaders, an element is a vertex, whose other inputs lie between.
    inputs: dict[Column, int] = field(default_factory=dict)
    #: o registers.
    outputs: dict[Column, int] = field(default_factory=dict)
    #: Input registers of each vertex that a geometry shader gets; 0 for a vertex shader, which gets one.
    per_vertex: int = 0
    #: The c registers where a geometry shader finds its vertices instead.
    memory: VertexMemory | None = None
    properties: dict[Variable, str] = field(default_factory=dict)
    bools: dict[Variable, int] = field(default_factory=dict)
    #: i registers that hold a uniform as a number of rounds.
    counts: dict[Variable, list[int]] = field(default_factory=dict)
    constants: ConstantTable = field(default_factory=lambda: ConstantTable(CONSTANTS))

    def vertex_register(self, variable: Variable, element: int, column: int) -> int:
        """The c register of what a vertex brings; of the number of vertices, too."""
        assert self.memory is not None
        if variable.role == "vertices_in":
            return self.constants.uniforms[self.memory.count]
        return self.constants.uniforms[self.memory.cells] + self.memory.cell(variable, element, column)


def assign_interface(
    module: Module,
    counted: Iterable[CountedLoop],
    memory: VertexMemory | None,
    outputs_option: str,
    sink: DiagnosticSink,
) -> Interface:
    """Registers for the interface of a legalised module; what does not fit is reported and raised."""
    interface = Interface(memory=memory)
    if module.stage == "geometry" and memory is None:
        # Vertex after vertex.
        inputs = module.of_storage("input")
        layout = layout_of(inputs)
        interface.per_vertex = layout.registers
        interface.inputs = {
            (variable, vertex, column): layout.first[variable] + vertex * layout.registers + column
            for variable in layout.first
            for _, vertex, column in columns_of(variable)
        }
        check_limit(_VERTICES, interface.inputs, sink)
    else:
        interface.inputs = all_columns(first_numbers(module.of_storage("attribute")))
        check_limit(_INPUTS, interface.inputs, sink)
    _assign_outputs(interface, module, outputs_option, sink)
    uniforms = [v for v in module.of_storage("uniform") if v.role != MACHINE or v.contents]
    _assign_uniforms(interface, module, uniforms, sink)
    for register, contents in enumerate(ranges_of(counted)):
        if contents.uniform is not None:
            interface.counts.setdefault(contents.uniform, []).append(register)
    sink.raise_if_errors()
    _warn_of_outputs(interface, sink)
    return interface


def count_symbol(variable: Variable, number: int) -> str:
    """The name of an i register that holds a uniform as a number of rounds."""
    return f"{variable.name}.i{number or ''}"


# --- Outputs ----------------------------------------------------------------------------------------------------------


def _assign_outputs(interface: Interface, module: Module, option: str, sink: DiagnosticSink) -> None:
    requests = requested_outputs(module.pragmas, option, sink)
    outputs = [variable for variable in module.outputs() if variable.role != MACHINE]
    properties = _properties(outputs, requests, sink)
    order = sorted(properties, key=lambda variable: {"position": 0, "dummy": 2}.get(properties[variable], 1))
    interface.properties = {variable: properties[variable] for variable in order}
    interface.outputs = in_order(column for variable in order for column in columns_of(variable))
    available = MAPPED_OUTPUTS if module.stage == "geometry" else BANKS["o"]
    help = "use fewer varyings, or put several in one"
    check_limit(Limit(TARGET_NAME, "output registers", available, help), interface.outputs, sink)


def _warn_of_outputs(interface: Interface, sink: DiagnosticSink) -> None:
    """Report registers that nobody gets, and components that the rasteriser does not take."""
    for variable, semantic in interface.properties.items():
        dead = [number for column in columns_of(variable) if (number := interface.outputs[column]) >= MAPPED_OUTPUTS]
        if dead:
            sink.report(machine.PICA200_DEAD_OUTPUT, variable.span, name=variable.name, register=dead[0])
        letters = letters_of(variable)
        taken, dropped = letters[: SEMANTIC_WIDTHS[semantic]], letters[SEMANTIC_WIDTHS[semantic] :]
        if dropped:
            name, lost = variable.name, machine.PICA200_DROPPED_COMPONENTS
            sink.report(lost, variable.span, name=name, taken=taken, property=semantic, dropped=dropped)


def _properties(outputs: list[Variable], requests: dict[str, str], sink: DiagnosticSink) -> dict[Variable, str]:
    """The property of each output; the first of two with the same one gets it."""
    chosen: dict[Variable, str] = {}
    for variable in outputs:
        given = "position" if variable.role == "position" else requests.get(variable.name)
        is_plain = register_count(variable) == 1 and variable.storage == "varying"
        property_ = given or (by_name(variable.name) if is_plain else None) or "dummy"
        if property_ != "dummy" and property_ in chosen.values():
            property_ = "dummy"
        chosen[variable] = property_
        if property_ == "dummy" and variable.storage == "varying":
            sink.report(machine.PICA200_NO_PROPERTY, variable.span, name=variable.name)
    return chosen


# --- Uniforms ---------------------------------------------------------------------------------------------------------


def _assign_uniforms(interface: Interface, module: Module, uniforms: list[Variable], sink: DiagnosticSink) -> None:
    vertices = [] if interface.memory is None else interface.memory.variables
    _assign_bools(interface, [v for v in uniforms if is_flag(v)], module, sink)
    numbers = [v for v in uniforms if not is_flag(v)]
    interface.constants = place_uniforms([*vertices, *numbers], CONSTANTS)
    if interface.constants.bound > CONSTANTS.count:
        read = _read_variables(module)
        interface.constants = place_uniforms([*vertices, *(v for v in numbers if v in read)], CONSTANTS)
    # Report a uniform that is pinned where the hardware puts vertices.
    taken = {register for variable in vertices for register in interface.constants.registers_of(variable)}
    for variable in numbers:
        if variable in interface.constants.uniforms and taken & set(interface.constants.registers_of(variable)):
            construct = "a uniform where vertices are put"
            help = f"leave its location out, or begin with {max(taken) + 1}"
            sink.report(limits.NOT_EXPRESSIBLE, variable.span, target=TARGET_NAME, construct=construct, help=help)


def _assign_bools(interface: Interface, flags: list[Variable], module: Module, sink: DiagnosticSink) -> None:
    """A b register for each bool; where these run short, for each that is read."""
    registers = _FLAGS[module.stage]
    if len(flags) > len(registers):
        flags = [variable for variable in flags if variable in _read_variables(module)]
    interface.bools.update(zip(flags, registers, strict=False))
    help = "pack several bools into a 'bvec4', which is a c register"
    limit = Limit(TARGET_NAME, "b registers for bools", len(registers), help)
    check_limit(limit, in_order((flag, 0, 0) for flag in flags), sink)


def _read_variables(module: Module) -> set[Variable]:
    return {
        load.address.variable
        for function in module.functions.values()
        for load in function.instructions()
        if load.op is ops.LOAD
    }
