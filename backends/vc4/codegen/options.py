"""What stages and options leave out.

* `vc4-no-varyings`: a coordinate shader is a vertex shader without varyings.
* `vc4-fast-functions`: the special function unit alone computes powers and logarithms, whatever their precision.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Function, Module
from glslc_multi.compiler.ir.prune import remove_written
from glslc_multi.compiler.passes.base import ModulePass, Pass, PassContext


class DropVaryings(ModulePass):
    """See the module's text."""

    name = "vc4-no-varyings"
    description = "removes varyings and what only they need"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        varyings = [variable for variable in module.variables.values() if variable.storage == "varying"]
        remove_written(module, varyings)
        context.forget_all(module, self)
        return bool(varyings)


class RelaxFunctions(Pass):
    """See the module's text."""

    name = "vc4-fast-functions"
    description = "lets powers and logarithms have the precision of the special function unit"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        functions = [i for i in function.instructions() if i.op in (ops.FEXP2, ops.FLOG2)]
        relaxed = [i for i in functions if not i.flags & (PRECISE | RELAXED)]
        for instruction in relaxed:
            instruction.flags |= RELAXED
            instruction.mark_changed()
        return bool(relaxed)
