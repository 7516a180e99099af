"""Products of a vector with rows of a matrix have as many rows as an instruction reads: `(m * v).xyz` is one of them.

* `narrow_products`: products of which nobody reads the last component have three rows, and what is computed of them
  component by component has three components, so that nothing reads a component that the instruction does not write.
* `complete_products`: where the vector has four components, the fourth row is read again: an instruction writes four
  components as cheaply as three.  (`m34` would read three rows, which OpenFL does not take.)  Comes last, since it
  undoes what removing dead code does.

In: IR whose products with matrices are dot products with rows.
"""

from __future__ import annotations

from compiler.analysis.accesses import Accesses
from compiler.analysis.demand import Demand
from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Function, Instruction, Value
from compiler.ir.types import FLOAT, VEC4
from compiler.records import replace

_FOURTH = Form(__name__, "fourth row that nobody needs")
_PRODUCT = Form(__name__, "product with three rows")
_SUM = Form(__name__, "three components")

_FIRST_THREE = 0b111


# --- Three rows -------------------------------------------------------------------------------------------------------


def narrow_products(function: Function) -> bool:
    """Whether anything changed."""
    if not any(_is_product(each) for each in function.instructions()):
        return False
    needed = Demand(function, Accesses(function.module))
    found = [each for each in function.instructions() if _is_wide(each) and _reads_three(needed.of(each))]
    if not any(_is_product(each) for each in found):
        return False
    for instruction in found:
        _narrow(instruction)
    return True


def _is_product(instruction: Instruction) -> bool:
    return instruction.op is ops.VEC_MAT and instruction.type is VEC4


def _is_wide(instruction: Instruction) -> bool:
    return _is_product(instruction) or (instruction.op.component is not None and instruction.type is VEC4)


def _reads_three(mask: int) -> bool:
    return bool(mask) and mask & ~_FIRST_THREE == 0


def _narrow(wide: Instruction) -> None:
    builder = Builder.before(wide)
    if wide.op is ops.VEC_MAT:
        _PRODUCT.fires()
        operands = list(wide.operands[:4])
    else:
        _SUM.fires()
        operands = [_first_three(operand, builder) for operand in wide.operands]
    narrow = builder.op(wide.op, *operands)
    wide.replace_all_uses_with(builder.construct(narrow, Constant(FLOAT, (None,))))
    wide.erase()


def _first_three(value: Value, builder: Builder) -> Value:
    if value.type.is_scalar:
        return value
    if isinstance(value, Constant):
        return Constant(value.type.with_width(3), value.components[:3])
    return builder.swizzle(value, (0, 1, 2))


# --- Four rows --------------------------------------------------------------------------------------------------------


def lacks_fourth(product: Instruction) -> bool:
    """Whether a product is one of four components with the first three rows of a uniform matrix of four."""
    vector, *rows = product.operands
    loads = [row for row in rows if isinstance(row, Instruction) and row.op is ops.LOAD]
    if vector.type.width != 4 or len(rows) != 3 or len(loads) < 3:
        return False
    first = loads[0].address
    are_alike = all(list(load.operands) == list(loads[0].operands) for load in loads)
    is_matrix = first.variable.storage == "uniform" and first.variable.columns == 4 and not first.dynamic_column
    return is_matrix and are_alike and [load.address for load in loads] == [replace(first, column=k) for k in range(3)]


def complete_products(function: Function) -> None:
    """Let products read the fourth row of a matrix, too."""
    for product in [each for each in function.instructions() if each.op is ops.VEC_MAT and lacks_fourth(each)]:
        _FOURTH.fires()
        builder = Builder.before(product)
        vector, *rows = product.operands
        last = rows[-1]
        assert isinstance(last, Instruction)
        fourth = builder.op(ops.LOAD, *last.operands, attribute=replace(last.address, column=3))
        whole = builder.op(ops.VEC_MAT, vector, *rows, fourth)
        product.replace_all_uses_with(builder.swizzle(whole, (0, 1, 2)))
        product.erase()
