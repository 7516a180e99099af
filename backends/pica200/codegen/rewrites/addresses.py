"""Dynamic indices of matrices: an address register counts registers.

`pica-scale` (on floats): the index of an array of matrices is multiplied by the registers of each.  What else indices
need all targets share (`compiler/lowering/index_offsets.py`).
"""

from __future__ import annotations

from typing import ClassVar

from compiler.codegen.constants import rows_or_columns
from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Function, Instruction
from compiler.lowering.index_offsets import uniform_accesses
from compiler.passes.base import Pass, PassContext
from compiler.records import dataclass

_SCALED = Form(__name__, "index of matrices")


@dataclass(frozen=True, slots=True)
class ScaleIndices(Pass):
    """See the module's text."""

    name: ClassVar[str] = "pica-scale"
    description: ClassVar[str] = "lets indices of matrices count registers"
    preserves_control_flow: ClassVar[bool] = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for access in uniform_accesses(function):
            step = rows_or_columns(access.address.variable)
            if step > 1:
                _scale(access, step)
                progress = True
        return progress


def _scale(access: Instruction, step: int) -> None:
    _SCALED.fires()
    conversion = access.operands[0]
    assert isinstance(conversion, Instruction) and conversion.op is ops.FTOI
    builder = Builder.before(access)
    number = builder.op(ops.FTRUNC, conversion.operands[0])
    scaled = builder.op(ops.FMUL, number, Constant.splat(number.type, float(step)))
    access.set_operand(0, builder.op(ops.FTOI, scaled))
