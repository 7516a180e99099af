"""Dot products of one vector with columns of a matrix are a sum of its rows, where the columns are put together.

    vec3(dot(a, x), dot(a, y), dot(a, z)) -> a.x * r0 + a.y * r1 + a.z * r2,  r0 = vec3(x.x, y.x, z.x), ...

In: legalised IR, in which products with columns of a matrix in rows are computed component by component.  Out: these
sums, whose rows are a product each.  So nine multiplications become three, and dot products as many multiply-adds.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext

#: Columns -> the rows of the same matrix.
_Rows = dict[tuple[Value, ...], list[Value] | None]


class TransposedDots(Pass):
    """See the module's text."""

    name = "pica200-transposed-dots"
    description = "computes dot products with columns of a matrix as sums of its rows"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in () if context.precise else function.blocks:
            rows: _Rows = {}
            for construct in [each for each in block if each.op is ops.CONSTRUCT]:
                progress |= any(_sum_rows(construct, vector, rows) for vector in _shared_operands(construct))
        return progress


def _shared_operands(construct: Instruction) -> list[Value]:
    """The vectors that dot products of a construct are with, most of them first."""
    dots = [dot for part in construct.operands if (dot := _dot_of(part, construct)) is not None]
    operands = [operand for dot in dots for operand in dict.fromkeys(dot.operands)]
    return sorted(dict.fromkeys(operands), key=lambda operand: -operands.count(operand))


def _dot_of(part: Value, construct: Instruction) -> Instruction | None:
    """A part of a construct as a dot product that nothing else reads."""
    is_dot = isinstance(part, Instruction) and part.op is ops.DOT and part.users == {construct: 1}
    return part if isinstance(part, Instruction) and is_dot and not part.flags & PRECISE else None


def _sum_rows(construct: Instruction, vector: Value, rows: _Rows) -> bool:
    """Replace the dot products of a construct with a vector."""
    dots = [dot for part in construct.operands if (dot := _dot_of(part, construct)) and vector in dot.operands]
    columns = tuple(dot.operands[dot.operands[0] is vector] for dot in dots)
    if len(dots) < max(vector.type.width, 2):
        return False
    builder = Builder.before(construct)
    if columns not in rows:
        rows[columns] = _rows_of(columns, builder)
    factors = rows[columns]
    if factors is None:
        return False
    total: Value | None = None
    for component, row in enumerate(factors):
        weight = builder.splat(builder.extract(*source(vector, component)), len(dots))
        total = builder.op(ops.FMUL, weight, row) if total is None else builder.op(ops.FMAD, weight, row, total)
    assert total is not None
    for lane, dot in enumerate(dots):
        dot.replace_all_uses_with(builder.extract(total, lane))
    return True


def _rows_of(columns: Sequence[Value], builder: Builder) -> list[Value] | None:
    """The rows of columns that only dot products read, if each is a product of two vectors."""
    if not all(
        isinstance(column, Instruction) and all(user.op is ops.DOT for user in column.users) for column in columns
    ):
        return None
    factors = [_factors_of(columns, component) for component in range(columns[0].type.width)]
    if None in factors:
        return None
    return [builder.op(ops.FMUL, *(builder.swizzle(*each) for each in pair)) for pair in factors if pair is not None]


def _factors_of(columns: Sequence[Value], component: int) -> list[tuple[Value, list[int]]] | None:
    """Find the two vectors whose product has one component of all columns, and their components."""
    pairs = []
    for column in columns:
        product, _ = source(column, component)
        if not isinstance(product, Instruction) or product.op is not ops.FMUL or not product.type.is_scalar:
            return None
        pairs.append([source(operand, 0) for operand in product.operands])
    vectors = [value for value, _ in pairs[0]]
    aligned = [pair if pair[0][0] is vectors[0] else pair[::-1] for pair in pairs]
    if any([value for value, _ in pair] != vectors for pair in aligned):
        return None
    return [(vector, [pair[number][1] for pair in aligned]) for number, vector in enumerate(vectors)]
