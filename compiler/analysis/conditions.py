"""What a condition says about the comparisons that it is made of."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Value


def implied_parts(condition: Value, value: bool) -> Iterator[tuple[Instruction, bool]]:
    """The conditions that must all have certain values for `condition` to have the value given."""
    pending = [(condition, value)]
    while pending:
        part, value = pending.pop()
        if not isinstance(part, Instruction):
            continue
        if part.op is (ops.AND if value else ops.OR):
            pending += [(operand, value) for operand in part.operands]
        elif part.op is ops.NOT:
            pending.append((part.operands[0], not value))
        else:
            yield part, value
