"""Comparisons of one number with several constants, as chains of thresholds make them: one of vectors.

In: masks (`btof` of a comparison of scalars).  Out: `btof` of a comparison of vectors, whose components the masks
are.  Few shaders have such chains, but it takes a fifth of those that do (as `selects.py` has steps for them).
"""

from __future__ import annotations

from itertools import islice

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext

_COMPARISONS = frozenset({ops.FLT, ops.FLE, ops.FEQ, ops.FNE})
_WIDEST = 4


class JoinComparisons(Pass):
    """Joins the masks of each block that compare the same number the same way."""

    name = "agal-joined-comparisons"
    description = "joins comparisons of one number with several constants"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in function.blocks:
            for masks in _groups(block):
                waiting = iter(masks)
                while len(joined := list(islice(waiting, _WIDEST))) > 1:
                    _join(joined)
                    progress = True
        return progress


def _groups(block: Block) -> list[list[Instruction]]:
    groups: dict[tuple[object, ...], list[Instruction]] = {}
    for instruction in block:
        comparison = instruction.operands[0] if instruction.op is ops.BTOF else None
        if (
            not isinstance(comparison, Instruction)
            or comparison.op not in _COMPARISONS
            or comparison.block is not block
        ):
            continue
        x, y = comparison.operands
        if comparison.type.is_scalar and isinstance(x, Constant) != isinstance(y, Constant):
            groups.setdefault((comparison.op, *(None if isinstance(o, Constant) else o for o in (x, y))), []).append(
                instruction
            )
    return list(groups.values())


def _join(masks: list[Instruction]) -> None:
    first = masks[0].operands[0]
    assert isinstance(first, Instruction)
    builder = Builder.before(first)
    pairs = zip(*(_comparison(mask).operands for mask in masks), strict=True)
    wide = builder.op(first.op, *(_side(builder, side) for side in pairs))
    numbers = builder.op(ops.BTOF, wide)
    for component, mask in enumerate(masks):
        mask.replace_all_uses_with(builder.extract(numbers, component))
        mask.erase()


def _comparison(mask: Instruction) -> Instruction:
    comparison = mask.operands[0]
    assert isinstance(comparison, Instruction)
    return comparison


def _side(builder: Builder, values: tuple[Value, ...]) -> Value:
    """The constants of a side together, or its number in all components."""
    first = values[0]
    if not isinstance(first, Constant):
        return builder.splat(first, len(values))
    numbers = tuple(value.components[0] for value in values if isinstance(value, Constant))
    return Constant(first.type.with_width(len(values)), numbers)
