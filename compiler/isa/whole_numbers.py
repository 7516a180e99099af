"""How far the whole numbers of a machine without ints go."""

from __future__ import annotations

from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """How far the whole numbers go that a machine without ints computes with exactly, and those from outside."""

    #: All whole numbers up to it, of either sign, are exact.
    exact: int
    #: The host promises ints of the interface up to it, of either sign.
    outside: int
