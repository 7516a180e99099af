"""Values of earlier stages that a goal suggests, for stages that read two of them.

With one unknown operand a stage can be solved.  Where two operands come from earlier stages, one of them is guessed
from the goal's structure: a clamped value in it, what is left of it where a leaf is 0 or 1, a product of two leaves, a
sum of some of its terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from backends.pica200.codegen.fragment.algebra.polynomials import (
    BY_KEY,
    ONE,
    ZERO,
    Atom,
    Clamp,
    Monomial,
    Polynomial,
    polynomial,
)
from backends.pica200.codegen.fragment.algebra.ranges import pixel_atoms
from backends.pica200.codegen.fragment.search.vectors import Vector, in_unit, is_host, is_step

_LIMIT = 16


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
    for leaf in leaves:
        for end in (ZERO, ONE):
            yield tuple(
                None if wanted is None else wanted.substitute(dict.fromkeys((value or ZERO).atoms(), end))
                for wanted, value in zip(goal, leaf, strict=True)
            )


def _products(goal: Vector, leaves: Sequence[Vector]) -> Iterator[Vector]:
    """Products of two leaves that divide a term of the goal in each channel."""
    for one, other in combinations_with_replacement(leaves, 2):
        product = tuple(
            None if wanted is None or x is None or y is None else x * y
            for wanted, x, y in zip(goal, one, other, strict=True)
        )
        if all(
            wanted is None or value is None or _has_term_with(wanted, value)
            for wanted, value in zip(goal, product, strict=True)
        ):
            yield product


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
