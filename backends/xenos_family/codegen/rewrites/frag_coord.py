"""z and w of gl_FragCoord, which the chip does not give to fragment programs: the vertex stage passes them.

In: the vertex module of a linked pair whose fragment stage reads them.  Out: one more varying, after the others:
the window's z in x and w of the position in y.
"""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa.registers import DEPTH_VARYING, VIEWPORT_OFFSET, VIEWPORT_SCALE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT, VEC2, VEC3
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.window import accesses
from glslc_multi.compiler.options import LinkedInterface
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass

#: Constants of the viewport.
_OFFSET, _SCALE = (VIEWPORT_OFFSET, 65), (VIEWPORT_SCALE, 66)
_Z, _W = 2, 3


def needs_depth(linked: LinkedInterface | None) -> bool:
    """Whether the fragment stage reads z or w of gl_FragCoord."""
    return linked is not None and not {_Z, _W}.isdisjoint(linked.frag_coord)


@dataclass(frozen=True, slots=True)
class PassDepth(ModulePass):
    """See the module's text."""

    name = "xenos-family-depth"
    description = "passes depth and w of the window in a varying"
    preserves_control_flow = True

    #: Whether the driver uploads the viewport.
    has_viewport: bool = False

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        store = next(accesses(module, ops.STORE, "position"), None)
        if store is None:
            return False
        _store_depth(module, store, has_viewport=self.has_viewport)
        context.forget(module.main, self)
        return True


def _store_depth(module: Module, store: Instruction, *, has_viewport: bool) -> None:
    depth = module.add_variable(Variable(DEPTH_VARYING, "varying", VEC2, precision="highp"))
    builder, position = Builder.before(store), store.operands[-1]
    z, w = builder.extract(position, _Z), builder.extract(position, _W)
    reciprocal = builder.op(ops.FRCP, builder.op(ops.FMAX, w, Constant.splat(FLOAT, 0.0)))
    window: Value = builder.op(ops.FMUL, z, reciprocal)
    if has_viewport:
        # z of the window, from the viewport that the driver uploads to two constants.
        offset, scale = (
            module.add_variable(Variable(name, "uniform", VEC3, precision="highp", location=location))
            for name, location in (_OFFSET, _SCALE)
        )
        factor, term = (builder.extract(builder.load(variable), _Z) for variable in (scale, offset))
        window = builder.op(ops.FMAD, window, factor, term)
    builder.store(depth, builder.op(ops.CONSTRUCT, window, w))
