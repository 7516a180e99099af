"""Vectors of what an instruction computes for the components of a register, one by one.

A machine's meaning is written by components.  Where these are one operation each, over operands that can be joined in
turn, the instruction is that operation on vectors; a sum of products is a dot product.  Nothing but what the same
instruction has computed is joined, so that this costs no more than to look at it once.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value

_COMPONENTS = 4
_ONE = float_constant(1.0)
#: Fewer products than this are a dot product only where it is the one thing that an instruction computes.
_PRODUCTS = 3


def join(lanes: Sequence[Value], builder: Builder, since: int) -> Value:
    """Return the vector of components that an instruction has computed: by what has numbers from `since` on."""
    first = lanes[0]
    if all(lane is first for lane in lanes):
        return builder.splat(_single(first, builder, since), len(lanes))
    if all(isinstance(lane, Constant) for lane in lanes):
        numbers = [lane.components[0] for lane in lanes if isinstance(lane, Constant)]
        return Constant(first.type.with_width(len(lanes)), tuple(numbers))
    dots = [_dot(lane, _PRODUCTS, builder, since) for lane in lanes]
    if any(dots):
        return builder.construct(*(dot or lane for dot, lane in zip(dots, lanes, strict=True)))
    here = [lane for lane in lanes if isinstance(lane, Instruction) and lane.id >= since]
    if len(here) == len(lanes) and len({lane.op for lane in here}) == 1:
        op = here[0].op
        if op.component is not None and op.attribute == "none":
            operands = zip(*(lane.operands for lane in here), strict=True)
            return builder.op(op, *(join(operand, builder, since) for operand in operands))
    if 1 < len(groups := _groups(lanes, since)) < len(lanes):
        computed: dict[int, Value] = {}
        for group in groups:
            vector = join([lanes[number] for number in group], builder, since)
            computed |= {number: builder.extract(vector, offset) for offset, number in enumerate(group)}
        return builder.construct(*(computed[number] for number in range(len(lanes))))
    parts = [lane for lane in lanes if isinstance(lane, Instruction) and lane.op is ops.SWIZZLE]
    if len(parts) == len(lanes) and len({part.operands[0] for part in parts}) == 1:
        return builder.swizzle(parts[0].operands[0], [part.attribute[0] for part in parts])
    return builder.construct(*lanes)


def join_sums(function: Function) -> None:
    """Let sums of three products or more be dot products, whatever instruction they come from."""
    for instruction in list(function.instructions()):
        is_part = any(user.op is ops.FADD for user in instruction.users)
        if instruction.op is ops.FADD and instruction.type.is_scalar and not is_part:
            dot = _dot(instruction, _PRODUCTS, Builder.before(instruction), 0)
            if dot is not None:
                instruction.replace_all_uses_with(dot)


def _single(value: Value, builder: Builder, since: int) -> Value:
    """Return a number in which sums of products are dot products."""
    dot = _dot(value, 2, builder, since)
    if dot is not None or not isinstance(value, Instruction) or value.id < since or value.op.attribute != "none":
        return dot or value
    operands = [_single(operand, builder, since) for operand in value.operands]
    return value if operands == list(value.operands) else builder.op(value.op, *operands)


def _groups(lanes: Sequence[Value], since: int) -> list[list[int]]:
    """Return the numbers of components by the operation that computes them; what is only moved stands together."""
    groups: dict[object, list[int]] = {}
    for number, lane in enumerate(lanes):
        op = lane.op if isinstance(lane, Instruction) and lane.id >= since else None
        groups.setdefault(op, []).append(number)
    return list(groups.values())


def _dot(value: Value, least: int, builder: Builder, since: int) -> Value | None:
    """Return the dot product that a sum of at least so many products is; None where it is none."""
    products = _products(value, since)
    addends = sum(second is _ONE for _, second in products)
    if not least + addends <= len(products) <= _COMPONENTS or (addends and len(products) < _COMPONENTS):
        return None
    factors = [pair[::-1] if pair[1] is _ONE and _is_beside(pair[0], products[0][1]) else pair for pair in products]
    left, right = zip(*factors, strict=True)
    return builder.op(ops.DOT, join(left, builder, since), join(right, builder, since))


def _is_beside(value: Value, other: Value) -> bool:
    """Tell whether two components are of one vector."""
    return source(value, 0)[0] is source(other, 0)[0]


def _products(value: Value, since: int) -> list[tuple[Value, Value]]:
    """List the factors of the products of a sum; what else is added is multiplied with 1."""
    if isinstance(value, Constant) and value.components == (0.0,):
        return []
    if isinstance(value, Instruction) and value.id >= since and value.op in (ops.FADD, ops.FMUL):
        first, second = value.operands
        if value.op is ops.FMUL:
            return [(first, second)]
        return _products(first, since) + _products(second, since)
    return [(value, _ONE)]
