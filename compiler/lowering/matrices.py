"""Products with matrices become dot products or sums of scaled vectors; uniform matrices are laid out to fit.

In: `mat_vec` and `vec_mat`.  Both read a matrix given by vectors: `vec_mat` takes the dot product of a vector
with each (one result component a dot), `mat_vec` scales each by a component and adds (one `fmad` each).

First, with `to=dots`, a uniform matrix that is only ever the left factor of a `mat_vec` is laid out in rows
(`Variable.layout`, which the reflection tells the loader): M * v then is `vec_mat` over its rows.  With
`to=mads` the same is done for the right factors of `vec_mat`.  A matrix with uses of both kinds stays in
columns.  Then all products but those that the target `keep`s (AGAL's m44 is a `vec_mat` over registers in
a row) are expanded; what has become of them are `dot`s, `fmul`s and `fmad`s.

With `all-rows`, for targets whose loaders upload matrices by rows, every square uniform matrix is laid out in rows,
whatever reads it: products with it, or with a part of it such as mat3(M), become the other product, and a column
that is read otherwise is put together from the rows.

Not handled: matrices that are no uniforms are never transposed, since moving components costs more than
the other form of the product.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TypeGuard

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Function, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.expansion import Emitter, Expander, row
from glslc_multi.compiler.lowering.opcode_set import NO_OPCODES, OpcodeSet
from glslc_multi.compiler.lowering.rows import lay_out_in_rows
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass


class ProductForm(StrEnum):
    """What products with uniform matrices become."""

    DOTS = "dots"
    MADS = "mads"


#: Form -> the product whose matrices are turned, and the product that it becomes then.
_TURNED: dict[ProductForm, tuple[Opcode, Opcode]] = {
    ProductForm.DOTS: (ops.MAT_VEC, ops.VEC_MAT),
    ProductForm.MADS: (ops.VEC_MAT, ops.MAT_VEC),
}


@dataclass(frozen=True, slots=True)
class LowerMatrices(ModulePass):
    """See the module's text."""

    name = "lower-matrices"
    description = "turns products with matrices into dot products or sums of scaled vectors"
    preserves_control_flow = True

    to: ProductForm = ProductForm.DOTS
    #: Products that may remain.
    keep: OpcodeSet = NO_OPCODES
    #: Whether uniform matrices are laid out in rows even where that fits some of their uses only.
    all_rows: bool = False

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        changed = lay_out_in_rows(module) if self.all_rows else _lay_out(module, *_TURNED[self.to])
        expander = _expander(self.keep)
        for function in module.functions.values():
            if expander.expand_all(function):
                changed.add(function)
        for function in changed:
            context.forget(function, self)
        return bool(changed)


@cache
def _expander(kept: OpcodeSet) -> Expander:
    return Expander(ROWS, lambda opcode: opcode in kept or opcode not in _PRODUCTS)


# ---------------------------------------------------------------------------------------------- layout
def _lay_out(module: Module, turned: Opcode, into: Opcode) -> set[Function]:
    """Lay out matrices that only `turned` reads in rows, and make `into` of it; the functions changed."""
    loads: dict[Variable, list[Instruction]] = {}
    for function in module.functions.values():
        for instruction in function.instructions():
            if instruction.op is ops.LOAD and _can_be_turned(instruction.address.variable):
                loads.setdefault(instruction.address.variable, []).append(instruction)
    changed: set[Function] = set()
    for variable, own_loads in loads.items():
        products = dict.fromkeys(user for load in own_loads for user in load.users)
        if products and all(product.op is turned and _reads_whole(product, variable) for product in products):
            variable.layout = "rows"
            changed.update(_turn(product, into) for product in products)
    return changed


def _can_be_turned(variable: Variable) -> bool:
    is_square = variable.columns == variable.type.width
    return variable.storage == "uniform" and variable.is_matrix and is_square and variable.layout == "columns"


def _matrix_operands(product: Instruction) -> list[Value]:
    return list(product.operands[:-1] if product.op is ops.MAT_VEC else product.operands[1:])


def _vector_operand(product: Instruction) -> Value:
    return product.operands[-1 if product.op is ops.MAT_VEC else 0]


def _reads_whole(product: Instruction, variable: Variable) -> bool:
    """Whether the matrix of `product` is one element of `variable`, all columns in order, and its vector none."""
    matrix = [column for column in _matrix_operands(product) if _is_load(column, variable)]
    if _is_load(_vector_operand(product), variable):
        return False
    columns = [None if column.address.dynamic_column else column.address.column for column in matrix]
    elements = {(column.address.offset, *map(id, column.operands)) for column in matrix}
    return columns == list(range(variable.columns)) and len(elements) == 1


def _is_load(value: Value, variable: Variable) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.op is ops.LOAD and value.address.variable is variable


def _turn(product: Instruction, into: Opcode) -> Function:
    """Make `into` of a product whose matrix is transposed; its function."""
    matrix, vector = _matrix_operands(product), _vector_operand(product)
    product.become(into, (vector, *matrix) if into is ops.VEC_MAT else (*matrix, vector))
    assert product.block is not None
    return product.block.function


# ------------------------------------------------------------------------------------------- expansion
def _sum_of_columns(e: Emitter, *operands: Value) -> Value:
    *columns, vector = operands
    factors = [e.swizzle(vector, (number,) * columns[0].type.width) for number in range(len(columns))]
    total = e.mul(columns[0], factors[0])
    for column, factor in zip(columns[1:], factors[1:], strict=True):
        total = e.op(ops.FMAD, column, factor, total)
    return total


def _dots(e: Emitter, vector: Value, *columns: Value) -> Value:
    return e.construct(e.op(ops.DOT, vector, column) for column in columns)


_PRODUCTS = OpcodeSet("mat_vec.vec_mat")
ROWS = (
    row(ops.MAT_VEC, "fmul fmad", _sum_of_columns),
    row(ops.VEC_MAT, "dot", _dots),
)
