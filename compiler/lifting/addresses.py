"""Addresses that programs compute: sums of values with whole factors, as far as they are such."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.lifting.operations import LiftedOperations


class Sum(NamedTuple):
    """A number, and values by the factor that each is taken with."""

    number: int
    factors: Mapping[Value, int]

    def scaled(self, factor: int) -> Sum:
        return Sum(self.number * factor, {value: own * factor for value, own in self.factors.items()})

    def plus(self, other: Sum) -> Sum:
        factors = dict(self.factors)
        for value, factor in other.factors.items():
            factors[value] = factors.get(value, 0) + factor
        return Sum(self.number + other.number, {value: factor for value, factor in factors.items() if factor})

    def divided(self, divisor: int) -> Sum | None:
        """The quotient, rounded down, where only the number leaves a rest."""
        if any(factor % divisor for factor in self.factors.values()):
            return None
        return Sum(self.number // divisor, {value: factor // divisor for value, factor in self.factors.items()})

    def value(self, a: LiftedOperations) -> Value:
        """The sum, computed."""
        total: Value = a.iconst(self.number)
        for value, factor in self.factors.items():
            term = value if factor == 1 else a.imul(value, a.iconst(factor))
            is_nought = isinstance(total, Constant) and total.components == (0,)
            total = term if is_nought else a.iadd(total, term)
        return total


def sum_of(value: Value) -> Sum:
    """Take a value apart.  What keeps addresses inside of a file is looked through: programs stay inside."""
    if isinstance(value, Constant):
        return Sum(int(value.components[0] or 0), {})
    assert isinstance(value, Instruction)
    constants = [operand if isinstance(operand, Constant) else None for operand in value.operands]
    if value.op is ops.IADD:
        return sum_of(value.operands[0]).plus(sum_of(value.operands[1]))
    if value.op is ops.ISUB:
        return sum_of(value.operands[0]).plus(sum_of(value.operands[1]).scaled(-1))
    if value.op is ops.IMUL and any(constants):
        factor = 0 if constants[0] is not None else 1
        return sum_of(value.operands[1 - factor]).scaled(sum_of(value.operands[factor]).number)
    if value.op is ops.ISHL and constants[1] is not None:
        return sum_of(value.operands[0]).scaled(1 << (sum_of(constants[1]).number & 31))
    if value.op is ops.IAND and constants[1] is not None:
        return sum_of(value.operands[0])
    if value.op is ops.SELECT and (constants[1] is None) != (constants[2] is None):
        return sum_of(value.operands[1 if constants[1] is None else 2])
    return Sum(0, {value: 1})
