"""Random expressions of whole numbers in GLSL ES 3.00, each with the range that its components keep.

Ranges come from clamp, masks, remainders, shifts, minima and maxima, as programs have them.  They stay within what the
floats of every machine count exactly, and nothing is undefined: no remainder or quotient of what may be negative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from glslc_multi.compiler.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large numbers are."""

    #: The largest magnitude of any result.
    limit: int
    divisors: Sequence[int]
    masks: Sequence[int]
    #: The least and the most, of clamps without the last.
    clamps: tuple[int, int]
    constants: tuple[int, int]
    shifts: tuple[int, int]


#: 24-bit floats and Q14.17 count as far.
SMALL = Sizes(4000, (2, 3, 4, 5, 7, 8, 10, 16, 60), (1, 3, 7, 15, 31, 63, 6, 40), (-40, 64), (-9, 20), (1, 4))


@dataclass(frozen=True, slots=True)
class Whole:
    """An expression: its text, which needs no parentheses, and what its components are between."""

    text: str
    #: "int" or "uint".
    kind: str
    width: int
    low: int
    high: int

    @property
    def bits(self) -> int:
        """How many bits hold what is not negative."""
        return self.high.bit_length()

    def joined(self, other: Whole) -> Whole:
        """Either of the two."""
        return replace(self, low=min(self.low, other.low), high=max(self.high, other.high))


def type_of(kind: str, width: int) -> str:
    """The type of so many components."""
    return kind if width == 1 else {"int": "ivec", "uint": "uvec"}[kind] + str(width)


def literal(kind: str, number: int) -> str:
    """A number as an operand."""
    return f"{number}u" if kind == "uint" else f"({number})" if number < 0 else str(number)


class WholeExpressions:
    """Writes expressions over `leaves`, which callers may extend."""

    def __init__(self, random: Random, leaves: list[Whole], *, wraps: bool = False, sizes: Sizes = SMALL) -> None:
        self.random = random
        self.leaves = leaves
        self.sizes = sizes
        #: Whether products of all 32 bits occur, under a mask.
        self.wraps = wraps
        #: What makes an expression of its first operand, and others of a depth.
        self.ways: list[Callable[[Whole, int], Whole]] = [
            self._sum, self._difference, self._product, self.clamped, self.clamped, self._masked, self._masked,
            self._remainder, self._remainder, self._quotient, self._shifted_down, self._shifted_up, self._bits,
            self._extreme, self._signs, self._chosen, self._complement,
        ]  # fmt: skip

    def make(self, kind: str, width: int, depth: int = 2) -> Whole:
        """An expression of a type."""
        if depth <= 0 or self.random.random() < 0.15:
            return self._leaf(kind, width)
        made = self.random.choice(self.ways)(self.make(kind, width, depth - 1), depth - 1)
        if self.wraps and self.random.random() < 0.2:
            return self._wrapped(made)
        return self.bounded(made)

    def bounded(self, x: Whole) -> Whole:
        """It, or a clamp of it where it is beyond the limit."""
        limit = self.sizes.limit
        return x if x.low >= -limit and x.high <= limit else self.clamped(x)

    def clamped(self, x: Whole, depth: int = 0) -> Whole:
        """It, between two bounds."""
        least, most = self.sizes.clamps
        low, high = sorted(self.random.sample(range(0 if x.kind == "uint" else least, most), 2))
        bounds = [literal(x.kind, bound) for bound in (low, high)]
        if x.width > 1 and self.random.random() < 0.3:
            bounds = [f"{type_of(x.kind, x.width)}({bound})" for bound in bounds]
        found = [min(max(end, low), high) for end in (x.low, x.high)]
        return Whole(f"clamp({x.text}, {', '.join(bounds)})", x.kind, x.width, *found)

    # leaves --------------------------------------------------------------------------------
    def _leaf(self, kind: str, width: int) -> Whole:
        fitting = [leaf for leaf in self.leaves if leaf.kind == kind or leaf.low >= 0 or kind == "int"]
        if not fitting or self.random.random() < 0.2:
            return self._constant(kind, width)
        return self.converted(self.part(self.random.choice(fitting), width), kind)

    def part(self, leaf: Whole, width: int) -> Whole:
        """Some components of a leaf, each perhaps several times, as often as wanted."""
        if leaf.width == 1:
            text = leaf.text if width == 1 else f"{type_of(leaf.kind, width)}({leaf.text})"
        elif leaf.width == width and self.random.random() < 0.3:
            text = leaf.text
        else:
            text = f"{leaf.text}.{''.join(self.random.choices('xyzw'[: leaf.width], k=width))}"
        return replace(leaf, text=text, width=width)

    @staticmethod
    def converted(x: Whole, kind: str) -> Whole:
        """It as the other kind."""
        return x if x.kind == kind else replace(x, text=f"{type_of(kind, x.width)}({x.text})", kind=kind)

    def _constant(self, kind: str, width: int) -> Whole:
        least, most = self.sizes.constants
        numbers = [self.random.randint(0 if kind == "uint" else least, most) for _ in range(width)]
        parts = ", ".join(literal(kind, number) for number in numbers)
        return Whole(
            parts if width == 1 else f"{type_of(kind, width)}({parts})", kind, width, min(numbers), max(numbers)
        )

    def _scalar(self, kind: str) -> Whole:
        return self.make(kind, 1, 1)

    def _natural(self, x: Whole) -> Whole:
        """It, or something like it, that is not negative."""
        if x.low >= 0:
            return x
        if self.random.random() < 0.5:
            return self._masked(x, 0)
        return Whole(f"max({x.text}, 0)", x.kind, x.width, 0, max(x.high, 0))

    # operations: each takes its first operand, and makes others of a depth -------------------
    def _other(self, x: Whole, depth: int) -> Whole:
        return self.make(x.kind, x.width, depth)

    def _sum(self, x: Whole, depth: int) -> Whole:
        y = self._other(x, depth)
        return Whole(f"({x.text} + {y.text})", x.kind, x.width, x.low + y.low, x.high + y.high)

    def _difference(self, x: Whole, depth: int) -> Whole:
        y = self._other(x, depth)
        if x.kind == "uint":
            text = f"(max({x.text}, {y.text}) - min({x.text}, {y.text}))"
            return Whole(text, x.kind, x.width, 0, max(x.high, y.high))
        return Whole(f"({x.text} - {y.text})", x.kind, x.width, x.low - y.high, x.high - y.low)

    def _product(self, x: Whole, depth: int) -> Whole:
        y = self._other(x, depth)
        corners = [one * other for one in (x.low, x.high) for other in (y.low, y.high)]
        if max(map(abs, corners)) > self.sizes.limit:
            return x
        return Whole(f"({x.text} * {y.text})", x.kind, x.width, min(corners), max(corners))

    def _masked(self, x: Whole, depth: int) -> Whole:
        mask = self.random.choice(self.sizes.masks)
        return Whole(f"({x.text} & {literal(x.kind, mask)})", x.kind, x.width, 0, mask)

    def _remainder(self, x: Whole, depth: int) -> Whole:
        x, divisor = self._natural(x), self.random.choice(self.sizes.divisors)
        return Whole(f"({x.text} % {literal(x.kind, divisor)})", x.kind, x.width, 0, min(divisor - 1, x.high))

    def _quotient(self, x: Whole, depth: int) -> Whole:
        x, divisor = self._natural(x), self.random.choice(self.sizes.divisors)
        return Whole(f"({x.text} / {literal(x.kind, divisor)})", x.kind, x.width, x.low // divisor, x.high // divisor)

    def _shifted_down(self, x: Whole, depth: int) -> Whole:
        count = self.random.randint(*self.sizes.shifts)
        return Whole(f"({x.text} >> {literal(x.kind, count)})", x.kind, x.width, x.low >> count, x.high >> count)

    def _shifted_up(self, x: Whole, depth: int) -> Whole:
        x, count = self._natural(x), self.random.randint(*self.sizes.shifts)
        if x.high << count > self.sizes.limit:
            return x
        return Whole(f"({x.text} << {literal(x.kind, count)})", x.kind, x.width, x.low << count, x.high << count)

    def _bits(self, x: Whole, depth: int) -> Whole:
        x, y = self._natural(x), self._natural(self._other(x, depth))
        high = (1 << max(x.bits, y.bits)) - 1
        return Whole(f"({x.text} {self.random.choice('|^&')} {y.text})", x.kind, x.width, 0, high)

    def _extreme(self, x: Whole, depth: int) -> Whole:
        y, name = self._other(x, depth), self.random.choice(("min", "max"))
        pick = min if name == "min" else max
        return Whole(f"{name}({x.text}, {y.text})", x.kind, x.width, pick(x.low, y.low), pick(x.high, y.high))

    def _signs(self, x: Whole, depth: int) -> Whole:
        if x.kind == "uint":
            return x
        way = self.random.choice(("abs", "sign", "-"))
        if way == "-":
            return Whole(f"(-{x.text})", x.kind, x.width, -x.high, -x.low)
        if way == "sign":
            return Whole(f"sign({x.text})", x.kind, x.width, -1, 1)
        return Whole(f"abs({x.text})", x.kind, x.width, 0, max(abs(x.low), abs(x.high)))

    def _complement(self, x: Whole, depth: int) -> Whole:
        return x if x.kind == "uint" else Whole(f"(~{x.text})", x.kind, x.width, ~x.high, ~x.low)

    def _chosen(self, x: Whole, depth: int) -> Whole:
        y, kind = self._other(x, depth), self.random.choice(("int", "uint"))
        condition = f"{self._scalar(kind).text} {self.random.choice(('<', '>=', '==', '!='))} {self._scalar(kind).text}"
        return replace(x.joined(y), text=f"({condition} ? {x.text} : {y.text})")

    def _wrapped(self, x: Whole) -> Whole:
        """A hash of all 32 bits, under a mask."""
        factor, shift = self.random.choice((40503, 1103515245)), self.random.randint(0, 20)
        text = f"(({x.text} * {literal(x.kind, factor)}) >> {literal(x.kind, shift)} & {literal(x.kind, 255)})"
        return Whole(text, x.kind, x.width, 0, 255)
