"""Scales leave dot products, and roots that are multiplied become one.

    dot(x * s, y)           ->  dot(x, y) * s              a product of vectors becomes one of scalars
    d * rsqrt(p) * rsqrt(q) ->  d * rsqrt(p * q)           with merge-roots

In: a function in which `normalize` has become a product with a reciprocal root; what is shared with other users
stays.  Out: the same, so that dot(normalize(a), normalize(b)) takes three dot products, a root and two more products.
Both round otherwise; the second asks that p * q is no more out of range than p and q are, so it suits formats with
the exponents of float32.  Neither touches what must be exact.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class FactorScales(Pass):
    """See the module's text."""

    name = "factor-scales"
    description = "moves scales out of dot products and merges reciprocal roots"
    preserves_control_flow = True

    merge_roots: bool = False

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        dots = [i for i in function.instructions() if i.op is ops.DOT and not i.flags & PRECISE]
        progress = False
        for dot in dots:
            while _factor(dot):
                progress = True
        if self.merge_roots:
            progress |= _merge_roots(function)
        return progress


def _factor(dot: Instruction) -> bool:
    """Move one scale out of a factor of the dot product."""
    for index, factor in enumerate(dot.operands):
        parts = _scaled(factor)
        if parts is None or not _is_only_for(factor, dot):
            continue
        vector, scale = parts
        dot.set_operand(index, vector)
        assert dot.block is not None
        builder = Builder(dot.block, dot.next)
        builder.span, builder.flags = dot.span, dot.flags
        product = builder.op(ops.FMUL, scale, scale)
        dot.replace_all_uses_with(product)
        product.set_operand(0, dot)
        _erase_unused(factor)
        return True
    return False


def _scaled(value: Value) -> tuple[Value, Value] | None:
    """The vector and the scalar of a product of the two."""
    if not isinstance(value, Instruction) or value.op is not ops.FMUL or value.flags & PRECISE:
        return None
    for vector, splat in (value.operands, value.operands[::-1]):
        if isinstance(splat, Instruction) and splat.op is ops.SWIZZLE and splat.operands[0].type.is_scalar:
            return vector, splat.operands[0]
    return None


def _is_only_for(value: Value, user: Instruction) -> bool:
    """Whether nothing else uses the value, and the user only once."""
    return isinstance(value, Instruction) and value.users == {user: 1}


def _merge_roots(function: Function) -> bool:
    progress = False
    for product in list(function.instructions()):
        if product.op is ops.FMUL and product.type.is_scalar and not product.flags & PRECISE:
            progress |= _merge_into(product)
    return progress


def _merge_into(product: Instruction) -> bool:
    """Make a product that has two reciprocal roots, one of them perhaps in a product inside, one of one root."""
    for inner, outer_root in (product.operands, product.operands[::-1]):
        if not _is_lone_root(outer_root, product):
            continue
        if _is_lone_root(inner, product):
            product.replace_all_uses_with(_root_of_product(inner, outer_root, product))
            _erase_unused(product)
            return True
        if _merge_inside(inner, outer_root, product):
            return True
    return False


def _merge_inside(inner: Value, outer_root: Value, product: Instruction) -> bool:
    """(d * rsqrt(p)) * rsqrt(q)."""
    if not isinstance(inner, Instruction) or inner.op is not ops.FMUL or not _is_only_for(inner, product):
        return False
    for other, inner_root in (inner.operands, inner.operands[::-1]):
        if inner.flags & PRECISE or not _is_lone_root(inner_root, inner):
            continue
        root = _root_of_product(inner_root, outer_root, product)
        product.set_operand(0, other)
        product.set_operand(1, root)
        for doomed in (inner, outer_root):
            _erase_unused(doomed)
        return True
    return False


def _is_lone_root(value: Value, user: Instruction) -> bool:
    return (
        isinstance(value, Instruction)
        and value.op is ops.FRSQRT
        and not value.flags & PRECISE
        and _is_only_for(value, user)
    )


def _root_of_product(one: Value, other: Value, before: Instruction) -> Instruction:
    assert isinstance(one, Instruction) and isinstance(other, Instruction)
    builder = Builder.before(before)
    return builder.op(ops.FRSQRT, builder.op(ops.FMUL, one.operands[0], other.operands[0]))


def _erase_unused(value: Value) -> None:
    """Erase an instruction without users, and what only it used."""
    pending = [value]
    while pending:
        doomed = pending.pop()
        if isinstance(doomed, Instruction) and doomed.block is not None and not doomed.users:
            pending.extend(doomed.operands)
            doomed.erase()
