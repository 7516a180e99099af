"""Values that may leave the machine's range are kept at its ends (`--saturate`).

In: a legalised function, and what is known about its values.  Out: where a result may be too large, its operands are
made smaller by a power of two, the result is cut off, and made larger again.  That takes as many digits from the
result as the power has; values whose range has no end (those that loops count, say) stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log2

from backends.theia.codegen.facts import LIMIT, Facts
from backends.theia.isa.numbers import ONE
from compiler.analysis.ranges import Interval
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Function, Instruction, Value
from compiler.ir.variables import Variable

_SUMS = (ops.FADD, ops.FSUB)


def saturate(function: Function, inputs: Mapping[Variable, Interval]) -> Facts:
    """Keep all values in range; what is known then.  What one cut makes smaller may not need another."""
    facts = Facts(function, inputs)
    while True:
        found = next((each for each in function.instructions() if facts.leaves_range(each)), None)
        if found is None:
            return facts
        _cut(found, facts)
        facts = Facts(function, inputs)


def _cut(instruction: Instruction, facts: Facts) -> None:
    interval = facts.unbounded(instruction)
    factor = 2.0 ** ceil(log2(max(-interval.low, interval.high) / LIMIT))
    builder = Builder.before(instruction)
    builder.flags = instruction.flags

    def scaled(value: Value, by: float) -> Value:
        return builder.op(ops.FMUL, value, Constant.splat(value.type, by))

    first, second = instruction.operands
    operands = scaled(first, 1 / factor), scaled(second, 1 / factor) if instruction.op in _SUMS else second
    small = builder.op(instruction.op, *operands)
    most = LIMIT / factor - 1 / ONE
    above = builder.op(ops.FMAX, small, Constant.splat(small.type, -most))
    instruction.replace_all_uses_with(scaled(builder.op(ops.FMIN, above, Constant.splat(small.type, most)), factor))
    instruction.erase()
