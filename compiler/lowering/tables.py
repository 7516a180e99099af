"""Tables of constants become uniforms that the code brings its own values for.

In: local arrays that hold nothing but constants and are read at variable indices.  Out: uniforms of the role `machine`,
for machines that add an address register to the number of a constant register.  Choosing between the elements is what
remains for tables where that costs less, or where registers are short (`indexing.py`).

Not handled: arrays of matrices.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import MACHINE, Variable
from glslc_multi.compiler.lowering.indexing import changes_of
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import find_tables, remove_variable
from glslc_multi.compiler.records import dataclass, replace

#: Registers that are left for other numbers.
_LITERALS = 16


@dataclass(frozen=True, slots=True)
class PlaceTables(ModulePass):
    """See the module's text."""

    name = "place-tables"
    description = "turns tables of constants at variable indices into uniforms"
    preserves_control_flow = True

    #: Constant registers of the machine.
    registers: int = 96
    #: What reading an element costs, in comparisons and selects: for the address, and for each component.
    cost: int = 1

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        private = context.accesses(module).private(module.main)
        room = self.registers - _LITERALS - sum(v.length * v.columns for v in module.of_storage("uniform"))
        progress = False
        for variable, table in find_tables(private).items():
            choices, reads = changes_of(table)
            is_indexed = any(access.address.is_dynamic for access in private[variable])
            if variable.columns > 1 or not is_indexed or choices <= self.cost * reads or variable.length > room:
                continue
            room -= variable.length
            # A name that no shader can give.
            name = f"$table.{variable.name}"
            placed = Variable(name, "uniform", variable.type, dims=variable.dims, precision="highp", role=MACHINE)
            module.add_variable(placed)
            placed.contents = {element: constant.components for (element, _), constant in table.items()}
            for access in private[variable]:
                if access.op is ops.LOAD:
                    access.attribute = replace(access.address, variable=placed)
                    access.mark_changed()
                else:
                    access.erase()
            remove_variable(variable, module.main)
            progress = True
        if progress:
            context.forget(module.main, self)
        return progress
