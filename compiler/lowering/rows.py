"""Uniform matrices that the host uploads by rows, whatever the shader does with them.

In: a module with matrices in columns.  Out: every square uniform matrix has `layout` rows, and what read columns
reads rows.

* A product M * v, also with a part of M such as mat3(M) or its first columns, is a `vec_mat` of v and the same part of
  the rows, and v * M is a `mat_vec`.  So is one with a matrix that is computed of such (`row_forms.py`).
* A column that is read otherwise is put together from the components of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction, Module, Value
from compiler.ir.variables import Variable
from compiler.lowering.row_forms import ComputedMatrices
from compiler.records import dataclass, replace

_TURNED = Form(__name__, "product with rows")
_PART = Form(__name__, "part of a row")
_GONE = Form(__name__, "column that is not read any more")
_COLUMN = Form(__name__, "column put together")
_ANY_COLUMN = Form(__name__, "dynamic column put together")

#: The product that one becomes when its matrix is transposed.
_TRANSPOSED = {ops.MAT_VEC: ops.VEC_MAT, ops.VEC_MAT: ops.MAT_VEC}


def lay_out_in_rows(module: Module) -> set[Function]:
    """Lay out the matrices of a module in rows; the functions that changed."""
    squares = {variable for variable in module.variables.values() if _is_square(variable)}
    changed: set[Function] = set()
    for function in module.functions.values():
        loads = [i for i in function.instructions() if i.op is ops.LOAD and i.address.variable in squares]
        products = [i for i in function.instructions() if i.op in _TRANSPOSED] if loads else []
        matrices = ComputedMatrices(_rows_of_uniform)
        for product in products:
            matrices.add(_columns_of(product))
        for product in products:
            _transpose(product, matrices)
        for load in loads:
            _read_rows(load)
        if loads:
            changed.add(function)
    for variable in squares:
        variable.layout = "rows"
    return changed


def _is_square(variable: Variable) -> bool:
    is_matrix = variable.storage == "uniform" and variable.is_matrix and variable.layout == "columns"
    return is_matrix and variable.columns == variable.type.width


@dataclass(frozen=True, slots=True)
class _Part:
    """Some rows of some columns of one element of a matrix."""

    variable: Variable
    offset: int
    #: The dynamic index, or nothing.
    index: tuple[Value, ...]
    columns: tuple[int, ...]
    rows: tuple[int, ...]


def _part_of(operands: Sequence[Value]) -> _Part | None:
    """What the operands of a product are as a matrix; None where they are not columns of one matrix."""
    columns = [_column(operand) for operand in operands]
    first = columns[0]
    if first is None:
        return None
    numbers: list[int] = []
    for column in columns:
        if column is None or (column.variable, column.offset, column.rows) != (
            first.variable,
            first.offset,
            first.rows,
        ):
            return None
        if [*map(id, column.index)] != [*map(id, first.index)]:
            return None
        numbers += column.columns
    return _Part(first.variable, first.offset, first.index, tuple(numbers), first.rows)


def _column(value: Value) -> _Part | None:
    """One operand as a column, or as some components of one."""
    if not isinstance(value, Instruction):
        return None
    rows = tuple(range(value.type.width))
    if value.op is ops.SWIZZLE:
        rows, source = value.attribute, value.operands[0]
        if not isinstance(source, Instruction):
            return None
        value = source
    if value.op is not ops.LOAD or not _is_square(value.address.variable) or value.address.dynamic_column:
        return None
    address = value.address
    return _Part(address.variable, address.offset, tuple(value.operands), (address.column,), rows)


def _columns_of(product: Instruction) -> Sequence[Value]:
    return product.operands[:-1] if product.op is ops.MAT_VEC else product.operands[1:]


def _transpose(product: Instruction, matrices: ComputedMatrices) -> None:
    """Let a product read rows, where its matrix is (a part of) one of those that are turned, or computed of these."""
    is_left = product.op is ops.MAT_VEC
    columns, builder = _columns_of(product), Builder.before(product)
    rows = _rows_of_uniform(builder, columns) or matrices.rows_for(product, columns)
    if rows is None:
        return
    _TURNED.fires()
    vector = product.operands[-1 if is_left else 0]
    operands = (vector, *rows) if is_left else (*rows, vector)
    product.replace_all_uses_with(builder.op(_TRANSPOSED[product.op], *operands))
    product.erase()


def _rows_of_uniform(builder: Builder, columns: Sequence[Value]) -> list[Value] | None:
    part = _part_of(columns)
    return None if part is None else [_row(builder, part, row) for row in part.rows]


def _row(builder: Builder, part: _Part, row: int) -> Value:
    """The chosen columns of a row."""
    whole = _load_row(builder, part.variable, part.offset, part.index, row)
    if part.columns == tuple(range(part.variable.columns)):
        return whole
    _PART.fires()
    return builder.swizzle(whole, part.columns)


def _load_row(builder: Builder, variable: Variable, offset: int, index: Sequence[Value], row: int) -> Instruction:
    load = builder.load(variable, index[0] if index else offset, row)
    load.attribute = replace(load.address, offset=offset)
    return load


def _read_rows(load: Instruction) -> None:
    """Put a column that something still reads together from the rows."""
    if not load.users:
        _GONE.fires()
        load.erase()
        return
    builder = Builder.before(load)
    address, operands = load.address, list(load.operands)
    index = operands[:1] if address.dynamic_index else []
    rows = [
        _load_row(builder, address.variable, address.offset, index, row) for row in range(address.variable.type.width)
    ]
    if address.dynamic_column:
        _ANY_COLUMN.fires()
        parts = [builder.op(ops.EXTRACT_DYNAMIC, row, operands[-1]) for row in rows]
    else:
        _COLUMN.fires()
        parts = [builder.swizzle(row, (address.column,)) for row in rows]
    load.replace_all_uses_with(builder.construct(*parts))
    load.erase()
