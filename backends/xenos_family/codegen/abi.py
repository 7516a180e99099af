"""Where a shader finds its inputs and leaves its outputs (the conventions are listed in the README).

In: a module.  Out: an `Interface`: for each element and column of its variables a register, an export, a fetch
constant or a sampler.  What does not fit is reported with the variable where the space ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glslc_multi.backends.xenos_family.codegen.conventions import Conventions, VertexFetch
from glslc_multi.backends.xenos_family.codegen.machine_ops import CHANGE
from glslc_multi.backends.xenos_family.codegen.register_files import EXPORT, POINT_SIZE, POSITION, C, R
from glslc_multi.backends.xenos_family.codegen.rewrites.frag_coord import needs_depth
from glslc_multi.backends.xenos_family.codegen.rewrites.pack_varyings import Share, packed_name, registers_of
from glslc_multi.backends.xenos_family.isa.registers import COLOURS, DEPTH_VARYING, PARAMETERS
from glslc_multi.compiler.codegen.constants import (
    ConstantTable,
    assign_constants,
    place_uniforms,
    report_constant_limit,
)
from glslc_multi.compiler.codegen.interface import (
    Column,
    all_columns,
    check_limit,
    column_numbers,
)
from glslc_multi.compiler.codegen.machine import Literal32, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.colours import colours_of, last_colour
from glslc_multi.compiler.options import LinkedInterface
from glslc_multi.compiler.records import dataclass, field

_JOIN = "declare fewer {}, or join small ones in a vector"
#: Built-in inputs that the parameter register brings.
_IN_PARAMETER = ("front_facing", "point_coord")
#: Components of gl_FragCoord that the parameter register brings; the others need a varying.
_DEPTH_COMPONENTS = frozenset((2, 3))


@dataclass(slots=True)
class Interface:
    """Where a shader's variables are."""

    conventions: Conventions
    stage: str
    constants: ConstantTable
    #: Number of each attribute.
    attributes: dict[Column, int] = field(default_factory=dict)
    #: Where the data of each attribute are.
    fetches: dict[Column, VertexFetch] = field(default_factory=dict)
    #: Number of each varying: its register in the fragment stage, its export in the vertex stage.
    varyings: dict[Column, int] = field(default_factory=dict)
    #: Varyings of the source that share some of these.
    packed: Mapping[Variable, Share] = field(default_factory=dict)
    #: How often loops run that the machine counts -> the loop constant that says so.
    loops: dict[int, int] = field(default_factory=dict)
    #: How many loop constants the stage may have.
    loop_limit: int = 0
    #: First unit of each sampler.
    samplers: dict[Variable, int] = field(default_factory=dict)
    #: Fragment: the register with depth and w of the position, and that with x and y, facing and point coordinate.
    depth: Register | None = None
    parameter: Register | None = None

    @property
    def constant_limit(self) -> int:
        return self.conventions.constant_limits[self.stage]

    @property
    def sampler_bound(self) -> int:
        """One more than the highest unit of a sampler."""
        return max((unit + sampler.length for sampler, unit in self.samplers.items()), default=0)

    @property
    def input_registers(self) -> list[int]:
        """Registers that the chip fills."""
        if self.stage == "vertex":
            return [0]
        built_in = [register.index for register in (self.depth, self.parameter) if register is not None]
        return [*built_in, *self.varyings.values()]

    def output(self, variable: Variable, element: int, column: int) -> Register | None:
        """The export of an output; None for a varying that nobody reads."""
        if variable.role == "position":
            return POSITION
        if variable.role == "point_size":
            return POINT_SIZE
        if variable.role == "frag_depth":
            assert self.conventions.depth_export is not None
            return EXPORT[self.conventions.depth_export]
        if variable.storage == "varying":
            number = self.varyings.get((variable, element, column))
            return None if number is None else EXPORT[number]
        return EXPORT[(variable.location or 0) + element]


def make_interface(
    conventions: Conventions,
    module: Module,
    linked: LinkedInterface | None,
    packed: Mapping[Variable, Share],
    sink: DiagnosticSink,
) -> Interface:
    """Registers, exports and constants for all variables of `module`."""
    interface = Interface(conventions, module.stage, place_uniforms(module.of_storage("uniform"), C))
    interface.attributes = column_numbers(module.of_storage("attribute"))
    attributes = Limit(conventions.target, "attributes", conventions.attribute_limit, _JOIN.format("attributes"))
    check_limit(attributes, interface.attributes, sink)
    interface.varyings = _number_varyings(conventions, module, linked, sink)
    interface.packed = packed
    interface.samplers = _sampler_units(module.of_storage("sampler"), () if linked is None else linked.samplers)
    samplers = Limit(conventions.target, "samplers", conventions.sampler_limit, "use fewer samplers")
    check_limit(samplers, all_columns(interface.samplers), sink)
    sink.raise_if_errors()
    if module.stage == "fragment":
        _assign_inputs(interface, module)
    for variable in module.of_storage("output"):
        if variable.role == "frag_depth" and conventions.depth_export is None:
            help_ = "leave gl_FragDepthEXT alone: the depth is that of the primitive"
            construct = "a depth of the shader's own"
            sink.report(NOT_EXPRESSIBLE, variable.span, help=help_, target=conventions.target, construct=construct)
            sink.raise_if_errors()
    for variable in colours_of(module):
        if last_colour(module, variable) >= COLOURS:
            help_, construct = f"the chip has {COLOURS}, numbered from 0", "so many colours"
            sink.report(NOT_EXPRESSIBLE, variable.span, help=help_, target=conventions.target, construct=construct)
    sink.raise_if_errors()
    return interface


def assign_literals(function: MachineFunction, interface: Interface, sink: DiagnosticSink) -> Use:
    """Constants for literals; returns a use of the constant 0, which loops begin with where there are loops."""
    zero = Use(Literal32((0.0,)))
    reader = MachineInstruction(CHANGE, [], [zero])
    needs_zero = len(function.blocks) > 1
    if needs_zero:
        function.entry.instructions.insert(0, reader)
    assign_constants(function, interface.constants, negate=True)
    if needs_zero:
        function.entry.instructions.remove(reader)
    report_constant_limit(interface.constants, interface.constant_limit, interface.conventions.target, sink, function)
    sink.raise_if_errors()
    return zero


def _number_varyings(
    conventions: Conventions, module: Module, linked: LinkedInterface | None, sink: DiagnosticSink
) -> dict[Column, int]:
    """The varyings of a linked pair are those that the fragment stage reads, in its order, small ones together."""
    limit = Limit(conventions.target, "varyings", PARAMETERS, _JOIN.format("varyings"))
    variables = module.of_storage("varying")
    if linked is None:
        numbers = column_numbers(variables)
        check_limit(limit, numbers, sink)
        return numbers
    registers = registers_of(linked)
    by_name = {variable.name: variable for variable in variables}
    numbers = {}
    for number, register in enumerate(registers):
        name, element, column = next(iter(register)) if len(register) == 1 else (packed_name(number), 0, 0)
        if name in by_name:
            numbers[by_name[name], element, column] = number
    check_limit(limit, numbers, sink, others=int(needs_depth(linked)))
    return numbers | {(v, 0, 0): len(registers) for v in variables if v.name == DEPTH_VARYING}


def _sampler_units(samplers: Iterable[Variable], of_fragment: Iterable[tuple[str, int]]) -> dict[Variable, int]:
    """Both stages read the same fetch constants: those of a linked pair follow the fragment stage's."""
    units: dict[tuple[str, int], int] = {}
    unit = 0
    for name, length in dict.fromkeys([*of_fragment, *((sampler.name, sampler.length) for sampler in samplers)]):
        units[name, length] = unit
        unit += length
    return {sampler: units[sampler.name, sampler.length] for sampler in samplers}


def _assign_inputs(interface: Interface, module: Module) -> None:
    """The registers of built-in inputs follow those of the varyings."""
    following = max(interface.varyings.values(), default=-1) + 1
    coordinate = next((v for v in module.variables.values() if v.role == "frag_coord"), None)
    read = components_read(module, coordinate)
    if read & _DEPTH_COMPONENTS:
        interface.depth = R[following]
        following += 1
    others = [v for v in module.variables.values() if v.role in _IN_PARAMETER]
    if read - _DEPTH_COMPONENTS or others:
        interface.parameter = R[following]


def components_read(module: Module, variable: Variable | None) -> set[int]:
    """The components that something reads of loads of a variable."""
    loads = [i for i in module.main.instructions() if i.op is ops.LOAD and i.address.variable is variable]
    read: set[int] = set()
    for load in loads:
        for user in load.users:
            read |= set(user.attribute if user.op is ops.SWIZZLE else range(4))
    return read
