"""Instructions that compute values of values: each by its meaning in the table, on constants and in functions alike."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir.signatures import SignatureError
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.compiler.shading.recipes.emission import InstructionMaker
from glslc_multi.compiler.shading.types import ShaderType
from glslc_multi.compiler.spirv.code import Instruction
from glslc_multi.compiler.spirv.grammar.model import Row
from glslc_multi.frontends.spirv.composites import OPERATIONS, checked, misfit, unfit


def compute(emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]) -> Operand:
    """The result of an instruction of the core."""
    operation = OPERATIONS.get(instruction.name)
    if operation is None:
        return apply(emitter, instruction, instruction.row, type_, operands)
    try:
        return operation(emitter, instruction, type_, operands)
    except (SignatureError, ValueError) as error:
        raise misfit(instruction, error) from None


def apply(
    emitter: Emitter, instruction: Instruction, row: Row, type_: ShaderType, operands: Sequence[Operand]
) -> Operand:
    """The result of a row's meaning; what it cannot be applied to is an error of types."""
    assert row.meaning is not None
    if len(operands) != len(row.kinds):
        raise unfit(instruction, f"{row.name} has {len(row.kinds)} operands, not {len(operands)}")
    try:
        columns = row.meaning(InstructionMaker(emitter), *[list(operand.columns) for operand in operands])
    except (SignatureError, ValueError, LookupError) as error:
        raise misfit(instruction, error) from None
    return checked(instruction, Operand(type_, tuple(columns)))
