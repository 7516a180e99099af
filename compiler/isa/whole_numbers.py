"""How far the whole numbers of a machine without ints go."""

from __future__ import annotations

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """How far the whole numbers go that a machine without ints computes with exactly, and those from outside."""

    #: All whole numbers up to it, of either sign, are exact.
    exact: int
    #: The host promises ints of the interface up to it, of either sign.
    outside: int
    #: No number is larger, of either sign: of floats, those that ints become.
    largest: int = 1 << 31

    def held(self, number: int) -> int:
        """Return a number that is exact, of others the next one further from 0 that the machine holds."""
        return held(number, self.exact)


def held(number: int, exact: int) -> int:
    """Return the same for a machine whose whole numbers are exact up to some power of two."""
    unit = 1 << max(abs(number).bit_length() - (exact.bit_length() - 1), 0)
    rounded = -(-abs(number) // unit) * unit
    return rounded if number >= 0 else -rounded
