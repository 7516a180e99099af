"""What the GLSL generator knows about an expression it wrote, and the limits that keep programs well defined.

Programs are oracles for targets of very different number formats, so their results must not depend on
rounding.  Every expression carries a `Fact`: a bound of its magnitude and, while it is *exact*, the
number of fraction bits.  Sums and products of small dyadic rationals stay exact in every format (24-bit
floats have 16 fraction bits, Q14.17 holds |x| < 16384).  Anything that rounds makes an expression
*approximate*; approximate values reach outputs only through well-conditioned operations, never a branch,
a comparison, an index or a rounding function.
"""

from __future__ import annotations

from math import log2

from glslc_multi.compiler.records import dataclass

#: Bounds of exact expressions: significant bits, magnitude (Q14.17 after a scaling by 8), fraction bits.
MAX_BITS, MAX_EXACT, MAX_GRAIN = 15, 1024.0, 11
#: Bounds of what variables hold, so that expressions over them have room to grow.
VARIABLE_EXACT, VARIABLE_GRAIN = 16.0, 3
VARIABLE_APPROXIMATE = 64.0
MAX_APPROXIMATE = 4096.0
VARIABLE_INT, MAX_INT = 64, 8192


@dataclass(frozen=True, slots=True)
class Fact:
    """`magnitude` bounds |value|; `grain` counts fraction bits (0 for whole numbers) while `exact`."""

    magnitude: float
    grain: int = 0
    exact: bool = True

    @property
    def fits(self) -> bool:
        """Whether the value is exact in every target's format (or tamely approximate)."""
        if not self.exact:
            return self.magnitude <= MAX_APPROXIMATE
        bits = log2(max(self.magnitude, 1.0)) + self.grain
        return bits <= MAX_BITS and self.magnitude <= MAX_EXACT and self.grain <= MAX_GRAIN

    def add(self, other: Fact) -> Fact:
        return Fact(self.magnitude + other.magnitude, max(self.grain, other.grain), self.exact and other.exact)

    def multiply(self, other: Fact) -> Fact:
        return Fact(self.magnitude * other.magnitude, self.grain + other.grain, self.exact and other.exact)

    def join(self, other: Fact) -> Fact:
        """Either of the two."""
        return Fact(max(self.magnitude, other.magnitude), max(self.grain, other.grain), self.exact and other.exact)

    def rounded(self, magnitude: float | None = None) -> Fact:
        """The result of an operation that rounds."""
        return Fact(self.magnitude if magnitude is None else magnitude, 0, exact=False)


#: What any variable of a class holds.
EXACT = Fact(VARIABLE_EXACT, VARIABLE_GRAIN)
APPROXIMATE = Fact(VARIABLE_APPROXIMATE, 0, exact=False)
WHOLE = Fact(VARIABLE_INT)
TRUTH = Fact(1)


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression's text, its GLSL type by name, and its fact.  The text needs no further parentheses."""

    text: str
    type: str
    fact: Fact


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that can be read and perhaps written: `text` names it."""

    text: str
    type: str
    fact: Fact
    writable: bool


def width(type_: str) -> int:
    """Components of a scalar or vector type."""
    return int(type_[-1]) if type_[-1].isdigit() else 1


def base(type_: str) -> str:
    """float, int or bool; matrices are float."""
    if type_.startswith(("int", "ivec")):
        return "int"
    return "bool" if type_.startswith(("bool", "bvec")) else "float"


def vector_of(kind: str, count: int) -> str:
    """The type of `count` components of `kind`."""
    if count == 1:
        return kind
    return {"float": "vec", "int": "ivec", "bool": "bvec"}[kind] + str(count)


def is_matrix(type_: str) -> bool:
    return type_.startswith("mat")


def float_text(value: float) -> str:
    """A GLSL literal; negative ones in parentheses."""
    text = repr(float(value))
    return f"({text})" if value < 0 else text
