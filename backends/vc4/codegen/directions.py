"""Directions to cube maps, whose longest component the texture unit requires to be 1."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Function
from glslc_multi.compiler.passes.base import Pass, PassContext


class NormaliseDirections(Pass):
    """Divides the directions of lookups by their longest components."""

    name = "vc4-directions"
    description = "divides directions to cube maps by their longest components"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        lookups = [i for i in function.instructions() if i.op is ops.TEXTURE and i.attribute.is_cube]
        for lookup in lookups:
            number = lookup.address.index_count
            direction, builder = lookup.operands[number], Builder.before(lookup)
            sizes = [builder.op(ops.FABS, builder.extract(direction, axis)) for axis in range(3)]
            longest = builder.op(ops.FMAX, builder.op(ops.FMAX, sizes[0], sizes[1]), sizes[2])
            scale = builder.splat(builder.op(ops.FRCP, longest), 3)
            lookup.set_operand(number, builder.op(ops.FMUL, direction, scale))
        return bool(lookups)
