"""Which register holds what: inputs, outputs, uniforms and samplers.

Uniforms that the code reads get registers of their own in declared order, literals those after them; attributes and
samplers are numbered in declared order too.  Varyings of a linked pair are numbered in the order of the fragment
shader; of stages compiled alone by the alphabet (`varyings.py`).  `layout(location = n)` pins any of them.
"""

from __future__ import annotations

from backends.agal.codegen.register_files import RegisterFiles
from backends.agal.codegen.rewrites.shared_varyings import NAME as SHARED
from backends.agal.codegen.varyings import first_registers, linked_places, named_places
from backends.agal.isa.registers import ATTRIBUTE, COMPONENTS, CONSTANT, DEPTH, INSTANCE, OUTPUT, SAMPLER, VARYING
from backends.agal.isa.window import WINDOW
from compiler.codegen.constant_limit import report_constant_limit
from compiler.codegen.constants import ConstantTable, assign_constants, place_uniforms
from compiler.codegen.machine import MachineFunction
from compiler.codegen.registers import Register
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir import ops
from compiler.ir.module import Module
from compiler.ir.variables import SourceKind, Variable
from compiler.options import LinkedInterface
from compiler.records import dataclass

#: What runs out, by register type.
_WHAT = {
    ATTRIBUTE: "attribute registers",
    VARYING: "varying registers",
    SAMPLER: "samplers",
}
_HELP = {
    ATTRIBUTE: "put several attributes into one vec4",
    VARYING: "put several varyings into one vec4",
    SAMPLER: "use fewer textures",
}
_WINDOW_HELP = "gl_FragCoord comes in one more varying: put several varyings into one vec4"


@dataclass(frozen=True, slots=True)
class Shape:
    """A variable as the source declares it, before lowerings change it."""

    type: str
    length: int | None
    elements: int
    columns: int
    width: int
    kind: SourceKind

    @classmethod
    def of(cls, variable: Variable) -> Shape:
        length = variable.length if variable.is_array else None
        return cls(
            variable.outer_type,
            length,
            variable.length,
            variable.columns,
            variable.type.width,
            variable.outer_kind,
        )


def shapes_of(module: Module) -> dict[Variable, Shape]:
    return {variable: Shape.of(variable) for variable in module.interface()}


class Abi:
    """The registers of a legalised module."""

    def __init__(
        self,
        module: Module,
        files: RegisterFiles,
        shapes: dict[Variable, Shape],
        row_major: frozenset[Variable],
        linked: LinkedInterface | None,
    ) -> None:
        self.module = module
        self.files = files
        self.shapes = shapes
        self.row_major = row_major
        accesses = (ops.LOAD, ops.TEXTURE)
        used = {i.address.variable for i in module.main.instructions() if i.op in accesses}
        self.uniforms = [v for v in module.variables.values() if v.storage == "uniform" and v in used]
        self.attributes = [v for v in module.variables.values() if v.storage == "attribute" and v in used]
        self.instances = [v for v in module.variables.values() if v.role == "instance_id" and v in used]
        self.samplers = [v for v in module.variables.values() if v.storage == "sampler" and v in used]
        self.varyings = [v for v in module.variables.values() if v.storage == "varying" and v.name != SHARED]
        self.constants: ConstantTable = place_uniforms(self.uniforms, files[CONSTANT])
        #: First register of an attribute or a sampler.
        self.first = first_registers(self.attributes) | first_registers(self.samplers)
        #: Where each column of a varying is.
        self.places = named_places(self.varyings) if linked is None else linked_places(linked)

    # --- Registers ----------------------------------------------------------------------------------------------------

    def input(self, variable: Variable, element: int, column: int) -> Register:
        """The register of an attribute or, in fragment shaders, of a varying."""
        if variable.storage == "attribute":
            index = self.first[variable] + element * variable.columns + column
            return self.files[ATTRIBUTE][index]
        return self.files[VARYING][self._varying_register(variable, element, column)]

    def output(self, variable: Variable, element: int, column: int) -> Register | None:
        """The register that a stage writes; None where nobody reads it."""
        if variable.storage == "varying":
            is_read = variable.name == SHARED or (variable.name, element, column) in self.places
            return self.files[VARYING][self._varying_register(variable, element, column)] if is_read else None
        if variable.role == "point_size":
            return None
        if variable.role == "frag_depth":
            return self.files[DEPTH][element]
        return self.files[OUTPUT][(variable.location or 0) + element]

    def sampler(self, variable: Variable, element: int) -> int:
        return self.first[variable] + element

    def _varying_register(self, variable: Variable, element: int, column: int) -> int:
        return element if variable.name == SHARED else self.places[variable.name, element, column].register

    @property
    def widths(self) -> dict[int, int]:
        """The components of the streams of attributes, by register."""
        return {
            self.first[variable] + index: self.shapes[variable].width
            for variable in self.attributes
            for index in range(variable.length * variable.columns)
        }

    @property
    def instance(self) -> Register:
        """The register of the instance's number."""
        return self.files[INSTANCE][0]

    # --- Constants ----------------------------------------------------------------------------------------------------

    def assign_constants(self, function: MachineFunction, *, pack_literals: bool, sink: DiagnosticSink) -> None:
        """Give the uniforms and literals of machine code their registers; too many are reported and raised."""
        self.constants = place_uniforms(self.uniforms, self.files[CONSTANT])
        assign_constants(function, self.constants, shared=self._free_components() if pack_literals else None)
        limit, target = self.files[CONSTANT].count, f"agal {self.files.version}"
        report_constant_limit(self.constants, limit, target, sink, function)
        sink.raise_if_errors()

    def _free_components(self) -> dict[int, tuple[int, ...]]:
        """Components of uniforms' registers that hold nothing."""
        narrow = [uniform for uniform in self.uniforms if self.shapes[uniform].width < len(COMPONENTS)]
        return {
            index: tuple(range(self.shapes[uniform].width, len(COMPONENTS)))
            for uniform in narrow
            for index in self.constants.registers_of(uniform)
        }

    # --- Limits -------------------------------------------------------------------------------------------------------

    def check_limits(self, sink: DiagnosticSink) -> None:
        """Report files that do not suffice for the interface; constants come with the literals of the code."""
        needs: dict[int, list[tuple[Variable, int]]] = {
            ATTRIBUTE: [(v, self.first[v] + v.length * v.columns) for v in self.attributes],
            SAMPLER: [(v, self.first[v] + v.length) for v in self.samplers],
            VARYING: [(v, self._end_of(v)) for v in self.varyings],
        }
        for type, ends in needs.items():
            file = self.files.by_type.get(type)
            limit = file.count if file is not None else 0
            first = next((variable for variable, end in ends if end > limit), None)
            if first is not None:
                self._report_limit(type, max(end for _, end in ends), first, sink)
        sink.raise_if_errors()

    def _end_of(self, varying: Variable) -> int:
        own = (place.register for (name, _, _), place in self.places.items() if name == varying.name)
        return 1 + max(own, default=-1)

    def _report_limit(self, type: int, need: int, variable: Variable, sink: DiagnosticSink) -> None:
        sink.report(
            RESOURCE_EXCEEDED,
            variable.span,
            help=_WINDOW_HELP if variable.name == WINDOW else _HELP[type],
            target=f"agal {self.files.version}",
            need=need,
            what=_WHAT[type],
            limit=self.files[type].count,
        )
