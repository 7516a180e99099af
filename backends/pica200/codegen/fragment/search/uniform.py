"""Goals whose channels are one formula.

Most colours are: what red is made of texture0.r and u_tint.r, green is made of texture0.g and u_tint.g.  Then it is
enough to solve for one channel, and to rename the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from backends.pica200.codegen.fragment.algebra.polynomials import (
    BY_KEY,
    Atom,
    Channel,
    Clamp,
    HostNumber,
    Number,
    Polynomial,
    all_atoms,
)
from backends.pica200.codegen.fragment.search.operands import COLOUR
from backends.pica200.codegen.fragment.search.vectors import Vector

Renaming = Mapping[Atom, Atom]


class Pattern:
    """One channel that stands for all of them, and the renamings that make the others of it."""

    def __init__(self, first: int, renamings: Sequence[Renaming | None]) -> None:
        self._first = first
        self._renamings = renamings

    def first(self, vector: Vector) -> Vector:
        """The channel that stands for the vector."""
        return (vector[self._first],)

    def all_of(self, vector: Vector) -> Vector:
        """The vector for which a channel stands."""
        (value,) = vector
        return tuple(
            None if renaming is None or value is None else value.renamed(renaming) for renaming in self._renamings
        )

    def fits(self, vector: Vector) -> bool:
        """Whether one channel of it tells the others."""
        return all(
            renaming is None or value == again
            for value, again, renaming in zip(vector, self.all_of(self.first(vector)), self._renamings, strict=True)
        )


@lru_cache(maxsize=1_000)
def pattern_of(goal: Vector) -> Pattern | None:
    """The pattern of a goal, if it has one."""
    first = max((channel for channel, value in enumerate(goal) if value is not None), key=lambda c: _reach(goal[c]))
    value = goal[first]
    assert value is not None
    renamings = [None if other is None else _renaming(value, other, first, index) for index, other in enumerate(goal)]
    pattern = Pattern(first, renamings)
    if any(other is not None and renaming is None for other, renaming in zip(goal, renamings, strict=True)):
        return None
    return pattern if pattern.fits(goal) else None


def _reach(value: Polynomial | None) -> Number:
    """How wide the ranges of its host numbers are: what is right for wide ones is right within."""
    atoms = [] if value is None else sorted(all_atoms(value), key=BY_KEY)
    return sum((atom.high - atom.low for atom in atoms if isinstance(atom, HostNumber)), Fraction(0))


def _renaming(value: Polynomial, other: Polynomial, first: int, place: int) -> Renaming | None:
    mine, others = all_atoms(value), all_atoms(other)
    renaming: dict[Atom, Atom] = {}
    for atom in mine:
        if isinstance(atom, Channel) and atom.channel == COLOUR[first] and atom not in others:
            renaming[atom] = Channel(atom.source, COLOUR[place])
    # Host numbers that one has and the other has not, in the order of their names.
    left, right = (
        sorted((atom for atom in atoms if isinstance(atom, HostNumber)), key=BY_KEY)
        for atoms in (mine - others, others - mine)
    )
    pairs = list(zip(left, right, strict=False))
    if any(one.low > other.low or one.high < other.high for one, other in pairs):
        return None
    renaming.update(pairs)
    for atom in sorted((atom for atom in mine if isinstance(atom, Clamp)), key=lambda clamp: len(clamp.key)):
        inner = atom.inner.renamed(renaming)
        renaming[atom] = Clamp(inner, atom.narrow)
    return renaming
