"""Outputs have values, all components of them: the hardware waits for those.

* `pica200-position`: a shader that writes no position writes 0.  In: a module after inlining.
* `pica200-defined`: components of vectors that mean nothing are 0.  In: a legalised module.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.fold import define_operands
from glslc_multi.compiler.ir.module import Constant, Function, Module
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import ModulePass, Pass, PassContext


class WritePosition(ModulePass):
    """See the module's text."""

    name = "pica200-position"
    description = "lets shaders write a position that write none"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        if any(variable.role == "position" for variable in module.outputs()):
            return False
        position = module.add_variable(Variable("gl_Position", "output", VEC4, precision="highp", role="position"))
        complete = ops.EMIT_VERTEX if module.stage == "geometry" else ops.RET
        for instruction in [i for i in module.main.instructions() if i.op is complete]:
            Builder.before(instruction).store(position, Constant.splat(VEC4, 0.0))
        context.forget(module.main, self)
        return True


class DefineComponents(Pass):
    """See the module's text."""

    name = "pica200-defined"
    description = "lets undefined components of vectors be 0"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        defined = [define_operands(i) for i in function.instructions() if i.op is ops.CONSTRUCT]
        return any(defined)
