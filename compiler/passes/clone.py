"""Copies of blocks: for inlining (into another function) and for unrolling (beside the original)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from compiler.diagnostics.span import Span
from compiler.ir import ops
from compiler.ir.module import Block, Function, Instruction, Value

#: The span of a copy, from that of the original.
SpanRule = Callable[[Span | None], Span | None]


def keep_span(span: Span | None) -> Span | None:
    """A copy stands where the original does."""
    return span


@dataclass(slots=True)
class Copies:
    """What became of blocks and values; what was not copied stands for itself."""

    blocks: dict[Block, Block] = field(default_factory=dict)
    values: dict[Value, Value] = field(default_factory=dict)

    def block(self, original: Block) -> Block:
        return self.blocks.get(original, original)

    def value(self, original: Value) -> Value:
        return self.values.get(original, original)


def clone_blocks(
    blocks: Sequence[Block], target: Function, span_rule: SpanRule = keep_span, prefix: str = ""
) -> Copies:
    """Append copies of `blocks` to `target`, with `prefix` in front of their names.

    Operands and branches that lead to copied values and blocks lead to the copies; all others, among
    them the phi operands that come from outside, stay as they are.
    """
    copies = Copies()
    for block in blocks:
        copies.blocks[block] = target.add_block(prefix + block.name)
    for block in blocks:
        for original in block:
            copies.values[original] = copies.blocks[block].append(_clone(original, copies, span_rule))
    # An operand may stand later in the list than its user, so operands follow when all values exist.
    for block in blocks:
        for original in block:
            copy = copies.values[original]
            assert isinstance(copy, Instruction)
            for operand in original.operands:
                copy.add_operand(copies.value(operand))
    return copies


def _clone(original: Instruction, copies: Copies, span_rule: SpanRule) -> Instruction:
    """The instruction without its operands."""
    attribute = original.attribute
    if original.op is ops.PHI or original.targets:
        attribute = [copies.block(block) for block in attribute]
    return Instruction(original.op, original.type, (), attribute, flags=original.flags, span=span_rule(original.span))
