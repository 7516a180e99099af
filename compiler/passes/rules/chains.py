"""Matrices that are computed to multiply vectors with them: the vectors are multiplied with what they are made of.

    (P * MV) * v -> P * (MV * v)        v * (P * MV) -> (v * P) * MV
    (k * M) * v  -> k * (M * v)         v * (k * M)  -> (v * k) * M
    (A + B) * v  -> A * v + B * v       v * (A + B)  -> v * A + v * B
    transposed(M) * v -> v * M          v * transposed(M) -> M * v

In: a product of a matrix with a vector.  Out: the value that stands for it, or None.  The same holds for some of the
rows, as of mat3(P * MV).  A matrix is computed column by column, which is worth it only where enough vectors are
multiplied with it; so all its readers are looked at.  One made in another block may be read in a loop, and stays.
Results may be rounded otherwise.  Where a host computes what depends on uniforms alone, a matrix of these costs
nothing, and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import CostModel
from glslc_multi.compiler.passes.rules.matcher import Sight, shuffler_for
from glslc_multi.compiler.passes.rules.matching import same_value
from glslc_multi.compiler.passes.rules.shuffles import Source, origin_of

CHAIN_ROOTS = frozenset({ops.MAT_VEC, ops.VEC_MAT})
_COLUMN: Sight = {ops.MAT_VEC: {}, ops.FMUL: {}, ops.FADD: {ops.FMUL: {}, ops.MAT_VEC: {}}}
#: What is looked at below a root.
SIGHT: dict[Opcode, Sight] = {root: {**_COLUMN, ops.SWIZZLE: _COLUMN} for root in CHAIN_ROOTS}


class _Matrix(NamedTuple):
    """A matrix that is computed column by column, or some of its rows."""

    columns: list[Instruction]
    #: None: all of them.
    rows: tuple[int, ...] | None

    @property
    def op(self) -> Opcode:
        return self.columns[0].op


class _Reading(NamedTuple):
    """How much reads a matrix, and how much it is."""

    roots: int
    columns: int


def simplify_chain(root: Instruction, *, precise: bool, costs: CostModel) -> Value | None:
    """The value that replaces `root`."""
    if precise or root.flags & PRECISE:
        return None
    matrix = _matrix_of(root)
    rebuild = matrix and _REBUILT.get(matrix.op)
    if not matrix or not rebuild:
        # The product whose matrix has the rows for columns, where every row is (the beginning of) one value.
        columns = _matrix_operands(root)
        rows = []
        for number in range(columns[0].type.width):
            origins = [origin_of(column, number) for column in columns]
            first = origins[0]
            if not isinstance(first, Source) or origins != [Source(first.value, n) for n in range(len(columns))]:
                return None
            rows.append(first.value)
        other = ops.VEC_MAT if root.op is ops.MAT_VEC else ops.MAT_VEC
        return _product(Builder.before(root), other, _rows(root, rows, tuple(range(len(columns)))), _vector_of(root))
    reading = _reading_of(matrix)
    if not reading or (costs.hoists and _are_uniform(matrix.columns)) or not _is_worth_it(matrix, reading, costs):
        return None
    return rebuild(root, matrix)


# ------------------------------------------------------------------------------------------- what is multiplied
def _matrix_of(root: Instruction) -> _Matrix | None:
    """The matrix, where all its columns are computed by one operation."""
    operands = _matrix_operands(root)
    columns = [_through_swizzle(operand) for operand in operands]
    products = [column for column in columns if isinstance(column, Instruction) and not column.flags & PRECISE]
    patterns = {_pattern(operand) for operand in operands}
    if len(products) < len(columns) or len(patterns) > 1 or len({column.op for column in products}) > 1:
        return None
    return _Matrix(products, *patterns)


def _matrix_operands(product: Instruction) -> Sequence[Value]:
    return product.operands[:-1] if product.op is ops.MAT_VEC else product.operands[1:]


def _vector_of(product: Instruction) -> Value:
    return product.operands[-1 if product.op is ops.MAT_VEC else 0]


def _through_swizzle(value: Value) -> Value:
    return value.operands[0] if isinstance(value, Instruction) and value.op is ops.SWIZZLE else value


def _pattern(value: Value) -> tuple[int, ...] | None:
    """What a swizzle takes; None for any other value."""
    return value.attribute if isinstance(value, Instruction) and value.op is ops.SWIZZLE else None


# ------------------------------------------------------------------------------------------- whether it is worth it
def _reading_of(matrix: _Matrix) -> _Reading | None:
    """What reads the columns, where that is nothing but products with matrices of such columns, in their block."""
    readers = {reader for column in matrix.columns for reader in column.users}
    swizzles = {reader for reader in readers if reader.op is ops.SWIZZLE}
    roots = readers - swizzles | {reader for swizzle in swizzles for reader in swizzle.users}
    blocks = {instruction.block for instruction in (*roots, *matrix.columns)}
    if len(blocks) > 1 or not all(root.op in CHAIN_ROOTS for root in roots):
        return None
    read = {_through_swizzle(operand) for root in roots for operand in _matrix_operands(root)}
    are_columns = not any(_through_swizzle(_vector_of(root)) in matrix.columns for root in roots)
    if not are_columns or not all(_op_of(column) is matrix.op for column in read):
        return None
    return _Reading(len(roots), len(read))


def _is_worth_it(matrix: _Matrix, reading: _Reading, costs: CostModel) -> bool:
    """Whether what is computed for each vector costs less than what is computed for each column now."""
    if matrix.op is not ops.FADD:
        return reading.roots < reading.columns
    if not costs.vector:
        # As many operations by components either way, and a sum is wanted for the next vector, too.
        return False
    width = matrix.columns[0].type.width
    # Each of the two matrices may itself be computed for the vectors then.
    both = [matrix.op, *(op for op in map(_op_of, matrix.columns[0].operands) if op in (ops.FMUL, ops.MAT_VEC))]
    of_each = sum(costs.cost(op, width) for op in both)
    return reading.roots * (of_each + costs.cost(ops.MAT_VEC, width)) < reading.columns * of_each


def _are_uniform(columns: Sequence[Instruction]) -> bool:
    """Whether uniforms and constants alone decide about them."""
    pending, seen = list[Value](columns), set[Value]()
    while pending:
        value = pending.pop()
        if value in seen or isinstance(value, Constant):
            continue
        seen.add(value)
        if not isinstance(value, Instruction) or not (_is_uniform_load(value) or value.op.is_pure):
            return False
        pending += value.operands
    return True


def _is_uniform_load(value: Instruction) -> bool:
    return value.op is ops.LOAD and value.address.variable.storage == "uniform"


def _op_of(value: Value) -> Opcode | None:
    return value.op if isinstance(value, Instruction) else None


def factors_of(columns: Sequence[Value]) -> tuple[Sequence[Value], Sequence[Value]] | None:
    """Return the columns of the matrices whose product these columns are, if they are that of two."""
    products = [column for column in columns if isinstance(column, Instruction) and column.op is ops.MAT_VEC]
    lefts = [product.operands[:-1] for product in products]
    if len(products) < len(columns) or not all(_are_same(left, lefts[0]) for left in lefts):
        return None
    return lefts[0], [product.operands[-1] for product in products]


# ------------------------------------------------------------------------------------------- the new products
def _of_product(root: Instruction, matrix: _Matrix) -> Value | None:
    factors = factors_of(matrix.columns)
    if factors is None:
        return None
    left, right = factors
    left = _rows(root, left, matrix.rows)
    builder = Builder.before(root)
    if root.op is ops.MAT_VEC:
        return builder.op(ops.MAT_VEC, *left, builder.op(ops.MAT_VEC, *right, _vector_of(root)))
    return builder.op(ops.VEC_MAT, builder.op(ops.VEC_MAT, _vector_of(root), *left), *right)


def _are_same(some: Sequence[Value], others: Sequence[Value]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))


def _of_scaled(root: Instruction, matrix: _Matrix) -> Value | None:
    """Each row is scaled by one number, whichever column it is in."""
    for scale in matrix.columns[0].operands:
        rest = [_other_factor(column, scale) for column in matrix.columns]
        kept = [factor for factor in rest if factor is not None]
        if len(kept) < len(matrix.columns):
            continue
        *rows, scale = _rows(root, [*kept, scale], matrix.rows)
        builder = Builder.before(root)
        if root.op is ops.MAT_VEC:
            return builder.op(ops.FMUL, builder.op(ops.MAT_VEC, *rows, _vector_of(root)), scale)
        return builder.op(ops.VEC_MAT, builder.op(ops.FMUL, _vector_of(root), scale), *rows)
    return None


def _other_factor(product: Instruction, factor: Value) -> Value | None:
    """What a factor is multiplied with."""
    for one, other in (product.operands, reversed(product.operands)):
        if same_value(one, factor):
            return other
    return None


def _of_sum(root: Instruction, matrix: _Matrix) -> Value:
    builder = Builder.before(root)
    summands = (_rows(root, [column.operands[n] for column in matrix.columns], matrix.rows) for n in (0, 1))
    return builder.op(ops.FADD, *(_product(builder, root.op, summand, _vector_of(root)) for summand in summands))


def _product(builder: Builder, op: Opcode, matrix: Sequence[Value], vector: Value) -> Value:
    return builder.op(op, *matrix, vector) if op is ops.MAT_VEC else builder.op(op, vector, *matrix)


def _rows(root: Instruction, columns: Sequence[Value], rows: tuple[int, ...] | None) -> Sequence[Value]:
    """Some rows of a matrix."""
    if rows is None:
        return columns
    shuffler = shuffler_for(root)
    return [
        column if column.type.width == len(rows) and rows == (*range(len(rows)),) else shuffler.swizzle(column, rows)
        for column in columns
    ]


_REBUILT: dict[Opcode, Callable[[Instruction, _Matrix], Value | None]] = {
    ops.MAT_VEC: _of_product,
    ops.FMUL: _of_scaled,
    ops.FADD: _of_sum,
}
