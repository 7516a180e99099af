"""Products of a vector with rows of a matrix have as many rows as an instruction reads: `(m * v).xyz` is one of them.

* `TurnConstants`: a matrix of constants is taken by rows.  Three dot products are 3 tokens; three columns, each scaled
  by a component and added, are 5, since there is no multiply-add.
* `JoinRows`: dot products of one vector with elements of an array that follow each other are one product.
* `Factor`: a sum whose terms share a factor is that factor times a sum, as in a filter with symmetrical weights
  (`compiler/passes/scalar/factors.py`).
* `CompleteProducts`: where only the first rows of a matrix are needed, the others are read again: an instruction
  writes all components as cheaply as one.  (`m34` would read three rows of four, which OpenFL does not take.)  Comes
  last, since it undoes what removing dead code does.

In: IR whose products with matrices are dot products with rows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import permutations
from typing import NamedTuple

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.scalar.factors import FactorSums
from glslc_multi.compiler.records import replace

_FIRST_THREE = 0b111


# --- Constant matrices ------------------------------------------------------------------------------------------------


class TurnConstants(Pass):
    """Multiplies vectors of three or four components with the rows of constant matrices."""

    name = "agal-constant-matrices"
    description = "lets products with constant matrices read rows"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for product in [instruction for instruction in function.instructions() if instruction.op is ops.MAT_VEC]:
            *columns, vector = product.operands
            matrix = [column.components for column in columns if isinstance(column, Constant)]
            if len(columns) >= 3 and len(matrix) == len(columns):
                rows = [Constant(vector.type, row) for row in zip(*matrix, strict=True)]
                product.become(ops.VEC_MAT, (vector, *rows))
                progress = True
        return progress


# --- Rows in an array -------------------------------------------------------------------------------------------------


class _RowProduct(NamedTuple):
    """A dot product of a vector and an element of an array."""

    position: int
    dot: Instruction
    vector: Value
    load: Instruction

    @property
    def number(self) -> int:
        address = self.load.address
        return address.offset * address.variable.columns + address.column


class JoinRows(Pass):
    """Makes one product of dot products with elements of an array in consecutive registers."""

    name = "agal-joined-rows"
    description = "makes one product of dot products with rows in an array"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        groups: dict[Hashable, dict[int, _RowProduct]] = {}
        for product in _row_products(function):
            key = product.vector, product.load.address.variable, tuple(product.load.operands), product.dot.block
            groups.setdefault(key, {}).setdefault(product.number, product)
        runs = [run for products in groups.values() for run in _runs(products)]
        for run in runs:
            _join(run)
        return bool(runs)


def _row_products(function: Function) -> Iterator[_RowProduct]:
    """Find the dot products with rows of uniforms, in order."""
    for position, dot in enumerate(function.instructions()):
        if dot.op is ops.DOT and dot.operands[0].type.width > 2:
            for vector, row in permutations(dot.operands):
                load = whole_row(row)
                if isinstance(load, Instruction) and load.op is ops.LOAD and load.address.variable.storage == "uniform":
                    yield _RowProduct(position, dot, vector, load)


def _runs(products: dict[int, _RowProduct]) -> Iterator[list[_RowProduct]]:
    """Find as many products in a row as an instruction computes, from the lowest register on."""
    for first in sorted(products):
        for count in (4, 3):
            run = [products[number] for number in range(first, first + count) if number in products]
            if len(run) == count and _has_instruction(run[0], count):
                for product in run:
                    del products[product.number]
                yield run
                break


def _has_instruction(product: _RowProduct, rows: int) -> bool:
    """Tell whether one reads that many rows; OpenFL takes three of four components where an index names them."""
    width = product.vector.type.width
    return rows == width or (rows < width and product.load.address.is_dynamic)


def _join(run: list[_RowProduct]) -> None:
    """Put one product where the first of them is."""
    first = min(run, key=lambda product: product.position)
    width = first.vector.type.width
    builder = Builder.before(first.dot)
    rows = [builder.op(ops.LOAD, *first.load.operands, attribute=product.load.attribute) for product in run]
    whole = [row if row.type.width == width else builder.swizzle(row, range(width)) for row in rows]
    joined = builder.op(ops.VEC_MAT, first.vector, *whole)
    parts = [builder.extract(joined, number) for number in range(len(run))]
    for product, part in zip(run, parts, strict=True):
        product.dot.replace_all_uses_with(part)
        product.dot.erase()


# --- Common factors ---------------------------------------------------------------------------------------------------


class Factor(FactorSums):
    """See the module's text."""

    name = "agal-factors"
    has_mads = False


# --- All rows ---------------------------------------------------------------------------------------------------------


def lacks_rows(product: Instruction) -> bool:
    """Whether a product is one of three or four components with the first rows, two at least, of a uniform matrix that
    has as many."""
    vector, *rows = product.operands
    width = vector.type.width
    loads = [row for row in map(whole_row, rows) if isinstance(row, Instruction) and row.op is ops.LOAD]
    if width < 3 or not 2 <= len(rows) < width or len(loads) < len(rows):
        return False
    first = loads[0].address
    are_alike = all(list(load.operands) == list(loads[0].operands) for load in loads)
    is_matrix = first.variable.storage == "uniform" and first.variable.columns >= width and not first.dynamic_column
    in_order = [replace(first, column=number) for number in range(len(rows))]
    return is_matrix and are_alike and [load.address for load in loads] == in_order


def whole_row(row: Value) -> Value:
    """The register of which an operand is the first components."""
    if isinstance(row, Instruction) and row.op is ops.SWIZZLE and row.attribute == tuple(range(row.type.width)):
        return row.operands[0]
    return row


class CompleteProducts(Pass):
    """Lets products read all rows of a matrix."""

    name = "agal-whole-matrices"
    description = "lets products read all rows of a matrix"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        products = [i for i in function.instructions() if i.op is ops.VEC_MAT and lacks_rows(i)]
        for product in products:
            builder = Builder.before(product)
            vector, *rows = product.operands
            first = whole_row(rows[0])
            assert isinstance(first, Instruction)
            width, count = vector.type.width, len(rows)
            for number in range(count, width):
                row = builder.op(ops.LOAD, *first.operands, attribute=replace(first.address, column=number))
                rows.append(row if row.type.width == width else builder.swizzle(row, range(width)))
            whole = builder.op(ops.VEC_MAT, vector, *rows)
            product.replace_all_uses_with(builder.swizzle(whole, range(count)))
            product.erase()
        return bool(products)
