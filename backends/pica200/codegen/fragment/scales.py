"""Numbers of the colour that do not lie in 0 to 1: the vertex shader leaves a part of them, the combiners multiply.

In: affine functions of varyings, and what is promised of varyings and uniforms.  Out: the scale of each, a power of
two, which combiners multiply by for free.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, isfinite, log2

from compiler.analysis.affine import AffineArithmetic, Part, Shared, Term, evaluate_terms
from compiler.analysis.manager import AnalysisManager
from compiler.analysis.ranges import INTERVALS, Interval, value_ranges
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Module, Value
from compiler.ir.variables import Variable
from compiler.records import dataclass

#: What is promised of numbers that nobody says more of.
_UNIT = Interval(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from -size to size, or from 0 to size."""

    size: float
    is_signed: bool

    @property
    def changes(self) -> bool:
        return self.is_signed or self.size > 1

    def at_vertices(self, term: Term, arithmetic: AffineArithmetic) -> Term:
        """What the vertex shader leaves of a number."""
        if not self.changes:
            return term
        shifted = arithmetic.fadd(term, arithmetic.fconst(self.size)) if self.is_signed else term
        scaled = arithmetic.fmul(shifted, arithmetic.fconst(1 / self._span))
        assert isinstance(scaled, Term), "it is affine"
        return scaled

    def at_pixels(self, builder: Builder, value: Value) -> Value:
        """The number again."""
        if not self.changes:
            return value
        scaled = builder.op(ops.FMUL, value, Constant.splat(value.type, self._span))
        return builder.op(ops.FSUB, scaled, Constant.splat(value.type, self.size)) if self.is_signed else scaled

    @property
    def _span(self) -> float:
        return self.size * 2 if self.is_signed else self.size


def scales_of(terms: Sequence[Term], module: Module, ranges: Mapping[Variable, Interval]) -> dict[Term, Scale]:
    """By the ranges that follow from what is promised of uniforms and varyings."""
    shared = value_ranges(module.main, AnalysisManager(module.main), ranges)

    def of_leaf(term: Term) -> Interval:
        if isinstance(term.leaf, Part):
            return ranges.get(term.leaf.variable, _UNIT)
        assert isinstance(term.leaf, Shared), "constants are no business of this function"
        return shared.of(term.leaf.instruction)[term.leaf.component]

    intervals = evaluate_terms(terms, INTERVALS, of_leaf)
    return {term: _scale_of(intervals[term]) for term in terms}


def _scale_of(interval: Interval) -> Scale:
    """What may be any number is taken to lie in 0 to 1, as varyings are of which nothing is promised."""
    largest = max(abs(interval.low), abs(interval.high), 1.0)
    if interval.nan or not isfinite(largest):
        return Scale(1.0, is_signed=False)
    return Scale(2.0 ** ceil(log2(largest)), interval.low < 0)
