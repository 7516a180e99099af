"""Forms of DOT3: 4 * sum of (a_i - 1/2) * (b_i - 1/2), which alone joins channels and knows signs.

A sum of w_i * x_i with weights of the host in -1 to 1 takes the operands 1/2 + x_i/2 and 1/2 + w_i/2; a constant term
of the sum moves the first 1/2.  Where an operand is a leaf itself, its weights are four times as large and the
constant term is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from backends.pica200.codegen.fragment.algebra.polynomials import (
    ONE,
    ZERO,
    Channel,
    Monomial,
    Number,
    Polynomial,
    all_atoms,
)
from backends.pica200.codegen.fragment.algebra.ranges import lies_in_unit, range_of
from backends.pica200.codegen.fragment.search.constants import content
from backends.pica200.codegen.fragment.search.forms import Form, form_of, scales_of
from backends.pica200.codegen.fragment.search.operands import COLOUR, Need, Reading, matching
from backends.pica200.codegen.fragment.search.vectors import Vector, is_host, simplest

_HALF = Fraction(1, 2)


def dot3_forms(goal: Polynomial, leaves: Mapping[Reading, Vector]) -> Iterator[Form]:
    """`leaves` are readings of three channels."""
    for scale in scales_of((goal,)):
        wanted = goal / scale
        yield from _of_two_leaves(wanted, scale, leaves)
        yield from _of_leaf_and_constant(wanted, scale, leaves)
        yield from _of_weighted_sum(wanted, scale, leaves)


@lru_cache(maxsize=1_000)
def dot3(left: Vector, right: Vector) -> Polynomial:
    total = ZERO
    for a, b in zip(left, right, strict=True):
        assert a is not None and b is not None
        total = total + (a * 2 - 1) * (b * 2 - 1)
    return total


def _of_two_leaves(goal: Polynomial, scale: int, leaves: Mapping[Reading, Vector]) -> Iterator[Form]:
    if goal.degree != 2 or any(abs(factor) != 4 for term, factor in goal.terms.items() if len(term) == 2):
        return
    rows = list(leaves.items())
    for index, (one, left) in enumerate(rows):
        for other, right in rows[index:]:
            if dot3(left, right) == goal:
                yield form_of("DOT3_RGB", (one, other), scale)


def _of_leaf_and_constant(goal: Polynomial, scale: int, leaves: Mapping[Reading, Vector]) -> Iterator[Form]:
    """The slope in channel i of the leaf is 4 * (k_i - 1/2)."""
    for reading, vector in leaves.items():
        if reading.channels == COLOUR and not reading.complement:
            constant = tuple(_slope(goal, value) / 4 + _HALF for value in vector if value is not None)
            if is_host(constant) and dot3(vector, constant) == goal:
                yield form_of("DOT3_RGB", (reading, Need(constant)), scale)


def _slope(goal: Polynomial, leaf: Polynomial) -> Polynomial:
    ((monomial,),) = [leaf.terms]
    atom = monomial[0]
    return goal.substitute({atom: ONE}) - goal.substitute({atom: ZERO})


def _of_weighted_sum(goal: Polynomial, scale: int, leaves: Mapping[Reading, Vector]) -> Iterator[Form]:
    parts = _parts(goal)
    if parts is None:
        return
    weights, values, constant = parts
    shift = _shift(weights, constant)
    if shift is None:
        return
    first = tuple(value / 2 + shift for value in values)
    second = tuple(weight / 2 + _HALF for weight in weights)
    if is_host(second) and all(lies_in_unit(value) for value in first) and dot3(first, second) == goal:
        leaf = matching(first, dict(leaves))
        if leaf is not None or all(all_atoms(value) <= all_atoms(goal) for value in first):
            yield form_of("DOT3_RGB", (leaf or Need(simplest(first)), Need(second)), scale)


def _parts(goal: Polynomial) -> tuple[list[Polynomial], list[Polynomial], Number] | None:
    """The goal as a sum over the letters of its channels, each a weight times a value in 0 to 1, and a number."""
    terms = dict(goal.terms)
    constant = terms.pop((), 0)
    groups: dict[str, dict[Monomial, Number]] = {channel: {} for channel in COLOUR}
    for monomial, factor in terms.items():
        letters = {atom.channel for atom in monomial if isinstance(atom, Channel)} & set(COLOUR)
        if len(letters) != 1:
            return None
        groups[letters.pop()][monomial] = factor
    sums = [Polynomial(group) for group in groups.values()]
    if sum(map(bool, sums)) < 2:
        return None
    weights = [_weight(value) if value else ZERO for value in sums]
    values = [value.divided_by(weight) if value else ZERO for value, weight in zip(sums, weights, strict=True)]
    return (weights, [value for value in values if value is not None], constant)


def _weight(value: Polynomial) -> Polynomial:
    """What makes the rest reach 1, with the sign of the greater end."""
    factor, _ = content(value)
    rest = value.divided_by(factor)
    assert rest is not None
    low, high = range_of(rest)
    return factor * (high if high >= -low else low)


def _shift(weights: Sequence[Polynomial], constant: Number) -> Fraction | None:
    """d in 0 to 1/2, such that the operands x/2 + d give the constant term: sum of w * (2d - 1) = constant."""
    if not constant:
        return _HALF
    total = sum(weights, ZERO).constant
    if not total:
        return None
    shift = _HALF + Fraction(constant) / (2 * total)
    return shift if 0 <= shift <= _HALF else None
