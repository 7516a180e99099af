"""Operations without a sign on ints that are not negative become those with one, which machines do better.

In: any function.  Out: the same with `idiv` for `udiv`, `ilt` for `ult`, ... where the ranges of both operands, and the
branches that lead there, show no negative number (as LLVM's correlated value propagation has it); `iand` for the
remainder of what is not negative by a power of two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from glslc_multi.compiler.arithmetic.protocol import INT_MAX
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction
from glslc_multi.compiler.passes.base import Pass, PassContext

if TYPE_CHECKING:
    from glslc_multi.compiler.analysis.integer_ranges import IntegerRanges

#: Those of which only the first operand is read as a number.
_OF_FIRST = frozenset({ops.USHR})


class KnownSigns(Pass):
    """See the module's text."""

    name = "known-signs"
    description = "gives operations without a sign one where no operand is negative"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        candidates = [i for i in function.instructions() if i.op in ops.WITH_SIGN or _is_power_remainder(i)]
        if not candidates:
            return False
        from glslc_multi.compiler.analysis.integer_ranges import integer_ranges

        ranges = integer_ranges(function, {})
        progress = [_change(instruction, ranges) for instruction in candidates]
        return any(progress)


def _change(instruction: Instruction, ranges: IntegerRanges) -> bool:
    if not _is_known(instruction, ranges):
        return False
    if _is_power_remainder(instruction):
        divisor = instruction.operands[1]
        assert isinstance(divisor, Constant)
        instruction.set_operand(1, Constant(divisor.type, tuple(int(c or 0) - 1 for c in divisor.components)))
        instruction.op = ops.IAND
    else:
        instruction.op = ops.WITH_SIGN[instruction.op]
    instruction.mark_changed()
    return True


def _is_power_remainder(instruction: Instruction) -> bool:
    if instruction.op is not ops.IREM and instruction.op is not ops.UREM:
        return False
    divisor = instruction.operands[1]
    return isinstance(divisor, Constant) and all(c and c > 0 and not int(c) & (int(c) - 1) for c in divisor.components)


def _is_known(instruction: Instruction, ranges: IntegerRanges) -> bool:
    """Whether all numbers that the operation reads are from 0 to the largest int."""
    assert instruction.block is not None
    read = instruction.operands[:1] if instruction.op in _OF_FIRST else instruction.operands
    intervals = [interval for operand in read for interval in ranges.at(operand, instruction.block)]
    # Of NaN, both conversions make 0.
    return all(interval.low >= 0 and interval.high <= INT_MAX for interval in intervals)
