"""Rows of matrices that are computed: what sums and scales the columns of uniform matrices does the same to rows.

    s = a * u + b * v;  s * p          dot(a.row0 * u + b.row0 * v, p), ...

In: the columns of a matrix, and who knows the rows of a uniform one.  Out: its rows, as a shader that blends the
matrices of bones needs them.  Each component is computed as before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Instruction, Value

_COMPUTED = Form(__name__, "computed matrix by rows")
_SAME_FACTOR = Form(__name__, "one number for all components")
_CONSTANTS = Form(__name__, "constant matrix by rows")
_SOME_ROWS = Form(__name__, "some rows of a computed matrix")
_SOME_COLUMNS = Form(__name__, "some columns of a computed matrix")

#: What is computed component by component.
_BY_COMPONENT = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.FNEG})

_Columns = tuple[Value, ...]
#: The rows of a matrix where its columns are those of a uniform one, made by a builder; None where they are not.
RowsOfUniform = Callable[[Builder, Sequence[Value]], list[Value] | None]


class ComputedMatrices:
    """The matrices that the products of a function read, of which one may be a part of another."""

    def __init__(self, rows_of_uniform: RowsOfUniform) -> None:
        self.rows_of_uniform = rows_of_uniform
        #: Columns -> the rows that were made.
        self.known: dict[_Columns, list[Value] | None] = {}
        #: Column -> the matrices that it is part of.
        self.wholes: dict[Value, list[_Columns]] = {}

    def add(self, columns: Sequence[Value]) -> None:
        """Take note of a matrix."""
        whole, _ = _whole_columns(columns)
        for column in dict.fromkeys(whole):
            self.wholes.setdefault(column, []).append(whole)

    def rows_for(self, product: Instruction, columns: Sequence[Value]) -> list[Value] | None:
        """The rows of a matrix that a product reads; None where its columns are not computed alike."""
        columns, numbers = _whole_columns(columns)
        candidates = dict.fromkeys(self.wholes.get(columns[0], ()))
        containing = [whole for whole in candidates if set(columns) <= set(whole) and _are_before(whole, product)]
        by_size = sorted(containing, key=len, reverse=True)
        whole = next((each for each in by_size if self._rows_of(each) is not None), None)
        if whole is None:
            return None
        rows = self._rows_of(whole)
        assert rows is not None
        _COMPUTED.fires()
        if numbers is not None:
            _SOME_ROWS.fires()
            rows = [rows[number] for number in numbers]
        if whole == columns:
            return rows
        _SOME_COLUMNS.fires()
        builder = Builder.before(product)
        return [builder.swizzle(row, [whole.index(column) for column in columns]) for row in rows]

    def _rows_of(self, columns: _Columns) -> list[Value] | None:
        """The rows of a matrix, made once."""
        if columns not in self.known:
            self.known[columns] = _rows_of_computed(columns, self.rows_of_uniform)
        return self.known[columns]


def _whole_columns(columns: Sequence[Value]) -> tuple[_Columns, Sequence[int] | None]:
    """The columns that some are parts of, and the numbers of the rows in these; None for all."""
    parts = [column for column in columns if isinstance(column, Instruction) and column.op is ops.SWIZZLE]
    if len(parts) < len(columns) or any(part.attribute != parts[0].attribute for part in parts):
        return tuple(columns), None
    return tuple(part.operands[0] for part in parts), parts[0].attribute


def _are_before(columns: _Columns, product: Instruction) -> bool:
    """Whether all columns are known where a product stands that reads one of them."""
    block = product.block
    assert block is not None
    late = {each for each in columns if isinstance(each, Instruction) and each.block is block}
    for instruction in block:
        if instruction is product or not late:
            break
        late.discard(instruction)
    return not late


def _rows_of_computed(columns: _Columns, rows_of_uniform: RowsOfUniform) -> list[Value] | None:
    """The rows of a matrix whose columns are computed alike, in one block, made there."""
    made = [column for column in columns if isinstance(column, Instruction)]
    if len(made) < len(columns) or len({column.block for column in made}) > 1:
        return None
    block = made[0].block
    assert block is not None
    # Behind the last column all that the columns are made of is known.
    last = next(each for each in reversed(list(block)) if each in made)
    assert last.next is not None
    return _Rows(Builder.before(last.next), rows_of_uniform).of(columns)


class _Rows:
    """Rows that are made at one place."""

    def __init__(self, builder: Builder, rows_of_uniform: RowsOfUniform) -> None:
        self.builder = builder
        self.rows_of_uniform = rows_of_uniform

    def of(self, columns: Sequence[Value]) -> list[Value] | None:
        """The rows; None where a part of the matrix has none."""
        known = self.rows_of_uniform(self.builder, columns) or _rows_of_constants(columns)
        if known is not None:
            return known
        made = [column for column in columns if isinstance(column, Instruction)]
        if len(made) < len(columns) or len({(column.op, column.flags) for column in made}) > 1:
            return None
        return self._computed(made) if made[0].op in _BY_COMPONENT else None

    def _computed(self, columns: Sequence[Instruction]) -> list[Value] | None:
        count = columns[0].type.width
        operands = [self._operand(each, count) for each in zip(*(column.operands for column in columns), strict=True)]
        known = [operand for operand in operands if operand is not None]
        if len(known) < len(operands):
            return None
        self.builder.span, self.builder.flags = columns[0].span, columns[0].flags
        return [self.builder.op(columns[0].op, *parts) for parts in zip(*known, strict=True)]

    def _operand(self, values: Sequence[Value], count: int) -> list[Value] | None:
        """For each row an operand of what computes it."""
        first = values[0]
        is_one_number = isinstance(first, Instruction) and first.op is ops.SWIZZLE and len(set(first.attribute)) == 1
        if not is_one_number or any(value is not first for value in values):
            return self.of(values)
        assert isinstance(first, Instruction)
        _SAME_FACTOR.fires()
        number = self.builder.swizzle(first.operands[0], first.attribute[:1] * len(values))
        return [number] * count


def _rows_of_constants(columns: Sequence[Value]) -> list[Value] | None:
    constants = [column for column in columns if isinstance(column, Constant)]
    if len(constants) < len(columns):
        return None
    _CONSTANTS.fires()
    kind = columns[0].type.with_width(len(columns))
    return [Constant(kind, parts) for parts in zip(*(constant.components for constant in constants), strict=True)]
