"""Candidates that do not follow from solving for one operand.

- INTERPOLATE by a mask of zeros and ones joins channels of two operands, so that each may be made by itself;
- ADD_MULTIPLY is a MODULATE one of whose factors is made by ADD in the same stage, clamp included;
- the square of x is that of abs(x);
- ADD(x, x) with the largest scale is 8 x, more than a scale alone.

DOT3 is 4 * sum of (a_i - 1/2) * (b_i - 1/2), which alone joins channels and knows signs.  A sum of w_i * x_i with
weights of the host in -1 to 1 takes the operands 1/2 + x_i/2 and 1/2 + w_i/2; a constant term of the sum moves the
first 1/2.  Where an operand is a leaf itself, its weights are four times as large and the constant term is given.

A number of the host that may be negative is no constant, but each of its parts is.  With p = max(k, 0) and n =
max(-k, 0), of which one is 0, x*k + y is x*p + clamp(y - x*n) if y is not negative: where k is positive the clamp takes
nothing away, and elsewhere it is the clamp of the result.  In the same way y + k is clamp(y + p) - n if y is at most 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from operator import add, mul, neg, sub

from glslc_multi.backends.pica200.codegen.fragment.read.clamps import absolute
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Channel,
    HostPart,
    Monomial,
    Number,
    Polynomial,
    all_atoms,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, lies_in_unit, range_of
from glslc_multi.backends.pica200.codegen.fragment.search.candidates import (
    Candidate,
    CandidateOperand,
    candidate_of,
    scales_of,
    size_of,
)
from glslc_multi.backends.pica200.codegen.fragment.search.goals import COLOUR, Vector, each, is_host
from glslc_multi.backends.pica200.codegen.fragment.search.operands import (
    Need,
    Reading,
    content,
    goal_at,
    matching,
    need_of,
)
from glslc_multi.backends.pica200.isa.fragment.combiners import SCALES, UNCLAMPED

_HALF = Fraction(1, 2)


# --- Masks, sums in products, squares ---------------------------------------------------------------------------------


def masked(goal: Vector, choices: Mapping[Reading, Vector]) -> Iterator[Candidate]:
    """A leaf where it is right, and what is wanted elsewhere; then each channel against the two others."""
    seen: set[tuple[bool, ...]] = set()
    for reading, vector in choices.items():
        mask = tuple(wanted is not None and wanted == value for wanted, value in zip(goal, vector, strict=True))
        if any(mask) and mask not in seen:
            seen.add(mask)
            yield from _joined(goal, mask, reading)
    for channel in range(len(goal)):
        mask = tuple(other == channel for other in range(len(goal)))
        if mask not in seen:
            yield from _joined(goal, mask, None)


def _joined(goal: Vector, mask: Sequence[bool], leaf: Reading | None) -> Iterator[Candidate]:
    inside = tuple(value if here else None for value, here in zip(goal, mask, strict=True))
    outside = tuple(None if here else value for value, here in zip(goal, mask, strict=True))
    if set(inside) == {None} or set(outside) == {None}:
        return
    weights = Need(tuple(ONE if here else ZERO for here in mask))
    yield Candidate("INTERPOLATE", (leaf or need_of(inside), need_of(outside), weights))


def fused(products: Sequence[Candidate], sums: Callable[[Need], Iterable[Candidate]]) -> Iterator[Candidate]:
    """MODULATE(x, y), where x is ADD(v, w) without a scale, is ADD_MULTIPLY(v, w, y)."""
    for outer in products:
        if outer.function != "MODULATE":
            continue
        for need, other in (outer.operands, outer.operands[::-1]):
            if isinstance(need, Need) and not need.is_host:
                # A scale comes after the product alone.
                for inner in (candidate for candidate in sums(need) if candidate.scale == 1):
                    yield candidate_of("ADD_MULTIPLY", (*inner.operands, other), outer.scale)


def eightfold(goal: Vector) -> Iterator[Candidate]:
    """For what has to be made steeper than by the largest scale."""
    largest = max(SCALES)
    if size_of(goal) > largest:
        need = need_of(each(lambda value: value / (2 * largest), goal))
        yield Candidate("ADD", (need, need), largest)


def squares(goal: Vector) -> Iterator[Candidate]:
    roots = each(_root, goal)
    if all(value is None or root is not None for value, root in zip(goal, roots, strict=True)):
        need: CandidateOperand = need_of(roots)
        yield Candidate("MODULATE", (need, need))


def _root(value: Polynomial) -> Polynomial | None:
    """The square root in 0 to 1, if it is a polynomial, or the absolute value of one."""
    root = _polynomial_root(value)
    if root is None or root.is_host:
        return None
    low, high = range_of(root)
    if lies_in_unit(root) or lies_in_unit(-root):
        return root if high > 0 else -root
    return absolute(root) if low >= -1 and high <= 1 else None


def _polynomial_root(value: Polynomial) -> Polynomial | None:
    """Term by term: the leading term of what remains is twice the root's leading term times the next one."""
    lead = value.leading_monomial() if value else ()
    first = _root_of_number(value.terms[lead]) if lead else None
    if first is None or lead[::2] != lead[1::2]:
        return None
    top = Polynomial({lead[::2]: first})
    root = top
    for _ in range(len(value.terms)):
        rest = value - root * root
        if not rest:
            return root
        term = rest.leading_term().divided_by(top * 2)
        if term is None:
            return None
        root = root + term
    return None


def _root_of_number(value: Number) -> Fraction | None:
    if value <= 0:
        return None
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return root if root * root == value else None


# --- DOT3 -------------------------------------------------------------------------------------------------------------


def dot_products(goal: Polynomial, leaves: Mapping[Reading, Vector]) -> Iterator[Candidate]:
    """`leaves` are readings of three channels."""
    for scale in scales_of((goal,)):
        wanted = goal / scale
        yield from _of_two_leaves(wanted, scale, leaves)
        yield from _of_leaf_and_constant(wanted, scale, leaves)
        yield from _of_weighted_sum(wanted, scale, leaves)


@lru_cache(maxsize=1_000)
def dot3(left: Vector, right: Vector) -> Polynomial:
    result: Polynomial = UNCLAMPED.dot3(left, right)
    return result


def _of_two_leaves(goal: Polynomial, scale: int, leaves: Mapping[Reading, Vector]) -> Iterator[Candidate]:
    if goal.degree != 2 or any(abs(factor) != 4 for term, factor in goal.terms.items() if len(term) == 2):
        return
    rows = list(leaves.items())
    for index, (one, left) in enumerate(rows):
        for other, right in rows[index:]:
            if dot3(left, right) == goal:
                yield candidate_of("DOT3_RGB", (one, other), scale)


def _of_leaf_and_constant(goal: Polynomial, scale: int, leaves: Mapping[Reading, Vector]) -> Iterator[Candidate]:
    """The slope in channel i of the leaf is 4 * (k_i - 1/2)."""
    for reading, vector in leaves.items():
        if reading.channels == COLOUR and not reading.complement:
            constant = tuple(_slope(goal, value) / 4 + _HALF for value in vector if value is not None)
            if is_host(constant) and dot3(vector, constant) == goal:
                yield candidate_of("DOT3_RGB", (reading, Need(constant)), scale)


def _slope(goal: Polynomial, leaf: Polynomial) -> Polynomial:
    ((monomial,),) = [leaf.terms]
    atom = monomial[0]
    return goal.substitute({atom: ONE}) - goal.substitute({atom: ZERO})


def _of_weighted_sum(goal: Polynomial, scale: int, leaves: Mapping[Reading, Vector]) -> Iterator[Candidate]:
    parts = _weighted_sum(goal)
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
            yield candidate_of("DOT3_RGB", (leaf or need_of(first), Need(second)), scale)


def _weighted_sum(goal: Polynomial) -> tuple[list[Polynomial], list[Polynomial], Number] | None:
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


# --- Numbers of the host that may be negative -------------------------------------------------------------------------


def signed(goal: Vector, choices: Mapping[Reading, Vector]) -> Iterator[Candidate]:
    """With a number of the host that is added, or that a leaf is multiplied by."""
    black = goal_at(goal, ZERO)
    if _has_both_signs(black):
        yield from _sums(goal, black)
    for reading, leaf in choices.items():
        white = goal_at(goal, ZERO, leaf, ONE)
        factors = each(sub, black, white) if reading.complement else each(sub, white, black)
        if _has_both_signs(factors):
            rest = each(sub, goal, each(mul, leaf, factors))
            above, below = each(_part, factors), each(_part, each(neg, factors))
            if all(value is None or range_of(value)[0] >= -TOLERANCE for value in rest):
                left = each(sub, rest, each(mul, leaf, below))
                yield Candidate("MULTIPLY_ADD", (reading, need_of(above), need_of(left)))


def _has_both_signs(factors: Vector) -> bool:
    """Tell whether one of them does, and all have parts in 0 to 1."""
    ranges = [range_of(factor) for factor in factors if factor is not None]
    is_within = all(factor is None or factor.is_host for factor in factors) and all(
        low >= -1 - TOLERANCE and high <= 1 + TOLERANCE for low, high in ranges
    )
    return is_within and any(low < -TOLERANCE and high > TOLERANCE for low, high in ranges)


def _sums(goal: Vector, added: Vector) -> Iterator[Candidate]:
    rest = each(sub, goal, added)
    above, below = each(_part, added), each(_part, each(neg, added))
    ranges = [range_of(value) for value in rest if value is not None]
    if all(low >= -TOLERANCE for low, _ in ranges):
        yield Candidate("ADD", (need_of(each(sub, rest, below)), need_of(above)))
    if all(high <= 1 + TOLERANCE for _, high in ranges):
        yield Candidate("SUBTRACT", (need_of(each(add, rest, above)), need_of(below)))


def _part(factor: Polynomial) -> Polynomial:
    low, high = range_of(factor)
    if low >= 0:
        return factor
    return polynomial(HostPart(factor)) if high > 0 else ZERO
