"""Random shaders on whole numbers as large as machines hold them: `python -m tests.generated --kind wide`.

Quotients, remainders and masks are the harder the nearer numbers are to what a machine's floats count exactly; sums
come as far as that.  Results are the digits of variables.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.generators.es300.integers import Vector, Writer
from tests.generators.es300.ranged_expressions import RangedExpressions
from tests.generators.es300.whole_expressions import Sizes, Whole, literal
from tests.generators.glsl import LANES, Program, Stage

#: What may come from outside -> half of what is exact: Q14.17, 24-bit floats, float32.
_EXACT = {1000: 1 << 13, 4000: 1 << 15, 65000: 1 << 23}
_DIGIT = 5


def generate_wide(random: Random, stage: Stage, statements: int) -> Program:
    """A shader of so many statements and what is inside of them."""
    return WideWriter(random, stage, statements, random.choice([*_EXACT])).program()


class WideWriter(Writer):
    """Writes statements on large numbers."""

    def __init__(self, random: Random, stage: Stage, statements: int, outside: int) -> None:
        super().__init__(random, stage, statements)
        self.outside, self.limit = outside, _EXACT[outside]
        bits = self.limit.bit_length() - 1
        divisors = (2, 3, 7, 10, 16, 60, 100, 255, 256, 1000, 1 << bits - 2, random.randint(2, outside), outside)
        masks = (1, 31, 255, 1023, (1 << bits) - 1, (1 << bits - 1) - 1, random.randrange(self.limit))
        half = self.limit // 2
        sizes = Sizes(self.limit, divisors, masks, (-half, self.limit), (-outside, outside), (1, bits // 2))
        self.whole = RangedExpressions(random, self.leaves, sizes=sizes)

    def range_of(self, kind: str) -> tuple[int, int]:
        high = self.random.choice((63, 255, self.outside, self.limit // 2, self.limit))
        return self.random.choice((0, -1, -high)) if kind == "int" else 0, high

    def _begin(self) -> None:
        self.leaves += [Whole("n", "int", 4, -self.outside, self.outside), Whole("r", "uint", 2, 0, self.outside)]
        self.leaves += [Whole("k", "int", 2, -3, self.outside), Whole("w", "uint", 1, 0, self.outside)]
        self.floats += [Vector("p", 4), Vector("q", 4)]
        for _ in range(3):
            self._declare()
        self._declare_floats(2)

    def _numbers(self, low: int, high: int, count: int) -> list[int]:
        """Any of a range, small ones and the ends more often than others."""
        ways = (lambda: self.random.randint(low, high), lambda: high, lambda: max(low, -1), lambda: high >> 1)
        return [self.random.choice((ways[0], *ways))() for _ in range(count)]

    def _inputs(self) -> dict[str, list[Any]]:
        found = super()._inputs()
        found["n"] = [self._numbers(-self.outside, self.outside, 4) for _ in range(LANES)]
        found["r"] = [self._numbers(0, self.outside, 2) for _ in range(LANES)]
        return found

    def _uniforms(self) -> dict[str, Any]:
        return {**super()._uniforms(), "k": [-3, self.outside], "w": self._numbers(0, self.outside, 1)[0]}

    def _finish(self) -> None:
        """The digits of all variables are added."""
        whole = list(self.variables)
        self.variables.clear()
        super()._finish()
        mask = (1 << _DIGIT) - 1
        for leaf in whole:
            for place in range(0, max(leaf.high, -leaf.low).bit_length(), _DIGIT):
                shifted = leaf.text if place == 0 else f"({leaf.text} >> {literal(leaf.kind, place)})"
                digit = Whole(f"({shifted} & {literal(leaf.kind, mask)})", leaf.kind, leaf.width, 0, mask)
                self.lines.append(f"count.{self._lanes(leaf.width)} += {self.whole.converted(digit, 'int').text};")
