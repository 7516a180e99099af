"""Forms that do not follow from solving for one operand.

- INTERPOLATE by a mask of zeros and ones joins channels of two operands, so that each may be made by itself;
- ADD_MULTIPLY is a MODULATE one of whose factors is made by ADD in the same stage, clamp included;
- the square of x is that of abs(x);
- ADD(x, x) with the largest scale is 8 x, more than a scale alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isqrt

from backends.pica200.codegen.fragment.algebra.clamps import absolute
from backends.pica200.codegen.fragment.algebra.polynomials import ONE, ZERO, Number, Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import lies_in_unit, range_of
from backends.pica200.codegen.fragment.search.forms import Form, FormOperand, form_of, size_of
from backends.pica200.codegen.fragment.search.operands import Need, Reading
from backends.pica200.codegen.fragment.search.vectors import Vector, simplest
from backends.pica200.isa.fragment.combiners import SCALES


def masked_forms(goal: Vector, choices: Mapping[Reading, Vector]) -> Iterator[Form]:
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


def _joined(goal: Vector, mask: Sequence[bool], leaf: Reading | None) -> Iterator[Form]:
    inside = tuple(value if here else None for value, here in zip(goal, mask, strict=True))
    outside = tuple(None if here else value for value, here in zip(goal, mask, strict=True))
    if set(inside) == {None} or set(outside) == {None}:
        return
    weights = Need(tuple(ONE if here else ZERO for here in mask))
    yield Form("INTERPOLATE", (leaf or Need(simplest(inside)), Need(simplest(outside)), weights))


def fused_forms(products: Sequence[Form], sums: Callable[[Need], Iterable[Form]]) -> Iterator[Form]:
    """MODULATE(x, y), where x is ADD(v, w) without a scale, is ADD_MULTIPLY(v, w, y)."""
    for form in products:
        if form.function != "MODULATE":
            continue
        for need, other in (form.operands, form.operands[::-1]):
            if isinstance(need, Need) and not need.is_host:
                # A scale comes after the product alone.
                for inner in (each for each in sums(need) if each.scale == 1):
                    yield form_of("ADD_MULTIPLY", (*inner.operands, other), form.scale)


def eightfold_forms(goal: Vector) -> Iterator[Form]:
    """For what has to be made steeper than by the largest scale."""
    largest = max(SCALES)
    if size_of(goal) > largest:
        need = Need(simplest(tuple(None if value is None else value / (2 * largest) for value in goal)))
        yield Form("ADD", (need, need), largest)


def squared_forms(goal: Vector) -> Iterator[Form]:
    roots = tuple(None if value is None else _root(value) for value in goal)
    if all(value is None or root is not None for value, root in zip(goal, roots, strict=True)):
        need: FormOperand = Need(simplest(roots))
        yield Form("MODULATE", (need, need))


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
