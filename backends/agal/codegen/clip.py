"""Clip space: OpenGL's depth from -w to w becomes Stage3D's from 0 to w (reference section 3.5)."""

from __future__ import annotations

from compiler.ir import ops
from compiler.ir.builder import Builder, float_constant
from compiler.ir.module import Module


def convert_depth(module: Module) -> None:
    """Store (z + w) / 2 as depth of the position."""
    for store in list(module.main.instructions()):
        if store.op is not ops.STORE or store.address.variable.role != "position":
            continue
        builder = Builder.before(store)
        position = store.operands[-1]
        sum = builder.op(ops.FADD, builder.extract(position, 2), builder.extract(position, 3))
        depth = builder.op(ops.FMUL, sum, float_constant(0.5))
        store.set_operand(len(store.operands) - 1, builder.insert(position, depth, 2))
