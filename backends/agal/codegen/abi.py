"""Which register holds what: inputs, outputs, uniforms and samplers.

Uniforms that the code reads get registers of their own in declared order, literals those after them; attributes and
samplers are numbered in declared order too.  Varyings of a linked pair are numbered in the order of the fragment
shader; of stages compiled alone by the alphabet (`varyings.py`).  `layout(location = n)` pins any of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.backends.agal.codegen.rewrites.shared_varyings import NAME as SHARED
from glslc_multi.backends.agal.codegen.varyings import linked_places, named_places
from glslc_multi.backends.agal.isa.registers import (
    ATTRIBUTE,
    COMPONENTS,
    CONSTANT,
    DEPTH,
    INSTANCE,
    OUTPUT,
    SAMPLER,
    VARYING,
)
from glslc_multi.backends.agal.isa.window import WINDOW
from glslc_multi.compiler.codegen.constants import (
    ConstantTable,
    assign_constants,
    place_uniforms,
    report_constant_limit,
)
from glslc_multi.compiler.codegen.interface import all_columns, check_limit, columns_of, first_numbers
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import LinkedInterface

#: What runs out, by register type, and what to do then.
_LIMITS = {
    ATTRIBUTE: ("attribute registers", "put several attributes into one vec4"),
    SAMPLER: ("samplers", "use fewer textures"),
    VARYING: ("varying registers", "put several varyings into one vec4"),
}


class Abi:
    """The registers of a legalised module."""

    def __init__(
        self,
        module: Module,
        files: RegisterFiles,
        declared: Mapping[Variable, Variable],
        linked: LinkedInterface | None,
    ) -> None:
        self.module = module
        self.files = files
        #: Variables as the source declares them, before lowerings change them.
        self.declared = declared
        accesses = (ops.LOAD, ops.TEXTURE)
        used = {i.address.variable for i in module.main.instructions() if i.op in accesses}
        self.uniforms = [v for v in module.of_storage("uniform") if v in used]
        self.instances = [v for v in module.variables.values() if v.role == "instance_id" and v in used]
        self.samplers = [v for v in module.of_storage("sampler") if v in used]
        self.varyings = [v for v in module.of_storage("varying") if v.name != SHARED]
        self.constants: ConstantTable = place_uniforms(self.uniforms, files[CONSTANT])
        self.attributes = all_columns(first_numbers(v for v in module.of_storage("attribute") if v in used))
        self.units = all_columns(first_numbers(self.samplers))
        #: Where each column of a varying is.
        self.places = named_places(self.varyings) if linked is None else linked_places(linked)

    # --- Registers ----------------------------------------------------------------------------------------------------

    def input(self, variable: Variable, element: int, column: int) -> Register:
        """The register of an attribute or, in fragment shaders, of a varying."""
        if variable.storage == "attribute":
            return self.files[ATTRIBUTE][self.attributes[variable, element, column]]
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
        return self.units[variable, element, 0]

    def _varying_register(self, variable: Variable, element: int, column: int) -> int:
        return element if variable.name == SHARED else self.places[variable.name, element, column].register

    @property
    def widths(self) -> dict[int, int]:
        """The components of the streams of attributes, by register."""
        return {register: self.declared[variable].type.width for (variable, _, _), register in self.attributes.items()}

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
        widths = {uniform: self.declared[uniform].type.width for uniform in self.uniforms}
        return {
            index: tuple(range(width, len(COMPONENTS)))
            for uniform, width in widths.items()
            if width < len(COMPONENTS)
            for index in self.constants.registers_of(uniform)
        }

    # --- Limits -------------------------------------------------------------------------------------------------------

    def check_limits(self, sink: DiagnosticSink) -> None:
        """Report files that do not suffice for the interface; constants come with the literals of the code."""
        columns = [column for variable in self.varyings for column in columns_of(variable)]
        places = {column: self.places.get((column[0].name, *column[1:])) for column in columns}
        varyings = {column: place.register for column, place in places.items() if place is not None}
        for type, numbers in ((ATTRIBUTE, self.attributes), (SAMPLER, self.units), (VARYING, varyings)):
            what, help = _LIMITS[type]
            if type == VARYING and any(variable.name == WINDOW for variable in self.varyings):
                help = f"gl_FragCoord comes in one more varying: {help}"
            if numbers:
                check_limit(Limit(f"agal {self.files.version}", what, self.files[type].count, help), numbers, sink)
        sink.raise_if_errors()
