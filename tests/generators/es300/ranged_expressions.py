"""Whole numbers as programs in GLSL ES 3.00 compute with them: `whole_expressions.py`, and divisors, counts and
comparisons that are variables themselves.

Nothing is undefined: divisors are 1 and more, numbers are shifted by 0 to 31, and what is divided is not negative.
"""

from __future__ import annotations

from random import Random

from glslc_multi.compiler.records import replace
from tests.generators.es300.whole_expressions import SMALL, Sizes, Whole, WholeExpressions, literal, type_of

#: Function of vectors -> operator of scalars.
_RELATIONS = {
    "lessThan": "<",
    "lessThanEqual": "<=",
    "greaterThan": ">",
    "greaterThanEqual": ">=",
    "equal": "==",
    "notEqual": "!=",
}


class RangedExpressions(WholeExpressions):
    """Writes expressions over `leaves`, and conditions."""

    def __init__(self, random: Random, leaves: list[Whole], *, wraps: bool = False, sizes: Sizes = SMALL) -> None:
        super().__init__(random, leaves, wraps=wraps, sizes=sizes)
        self.ways += [self._ranged_quotient, self._ranged_remainder, self._shifted_by, self._shifted_by]
        self.ways += [self._masked_complement, self._counted, self._masked_clamp]

    def fitted(self, x: Whole, low: int, high: int) -> Whole:
        """It, or something like it, between two bounds of which one is not below 0 and the other not above 0."""
        low = max(low, 0) if x.kind == "uint" else low
        if low <= x.low and x.high <= high:
            return x
        ways = ["clamp"] if x.low < 0 else ["clamp", "mask", "remainder", "min"]
        way, mask = self.random.choice(ways), (1 << (high + 1).bit_length() - 1) - 1
        if way == "mask":
            return replace(x, text=f"({x.text} & {literal(x.kind, mask)})", low=0, high=mask)
        if way == "remainder":
            return replace(x, text=f"({x.text} % {literal(x.kind, high + 1)})", low=0, high=high)
        found = replace(x, low=min(max(x.low, low), high), high=min(max(x.high, low), high))
        if way == "min":
            return replace(found, text=f"min({x.text}, {literal(x.kind, high)})")
        return replace(found, text=f"clamp({x.text}, {literal(x.kind, low)}, {literal(x.kind, high)})")

    def between(self, kind: str, low: int, high: int, depth: int = 1) -> Whole:
        """A scalar of a range."""
        return self.fitted(self.make(kind, 1, depth), low, high)

    # conditions ----------------------------------------------------------------------------
    def compared(self, depth: int = 1) -> str:
        """A comparison of scalars or vectors, with and without signs."""
        kind, name = self.random.choice(("int", "uint")), self.random.choice([*_RELATIONS])
        width = self.random.choice((1, 1, 1, 2, 3, 4))
        one, other = (self.make(kind, width, depth) for _ in range(2))
        if width == 1:
            return f"{one.text} {_RELATIONS[name]} {other.text}"
        if self.random.random() < 0.3:
            return f"{one.text} {self.random.choice(('==', '!='))} {other.text}"
        return f"{self.random.choice(('any', 'all'))}({name}({one.text}, {other.text}))"

    # operations ----------------------------------------------------------------------------
    def _divisor(self, x: Whole) -> Whole:
        """A number of 1 and more."""
        y = self._natural(self.make(x.kind, self.random.choice((1, x.width)), 1))
        most = self.sizes.divisors[-1]
        if y.high > most:
            y = self.fitted(y, 0, most)
        if y.low > 0:
            return y
        if self.random.random() < 0.5:
            return replace(y, text=f"max({y.text}, {literal(y.kind, 1)})", low=1, high=max(y.high, 1))
        return replace(y, text=f"({y.text} + {literal(y.kind, 1)})", low=1, high=y.high + 1)

    def _ranged_quotient(self, x: Whole, _depth: int) -> Whole:
        x, y = self._natural(x), self._divisor(x)
        return replace(x, text=f"({x.text} / {y.text})", low=x.low // y.high, high=x.high // y.low)

    def _ranged_remainder(self, x: Whole, _depth: int) -> Whole:
        x, y = self._natural(x), self._divisor(x)
        return replace(x, text=f"({x.text} % {y.text})", low=0, high=min(x.high, y.high - 1))

    def _shifted_by(self, x: Whole, _depth: int) -> Whole:
        """By a variable, whose sign and size are its own."""
        most = self.random.choice((1, 3, 3, self.sizes.shifts[1] * 2 - 1))
        count = self.fitted(self._natural(self.make(self.random.choice(("int", "uint")), 1, 1)), 0, most)
        if self.random.random() < 0.5 and x.low >= 0 and x.high << count.high <= self.sizes.limit:
            return replace(x, text=f"({x.text} << {count.text})", low=x.low << count.low, high=x.high << count.high)
        ends = [end >> by for end in (x.low, x.high) for by in (count.low, count.high)]
        return replace(x, text=f"({x.text} >> {count.text})", low=min(ends), high=max(ends))

    def _masked_complement(self, x: Whole, _depth: int) -> Whole:
        mask = self.random.choice((3, 15, self.sizes.masks[5], 12))
        return replace(x, text=f"(~{x.text} & {literal(x.kind, mask)})", low=0, high=mask)

    def _masked_clamp(self, x: Whole, _depth: int) -> Whole:
        """One more than the mask has is 0."""
        mask = self.random.choice(self.sizes.masks[1:6])
        bounds = f"{literal(x.kind, 0)}, {literal(x.kind, mask + 1)}"
        return replace(x, text=f"(clamp({x.text}, {bounds}) & {literal(x.kind, mask)})", low=0, high=mask)

    def _counted(self, x: Whole, depth: int) -> Whole:
        """How often something is true."""
        y, name = self._other(x, depth), self.random.choice([*_RELATIONS])
        test = f"{name}({x.text}, {y.text})" if x.width > 1 else f"{x.text} {_RELATIONS[name]} {y.text}"
        return Whole(f"{type_of(x.kind, x.width)}({test})", x.kind, x.width, 0, 1)
