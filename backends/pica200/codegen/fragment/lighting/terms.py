"""Algebra of lit colours: which polynomials are a colour times a function, or a product of functions of two cosines.

A lit colour is three polynomials over `LitNumber`s and numbers of the host.  Division of polynomials is exact, so it
finds the factors that are there, however the shader wrote them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from backends.pica200.codegen.fragment.algebra.polynomials import ONE, ZERO, Atom, Monomial, Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of
from backends.pica200.codegen.fragment.lighting.functions import Domain, LitNumber, lit_numbers

#: Red, green, blue.
Colour = tuple[Polynomial, Polynomial, Polynomial]

BLACK: Colour = (ZERO, ZERO, ZERO)
WHITE: Colour = (ONE, ONE, ONE)


def colour(parts: Iterable[Polynomial]) -> Colour:
    red, green, blue = parts
    return red, green, blue


def sum_of(one: Colour, other: Colour) -> Colour:
    return colour(x + y for x, y in zip(one, other, strict=True))


def difference(one: Colour, other: Colour) -> Colour:
    return colour(x - y for x, y in zip(one, other, strict=True))


def grouped(value: Polynomial, is_chosen: Callable[[Atom], bool]) -> dict[Monomial, Polynomial]:
    """The polynomial as a sum of products of chosen atoms, each times a polynomial of the others."""
    groups: dict[Monomial, Polynomial] = {}
    for monomial, factor in value.terms.items():
        chosen = tuple(atom for atom in monomial if is_chosen(atom))
        rest = tuple(atom for atom in monomial if not is_chosen(atom))
        groups[chosen] = groups.get(chosen, ZERO) + Polynomial({rest: factor})
    return {monomial: rest for monomial, rest in groups.items() if rest}


def domains_of(value: Colour) -> list[Domain]:
    """What a colour depends on."""
    return list(dict.fromkeys(number.domain for part in value for number in lit_numbers(part)))


def is_of(domains: Iterable[Domain]) -> Callable[[Atom], bool]:
    """Whether an atom is a function of one of them."""
    wanted = frozenset(domains)
    return lambda atom: isinstance(atom, LitNumber) and atom.domain in wanted


def part_with(value: Polynomial, domains: Iterable[Domain]) -> Polynomial:
    """The terms that depend on all of the domains, and on no other."""
    wanted = frozenset(domains)
    return Polynomial({m: f for m, f in value.terms.items() if _domains(m) == wanted})


def _domains(monomial: Monomial) -> frozenset[Domain]:
    return frozenset(atom.domain for atom in monomial if isinstance(atom, LitNumber))


def separated(value: Sequence[Polynomial], domain: Domain) -> tuple[Polynomial, tuple[Polynomial, ...]] | None:
    """The parts of a colour as u(x) times parts without x, where they are such products.

    Each part is a sum of functions X of x times something without x; these must be in the same ratios in all parts.
    """
    parts = [grouped(part, is_of([domain])) for part in value]
    monomials = sorted({m for part in parts for m in part}, key=lambda m: (len(m), m))
    if not monomials:
        return None
    # The first that all parts have, if there is one: ratios to it are found.
    first = next((m for m in reversed(monomials) if all(m in part for part in parts if part)), None)
    if first is None:
        return None
    function = ZERO
    for monomial in monomials:
        ratio = _ratio(parts, monomial, first)
        if ratio is None:
            return None
        function = function + ratio * Polynomial({monomial: Fraction(1)})
    # A function that is not negative, and not above 1 if the rest has room for the factor.
    rest = tuple(part.get(first, ZERO) for part in parts)
    low, high = range_of(function)
    factor = Fraction(1)
    if high <= TOLERANCE and low < 0:
        factor, high = Fraction(-1), -low
    if high > 1 and all(range_of(part * factor * high)[1] <= 1 + TOLERANCE for part in rest):
        factor *= high
    return function / factor, tuple(part * factor for part in rest)


def _ratio(parts: Sequence[dict[Monomial, Polynomial]], monomial: Monomial, first: Monomial) -> Polynomial | None:
    """By what the factors of one monomial differ from those of another in all parts, if the host knows it."""
    ratios = set()
    for part in filter(None, parts):
        ratio = part.get(monomial, ZERO).divided_by(part[first])
        if ratio is None or not ratio.is_host:
            return None
        ratios.add(ratio)
    return ratios.pop() if len(ratios) == 1 else None
