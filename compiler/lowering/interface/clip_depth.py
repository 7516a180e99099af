"""Clip space whose z goes from 0 to w, as Direct3D has it.

In: a vertex module.  Out: it stores (z + w) / 2 as z of the position, so that OpenGL's -w to w becomes 0 to w.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Module
from glslc_multi.compiler.ir.types import FLOAT

_Z, _W = 2, 3


def bring_depth_above_zero(module: Module) -> None:
    """Change the module in place; whether it stores a position."""
    stores = [store for store in module.main.instructions() if store.op is ops.STORE]
    positions = [store for store in stores if store.address.variable.role == "position"]
    for store in positions:
        builder, position = Builder.before(store), store.operands[-1]
        total = builder.op(ops.FADD, builder.extract(position, _Z), builder.extract(position, _W))
        depth = builder.op(ops.FMUL, total, Constant.splat(FLOAT, 0.5))
        store.set_operand(len(store.operands) - 1, builder.insert(position, depth, _Z))
