"""Components of values read as sums: of multiples of other components, and of a number.

Arithmetic and shuffles are looked through alike.  Where more than two values meet in a sum, it is a value of its own
for the sums that use it.  So is what is flagged `precise`, and a sum in which most of a factor cancels, since that may
be there for what rounding leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glslc_multi.compiler.analysis.component_sources import Source, source
from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, Constant, Instruction, Value

#: Factors of components, and under None the number that is added.
Sum = Mapping[Source | None, float]
#: How a component of an operand is read.
Read = Callable[[Value, int], Sum]

_ARITHMETIC = frozenset({ops.FADD, ops.FSUB, ops.FNEG, ops.FMUL, ops.FMAD})
_MOST_VALUES = 2
#: How much of a factor is left where it does not cancel.
_LEAST_LEFT = 0.25


class Sums:
    """The sums of all components that were read."""

    def __init__(self) -> None:
        self._known: dict[Source, Sum] = {}

    def read(self, value: Value, component: int) -> Sum:
        """Read a component through all arithmetic."""
        value, component = origin = source(value, component)
        if origin not in self._known:
            total = sum_of(value, component, self.read) if is_arithmetic(value) else None
            is_small = total is not None and len({term[0] for term in total if term is not None}) <= _MOST_VALUES
            self._known[origin] = total if total is not None and is_small else read_itself(value, component)
        return self._known[origin]


def is_arithmetic(value: Value) -> bool:
    """Whether a value may be a sum."""
    return isinstance(value, Instruction) and value.op in _ARITHMETIC and not value.flags & PRECISE


def read_source(value: Value, component: int) -> Sum:
    """Read a component through shuffles alone."""
    return read_itself(*source(value, component))


def read_itself(value: Value, component: int) -> Sum:
    """Read a component of a value that stays as it is."""
    if isinstance(value, Constant):
        return {None: float(value.components[component] or 0)}
    if isinstance(value, Instruction) and value.op is ops.SWIZZLE:
        return read_itself(value.operands[0], value.attribute[component])
    return {(value, component): 1.0}


def sum_of(value: Value, component: int, read: Read) -> Sum | None:
    """Add up a component of arithmetic, of whose operands `read` reads those; None where it is no such sum."""
    assert isinstance(value, Instruction)
    first, *others = (read(operand, component) for operand in value.operands)
    if value.op is ops.FNEG:
        return _scaled(first, -1.0)
    if value.op is ops.FADD:
        return _added(first, others[0])
    if value.op is ops.FSUB:
        return _added(first, _scaled(others[0], -1.0))
    product = _product(first, others[0])
    return product if product is None or value.op is ops.FMUL else _added(product, others[1])


def _scaled(terms: Sum, factor: float) -> Sum:
    return {term: round_to_float32(number * factor) for term, number in terms.items()}


def _added(first: Sum, second: Sum) -> Sum | None:
    """Add where no factor cancels."""
    total = dict(first)
    for term, number in second.items():
        if term not in total:
            total[term] = number
            continue
        before = total[term]
        total[term] = round_to_float32(before + number)
        if term is not None and abs(total[term]) < abs(before) * _LEAST_LEFT:
            return None
    return total


def _product(first: Sum, second: Sum) -> Sum | None:
    """Multiply where one factor is a number."""
    for terms, factor in ((first, second), (second, first)):
        if factor.keys() <= {None}:
            return _scaled(terms, factor.get(None, 0.0))
    return None
