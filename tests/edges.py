"""Numbers at which code changes its mind, for tests of what code computes; beside them, tests take random ones.

In: the literals of a program, ranges that its values are known to be in, and the format that holds its numbers.
Out: zeros of either sign, poles, bytes, powers of two, ends of ranges and the literals: each with both signs, with the
numbers next to it, and one more and one less, as far as the format has them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from glslc_multi.compiler.records import dataclass

_LITERAL = re.compile(r"(?<![\w.])(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
#: Of the tangent and its inverse, beside the logarithm's at 0 and the arc sine's ends at 1.
_POLES = (math.pi / 2, math.pi)
_BYTES = (0, 1, 127, 128, 254, 255)
#: Of powers of two: small ones, of which code makes shifts, and those of words, halves and mantissas.
_EXPONENTS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 15, 16, 23, 24, 30, 31)
#: Of divisors in dividends that are multiples.
_FACTORS = (2, 3, 5, 7, 100, 65535)


@dataclass(frozen=True, slots=True)
class Format:
    """Numbers from the least to the greatest: multiples of a step, or floats of so many bits after the leading one."""

    least: float
    greatest: float
    step: float = 0
    bits: int = 0

    def holds(self, x: float) -> bool:
        return self.least <= x <= self.greatest and x % self._gap(x) == 0

    def around(self, x: float) -> Iterator[float]:
        """Give the number that is nearest to another one, and those next to it; none for what is far too large."""
        if not math.isfinite(x):
            return
        gap = self._gap(x)
        middle = round(x / gap) * gap
        # Below a power of two, floats are half as far apart.
        yield from (
            y for y in (middle - gap, middle - gap / 2, middle, middle + gap / 2, middle + gap) if self.holds(y)
        )

    def _gap(self, x: float) -> float:
        return self.step or 2.0 ** (math.frexp(x)[1] - 1 - self.bits)


INTS = Format(-(2**31), 2**31 - 1, step=1)
UINTS = Format(0, 2**32 - 1, step=1)
FLOATS = Format(-(2.0**31), 2.0**31, bits=23)


def edges(
    literals: Iterable[float] = (), ranges: Iterable[tuple[float, float]] = (), format: Format = FLOATS
) -> list[float]:
    """Give the edges in order of size, each once; of floats, both zeros."""
    powers = [2**exponent for exponent in _EXPONENTS]
    marks = [*literals, *(end for ends in ranges for end in ends), *_BYTES, *powers, format.least, format.greatest]
    if format.step != 1:
        marks += [*_POLES, *(1 / power for power in powers), *(byte / 255 for byte in _BYTES)]
    near = {x for mark in marks for x in (mark - 1, mark + 1, *format.around(mark))}
    kind = int if format.step == 1 else float
    found = {kind(sign * x) for x in near for sign in (1, -1) if format.holds(sign * x)} - {0}
    zeros = [0] if format.step else [-0.0, 0.0]
    return [*sorted(x for x in found if x < 0), *zeros, *sorted(x for x in found if x > 0)]


def pairs(numbers: Sequence[float], format: Format) -> Iterator[tuple[float, float]]:
    """Give all pairs; and multiples of each number with what is next to them, beside the number."""
    yield from product(numbers, repeat=2)
    for y, factor in product(numbers, _FACTORS):
        yield from ((x, y) for x in format.around(factor * y))


def literals_of(text: str) -> list[float]:
    """Read the numbers of a program, those of its names left out."""
    return [int(word, 16) if word[:2] in ("0x", "0X") else float(word) for word in _LITERAL.findall(text)]
