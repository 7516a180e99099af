"""Dynamic indices of matrices: an address register counts registers.

`pica200-scale` (on floats): the index of an array of matrices is multiplied by the registers of each, and the number of
a column is added.  What else indices need all targets share (`compiler/lowering/index_offsets.py`).
"""

from __future__ import annotations

from glslc_multi.compiler.codegen.interface import rows_or_columns
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import replace


class ScaleIndices(Pass):
    """See the module's text."""

    name = "pica200-scale"
    description = "lets indices of matrices count registers"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for access in [i for i in function.instructions() if _is_of_a_matrix(i)]:
            _count_registers(access, rows_or_columns(access.address.variable))
            progress = True
        return progress


def _is_of_a_matrix(instruction: Instruction) -> bool:
    if instruction.op is not ops.LOAD or not instruction.address.is_dynamic:
        return False
    variable = instruction.address.variable
    return variable.storage == "uniform" and rows_or_columns(variable) > 1


def _count_registers(access: Instruction, step: int) -> None:
    """Make one number of the registers behind the address of what the index and the column were.

    It is the index of an array, and the column of a matrix that is none.
    """
    address, builder = access.address, Builder.before(access)
    numbers = [_number(operand, builder) for operand in access.operands]
    total: Value | None = None
    if address.dynamic_index:
        total = builder.op(ops.FMUL, numbers[0], float_constant(step))
    if address.dynamic_column:
        column = numbers[-1]
        total = column if total is None else builder.op(ops.FADD, total, column)
    assert total is not None
    access.attribute = replace(
        address,
        column=0 if address.dynamic_column else address.column,
        dynamic_column=address.dynamic_column and not address.dynamic_index,
    )
    if len(access.operands) > 1:
        access.remove_operand(1)
    access.set_operand(0, builder.op(ops.FTOI, total))


def _number(index: Value, builder: Builder) -> Value:
    assert isinstance(index, Instruction) and index.op is ops.FTOI
    return builder.op(ops.FTRUNC, index.operands[0])
