"""What overflows: values kept in the machine's range, and products whose first factor must not be large.

`saturate` (`--saturate`): where a result may be too large, its operands are made smaller by a power of two, the result
is cut off, and made larger again.  That takes as many digits from the result as the power has; values whose range has
no end (those that loops count, say) stay as they are.

`order_factors`: the multiplier loses digits where three times its first factor does not fit into 32 bits (section 5.2
of the machine's reference); the second may be any number.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log2

from glslc_multi.backends.theia.codegen.value_ranges import LIMIT, Ranges
from glslc_multi.backends.theia.isa.numbers import ONE
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable

_SUMS = (ops.FADD, ops.FSUB)
#: A third of what 32 bits hold, as a number.
_LARGEST_FIRST = 0x55555555 / (1 << 17)


def saturate(function: Function, inputs: Mapping[Variable, Interval]) -> Ranges:
    """Keep all values in range; what is known then.  What one cut makes smaller may not need another."""
    ranges = Ranges(function, inputs)
    while True:
        found = next((instruction for instruction in function.instructions() if ranges.leaves_range(instruction)), None)
        if found is None:
            return ranges
        _cut(found, ranges)
        ranges = Ranges(function, inputs)


def _cut(instruction: Instruction, ranges: Ranges) -> None:
    interval = ranges.unbounded(instruction)
    factor = 2.0 ** ceil(log2(max(-interval.low, interval.high) / LIMIT))
    builder = Builder.before(instruction)
    builder.flags = instruction.flags

    def scaled(value: Value, by: float) -> Value:
        return builder.op(ops.FMUL, value, Constant.splat(value.type, by))

    first, second = instruction.operands
    is_sum = instruction.op in _SUMS
    operands = scaled(first, 1 / factor), scaled(second, 1 / factor) if is_sum else second
    small = builder.op(instruction.op, *operands)
    most = LIMIT / factor - 1 / ONE
    above = builder.op(ops.FMAX, small, Constant.splat(small.type, -most))
    instruction.replace_all_uses_with(scaled(builder.op(ops.FMIN, above, Constant.splat(small.type, most)), factor))
    instruction.erase()


def order_factors(function: Function, ranges: Ranges) -> None:
    """Put the smaller of two factors first, where the first may be too large."""
    for product in function.instructions():
        if product.op in (ops.FMUL, ops.DOT):
            first, second = product.operands
            if _reach(first, ranges) > _LARGEST_FIRST and _reach(second, ranges) < _reach(first, ranges):
                product.set_operand(0, second)
                product.set_operand(1, first)


def _reach(value: Value, ranges: Ranges) -> float:
    interval = ranges.interval(value)
    return max(-interval.low, interval.high)
