"""Operands of a combiner: what can be read at once, what the host must provide, what earlier stages must compute.

A stage that computes x*k + y of a leaf x, with both k and y unknown, has k as the slope of the goal in x, or as its
value where x is 1; others have it as the goal's value where all pixels are black or white, or as its common factor.
So the candidates for constants are the host polynomials that remain of the goal in the corners of the pixel's box,
their differences, and quotients of them.

With one unknown operand a stage can be solved.  Where two operands come from earlier stages, one of them is guessed
sum of some of its terms, a *split* of the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import ceil
from operator import neg, sub

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
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import pixel_atoms, range_of
from glslc_multi.backends.pica200.codegen.fragment.search.goals import (
    COLOUR,
    Vector,
    as_goal,
    complement,
    each,
    in_unit,
    is_host,
    is_step,
    simplest,
)
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.program import Operand
from glslc_multi.compiler.records import dataclass

_LIMIT = 16


# --- Readings and needs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """A source, and which of its channels: all of "rgb", or one, which a colour combiner sees three times."""

    source: str
    channels: str
    complement: bool = False

    def operand(self, width: int) -> Operand:
        """As a combiner of colour (3 channels) or alpha (1) names it."""
        channels = self.channels * width if len(self.channels) == 1 else self.channels
        return Operand(self.source, f"1-{channels}" if self.complement else channels)


class Need:
    """An operand that no source has: a constant of the host, or a goal for an earlier stage."""

    __slots__ = ("_complement_goal", "goal", "is_host", "vector")

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        self.is_host = is_host(vector)
        self.goal = vector if self.is_host else as_goal(vector)
        self._complement_goal: Vector | None = None

    @property
    def complement_goal(self) -> Vector:
        """The goal of who makes 1 minus it."""
        if self._complement_goal is None:
            self._complement_goal = as_goal(complement(self.vector))
        return self._complement_goal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Need) and self.vector == other.vector

    def __hash__(self) -> int:
        return hash(self.vector)

    def __repr__(self) -> str:
        return f"<{'; '.join(map(str, self.vector))}>"


def need_of(vector: Vector) -> Need:
    """Return the need for a vector, as a number where its channels are equal."""
    return Need(simplest(vector))


@lru_cache(maxsize=64)
def _leaves(sources: tuple[str, ...], width: int) -> Mapping[Reading, Vector]:
    choices = [*CHANNELS, *([COLOUR] if width == len(COLOUR) else [])]
    readings = [Reading(source, channels, flag) for source in sources for channels in choices for flag in (False, True)]
    return {reading: _leaf(reading, width) for reading in readings}


def _leaf(reading: Reading, width: int) -> Vector:
    channels = reading.channels * width if len(reading.channels) == 1 else reading.channels
    vector: Vector = tuple(polynomial(Channel(reading.source, channel)) for channel in channels)
    return complement(vector) if reading.complement else vector


def leaves(sources: Iterable[str], width: int) -> Mapping[Reading, Vector]:
    """All readings of what a pixel has, with their values."""
    return _leaves(tuple(sources), width)


def matching(vector: Vector, choices: Mapping[Reading, Vector]) -> Reading | None:
    """The reading that gives a vector in all channels that count."""
    for reading, values in choices.items():
        if all(wanted is None or wanted == value for wanted, value in zip(vector, values, strict=True)):
            return reading
    return None


def sources_of(atoms: Iterable[Atom]) -> list[str]:
    return sorted({atom.source for atom in atoms if isinstance(atom, Channel)})


# --- Constants --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant:
    """A vector of the host's polynomials, and the leaf beside which it makes sense; None: beside any."""

    vector: Vector
    leaf: Vector | None


def constants_for(goal: Vector, leaves: Sequence[Vector]) -> list[Constant]:
    """Constants in 0 to 1, the likely ones first."""
    constants: dict[Constant, None] = {}
    for leaf in (None, *leaves):
        corners = [*_common_factors(goal), *_corners(goal)] if leaf is None else list(_slopes(goal, leaf))
        for vector in (*corners, *_quotients(goal, corners)):
            if in_unit(vector) and not {*vector} <= {None, ZERO, ONE} and Constant(vector, None) not in constants:
                constants[Constant(vector, leaf)] = None
    return list(constants)


def _corners(goal: Vector) -> Iterator[Vector]:
    """The goal where all is black, and where all is white; what shifts it into 0 to 1, and out of it."""
    yield goal_at(goal, ZERO)
    yield goal_at(goal, ONE)
    lows = each(lambda value: polynomial(range_of(value)[0]), goal)
    yield lows
    yield each(neg, lows)


def _slopes(goal: Vector, leaf: Vector) -> Iterator[Vector]:
    """The goal where a leaf alone is white, and how much the leaf changes it, beside black and beside white."""
    one = goal_at(goal, ZERO, leaf, ONE)
    yield one
    for slope in (each(sub, one, goal_at(goal, ZERO)), each(sub, goal_at(goal, ONE), goal_at(goal, ONE, leaf, ZERO))):
        yield slope
        yield each(neg, slope)


def goal_at(goal: Vector, all_atoms: Polynomial, leaf: Vector | None = None, value: Polynomial = ZERO) -> Vector:
    """The goal where all atoms of the pixel are 0, or 1, but for those of the leaf."""

    def substituted(wanted: Polynomial, own: Polynomial = ZERO) -> Polynomial:
        return wanted.substitute({**dict.fromkeys(pixel_atoms(wanted), all_atoms), **dict.fromkeys(own.atoms(), value)})

    return each(substituted, goal) if leaf is None else each(substituted, goal, leaf)


def _quotients(goal: Vector, corners: Sequence[Vector]) -> Iterator[Vector]:
    """Numbers of the host that all channels share, and what is left of the corners without them."""
    for factor in _shared_numbers(goal):
        yield each(lambda _, factor=factor: factor, goal)
        for corner in corners:
            parts = each(lambda value, factor=factor: value.divided_by(factor), corner)
            if all(value is None or part is not None for value, part in zip(corner, parts, strict=True)):
                yield parts


def _shared_numbers(goal: Vector) -> Iterator[Polynomial]:
    sets = [value.atoms() for value in goal if value is not None]
    for atom in sorted(frozenset.intersection(*sets), key=BY_KEY) if sets else ():
        if isinstance(atom, HostNumber):
            yield polynomial(atom)
            yield 1 - polynomial(atom)
            if atom.low < 0:
                # What ADD_SIGNED takes away again.
                yield polynomial(atom) + Fraction(1, 2)


def _common_factors(goal: Vector) -> Iterator[Vector]:
    """What can be divided out of each channel: its host numbers, with a number or without."""
    rows = [None if value is None else content(value) for value in goal]
    yield tuple(None if row is None else row[0] for row in rows)
    yield tuple(None if row is None else row[0] * row[1] for row in rows)
    yield tuple(None if row is None else row[0] * _without_doublings(row[1]) for row in rows)


def _without_doublings(number: Number) -> Number:
    """What is left to multiply with where the scales of stages double as often as they can: 10 x is 16 x times 5/8."""
    doublings = max(0, ceil(number) - 1).bit_length()
    return Fraction(number) / (1 << doublings)


def content(value: Polynomial) -> tuple[Polynomial, Number]:
    """The product of host numbers, and of their complements, that divides it; the greatest value of the rest."""
    factors = ONE
    for atom in sorted(value.atoms(), key=BY_KEY):
        if not isinstance(atom, HostNumber):
            continue
        for factor in (polynomial(atom), 1 - polynomial(atom)):
            rest = value.divided_by(factor)
            while rest is not None and rest:
                factors, value = factors * factor, rest
                rest = value.divided_by(factor)
    return factors, range_of(value)[1]


# --- Splits -----------------------------------------------------------------------------------------------------------


def splits_of(goal: Vector, leaves: Sequence[Vector]) -> list[Vector]:
    """Vectors in 0 to 1, simpler than the goal, that are neither leaves nor the host's."""
    known = set(leaves)
    splits = dict.fromkeys([*_clamps(goal), *_ends(goal, leaves), *_products(goal, leaves), *_groups(goal)])
    useful = (vector for vector in splits if vector not in known and not is_host(vector))
    return [vector for vector in useful if _is_simpler(vector, goal) and in_unit(vector)][:_LIMIT]


def _is_simpler(vector: Vector, goal: Vector) -> bool:
    return all(
        value is None or (wanted is not None and is_step(value, wanted))
        for value, wanted in zip(vector, goal, strict=True)
    )


def _clamps(goal: Vector) -> Iterator[Vector]:
    """Each clamped value, and that of the other sign."""
    rows = [
        None if value is None else sorted((atom for atom in value.atoms() if isinstance(atom, Clamp)), key=BY_KEY)
        for value in goal
    ]
    for index in range(min(len(row) for row in rows if row is not None)):
        atoms = [None if row is None else row[index] for row in rows]
        yield tuple(None if atom is None else polynomial(atom) for atom in atoms)
        yield tuple(None if atom is None else polynomial(atom) - atom.inner for atom in atoms)


def _ends(goal: Vector, leaves: Sequence[Vector]) -> Iterator[Vector]:
    """What is left where a leaf is 0, and where it is 1."""
    for leaf, end in product(leaves, (ZERO, ONE)):
        yield each(lambda wanted, value, end=end: wanted.substitute(dict.fromkeys(value.atoms(), end)), goal, leaf)


def _products(goal: Vector, leaves: Sequence[Vector]) -> Iterator[Vector]:
    """Products of two leaves that divide a term of the goal in each channel."""
    for one, other in combinations_with_replacement(leaves, 2):
        products = each(lambda _, x, y: x * y, goal, one, other)
        pairs = zip(goal, products, strict=True)
        if all(wanted is None or value is None or _has_term_with(wanted, value) for wanted, value in pairs):
            yield products


def _has_term_with(value: Polynomial, product: Polynomial) -> bool:
    (factors,) = product.terms
    return any(all(term.count(atom) >= factors.count(atom) for atom in factors) for term in value.terms)


def _groups(goal: Vector) -> Iterator[Vector]:
    """Sums of the terms that have no atom of the pixel in common with the other terms."""
    rows = [None if value is None else _independent_sums(value) for value in goal]
    for index in range(min(len(row) for row in rows if row is not None)):
        yield tuple(None if row is None else row[index] for row in rows)


def _independent_sums(value: Polynomial) -> list[Polynomial]:
    groups: list[tuple[set[Atom], list[Monomial]]] = []
    for term in value.terms:
        atoms = set(pixel_atoms(Polynomial({term: value.terms[term]})))
        if not atoms:
            continue
        together = [group for group in groups if group[0] & atoms]
        groups = [group for group in groups if not group[0] & atoms]
        groups.append(
            (atoms.union(*(group[0] for group in together)), [term, *(t for group in together for t in group[1])])
        )
    if len(groups) < 2:
        return []
    sums = [Polynomial({term: value.terms[term] for term in terms}) for _, terms in groups]
    return sorted(sums, key=str)
