"""A scaled vector of which some components are shifted, scaled once more, is a multiply-add.

    vec3(v.z + 1, v.xy) * 0.5,  v = n * s  ->  n.zxy * (s * 0.5) + vec3(0.5, 0, 0)

In: legalised IR.  Out: a product of two scales, and that sum, instead of two products of vectors and a sum.  Half of a
normal and an axis, by which quaternions turn, are so.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.component_sources import Source, source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext


class ShiftedProducts(Pass):
    """See the module's text."""

    name = "pica200-shifted-products"
    description = "scales shifted components of a scaled vector by a multiply-add"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        products = [i for i in function.instructions() if i.op is ops.FMUL and not i.flags & PRECISE]
        return sum(_rewrite(product) for product in products) > 0


def _rewrite(product: Instruction) -> bool:
    """Make a product with a literal a multiply-add, where it is of a shifted vector."""
    value, factor = sorted(product.operands, key=lambda operand: isinstance(operand, Constant))
    if not isinstance(factor, Constant):
        return False
    parts = [_shifted(value, lane) for lane in range(value.type.width)]
    vector = parts[0][0][0]
    if not any(shift for _, shift in parts) or any(origin is not vector for (origin, _), _ in parts):
        return False
    scaled = _scale_of(vector)
    if scaled is None or not _leads_to(vector, product):
        return False
    plain, scale = scaled
    builder = Builder.before(product)
    lanes = [lane for (_, lane), _ in parts]
    shifts = [shift * float(number or 0) for (_, shift), number in zip(parts, factor.components, strict=True)]
    both = builder.op(ops.FMUL, builder.splat(builder.extract(*scale), len(lanes)), factor)
    total = builder.op(ops.FMAD, builder.swizzle(plain, lanes), both, Constant(product.type, tuple(shifts)))
    product.replace_all_uses_with(total)
    return True


def _shifted(value: Value, lane: int) -> tuple[Source, float]:
    """Where a component comes from, and what is added to it."""
    origin, part = source(value, lane)
    if isinstance(origin, Instruction) and origin.op is ops.FADD and not origin.flags & PRECISE:
        first, second = origin.operands
        if isinstance(second, Constant):
            return source(first, part), float(second.components[part] or 0)
    return (origin, part), 0.0


def _scale_of(vector: Value) -> tuple[Value, Source] | None:
    """A vector that is scaled, and its scale, which no literal is."""
    if not isinstance(vector, Instruction) or vector.op is not ops.FMUL or vector.flags & PRECISE:
        return None
    for plain, scale in (vector.operands, vector.operands[::-1]):
        scales = {source(scale, lane) for lane in range(scale.type.width)}
        if len(scales) == 1 and scale.type.width > 1 and not isinstance(next(iter(scales))[0], Constant):
            return plain, scales.pop()
    return None


def _leads_to(value: Value, product: Instruction) -> bool:
    """Whether nothing but a product needs a value, by way of shuffles and sums."""
    return isinstance(value, Instruction) and all(
        user is product or (user.op in _ON_THE_WAY and _leads_to(user, product)) for user in value.users
    )


_ON_THE_WAY = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT, ops.FADD})
