"""Values that languages have a function for, and the IR an expression: reflections, distances, truncated numbers.

In: an instruction.  Out: the arguments of the function whose value it is, or None.  What they are taken from stands in
the same block, so that it is still there.
"""

from __future__ import annotations

from typing import TypeGuard

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode


def reflection_of(i: Instruction) -> tuple[Value, Value] | None:
    """Return incident vector and normal, where a value is `incident - 2 * dot(normal, incident) * normal`."""
    if i.flags & PRECISE or i.op not in (ops.FSUB, ops.FMAD):
        return None
    if i.op is ops.FSUB:
        incident, product = i.operands
        if not _is(product, ops.FMUL) or product.block is not i.block:
            return None
        (x, y), sign = product.operands, 1.0
    else:
        x, y, incident = i.operands
        sign = -1.0
    for scale, normal in ((x, y), (y, x)):
        # The sign of the incident vector is outside of the dot product.
        along = incident.operands[0] if _is(incident, ops.FNEG) else incident
        twice = sign * (2.0 if along is incident else -2.0)
        if _is_scaled_dot(scale, twice, along, normal):
            return incident, normal
    return None


def distance_of(i: Instruction) -> tuple[Value, Value] | None:
    """Return the points whose distance a value is."""
    if i.flags & PRECISE or i.op is not ops.LENGTH or not _is(difference := i.operands[0], ops.FSUB):
        return None
    if len(difference.users) > 1 or difference.block is not i.block:
        # It is there anyway.
        return None
    first, second = difference.operands
    return first, second


def truncation_of(i: Instruction) -> Value | None:
    """Return the number whose fraction a value lacks: rounded up below zero, and else down."""
    match i.op, i.operands:
        case ops.SELECT, [
            Instruction(op=ops.FLT, operands=[x, Constant(components=zeros)]),
            Instruction(op=ops.FCEIL, operands=[below]),
            Instruction(op=ops.FFLOOR, operands=[above]),
        ] if x is below and x is above and set(zeros) == {0.0}:
            return x
    return None


def _is_scaled_dot(splat: Value, scale: float, first: Value, second: Value) -> bool:
    """Tell whether a vector has the scaled dot product of two others in all components."""
    if not _is(splat, ops.SWIZZLE) or not _is(product := splat.operands[0], ops.FMUL):
        return False
    dot, factor = product.operands
    if isinstance(dot, Constant):
        dot, factor = factor, dot
    is_scale = isinstance(factor, Constant) and factor.components == (scale,)
    return is_scale and _is(dot, ops.DOT) and list(dot.operands) in ([first, second], [second, first])


def _is(value: Value, op: Opcode) -> TypeGuard[Instruction]:
    """Tell whether a value is an instruction of an operation."""
    return isinstance(value, Instruction) and value.op is op
