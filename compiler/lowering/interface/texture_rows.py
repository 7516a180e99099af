"""1D textures on machines that have none of them: 2D textures one texel high.

In: lookups of level and place that the machine has, in any number of dimensions.  Out: coordinates with 0.5 as the
second component, and gradients with 0.  Whatever filter and wrap of that component, it is the middle of the one row.
"""

from __future__ import annotations

from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.types import SAMPLER_2D
from glslc_multi.compiler.ir.variables import TextureAccess


def look_up_rows(module: Module) -> list[str]:
    """Change the module in place; the names of the samplers whose textures are rows."""
    rows = [variable for variable in module.variables.values() if variable.type.kind == "sampler1D"]
    if not rows:
        return []
    for function in module.functions.values():
        for lookup in list(function.instructions()):
            if isinstance(lookup.attribute, TextureAccess) and lookup.attribute.address.variable in rows:
                _look_up_row(lookup)
    for variable in rows:
        variable.source_kind, variable.type = variable.outer_kind, SAMPLER_2D
    return [variable.name for variable in rows]


def _look_up_row(lookup: Instruction) -> None:
    access: TextureAccess = lookup.attribute
    first, builder = access.address.index_count, Builder.before(lookup)
    seconds = {first: 0.5} | ({first + 1: 0.0, first + 2: 0.0} if access.mode == "grad" else {})
    for place, second in seconds.items():
        lookup.set_operand(place, builder.construct(lookup.operands[place], float_constant(second)))
    lookup.mark_changed()
