"""Constants that a stage may want: host numbers, guessed from the goal.

A stage that computes x*k + y of a leaf x, with both k and y unknown, has k as the slope of the goal in x, or as its
value where x is 1; others have it as the goal's value where all pixels are black or white, or as its common factor.
So the candidates are the host polynomials that remain of the goal in the corners of the pixel's box, their
differences, and quotients of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from backends.pica200.codegen.fragment.algebra.polynomials import (
    BY_KEY,
    ONE,
    ZERO,
    Atom,
    HostNumber,
    Number,
    Polynomial,
    polynomial,
)
from backends.pica200.codegen.fragment.algebra.ranges import pixel_atoms, range_of
from backends.pica200.codegen.fragment.search.vectors import Vector, in_unit
from compiler.records import dataclass


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
            if in_unit(vector) and not _is_trivial(vector) and Constant(vector, None) not in constants:
                constants[Constant(vector, leaf)] = None
    return list(constants)


def _is_trivial(vector: Vector) -> bool:
    return {value for value in vector if value is not None} <= {ZERO, ONE}


def _corners(goal: Vector) -> Iterator[Vector]:
    """The goal where all is black, and where all is white; what shifts it into 0 to 1, and out of it."""
    yield _at(goal, ZERO)
    yield _at(goal, ONE)
    lows = tuple(None if value is None else polynomial(range_of(value)[0]) for value in goal)
    yield lows
    yield _negative(lows)


def _slopes(goal: Vector, leaf: Vector) -> Iterator[Vector]:
    """The goal where a leaf alone is white, and how much the leaf changes it, beside black and beside white."""
    one = _at(goal, ZERO, leaf, ONE)
    yield one
    for slope in (_difference(one, _at(goal, ZERO)), _difference(_at(goal, ONE), _at(goal, ONE, leaf, ZERO))):
        yield slope
        yield _negative(slope)


def _negative(vector: Vector) -> Vector:
    return tuple(None if value is None else -value for value in vector)


def _at(goal: Vector, all_atoms: Polynomial, leaf: Vector | None = None, value: Polynomial = ZERO) -> Vector:
    """The goal where all atoms of the pixel are 0, or 1, but for those of the leaf."""
    result: list[Polynomial | None] = []
    for channel, wanted in enumerate(goal):
        if wanted is None:
            result.append(None)
            continue
        values: dict[Atom, Polynomial] = dict.fromkeys(pixel_atoms(wanted), all_atoms)
        if leaf is not None:
            values.update(dict.fromkeys((leaf[channel] or ZERO).atoms(), value))
        result.append(wanted.substitute(values))
    return tuple(result)


def at_black(goal: Vector, leaf: Vector | None = None, value: Polynomial = ZERO) -> Vector:
    """The goal where all of the pixel is 0, but for the atoms of the leaf."""
    return _at(goal, ZERO, leaf, value)


def _difference(left: Vector, right: Vector) -> Vector:
    return tuple(None if x is None or y is None else x - y for x, y in zip(left, right, strict=True))


def _quotients(goal: Vector, corners: Sequence[Vector]) -> Iterator[Vector]:
    """Numbers of the host that all channels share, and what is left of the corners without them."""
    for factor in _shared_numbers(goal):
        yield tuple(None if value is None else factor for value in goal)
        for corner in corners:
            parts = tuple(None if value is None else value.divided_by(factor) for value in corner)
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
