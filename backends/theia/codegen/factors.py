"""Products whose first factor is large are turned round.

The multiplier loses digits where three times its first factor does not fit into 32 bits (section 5.2 of the machine's
reference); the second may be any number.
"""

from __future__ import annotations

from backends.theia.codegen.facts import Facts
from compiler.ir import ops
from compiler.ir.module import Function, Value

#: A third of what 32 bits hold, as a number.
_LARGEST_FIRST = 0x55555555 / (1 << 17)


def order_factors(function: Function, facts: Facts) -> None:
    """Put the smaller of two factors first, where the first may be too large."""
    for product in function.instructions():
        if product.op in (ops.FMUL, ops.DOT):
            first, second = product.operands
            if _reach(first, facts) > _LARGEST_FIRST and _reach(second, facts) < _reach(first, facts):
                product.set_operand(0, second)
                product.set_operand(1, first)


def _reach(value: Value, facts: Facts) -> float:
    interval = facts.interval(value)
    return max(-interval.low, interval.high)
