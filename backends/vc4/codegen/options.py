"""A coordinate shader is a vertex shader without varyings."""

from __future__ import annotations

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.prune import remove_written
from glslc_multi.compiler.passes.base import ModulePass, PassContext


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
