"""Products of a vector with rows of a matrix have as many rows as an instruction reads: `(m * v).xyz` is one of them.

* `turn_constants`: a matrix of constants is taken by rows.  Three dot products are 3 tokens; three columns, each scaled
  by a component and added, are 5, since there is no multiply-add.
* `narrow_vectors`: what is computed component by component of products with three rows has three components where
  nobody reads the last one, so that it need not be put beside the product.
* `complete_products`: where only the first rows of a matrix are needed, the others are read again: an instruction
  writes all components as cheaply as one.  (`m34` would read three rows of four, which OpenFL does not take.)  Comes
  last, since it undoes what removing dead code does.

In: IR whose products with matrices are dot products with rows.
"""

from __future__ import annotations

from compiler.analysis.accesses import Accesses
from compiler.analysis.demand import Demand
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Function, Instruction, Value
from compiler.ir.types import FLOAT, VEC4
from compiler.records import replace

_FIRST_THREE = 0b111


# --- Constant matrices ------------------------------------------------------------------------------------------------


def turn_constants(function: Function) -> None:
    """Multiply vectors of three or four components with the rows of constant matrices."""
    for product in [instruction for instruction in function.instructions() if instruction.op is ops.MAT_VEC]:
        *columns, vector = product.operands
        matrix = [column.components for column in columns if isinstance(column, Constant)]
        if len(columns) < 3 or len(matrix) < len(columns):
            continue
        rows = [Constant(vector.type, row) for row in zip(*matrix, strict=True)]
        product.become(ops.VEC_MAT, (vector, *rows))


# --- Three rows -------------------------------------------------------------------------------------------------------


def narrow_vectors(function: Function) -> bool:
    """Whether anything changed."""
    if not any(each.op is ops.VEC_MAT and each.type.width == 3 for each in function.instructions()):
        return False
    needed = Demand(function, Accesses(function.module))
    wide = [each for each in function.instructions() if _is_wide(each) and _reads_three(needed.of(each))]
    if not any(_is_put_together(operand) for each in wide for operand in each.operands):
        return False
    for instruction in wide:
        builder = Builder.before(instruction)
        narrow = builder.op(instruction.op, *(_first_three(operand, builder) for operand in instruction.operands))
        instruction.replace_all_uses_with(builder.construct(narrow, Constant(FLOAT, (None,))))
        instruction.erase()
    return True


def _is_wide(instruction: Instruction) -> bool:
    return instruction.op.component is not None and instruction.type is VEC4


def _is_put_together(value: Value) -> bool:
    return isinstance(value, Instruction) and value.op is ops.CONSTRUCT


def _reads_three(mask: int) -> bool:
    return bool(mask) and mask & ~_FIRST_THREE == 0


def _first_three(value: Value, builder: Builder) -> Value:
    if value.type.is_scalar:
        return value
    if isinstance(value, Constant):
        return Constant(value.type.with_width(3), value.components[:3])
    return builder.swizzle(value, (0, 1, 2))


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


def complete_products(function: Function) -> None:
    """Let products read all rows of a matrix."""
    for product in [
        instruction
        for instruction in function.instructions()
        if instruction.op is ops.VEC_MAT and lacks_rows(instruction)
    ]:
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
