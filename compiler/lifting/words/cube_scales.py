"""Lookups in cube maps by any direction: where a machine wants the largest component to be 1, code divides by it."""

from __future__ import annotations

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.signs import is_at_least_0
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Function, Instruction, Value


def drop_scales(function: Function) -> None:
    """Look cube maps up by directions that are not divided by something that is never below 0."""
    for lookup in list(function.instructions()):
        if lookup.op is not ops.TEXTURE or not lookup.attribute.is_cube or lookup.address.is_dynamic:
            continue
        direction = lookup.operands[0]
        products = [source(direction, component)[0] for component in range(direction.type.width)]
        scaled = [each for each in products if isinstance(each, Instruction) and each.op is ops.FMUL]
        if len(scaled) < len(products) or not all(each.type.is_scalar for each in scaled):
            continue
        for scale in scaled[0].operands:
            rest = [_rest(product, scale) for product in scaled]
            parts = [part for part in rest if part is not None]
            if _is_reciprocal(scale) and len(parts) == len(rest):
                lookup.set_operand(0, Builder.before(lookup).construct(*parts))
                break


def _rest(product: Instruction, factor: Value) -> Value | None:
    """Return the other factor of a product; None where this is none of its factors."""
    for own, other in (product.operands, product.operands[::-1]):
        if source(own, 0) == source(factor, 0):
            return other
    return None


def _is_reciprocal(scale: Value) -> bool:
    """Tell whether a number is 1 divided by what is never below 0."""
    return isinstance(scale, Instruction) and scale.op is ops.FRCP and is_at_least_0(scale.operands[0])
