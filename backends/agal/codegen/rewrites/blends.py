"""Products with blended matrices: (a * A + b * B) * v is a * (A * v) + b * (B * v), since A * v is one instruction.

In: a product of a vector with a matrix that is a sum of scaled uniform matrices, as shaders that blend bones have it.
Out: a sum of scaled products, unless so many vectors are multiplied with the matrix that its columns are cheaper.
Results may be rounded otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import PRECISE, Function, Instruction, Value
from compiler.passes.rules.matching import same_value

_BLENDED = Form(__name__, "product with a sum of matrices")
_PART = Form(__name__, "product with some rows of a sum of matrices")
_SCALED = Form(__name__, "product with a scaled matrix")

#: Vectors that are multiplied with a matrix, up to which products are cheaper: two matrices of four columns take 12
#: tokens to blend and one for each product, else five for each product.
_MOST_VECTORS = 2
_SUMS = frozenset({ops.FADD, ops.FSUB})


def multiply_before_blending(function: Function, *, precise: bool) -> bool:
    """Whether there was such a product."""
    if precise:
        return False
    products = [each for each in function.instructions() if each.op is ops.MAT_VEC and _is_worth_it(each)]
    for product in products:
        (_PART if _is_part(product.operands[0]) else _BLENDED).fires()
        product.replace_all_uses_with(_multiply(Builder.before(product), product.operands[:-1], product.operands[-1]))
        product.erase()
    return bool(products)


def _is_worth_it(product: Instruction) -> bool:
    """Whether all that read the columns of a matrix are a few products, and the matrix is a sum of uniform ones."""
    columns = [column.operands[0] if _is_part(column) else column for column in product.operands[:-1]]
    made = [column for column in columns if isinstance(column, Instruction) and column.op in _SUMS]
    readers = {reader for column in made for reader in _readers(column)}
    is_few = len(readers) <= _MOST_VECTORS and all(reader.op is ops.MAT_VEC for reader in readers)
    is_sum = len(made) == len(columns) and product.operands[-1] not in columns
    return is_sum and is_few and _is_blend(product.operands[:-1])


def _is_part(value: Value) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.op is ops.SWIZZLE


def _readers(column: Instruction) -> list[Instruction]:
    """What reads a column or a part of it."""
    parts = [user for user in column.users if user.op is ops.SWIZZLE]
    return [reader for each in (column, *parts) for reader in each.users if reader not in parts]


def _is_blend(columns: Sequence[Value]) -> bool:
    """Whether columns are those of a uniform matrix, or sums or multiples of such."""
    made = [column for column in columns if isinstance(column, Instruction) and not column.flags & PRECISE]
    if len(made) < len(columns) or len({column.op for column in made}) > 1:
        return False
    if made[0].op is ops.LOAD:
        return all(column.address.variable.storage == "uniform" for column in made)
    if made[0].op is ops.SWIZZLE:
        is_alike = all(column.attribute == made[0].attribute for column in made)
        return is_alike and _is_blend([column.operands[0] for column in made])
    if made[0].op in _SUMS:
        return all(_is_blend(part) for part in zip(*(column.operands for column in made), strict=True))
    factors = _factors(made) if made[0].op is ops.FMUL else None
    return factors is not None and _is_blend(factors[0])


def _factors(columns: Sequence[Instruction]) -> tuple[list[Value], Value] | None:
    """A matrix and the number by which its columns are multiplied; None where they have no number in common."""
    for scale in columns[0].operands:
        if not _is_splat(scale):
            continue
        rest = [_other_factor(column, scale) for column in columns]
        kept = [factor for factor in rest if factor is not None]
        if len(kept) == len(columns):
            return kept, scale
    return None


def _is_splat(value: Value) -> bool:
    return isinstance(value, Instruction) and value.op is ops.SWIZZLE and len(set(value.attribute)) == 1


def _other_factor(product: Instruction, factor: Value) -> Value | None:
    first, second = product.operands
    if same_value(first, factor):
        return second
    return first if same_value(second, factor) else None


def _multiply(builder: Builder, columns: Sequence[Value], vector: Value) -> Value:
    """The product of a blend with a vector."""
    made = [column for column in columns if isinstance(column, Instruction)]
    op = made[0].op
    if op is ops.LOAD:
        return builder.op(ops.MAT_VEC, *columns, vector)
    if op is ops.SWIZZLE:
        whole = _multiply(builder, [column.operands[0] for column in made], vector)
        return builder.swizzle(whole, made[0].attribute)
    if op in _SUMS:
        parts = zip(*(column.operands for column in made), strict=True)
        return builder.op(op, *(_multiply(builder, part, vector) for part in parts))
    _SCALED.fires()
    factors = _factors(made)
    assert factors is not None
    matrix, scale = factors
    return builder.op(ops.FMUL, _multiply(builder, matrix, vector), scale)
