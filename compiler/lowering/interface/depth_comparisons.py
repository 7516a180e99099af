"""Lookups of shadow samplers on machines that compare no depths: the code looks a texel up and compares.

In: lookups with a depth to compare with.  Out: lookups of plain samplers, and the verdict on their red, by the
comparison that textures have unless the host sets another.  Where verdicts would be filtered there is one alone: the
texture's filter must be the nearest.

A depth above 1 counts as 1, as with textures of fixed-point depths (GL ES 3.0 section 3.8.16.1).  One below 0 counts as
0, which is the same to this comparison: no texel is less.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import SAMPLERS
from glslc_multi.compiler.ir.variables import TextureAccess

#: A name of `glslc_multi.compiler.arithmetic.sampling.COMPARES`.
COMPARISON = "lequal"


def compare_depths(module: Module) -> list[str]:
    """Change the module in place; the names of the samplers whose texels are compared."""
    lookups = [
        instruction
        for function in module.functions.values()
        for instruction in function.instructions()
        if instruction.op is ops.TEXTURE and instruction.attribute.kind.is_shadow
    ]
    samplers = dict.fromkeys(lookup.address.variable for lookup in lookups)
    for variable in samplers:
        variable.source_kind = variable.type.kind
        variable.type = SAMPLERS[variable.type.kind.removesuffix("Shadow")]
    for lookup in lookups:
        access: TextureAccess = lookup.attribute
        place, builder = access.address.index_count + 1, Builder.before(lookup)
        depth = lookup.operands[place]
        operands = [*lookup.operands[:place], *lookup.operands[place + 1 :]]
        texel = builder.extract(builder.op(ops.TEXTURE, *operands, attribute=access), 0)
        verdict = builder.op(ops.BTOF, builder.op(ops.FLE, builder.op(ops.FMIN, depth, float_constant(1.0)), texel))
        lookup.replace_all_uses_with(builder.construct(verdict, float_constant(0.0, 0.0, 1.0)))
        lookup.erase()
    return [variable.name for variable in samplers]
