"""Where the values of a shader live: inputs, outputs, uniforms.

* Attributes take v registers in declared order, one for each column, unless `layout(location = n)` says otherwise.
* Uniforms take c registers in declared order, one for each element and column (or row: matrices are in row-major
  storage).  A bool takes a b register, whatever it is used for; arrays and vectors of bools are numbers in c registers.
* `gl_Position` is o0; what the rasteriser knows follows (see `output_semantics.py`), then everything else as dummies.
  Those for which the map has no room take the registers after it.
"""

from __future__ import annotations

from collections.abc import Iterable

from backends.pica200.codegen.output_semantics import by_name, requested_outputs
from backends.pica200.codegen.register_files import CONSTANTS
from backends.pica200.codegen.rewrites.bools import is_flag
from backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from backends.pica200.codegen.rewrites.vertex_memory import VertexMemory, layout_of
from backends.pica200.isa.program import SEMANTIC_WIDTHS
from backends.pica200.isa.registers import BANKS, COMPONENTS, MAPPED_OUTPUTS
from compiler.codegen.constants import ConstantTable, place_uniforms
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import limits, machine
from compiler.ir import ops
from compiler.ir.module import Module
from compiler.ir.variables import MACHINE, Variable
from compiler.records import dataclass, field

TARGET_NAME = "pica200"
#: The b register that is kept for the jump that is always taken.
ALWAYS = 14
#: The b registers of bools; the hardware sets the last one for geometry shaders.
_FLAGS = {"geometry": range(ALWAYS), "vertex": (*range(ALWAYS), 15)}


@dataclass(slots=True)
class Interface:
    """The registers of everything that has a name."""

    #: First v register of each attribute.
    inputs: dict[Variable, int] = field(default_factory=dict)
    #: First o register of each output.
    outputs: dict[Variable, int] = field(default_factory=dict)
    #: Input registers of each vertex that a geometry shader gets; 0 for a vertex shader, which gets one.
    per_vertex: int = 0
    #: The c registers where a geometry shader finds its vertices instead.
    memory: VertexMemory | None = None
    properties: dict[Variable, str] = field(default_factory=dict)
    bools: dict[Variable, int] = field(default_factory=dict)
    #: i registers that hold a uniform as a number of rounds.
    counts: dict[Variable, list[int]] = field(default_factory=dict)
    constants: ConstantTable = field(default_factory=lambda: ConstantTable(CONSTANTS))

    def input_register(self, variable: Variable, element: int, column: int) -> int:
        """An element is a vertex of a geometry shader's primitive, whose other inputs lie between."""
        return self.inputs[variable] + element * (self.per_vertex or variable.columns) + column

    def vertex_register(self, variable: Variable, element: int, column: int) -> int:
        """The c register of what a vertex brings; of the number of vertices, too."""
        assert self.memory is not None
        if variable.role == "vertices_in":
            return self.constants.uniforms[self.memory.count]
        return self.constants.uniforms[self.memory.cells] + self.memory.cell(variable, element, column)

    def output_register(self, variable: Variable, offset: int, column: int) -> int:
        return self.outputs[variable] + offset * variable.columns + column


def assign_interface(
    module: Module,
    counted: Iterable[CountedLoop],
    memory: VertexMemory | None,
    outputs_option: str,
    sink: DiagnosticSink,
) -> Interface:
    """Registers for the interface of a legalised module; what does not fit is reported and raised."""
    interface = Interface(memory=memory)
    variables = [variable for variable in module.variables.values() if variable.role != MACHINE]
    if module.stage == "geometry" and memory is None:
        # Vertex after vertex.
        inputs = [v for v in variables if v.storage == "input"]
        layout = layout_of(inputs)
        interface.inputs.update(layout.first)
        interface.per_vertex = layout.registers
        vertices = max((variable.length for variable in inputs), default=0)
        if vertices * interface.per_vertex > BANKS["v"]:
            need = vertices * interface.per_vertex
            help = "take fewer vertices, or put several inputs in one, or put 'fixed,' before them in the pragma"
            _limit(sink, inputs[-1], "input registers", need, BANKS["v"], help)
    else:
        _assign_inputs(interface, [v for v in variables if v.storage == "attribute"], sink)
    _assign_outputs(interface, module, outputs_option, sink)
    _assign_uniforms(interface, module, [v for v in variables if v.storage == "uniform"], sink)
    for register, contents in enumerate(ranges_of(counted)):
        if contents.uniform is not None:
            interface.counts.setdefault(contents.uniform, []).append(register)
    sink.raise_if_errors()
    return interface


def _limit(sink: DiagnosticSink, variable: Variable | None, what: str, need: int, limit: int, help: str) -> None:
    span = None if variable is None else variable.span
    sink.report(limits.RESOURCE_EXCEEDED, span, what=what, need=need, limit=limit, target=TARGET_NAME, help=help)


# --- Inputs -----------------------------------------------------------------------------------------------------------


def _assign_inputs(interface: Interface, attributes: list[Variable], sink: DiagnosticSink) -> None:
    taken = {v.location + k for v in attributes if v.location is not None for k in range(column_count(v))}
    following = 0
    for variable in attributes:
        first = variable.location
        if first is None:
            while any(following + k in taken for k in range(column_count(variable))):
                following += 1
            first = following
            following += column_count(variable)
        interface.inputs[variable] = first
        if first + column_count(variable) > BANKS["v"]:
            need = sum(map(column_count, attributes))
            _limit(sink, variable, "input registers", max(need, BANKS["v"] + 1), BANKS["v"], "use fewer attributes")
            return


def column_count(variable: Variable) -> int:
    return variable.length * variable.columns


def count_symbol(variable: Variable, number: int) -> str:
    """The name of an i register that holds a uniform as a number of rounds."""
    return f"{variable.name}.i{number or ''}"


# --- Outputs ----------------------------------------------------------------------------------------------------------


def _assign_outputs(interface: Interface, module: Module, option: str, sink: DiagnosticSink) -> None:
    requests = requested_outputs(module.pragmas, option, sink)
    available = MAPPED_OUTPUTS if module.stage == "geometry" else BANKS["o"]
    outputs = [variable for variable in module.outputs() if variable.role != MACHINE]
    properties = _properties(outputs, requests, sink)
    order = sorted(properties, key=lambda variable: {"position": 0, "dummy": 2}.get(properties[variable], 1))
    following = 0
    for variable in order:
        interface.outputs[variable] = following
        interface.properties[variable] = properties[variable]
        following += column_count(variable)
        if following > available:
            need = sum(map(column_count, order))
            _limit(sink, variable, "output registers", need, available, "use fewer varyings, or put several in one")
            return
    for variable in order:
        # Report registers that nobody gets, and components that the rasteriser does not take.
        last = interface.outputs[variable] + column_count(variable) - 1
        if last >= MAPPED_OUTPUTS:
            register = max(MAPPED_OUTPUTS, interface.outputs[variable])
            sink.report(machine.PICA200_DEAD_OUTPUT, variable.span, name=variable.name, register=register)
        found, letters = interface.properties[variable], COMPONENTS[: variable.type.width]
        taken, dropped = letters[: SEMANTIC_WIDTHS[found]], letters[SEMANTIC_WIDTHS[found] :]
        if dropped:
            name, lost = variable.name, machine.PICA200_DROPPED_COMPONENTS
            sink.report(lost, variable.span, name=name, taken=taken, property=found, dropped=dropped)


def _properties(outputs: list[Variable], requests: dict[str, str], sink: DiagnosticSink) -> dict[Variable, str]:
    """The property of each output; the first of two with the same one gets it."""
    chosen: dict[Variable, str] = {}
    for variable in outputs:
        given = "position" if variable.role == "position" else requests.get(variable.name)
        is_plain = column_count(variable) == 1 and variable.storage == "varying"
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
    if len(flags) > len(registers):
        help = "pack several bools into a 'bvec4', which is a c register"
        _limit(sink, flags[len(registers)], "b registers for bools", len(flags), len(registers), help)


def _read_variables(module: Module) -> set[Variable]:
    return {
        load.address.variable
        for function in module.functions.values()
        for load in function.instructions()
        if load.op is ops.LOAD
    }
