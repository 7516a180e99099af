"""Goals: what a combiner is to make.

A *vector* is one polynomial for each channel of a combiner, three for colour and one for alpha, or None for a channel
that nobody reads.  A goal asks that the combiner's result be clamp(vector, 0, 1): who reads the result has shown that
the clamped value serves as well as the polynomial itself.  So clamp(x) and x are the same goal, and it is written as
x.

The channels of most colours are one formula: what red is made of texture0.r and u_tint.r, green is made of texture0.g
and u_tint.g.  Then it is enough to solve for one channel, and to rename the answers (`Pattern`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    BY_KEY,
    ONE,
    ZERO,
    Atom,
    Channel,
    Clamp,
    HostNumber,
    Monomial,
    Number,
    Polynomial,
    all_atoms,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, lies_in_unit, range_of

#: The channels of a colour combiner.
COLOUR = "rgb"
Vector = tuple[Polynomial | None, ...]
#: So many are added by one stage without a product of them.
_READINGS = 2
Renaming = Mapping[Atom, Atom]


# --- Goals ------------------------------------------------------------------------------------------------------------


def scalar_of(vector: Vector) -> Polynomial | None:
    """The polynomial that all channels share which somebody reads; None if they differ, or nobody reads any."""
    values = {value for value in vector if value is not None}
    return values.pop() if len(values) == 1 else None


def each(function: Callable[..., Polynomial | None], *vectors: Vector) -> Vector:
    """Apply a function channel by channel, where all vectors have a polynomial."""
    return tuple(None if None in channels else function(*channels) for channels in zip(*vectors, strict=True))


def simplest(vector: Vector) -> Vector:
    """One channel instead of three where all are equal, so that either combiner may make it."""
    scalar = scalar_of(vector)
    return vector if scalar is None else (scalar,)


def complement(vector: Vector) -> Vector:
    return each(lambda value: 1 - value, vector)


def is_host(vector: Vector) -> bool:
    """Tell whether it can be a constant of the host: the same for every pixel, and in the range of a byte."""
    return all(value is None or (value.is_host and lies_in_unit(value)) for value in vector)


def in_unit(vector: Vector) -> bool:
    return all(value is None or lies_in_unit(value) for value in vector)


def united(left: Vector, right: Vector) -> Vector | None:
    """What satisfies both, if anything does."""
    channels = []
    for one, other in zip(left, right, strict=True):
        if one is not None and other is not None and one != other:
            return None
        channels.append(one if other is None else other)
    return tuple(channels)


def as_goal(vector: Vector) -> Vector:
    return simplest(each(unclamped, vector))


def unclamped(value: Polynomial) -> Polynomial:
    """An x with clamp(x) = clamp(value) that has no clamp around it, if the value is such a clamp."""
    for atom in sorted(value.atoms(), key=BY_KEY):
        factor: Number = value.terms.get((atom,), 0)
        if isinstance(atom, Clamp) and (factor >= 1 or factor <= -1):
            inside = _inside(value, atom, factor > 0)
            if inside is not None:
                return inside
    return value


def _inside(value: Polynomial, clamp: Clamp, grows: bool) -> Polynomial | None:
    """clamp(f*C(x)) is clamp(f*x) for f >= 1; so are the three other forms, of C(-x) = C(x) - x and of 1 - C."""
    factor = value.terms[(clamp,)]
    rest = value - type(value)({(clamp,): factor})
    inside = clamp.inner * factor
    base = 0 if grows else 1
    if rest == type(value)({}) + base:
        return inside + base
    if clamp.narrow and rest == base - inside:
        return base - inside
    return None


def is_step(value: Polynomial, goal: Polynomial) -> bool:
    """Tell whether an operand is nearer to what the pixel has than the goal is: this is what the search follows.

    It has fewer or shorter terms, and no other atoms.  One that is the goal shifted and scaled is so only if it makes
    use of all of 0 to 1, since the stages before could have made it so at once.
    """
    if value.degree > goal.degree or not all_atoms(value) <= all_atoms(goal) or value in (goal, 1 - goal):
        return False
    size = min(_size(value), _size(unclamped(value)))
    # What a single stage makes of products is a step if it is as long: b - (1-a)*(1-b) has all terms of (1-a)*(1-b).
    if size < _size(goal) or (size == _size(goal) and value.degree > 1 and _is_small(value)):
        return True
    low, high = range_of(value) if _is_affine_in(value, goal) else (1, 0)
    return low <= TOLERANCE and high >= 1 - TOLERANCE


def _is_affine_in(value: Polynomial, goal: Polynomial) -> bool:
    """Tell whether it is the goal times a number, plus anything constant."""
    terms = [term for term in value.terms if term]
    if len(terms) != sum(map(bool, goal.terms)) or not goal.terms.keys() >= set(terms):
        return False
    return len({Fraction(value.terms[term]) / goal.terms[term] for term in terms}) == 1


def products_of(value: Polynomial) -> frozenset[Monomial]:
    """The different products of atoms of the pixel that it adds, without those of the host."""
    return frozenset(tuple(atom for atom in term if not isinstance(atom, HostNumber)) for term in value.terms) - {()}


def _size(value: Polynomial) -> int:
    return sum(1 + len(term) for term in value.terms if term)


def size_within(value: Polynomial) -> int:
    """How many terms there are, those inside of clamps too: what it costs to compute with."""
    inside = sum(size_within(atom.inner) for atom in value.atoms() if isinstance(atom, Clamp))
    return len(value.terms) + inside


def may_be_direct(goal: Vector) -> bool:
    """Tell whether a single stage could make a goal of what a pixel has, by a function other than DOT3."""
    return all(value is None or (_is_small(value) and _is_sum_of_a_stage(value)) for value in goal)


def has_clamps(goal: Vector) -> bool:
    return any(isinstance(atom, Clamp) for value in goal if value is not None for atom in value.atoms())


def _is_sum_of_a_stage(value: Polynomial) -> bool:
    """If it adds two readings: one has a number as its factor, or both do together, as in a mix and in k*(x + y)."""
    products = products_of(value)
    if len(products) < _READINGS or any(len(term) > 1 for term in products):
        return True
    black = dict.fromkeys((atom for (atom,) in products), ZERO)
    base = value.substitute(black)
    one, other = (value.substitute({**black, atom: ONE}) - base for atom in black)
    return any(factor.constant is not None for factor in (one, other, one + other, one - other))


def _is_small(value: Polynomial) -> bool:
    """Of three operands two at most are multiplied with a third one, and then no number is left to scale products."""
    products = products_of(value)
    pairs = [term for term in products if len(term) > 1]
    if not pairs:
        return len(products) <= 2
    return (
        len(pairs) <= 2
        and bool(frozenset.intersection(*map(frozenset, pairs)))
        and len({atom for term in products for atom in term}) <= 3
        and all(
            len(term) == 2 and factor.denominator == 1
            for term, factor in value.terms.items()
            if sum(not isinstance(atom, HostNumber) for atom in term) > 1
        )
    )


# --- Channels that are one formula ------------------------------------------------------------------------------------


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
        """Tell whether one channel of it tells the others."""
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
