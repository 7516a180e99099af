"""Products of a vector of four components with three rows of a matrix, `(m * v).xyz`, read the fourth row, too.

An instruction writes four components as cheaply as three, `m44` for three `dp4`.  (`m34` would read three rows, which
OpenFL does not take.)

In: IR whose products with matrices are dot products with rows.
"""

from __future__ import annotations

from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.records import replace

_FOURTH = Form(__name__, "fourth row that nobody needs")


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
