"""What operations on one number compute, looked at by examples: which function it is that they are near to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Scalar, Value
from glslc_multi.compiler.ir.types import FLOAT

#: How far a value may be from that of the function, and at how many numbers that is looked at.
_NEAR, _COUNT = 2.0**-15, 32
#: Operations that may lie between a function and its argument.
_MOST_OPERATIONS = 96


def samples(low: float, high: float) -> list[float]:
    """Return numbers inside of an interval."""
    return [low + (high - low) * number / _COUNT for number in range(1, _COUNT)]


def variables_of(value: Value) -> list[Value]:
    """Return what a value may be a function of: what it is computed of, the nearest first."""
    seen: dict[Value, None] = {}
    waiting = [value]
    while waiting and len(seen) < _MOST_OPERATIONS:
        own = waiting.pop(0)
        if isinstance(own, Instruction) and own not in seen and own.type.is_scalar:
            seen[own] = None
            waiting += own.operands if own.op.has_semantics else ()
    return [own for own in seen if own is not value and own.type is FLOAT]


def is_near(value: Value, variable: Value, numbers: Sequence[float], exact: Callable[[float], float]) -> bool:
    """Tell whether a value is near to a function of a variable, for all of some numbers."""
    for number in numbers:
        own = _value_at(value, {variable: number})
        if own is None or not abs(float(own) - exact(number)) <= _NEAR:
            return False
    return True


def _value_at(value: Value, known: dict[Value, Scalar]) -> Scalar:
    """Return what a value is where others are known; None where that is not all."""
    waiting = [value]
    while waiting:
        own = waiting[-1]
        if own in known:
            waiting.pop()
        elif isinstance(own, Constant):
            known[own] = own.components[0]
        elif not isinstance(own, Instruction) or not _is_computed(own):
            return None
        elif missing := [operand for operand in own.operands if operand not in known]:
            if len(known) > _MOST_OPERATIONS:
                return None
            waiting += missing
        else:
            operands = [[known[operand]] for operand in own.operands]
            (known[own],) = ops.evaluate(own.op, PYTHON, own.attribute, operands)
    return known[value]


def _is_computed(value: Instruction) -> bool:
    """Tell whether a value is one number, computed of others."""
    return value.op.has_semantics and all(each.type.is_scalar for each in (value, *value.operands))
