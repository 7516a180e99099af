"""What overflows: values kept in the machine's range, and products whose first factor must not be large.

`KeepInRange` (`--saturate`): where a result may be too large, its operands are made smaller by a power of two, the
result is cut off, and made larger again.  That takes as many digits from the result as the power has; values whose
range has no end (those that loops count, say) stay as they are.

`OrderFactors`: the multiplier loses digits where three times its first factor does not fit into 32 bits (section 5.2
of the machine's reference); the second may be any number.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log2

from glslc_multi.backends.theia.codegen.value_ranges import LIMIT, Ranges, ranges_of
from glslc_multi.backends.theia.isa.numbers import ONE
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass, field

_SUMS = (ops.FADD, ops.FSUB)
#: A third of what 32 bits hold, as a number.
_LARGEST_FIRST = 0x55555555 / (1 << 17)


@dataclass(frozen=True, slots=True)
class KeepInRange(ModulePass):
    """Cut off what may be too large.  What one cut makes smaller may not need another."""

    name = "theia-saturate"
    description = "keeps values in the machine's range"
    preserves_control_flow = True

    #: The ranges of inputs by name.
    stated: Mapping[str, Interval] = field(default_factory=dict, compare=False)

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        changed = False
        while True:
            results = (
                (i, r) for function, r in ranges_of(module, self.stated).items() for i in function.instructions()
            )
            wide = next(((result, ranges) for result, ranges in results if ranges.leaves_range(result)), None)
            if wide is None:
                break
            _cut(*wide)
            changed = True
        context.forget_all(module, self)
        return changed


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
    # The largest number below the limit that float32 holds, and the machine.
    most = LIMIT / factor - max(LIMIT / factor * 2.0**-24, 1 / ONE)
    above = builder.op(ops.FMAX, small, Constant.splat(small.type, -most))
    instruction.replace_all_uses_with(scaled(builder.op(ops.FMIN, above, Constant.splat(small.type, most)), factor))
    instruction.erase()


@dataclass(frozen=True, slots=True)
class OrderFactors(ModulePass):
    """Put the smaller of two factors first, where the first may be too large."""

    name = "theia-factor-order"
    description = "puts the smaller of two factors first where the first may be too large"
    preserves_control_flow = True

    #: The ranges of inputs by name.
    stated: Mapping[str, Interval] = field(default_factory=dict, compare=False)

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        changed = False
        for function, ranges in ranges_of(module, self.stated).items():
            for product in function.instructions():
                if product.op in (ops.FMUL, ops.DOT):
                    first, second = product.operands
                    if _reach(first, ranges) > _LARGEST_FIRST and _reach(second, ranges) < _reach(first, ranges):
                        product.set_operand(0, second)
                        product.set_operand(1, first)
                        changed = True
        context.forget_all(module, self)
        return changed


def _reach(value: Value, ranges: Ranges) -> float:
    interval = ranges.interval(value)
    return max(-interval.low, interval.high)
