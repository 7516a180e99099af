"""Constants that a stage may want: host numbers, guessed from the goal.

A stage that computes x*k + y of a leaf x, with both k and y unknown, has k as the slope of the goal in x, or as its value where x is
1; others have it as the goal's value where all pixels are black or white, or as its common factor.  So the candidates are the
host polynomials that remain of the goal in the corners of the pixel's box, their differences, and quotients of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.pica200.codegen.fragment.polynomials import BY_KEY, ONE, ZERO, Atom, HostNumber, Number, Polynomial, polynomial
from backends.pica200.codegen.fragment.ranges import pixel_atoms, range_of
from backends.pica200.codegen.fragment.search.goals import Vector, in_unit

#: More are not worth the time of trying each with each.
_LIMIT = 12


def constants_for(goal: Vector, leaves: Sequence[Vector]) -> list[Vector]:
    """Vectors of host polynomials in 0 to 1, the likely ones first."""
    corners = list(dict.fromkeys(_corners(goal, leaves)))
    found = dict.fromkeys([*_common_factors(goal), *corners, *_quotients(goal, corners)])
    return [vector for vector in found if in_unit(vector) and not _is_trivial(vector)][:_LIMIT]


def _is_trivial(vector: Vector) -> bool:
    return {value for value in vector if value is not None} <= {ZERO, ONE}


def _corners(goal: Vector, leaves: Sequence[Vector]) -> Iterator[Vector]:
    black = _at(goal, ZERO)
    white = _at(goal, ONE)
    yield black
    yield white
    for leaf in leaves:
        one = _at(goal, ZERO, leaf, ONE)
        zero = _at(goal, ONE, leaf, ZERO)
        yield one
        for slope in (_difference(one, black), _difference(white, zero)):
            yield slope
            yield tuple(None if value is None else -value for value in slope)


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


def _common_factors(goal: Vector) -> Iterator[Vector]:
    """What can be divided out of each channel: its host numbers, with a number or without."""
    rows = [None if value is None else content(value) for value in goal]
    yield tuple(None if row is None else row[0] for row in rows)
    yield tuple(None if row is None else row[0] * row[1] for row in rows)


def content(value: Polynomial) -> tuple[Polynomial, Number]:
    """The product of host numbers, and of their complements, that divides a polynomial; and the greatest value of the rest."""
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
