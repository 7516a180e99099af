"""Ranges of the values of a shader, which decide between short code and code for any number.

Inputs are assumed to be in the ranges that section 13.5 of the machine's reference has for their precision.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf

from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.ranges import Interval, ValueRanges, value_ranges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Function, Instruction, Module, Value
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable

#: Magnitudes of inputs by precision, and what the machine's numbers stay below.
_LOWP, _OTHER = 2.0, 32.0
LIMIT = 16384.0
#: Operations whose result may be larger than their operands.
_GROWING = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.DOT, ops.CROSS})


def assumed(variable: Variable) -> Interval:
    """The range that an input's values are taken to have."""
    if variable.source_kind == "bool" or variable.type.kind == "bool":
        return Interval(0.0, 1.0)
    reach = _LOWP if variable.precision == "lowp" else _OTHER
    return Interval(-reach, reach)


class Ranges:
    """Ranges of the values of one function."""

    __slots__ = ("_ranges",)

    def __init__(self, function: Function, inputs: Mapping[Variable, Interval]) -> None:
        self._ranges: ValueRanges = value_ranges(function, AnalysisManager(function), inputs)

    def unbounded(self, value: Value) -> Interval:
        """A range that holds all components, if there were no limits."""
        parts = self._ranges.of(value)
        return Interval(min(part.low for part in parts), max(part.high for part in parts))

    def interval(self, value: Value) -> Interval:
        """A range that holds all components, within what the machine can hold."""
        bounds = self.unbounded(value)
        return Interval(max(-LIMIT, bounds.low), min(LIMIT, bounds.high))

    def leaves_range(self, instruction: Instruction) -> bool:
        """Whether the result of operands that the machine can hold may be one that it cannot hold."""
        if instruction.op not in _GROWING:
            return False
        bounds = self.unbounded(instruction)
        is_open = isinf(bounds.low) or isinf(bounds.high)
        return (
            not is_open
            and not _fits(bounds)
            and all(_fits(self.unbounded(operand)) for operand in instruction.operands)
        )

    def is_safe_difference(self, x: Value, y: Value) -> bool:
        """Whether x - y cannot leave the machine's range."""
        left, right = self.interval(x), self.interval(y)
        return left.high - right.low < LIMIT and right.high - left.low < LIMIT

    def is_not_negative(self, x: Value) -> bool:
        return self.interval(x).low >= 0.0


def _fits(interval: Interval) -> bool:
    return interval.low >= -LIMIT and interval.high <= LIMIT


def ranges_of(module: Module, stated: Mapping[str, Interval]) -> dict[Function, Ranges]:
    """The ranges of each function, in the order in which they run: what the preamble stores, `main` reads.

    `stated` are the ranges of inputs by name, from `--range`.
    """
    variables = [variable for variable in module.variables.values() if variable.storage != "local"]
    inputs = {variable: stated.get(variable.name) or assumed(variable) for variable in variables}
    ranges: dict[Function, Ranges] = {}
    for function in (module.functions.get(PREAMBLE), module.main):
        if function is not None:
            known = ranges[function] = Ranges(function, inputs)
            for store in function.instructions():
                if store.op is ops.STORE and store.address.variable.role == PREAMBLE:
                    inputs[store.address.variable] = known.interval(store.operands[-1])
    return ranges
