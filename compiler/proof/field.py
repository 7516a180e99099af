"""GF(p) with p = 2^61 - 1, and its roots: where expressions are compared as algebra, without rounding.

Two expressions over sums, products and quotients that differ as rational functions agree at a random point with
a probability of about (degree / 2^61) (Schwartz 1980, Zippel 1979).  A float is an element, too: its value is
m * 2^k, and 2^61 = 1.

Half of the elements have no root in GF(p).  All of them have one in GF(p^2) = GF(p)[i] with i*i = -1, since p = 3
modulo 4; what has a part along `i` is a `Pair`, everything else an int.
"""

from __future__ import annotations

from functools import lru_cache
from struct import unpack
from typing import TypeAlias

try:
    # `hashlib` would load OpenSSL, which takes as long as the rest of a small proof.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

PRIME = (1 << 61) - 1
_BITS = 61
#: The power that makes a root of an element that has one: p = 3 modulo 4.
_ROOT = (PRIME + 1) // 4


class Pair:
    """An element `real` + `imaginary` * i of GF(p^2)."""

    __slots__ = ("imaginary", "real")

    def __init__(self, real: int, imaginary: int) -> None:
        self.real = real
        self.imaginary = imaginary

    def __add__(self, other: Element) -> Pair:
        if isinstance(other, Pair):
            return Pair(self.real + other.real, self.imaginary + other.imaginary)
        return Pair(self.real + other, self.imaginary)

    __radd__ = __add__

    def __neg__(self) -> Pair:
        return Pair(-self.real, -self.imaginary)

    def __sub__(self, other: Element) -> Pair:
        return self + -other

    def __rsub__(self, other: int) -> Pair:
        return -self + other

    def __mul__(self, other: Element) -> Pair:
        if isinstance(other, Pair):
            real = self.real * other.real - self.imaginary * other.imaginary
            return Pair(real, self.real * other.imaginary + self.imaginary * other.real)
        return Pair(self.real * other, self.imaginary * other)

    __rmul__ = __mul__

    def __mod__(self, prime: int) -> Element:
        """The same element with parts in range; without a part along i it is an int."""
        real, imaginary = self.real % prime, self.imaginary % prime
        return Pair(real, imaginary) if imaginary else real

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair) and (self.real, self.imaginary) == (other.real, other.imaginary)

    def __hash__(self) -> int:
        return hash((self.real, self.imaginary))

    def __repr__(self) -> str:
        return f"{self.real:x}+{self.imaginary:x}i"


Element: TypeAlias = int | Pair


@lru_cache(maxsize=1 << 12)
def element_of(number: float) -> int:
    """The element that a finite float is."""
    numerator, denominator = number.as_integer_ratio()
    # A shift by 61 multiplies by one, so division by 2^k is a shift by -k modulo 61.
    return (numerator << (-(denominator.bit_length() - 1) % _BITS)) % PRIME


def inverse(x: Element) -> Element:
    """1 / x, of any element but 0."""
    if isinstance(x, Pair):
        scale = pow(x.real * x.real + x.imaginary * x.imaginary, -1, PRIME)
        return Pair(x.real * scale, -x.imaginary * scale) % PRIME
    return pow(x, -1, PRIME)


def root(x: Element) -> Element | None:
    """One of the two elements whose square is x, always the same one; None where GF(p^2) has none.

    Of elements that have one in GF(p) it is the one that has a root itself, so that roots of products are products of
    roots.
    """
    if isinstance(x, Pair):
        return _root_of_pair(x)
    found = pow(x, _ROOT, PRIME)
    # Its square is x or -x.
    return found if found * found % PRIME == x else Pair(0, found)


def _root_of_pair(x: Pair) -> Element | None:
    """a + b*i with a^2 - b^2 = real, 2ab = imaginary: a^2 is the half of real +- the root of the norm."""
    norm = root((x.real * x.real + x.imaginary * x.imaginary) % PRIME)
    if not isinstance(norm, int):
        return None
    half = (PRIME + 1) // 2
    for square in ((x.real + norm) * half % PRIME, (x.real - norm) * half % PRIME):
        a = root(square)
        if isinstance(a, int) and a:
            return Pair(a, x.imaginary * half * pow(a, -1, PRIME) % PRIME)
    return None


def oracle(*key: object) -> int:
    """A random element for a name and operands: the value of a function of which nothing else is known."""
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=8).digest(), "little") % PRIME


def oracles(count: int, *key: object) -> list[int]:
    """The same for a function that has up to eight values."""
    digest = blake2b(repr(key).encode(), digest_size=8 * count).digest()
    return [number % PRIME for number in unpack(f"<{count}Q", digest)]
