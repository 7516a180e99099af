"""Offsets from one base become one operation: a + b * k for several constants k.

In: a function after `contract`.  Out: numbers and pairs that are `a + b`, `a - b` or `a + b * k` (k constant) of the
same a and b, in one block, are computed together as components of wider vectors.  Shaders that take several samples
around a point have such coordinates: it buys 0.2 % of all slots, but a tenth of those of a glow.  Not handled:
operations flagged `precise`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

_WIDTH = 4


class JoinOffsets(Pass):
    """See the module's text."""

    name = "xenos-family-offsets"
    description = "computes several offsets from one base together"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        joined = [_join_in(block) for block in function.blocks]
        return any(joined)


@dataclass(frozen=True, slots=True)
class _Offset:
    """`instruction` is base + step * factor."""

    instruction: Instruction
    base: Value
    step: Value
    factor: tuple[float, ...]


def _join_in(block: Block) -> bool:
    groups: dict[tuple[Value, Value], list[_Offset]] = {}
    for instruction in block:
        for offset in _forms(instruction):
            groups.setdefault((offset.base, offset.step), []).append(offset)
    #: What was joined -> the part of the wider vector that it is now, which may be the base or step of another group.
    done: dict[Value, Value] = {}
    for (base, step), offsets in groups.items():
        waiting = [offset for offset in offsets if offset.instruction not in done]
        size = _WIDTH // offsets[0].instruction.type.width
        for start in range(0, len(waiting), size):
            done |= _join(waiting[start : start + size], done.get(base, base), done.get(step, step))
    return bool(done)


def _forms(instruction: Instruction) -> Iterator[_Offset]:
    """An instruction read as an offset, in all forms that fit."""
    width = instruction.type.width
    if instruction.flags & PRECISE:
        return
    operands = instruction.operands
    if any(isinstance(operand, Constant) for operand in operands) and instruction.op is not ops.FMAD:
        return
    if instruction.op is ops.FADD:
        yield _Offset(instruction, operands[0], operands[1], (1.0,) * width)
        if operands[0] is not operands[1]:
            yield _Offset(instruction, operands[1], operands[0], (1.0,) * width)
    elif instruction.op is ops.FSUB:
        yield _Offset(instruction, operands[0], operands[1], (-1.0,) * width)
    elif instruction.op is ops.FMAD and not isinstance(operands[2], Constant):
        # A constant is the second factor.
        step, factor, base = operands
        if isinstance(factor, Constant) and not isinstance(step, Constant):
            numbers = tuple(float(part or 0) for part in factor.components)
            yield _Offset(instruction, base, step, numbers)


def _join(offsets: Sequence[_Offset], base: Value, step: Value) -> dict[Value, Value]:
    """One operation for all, at the first of them, if there are at least two; what each of them is then."""
    if len(offsets) < 2:
        return {}
    first = offsets[0]
    builder = Builder.before(first.instruction)
    width = first.instruction.type.width
    count = width * len(offsets)
    repeated = tuple(range(width)) * len(offsets)
    base, step = (builder.swizzle(value, repeated) for value in (base, step))
    numbers = tuple(number for offset in offsets for number in offset.factor)
    joined = builder.op(ops.FMAD, step, Constant(step.type.with_width(count), numbers), base)
    parts: dict[Value, Value] = {}
    for number, offset in enumerate(offsets):
        part = builder.swizzle(joined, tuple(range(number * width, (number + 1) * width)))
        offset.instruction.replace_all_uses_with(part)
        parts[offset.instruction] = part
    for offset in offsets:
        offset.instruction.erase()
    return parts
