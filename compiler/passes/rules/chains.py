"""Chains of matrix products, as nearly everybody writes them: P * MV * v multiplies the matrices first.

    (P * MV) * v -> P * (MV * v)        v * (P * MV) -> (v * P) * MV
    (k * M) * v  -> k * (M * v)         v * (k * M)  -> (v * k) * M

In: a product of a matrix with a vector.  Out: the value that stands for it, or None.  The product of two matrices is a
product with a vector for each column, which is worth it only where at least as many vectors are multiplied with the
result; so all its readers are looked at.  One made in another block may be read in a loop, and stays.  Results may be
rounded otherwise.  Where a host computes what depends on uniforms alone, a matrix of these costs nothing, and stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import PRECISE, Constant, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.passes.rules.matcher import Sight
from compiler.passes.rules.matching import same_value

_PRODUCT = Form(__name__, "product of matrices times a vector")
_PRODUCT_AFTER = Form(__name__, "vector times a product of matrices")
_SCALED = Form(__name__, "scaled matrix times a vector")
_SCALED_AFTER = Form(__name__, "vector times a scaled matrix")

CHAIN_ROOTS = frozenset({ops.MAT_VEC, ops.VEC_MAT})
#: What is looked at below a root.
SIGHT: dict[Opcode, Sight] = {root: {ops.MAT_VEC: {}, ops.FMUL: {}} for root in CHAIN_ROOTS}


def simplify_chain(root: Instruction, *, precise: bool, hoists: bool) -> Value | None:
    """The value that replaces `root`; `hoists` says that what depends on uniforms alone costs nothing."""
    columns = _matrix_of(root)
    made = [column for column in columns if isinstance(column, Instruction) and not column.flags & PRECISE]
    if precise or root.flags & PRECISE or len(made) < len(columns) or len({column.op for column in made}) > 1:
        return None
    if made[0].op not in SIGHT[root.op] or not _is_worth_it(made) or (hoists and _are_uniform(made)):
        return None
    return _of_product(root, made) if made[0].op is ops.MAT_VEC else _of_scaled(root, made)


def _matrix_of(product: Instruction) -> Sequence[Value]:
    """The columns of the matrix."""
    return product.operands[:-1] if product.op is ops.MAT_VEC else product.operands[1:]


def _vector_of(product: Instruction) -> Value:
    return product.operands[-1 if product.op is ops.MAT_VEC else 0]


def _is_worth_it(columns: Sequence[Instruction]) -> bool:
    """Whether all readers are products with matrices of such columns, in their block, and fewer than the columns."""
    readers = {reader for column in columns for reader in column.users}
    blocks = {instruction.block for instruction in (*readers, *columns)}
    if len(blocks) > 1 or not all(reader.op in CHAIN_ROOTS for reader in readers):
        return False
    read = {column for reader in readers for column in _matrix_of(reader)}
    are_columns = not any(_vector_of(reader) in columns for reader in readers)
    return are_columns and len(readers) < len(read) and all(_op_of(column) is columns[0].op for column in read)


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


def _are_same(some: Sequence[Value], others: Sequence[Value]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))


def _of_product(root: Instruction, columns: Sequence[Instruction]) -> Value | None:
    left, right = columns[0].operands[:-1], [column.operands[-1] for column in columns]
    if not all(_are_same(column.operands[:-1], left) for column in columns):
        return None
    builder = Builder.before(root)
    if root.op is ops.MAT_VEC:
        _PRODUCT.fires()
        return builder.op(ops.MAT_VEC, *left, builder.op(ops.MAT_VEC, *right, _vector_of(root)))
    _PRODUCT_AFTER.fires()
    return builder.op(ops.VEC_MAT, builder.op(ops.VEC_MAT, _vector_of(root), *left), *right)


def _of_scaled(root: Instruction, columns: Sequence[Instruction]) -> Value | None:
    """Each row is scaled by one number, whichever column it is in."""
    for scale in columns[0].operands:
        rest = [_other_factor(column, scale) for column in columns]
        kept = [factor for factor in rest if factor is not None]
        if len(kept) < len(columns):
            continue
        builder = Builder.before(root)
        if root.op is ops.MAT_VEC:
            _SCALED.fires()
            return builder.op(ops.FMUL, builder.op(ops.MAT_VEC, *kept, _vector_of(root)), scale)
        _SCALED_AFTER.fires()
        return builder.op(ops.VEC_MAT, builder.op(ops.FMUL, _vector_of(root), scale), *kept)
    return None


def _other_factor(product: Instruction, factor: Value) -> Value | None:
    """What a factor is multiplied with."""
    for one, other in (product.operands, reversed(product.operands)):
        if same_value(one, factor):
            return other
    return None
