"""Random shaders whose whole numbers wrap around, or nearly do: `python -m tests.generated --kind wild`.

Nothing but the operations says between what numbers are.  A machine with ints computes all 32 bits; one that has floats
alone must see which results may be beyond what it counts, and refuse those programs and no wrong ones.
"""

from __future__ import annotations

from random import Random

from glslc_multi.compiler.records import replace
from tests.generators.es300.flow import FlowWriter
from tests.generators.es300.ranged_expressions import RangedExpressions
from tests.generators.es300.whole_expressions import Sizes, Whole, literal
from tests.generators.es300.wide import WideWriter
from tests.generators.glsl import Program, Stage

_ENDS = {"int": (-(1 << 31), (1 << 31) - 1), "uint": (0, (1 << 32) - 1)}
#: Bits of what comes from outside.
_OUTSIDE = {1000: (3, 10), 4000: (3, 12), 65000: (3, 16)}
#: No expression is as large as that: none is clamped.
_NO_LIMIT = 1 << 80


def generate_wild(random: Random, stage: Stage, statements: int) -> Program:
    """A shader of so many statements and what is inside of them."""
    return _WildWriter(random, stage, statements, random.choice([*_OUTSIDE])).program()


def generate_sums(random: Random, stage: Stage, statements: int) -> Program:
    """A shader of so many statements, whose loops add up what nothing else bounds."""
    return _SumWriter(random, stage, max(statements // 2, 1), random.choice([*_OUTSIDE])).program()


class _WildExpressions(RangedExpressions):
    """Writes expressions of 32 bits."""

    def __init__(self, random: Random, leaves: list[Whole], sizes: Sizes) -> None:
        super().__init__(random, leaves, sizes=sizes)
        self.ways += [self._product, self._product, self._sum, self._wrapped_difference, self._shifted_out]

    def bounded(self, x: Whole) -> Whole:
        """It, of which any 32 bits are known where it may wrap around."""
        low, high = _ENDS[x.kind]
        return x if low <= x.low and x.high <= high else replace(x, low=low, high=high)

    def _wrapped_difference(self, x: Whole, depth: int) -> Whole:
        y = self._other(x, depth)
        return replace(x, text=f"({x.text} - {y.text})", low=x.low - y.high, high=x.high - y.low)

    def _shifted_out(self, x: Whole, _depth: int) -> Whole:
        count = self.random.randint(1, 31)
        low, high = _ENDS[x.kind]
        return replace(x, text=f"({x.text} << {literal(x.kind, count)})", low=low, high=high)


class _WildWriter(WideWriter):
    """Writes statements on such numbers."""

    def __init__(self, random: Random, stage: Stage, statements: int, outside: int) -> None:
        super().__init__(random, stage, statements, outside)
        bits = random.randint(*_OUTSIDE[outside])
        masks = (1, 31, 255, (1 << bits) - 1, (1 << bits) - 1, (1 << bits - 1) - 1, random.randrange(1 << bits))
        divisors = (2, 3, 7, 10, 16, 100, 255, 256, random.randint(2, 1 << bits), 1 << bits)
        sizes = Sizes(_NO_LIMIT, divisors, masks, (-(1 << bits), 1 << bits), (-9, 1 << bits), (1, bits))
        self.whole = _WildExpressions(random, self.leaves, sizes)
        self.bits = bits

    def range_of(self, kind: str) -> tuple[int, int]:
        if self.random.random() < 0.5:
            return _ENDS[kind]
        high = self.random.choice((63, (1 << self.bits) - 1))
        return self.random.choice((0, -1, -high)) if kind == "int" else 0, high


class _SumWriter(_WildWriter, FlowWriter):
    """Writes loops and switches that change numbers step by step."""

    def __init__(self, random: Random, stage: Stage, statements: int, outside: int) -> None:
        super().__init__(random, stage, statements, outside)
        self.kinds += [self._compound] * 6

    def _compound(self) -> None:
        """A step of a number of any size; what is known of others stays true."""
        anything = [each for each in self.variables if (each.low, each.high) == _ENDS[each.kind]]
        if not anything:
            return self._assign()
        text, kind = (variable := self.random.choice(anything)).text, variable.kind
        small = self.whole.between(kind, 0, self.random.choice((1, 9, (1 << self.bits) - 1)), 0).text
        forms = (
            f"{text} += {small}", f"{text} -= {small}", f"{text} += {small} * {small}", f"{text}++", f"{text}--",
            f"{text} = {text} * {literal(kind, self.random.randint(2, 4))} + {small}", f"{text} = max({text}, {small})",
            f"{text} = min({text} + {small}, {literal(kind, 1 << self.bits)})", f"{text} = {text} + {text}",
        ) if variable.width == 1 else (f"{text} += {small}", f"{text} -= {small}", f"{text}++")  # fmt: skip
        self.lines.append(f"{self.random.choice(forms)};")
        return None
