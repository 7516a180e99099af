"""Weighted means: (a x + b y) / (a + b), where errors of the weights nearly cancel.

An error of a weight w by a small part e of it moves the mean by e w / W (v - mean), where W is the sum of the weights
and v its value: by at most a quarter of e times what the values span, however small the weights are.  Of numerator and
denominator alone no such bound is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.backends.vc4.codegen.accuracy.gain import Gain
from glslc_multi.compiler.analysis.ranges import Interval, ValueRanges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.records import dataclass

#: More terms than this are not looked at.
_MOST_TERMS = 16


@dataclass(frozen=True, slots=True)
class Mean:
    """A sum of products with weights that are not negative, times the reciprocal of the weights' sum."""

    quotient: Instruction
    scale: Instruction
    weights: Sequence[Value]
    values: Sequence[Value]

    def gains(self, gain: Gain, ranges: Sequence[Interval]) -> Iterator[Gain | None]:
        """List the gains of weights, then of values, whose ranges are given."""
        absolute = gain.powers.get(1.0)
        if absolute is None:
            yield from (None for _ in (*self.weights, *self.values))
            return
        span = max(range.high for range in ranges) - min(range.low for range in ranges)
        yield from (Gain({0.0: absolute * span / 4}) for _ in self.weights)
        yield from (Gain({1.0: absolute}) for _ in self.values)


def find_means(function: Function, ranges: ValueRanges) -> Iterator[Mean]:
    """Find the weighted means of a function."""
    for product in function.instructions():
        if product.op is not ops.FMUL:
            continue
        for total, scale in (product.operands, product.operands[::-1]):
            if isinstance(scale, Instruction) and scale.op is ops.FRCP:
                weights = list(_terms(scale.operands[0]))
                values = _match(weights, list(_terms(total)))
                if values is not None and all(ranges.of(weight)[0].low >= 0.0 for weight in weights):
                    yield Mean(product, scale, weights, values)
                    break


def _terms(value: Value) -> Iterator[Value]:
    """List what a sum adds."""
    pending = [value]
    while pending:
        term = pending.pop()
        if isinstance(term, Instruction) and term.op is ops.FADD:
            pending += term.operands
        else:
            yield term


def _match(weights: Sequence[Value], products: Sequence[Value]) -> list[Value] | None:
    """Return what is multiplied with each weight; None where the terms are other ones."""
    if not 1 < len(weights) == len(products) <= _MOST_TERMS:
        return None
    left = list(products)
    values = []
    for weight in weights:
        for product in left:
            factors = product.operands if isinstance(product, Instruction) and product.op is ops.FMUL else ()
            others = [
                other for factor, other in zip(factors, factors[::-1], strict=True) if _key(factor) == _key(weight)
            ]
            if others:
                values.append(others[0])
                left.remove(product)
                break
        else:
            return None
    return values


def _key(value: Value) -> Value | str:
    """Return what tells values apart: of constants their number."""
    return value.key if isinstance(value, Constant) else value
