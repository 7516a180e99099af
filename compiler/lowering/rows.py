"""Uniform matrices that the host uploads by rows, whatever the shader does with them.

In: a module with matrices in columns.  Out: every square uniform matrix has `layout` rows, and what read columns
reads rows.

* A product M * v, also with a part of M such as mat3(M) or its first columns, is a `vec_mat` of v and the same part of
  the rows, and v * M is a `mat_vec`.
* The same where M is computed from matrices component by component, as the skins of bones are, `w.x * A + w.y * B`: its
  rows are computed the same way from theirs.
* A column that is read otherwise is put together from the components of the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass, replace

#: The product that one becomes when its matrix is transposed.
_TRANSPOSED = {ops.MAT_VEC: ops.VEC_MAT, ops.VEC_MAT: ops.MAT_VEC}
#: Operations on top of each other that a computed matrix may take: the skin of eight bones has so many.
_DEEPEST = 8


def lay_out_in_rows(module: Module) -> set[Function]:
    """Lay out the matrices of a module in rows; the functions that changed."""
    matrices = {variable for variable in module.variables.values() if _is_square(variable)}
    changed: set[Function] = set()
    for function in module.functions.values():
        loads = [i for i in function.instructions() if i.op is ops.LOAD and i.address.variable in matrices]
        for product in dict.fromkeys(_readers_of(loads).products):
            # Let a product read rows, where its matrix is (a part of) one of those that are turned.
            is_left = product.op is ops.MAT_VEC
            part = _part_of(product)
            if part is None:
                continue
            builder = Builder.before(product)
            rows = [_row(builder, part, row) for row in part.rows]
            vector = product.operands[-1 if is_left else 0]
            operands = (vector, *rows) if is_left else (*rows, vector)
            product.replace_all_uses_with(builder.op(_TRANSPOSED[product.op], *operands))
            product.erase()
        for load in loads:
            _read_rows(load)
        if loads:
            changed.add(function)
    for variable in matrices:
        variable.layout = "rows"
    return changed


def _is_uniform_matrix(variable: Variable) -> bool:
    return variable.storage == "uniform" and variable.is_matrix


def _is_square(variable: Variable) -> bool:
    is_square = variable.columns == variable.type.width
    return _is_uniform_matrix(variable) and is_square and variable.layout == "columns"


class _Readers(NamedTuple):
    """What reads columns."""

    #: The products that columns, or what is computed with them, are part of.
    products: list[Instruction]
    #: The columns, and what is computed with them.
    values: set[Instruction]


def _readers_of(loads: Iterable[Instruction]) -> _Readers:
    pending = list(loads)
    readers = _Readers([], set(pending))
    while pending:
        for user in pending.pop().users:
            if user.op in _TRANSPOSED:
                readers.products.append(user)
            elif user not in readers.values and (user.op is ops.SWIZZLE or user.op.component is not None):
                readers.values.add(user)
                pending.append(user)
    return readers


def reads_rows_alone(function: Function) -> bool:
    """Whether all reads of uniform matrices are for products M * v, which take rows."""
    loads = [i for i in function.instructions() if i.op is ops.LOAD and _is_uniform_matrix(i.address.variable)]
    products, values = _readers_of(loads)
    takes_rows = all(
        product.op is ops.MAT_VEC and product.operands[-1] not in values and _part_of(product) is not None
        for product in products
    )
    others = {user for value in values for user in value.users} - values
    return takes_rows and others <= set(products)


class _Uniform(NamedTuple):
    """An element of a uniform matrix."""

    variable: Variable
    offset: int
    #: The dynamic index, or nothing.
    indices: tuple[Value, ...]

    @property
    def size(self) -> int:
        return self.variable.columns


class _Number(NamedTuple):
    """The same number in all components of a matrix."""

    source: Value
    component: int


class _Computed(NamedTuple):
    """A matrix that is computed component by component."""

    op: Opcode
    flags: int
    operands: tuple[_Matrix | _Number, ...]

    @property
    def size(self) -> int:
        return next(operand.size for operand in self.operands if not isinstance(operand, _Number))


_Matrix = _Uniform | _Computed


@dataclass(frozen=True, slots=True)
class _Part:
    """Some rows of some columns of a matrix."""

    matrix: _Matrix
    columns: tuple[int, ...]
    rows: tuple[int, ...]


def _part_of(product: Instruction) -> _Part | None:
    """What is multiplied with the vector; None where that is not columns of one matrix."""
    operands = product.operands[:-1] if product.op is ops.MAT_VEC else product.operands[1:]
    columns = [_column(operand, product, _DEEPEST) for operand in operands]
    first = columns[0]
    if first is None:
        return None
    numbers: list[int] = []
    for column in columns:
        if column is None or (column.matrix, column.rows) != (first.matrix, first.rows):
            return None
        numbers += column.columns
    return _Part(first.matrix, tuple(numbers), first.rows)


def _column(value: Value, product: Instruction, deepest: int) -> _Part | None:
    """An operand as a column, or as some components of one."""
    if not isinstance(value, Instruction):
        return None
    if value.op is ops.LOAD:
        address = value.address
        if not _is_square(address.variable) or address.dynamic_column:
            return None
        matrix = _Uniform(address.variable, address.offset, tuple(value.operands))
        return _Part(matrix, (address.column,), tuple(range(value.type.width)))
    if value.op is ops.SWIZZLE:
        whole = _column(value.operands[0], product, deepest)
        return whole and replace(whole, rows=tuple(whole.rows[number] for number in value.attribute))
    # Elsewhere, the rows would have to be where the columns are: a product may be in a loop.
    if value.op.component is None or value.block is not product.block or not deepest:
        return None
    parts = [_number(operand) or _column(operand, product, deepest - 1) for operand in value.operands]
    columns = [part for part in parts if isinstance(part, _Part)]
    if not columns or None in parts or len({(column.columns, column.rows) for column in columns}) > 1:
        return None
    operands = tuple(part.matrix if isinstance(part, _Part) else part for part in parts if part is not None)
    return replace(columns[0], matrix=_Computed(value.op, value.flags, operands))


def _number(value: Value) -> _Number | None:
    """The number that all components of an operand are, if they are one."""
    if isinstance(value, Constant):
        return _Number(value, 0) if len(set(map(repr, value.components))) == 1 else None
    if isinstance(value, Instruction) and value.op is ops.SWIZZLE and len(set(value.attribute)) == 1:
        return _Number(value.operands[0], value.attribute[0])
    return None


def _row(builder: Builder, part: _Part, number: int) -> Value:
    """The chosen columns of a row."""
    whole = _whole_row(builder, part.matrix, number)
    if part.columns == tuple(range(part.matrix.size)):
        return whole
    return builder.swizzle(whole, part.columns)


def _whole_row(builder: Builder, matrix: _Matrix, number: int) -> Instruction:
    if isinstance(matrix, _Uniform):
        return _load_row(builder, *matrix, number)
    row = builder.op(
        matrix.op,
        *(
            builder.swizzle(operand.source, (operand.component,) * matrix.size)
            if isinstance(operand, _Number)
            else _whole_row(builder, operand, number)
            for operand in matrix.operands
        ),
    )
    row.flags = matrix.flags
    return row


def _load_row(builder: Builder, variable: Variable, offset: int, index: Sequence[Value], row: int) -> Instruction:
    load = builder.load(variable, index[0] if index else offset, row)
    load.attribute = replace(load.address, offset=offset)
    return load


def _read_rows(load: Instruction) -> None:
    """Put a column that something still reads together from the rows."""
    if not load.users:
        load.erase()
        return
    builder = Builder.before(load)
    address, operands = load.address, list(load.operands)
    index = operands[:1] if address.dynamic_index else []
    rows = [
        _load_row(builder, address.variable, address.offset, index, row) for row in range(address.variable.type.width)
    ]
    if address.dynamic_column:
        parts = [builder.op(ops.EXTRACT_DYNAMIC, row, operands[-1]) for row in rows]
    else:
        parts = [builder.swizzle(row, (address.column,)) for row in rows]
    load.replace_all_uses_with(builder.construct(*parts))
    load.erase()
