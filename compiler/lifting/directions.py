"""Vectors of length 1: found again in quotients with a length, and products with its reciprocal, by components."""

from __future__ import annotations

from collections.abc import Hashable

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.lifting.parts import Part, parts_of

#: A vector, by its components, in a block.
_Vector = tuple[Hashable, ...]


def join_directions(function: Function) -> None:
    """Normalise where all components of a vector are divided by its length."""
    divided: dict[_Vector, list[tuple[Instruction, list[int]]]] = {}
    vectors: dict[_Vector, Value] = {}
    for instruction in function.instructions():
        if instruction.op not in (ops.FMUL, ops.FDIV):
            continue
        for parts, scale in _divided(instruction):
            square = _square(scale, is_divisor=instruction.op is ops.FDIV)
            whole = [] if square is None else [part.key for part in parts_of(square.operands[0])]
            if square is not None and all(part.key in whole for part in parts):
                key = (*whole, instruction.block)
                vectors.setdefault(key, square.operands[0])
                divided.setdefault(key, []).append((instruction, [whole.index(part.key) for part in parts]))
                break
    for key, quotients in divided.items():
        vector = vectors[key]
        if {number for _, numbers in quotients for number in numbers} == set(range(vector.type.width)):
            direction = Builder.before(quotients[0][0]).op(ops.NORMALIZE, vector)
            for quotient, numbers in quotients:
                quotient.replace_all_uses_with(Builder.before(quotient).swizzle(direction, numbers))
                quotient.erase()


def _divided(instruction: Instruction) -> list[tuple[list[Part], Part]]:
    """List the components that are multiplied with or divided by one number, and this number."""
    first, second = map(parts_of, instruction.operands)
    ways = [(first, second)] if instruction.op is ops.FDIV else [(first, second), (second, first)]
    return [(parts, scales[0]) for parts, scales in ways if len({scale.key for scale in scales}) == 1]


def _square(scale: Part, *, is_divisor: bool) -> Instruction | None:
    """Return the square of a length, a dot product of a vector with itself, that a number is the root of, or, unless it
    `is_divisor`, the reciprocal of the root."""
    value = scale.value
    if not isinstance(value, Instruction):
        return None
    if not is_divisor:
        first, *others = value.operands or [value]
        if value.op is ops.FDIV and isinstance(first, Constant) and set(first.components) == {1.0}:
            value = others[0]
        elif value.op is not ops.FRSQRT:
            return None
    root = Part.of(value, scale.component).value
    if not isinstance(root, Instruction) or root.op not in (ops.FSQRT, ops.FRSQRT):
        return None
    square = Part.of(root.operands[0], min(scale.component, root.type.width - 1)).value
    if not isinstance(square, Instruction) or square.op is not ops.DOT:
        return None
    first_keys, second_keys = ([part.key for part in parts_of(operand)] for operand in square.operands)
    return square if first_keys == second_keys else None
