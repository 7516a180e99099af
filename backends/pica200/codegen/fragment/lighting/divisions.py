"""Divisions by what lengths and products of vectors make become products with the reciprocal.

`a * b / c` may be no function that a table can have, and 1/c may be one: `diffuse * max(N.L, 0) / (1 + k d d)`.
"""

from __future__ import annotations

from backends.pica200.codegen.fragment.hosting import host_values
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Constant, Instruction, Value


def multiply_by_reciprocals(block: Block) -> None:
    """Rewrite the block; a vector by its own length stays."""
    lit = _lit_values(block)
    for division in [i for i in block if i.op is ops.FDIV]:
        value, divisor = division.operands
        if divisor not in lit or _length_of(divisor) is value:
            continue
        builder = Builder.before(division)
        scalar = _splat_of(divisor)
        reciprocal = builder.splat(builder.op(ops.FRCP, scalar or divisor), division.type.width if scalar else 1)
        division.replace_all_uses_with(builder.op(ops.FMUL, value, reciprocal))
        division.erase()


def _lit_values(block: Block) -> set[Value]:
    """What depends on a length, or on a product of vectors that vary."""
    host = host_values(block)
    found: set[Value] = set()
    for instruction in block:
        is_product = instruction.op in (ops.LENGTH, ops.DOT)
        varies = all(not isinstance(o, Constant) and o not in host for o in instruction.operands)
        if (is_product and varies) or not found.isdisjoint(instruction.operands):
            found.add(instruction)
    return found


def _splat_of(value: Value) -> Instruction | None:
    """The one number that all components are."""
    if not isinstance(value, Instruction) or value.op is not ops.SWIZZLE:
        return None
    (scalar,) = value.operands
    return scalar if isinstance(scalar, Instruction) and scalar.type.is_scalar else None


def _length_of(divisor: Value) -> Value | None:
    length = _splat_of(divisor)
    return length.operands[0] if length is not None and length.op is ops.LENGTH else None
