"""What stages and options ask of functions and varyings.

* `vc4-no-varyings`: a coordinate shader is a vertex shader without varyings.
* `vc4-accuracy`: where the 13 digits of the special function unit are enough.  Numbers of mediump need no more in
  powers and logarithms; of highp ones, `--functions=needed` takes the unit's where no pixel shows it (`accuracy/`),
  `precise` nowhere, `fast` in all powers and logarithms, as the open driver does.  Reciprocals, roots, powers and
  logarithms for which the unit is enough are `RELAXED` then, others are not.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Function, Module
from glslc_multi.compiler.ir.prune import remove_written
from glslc_multi.compiler.passes.base import ModulePass, Pass, PassContext
from glslc_multi.compiler.records import dataclass

_EXPONENTIALS = frozenset({ops.FEXP2, ops.FLOG2})
_FUNCTIONS = _EXPONENTIALS | {ops.FRCP, ops.FSQRT, ops.FRSQRT}


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


@dataclass(frozen=True, slots=True)
class ChooseAccuracy(Pass):
    """See the module's text."""

    name = "vc4-accuracy"
    description = "lets functions have the precision of the special function unit where that is enough"
    preserves_control_flow = True

    #: "precise", "needed" or "fast".
    functions: str = "needed"
    #: Whether the colour ends in bytes, and is not blended before.
    shows_bytes: bool = True

    def run(self, function: Function, context: PassContext) -> bool:
        candidates = [i for i in function.instructions() if i.op in _FUNCTIONS]
        if not candidates:
            return False
        enough = {i for i in candidates if i.op in _EXPONENTIALS and i.flags & RELAXED}
        if not context.precise and self.functions != "precise":
            others = [i for i in candidates if i not in enough and not i.flags & PRECISE]
            if self.functions == "fast":
                enough |= {i for i in others if i.op in _EXPONENTIALS}
            elif self.shows_bytes and others:
                from glslc_multi.backends.vc4.codegen.accuracy.unseen import unseen

                enough |= unseen(function, others, context)
        for instruction in candidates:
            instruction.flags = instruction.flags | RELAXED if instruction in enough else instruction.flags & ~RELAXED
            instruction.mark_changed()
        return True
