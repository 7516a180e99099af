"""Constant folding: the meaning of an opcode applied to constants, in float32 and int32."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Scalar
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import Type

#: Opcodes that only move components, so that undefined ones may pass through.
SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})


def fold(instruction: Instruction) -> Constant | None:
    """The constant an instruction computes, or None when its operands are not all constants."""
    if not instruction.op.has_semantics:
        return None
    operands: list[tuple[Scalar, ...]] = []
    for operand in instruction.operands:
        if not isinstance(operand, Constant):
            return None
        operands.append(operand.components)
    return fold_components(instruction.op, instruction.type, instruction.attribute, operands)


def fold_components(op: Opcode, type: Type, attribute: object, operands: Sequence[Sequence[Scalar]]) -> Constant | None:
    """`op` on constant components; None where an undefined component takes part in arithmetic."""
    if op not in SHUFFLES and any(component is None for operand in operands for component in operand):
        return None
    return Constant(type, tuple(ops.evaluate(op, PYTHON, attribute, [list(operand) for operand in operands])))


def define_operands(instruction: Instruction) -> bool:
    """Let undefined components of operands that are constants be 0; tell whether there were any."""
    undefined = [n for n, x in enumerate(instruction.operands) if isinstance(x, Constant) and None in x.components]
    for number in undefined:
        constant = instruction.operands[number]
        assert isinstance(constant, Constant)
        instruction.set_operand(number, constant.defined())
    return bool(undefined)
