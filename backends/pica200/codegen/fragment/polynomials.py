"""Exact polynomials: what every value of a pixel is.

Combiners add and multiply numbers of 0 to 1, so a value is a polynomial with rational coefficients over *atoms*:
channels of textures and colours, numbers that the host computes from uniforms, and clamped values, which no polynomial
can express.  Polynomials are canonical: equal values are equal objects, whatever formula they came from.  So `mix`,
`1-(1-a)(1-b)` and `a+b-2ab` need no rules of rewriting.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import isfinite, isnan
from operator import attrgetter
from typing import TypeVar
from weakref import WeakValueDictionary

#: Whole numbers are ints, because fractions are slow, and most coefficients are whole.
Number = int | Fraction


class Atom:
    """What polynomials are made of, in the order of `key`.  Equal ones are one object: comparing them costs nothing."""

    __slots__ = ("__weakref__", "key", "text")

    def __init__(self, key: str, text: str) -> None:
        self.key = key
        self.text = text

    def __lt__(self, other: Atom) -> bool:
        return self.key < other.key

    def __repr__(self) -> str:
        return self.text


_known_atoms: WeakValueDictionary[Hashable, Atom] = WeakValueDictionary()

A = TypeVar("A", bound=Atom)


def one_object(kind: type[A], *facts: Hashable) -> A:
    """The atom that was made of the same facts before, or an empty new one."""
    found = _known_atoms.get((kind, *facts))
    if found is None:
        found = _known_atoms[(kind, *facts)] = object.__new__(kind)
    assert isinstance(found, kind)
    return found


class Channel(Atom):
    """A channel of what the stages read of a pixel: a byte, 0 to 1."""

    __slots__ = ("channel", "source")

    def __new__(cls, source: str, channel: str) -> Channel:
        return one_object(cls, source, channel)

    def __init__(self, source: str, channel: str) -> None:
        super().__init__(f"0{source}.{channel}", f"{source}.{channel}")
        self.source = source
        self.channel = channel


class HostNumber(Atom):
    """What the host computes from uniforms; in a range by promise, or as it follows from promises."""

    __slots__ = ("high", "low", "name")

    def __new__(cls, name: str, low: Number = 0, high: Number = 1) -> HostNumber:
        return one_object(cls, name, low, high)

    def __init__(self, name: str, low: Number = 0, high: Number = 1) -> None:
        super().__init__(f"1{name}", name)
        self.name = name
        self.low = low
        self.high = high


class Clamp(Atom):
    """clamp(inner, 0, 1), where inner is not in that range by itself; `clamps.clamp` makes it, in one canonical form.

    A *narrow* one has its inner value in -1 to 1, so that it is max(inner, 0), and its square is itself times inner.
    """

    __slots__ = ("inner", "narrow")

    def __new__(cls, inner: Polynomial, narrow: bool) -> Clamp:
        return one_object(cls, inner, narrow)

    def __init__(self, inner: Polynomial, narrow: bool) -> None:
        super().__init__(f"2{inner}", f"clamp({inner})")
        self.inner = inner
        self.narrow = narrow


#: A product of atoms, in order; a power is the atom several times.
Monomial = tuple[Atom, ...]


#: Sorts atoms.
BY_KEY = attrgetter("key")


class Polynomial:
    """A sum of products.  Treat `terms` as read only."""

    __slots__ = ("_hash", "_text", "terms")

    def __init__(self, terms: Mapping[Monomial, Number]) -> None:
        self.terms = terms
        self._hash = hash(frozenset(terms.items()))
        self._text: str | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Polynomial) and self._hash == other._hash and self.terms == other.terms
        )

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Polynomial | Number) -> Polynomial:
        return self._combined(polynomial(other), 1)

    def __sub__(self, other: Polynomial | Number) -> Polynomial:
        return self._combined(polynomial(other), -1)

    def __rsub__(self, other: Number) -> Polynomial:
        return polynomial(other) - self

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -factor for monomial, factor in self.terms.items()})

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        if not isinstance(other, Polynomial):
            return self._times(other)
        terms: dict[Monomial, Number] = {}
        for left, x in self.terms.items():
            for right, y in other.terms.items():
                monomial = tuple(sorted(left + right, key=BY_KEY)) if left and right else left or right
                terms[monomial] = terms.get(monomial, 0) + x * y
        return _without_squares_of_clamps(
            Polynomial({monomial: factor for monomial, factor in terms.items() if factor})
        )

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, divisor: Number) -> Polynomial:
        return self if divisor == 1 else self._times(1 / Fraction(divisor))

    def _times(self, number: Number) -> Polynomial:
        if not number:
            return ZERO
        return Polynomial({monomial: _whole(factor * number) for monomial, factor in self.terms.items()})

    def _combined(self, other: Polynomial, sign: int) -> Polynomial:
        terms = dict(self.terms)
        for monomial, factor in other.terms.items():
            total = terms.get(monomial, 0) + sign * factor
            if total:
                terms[monomial] = _whole(total)
            else:
                del terms[monomial]
        return Polynomial(terms)

    def __bool__(self) -> bool:
        return bool(self.terms)

    @property
    def constant(self) -> Number | None:
        """The number that this is, if it is one."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def degree(self) -> int:
        return max(map(len, self.terms), default=0)

    def atoms(self) -> frozenset[Atom]:
        return frozenset(atom for monomial in self.terms for atom in monomial)

    @property
    def is_host(self) -> bool:
        """Whether the host can compute it: nothing in it differs from pixel to pixel."""
        return all(isinstance(atom, HostNumber) for atom in self.atoms())

    def substitute(self, values: Mapping[Atom, Polynomial]) -> Polynomial:
        """With polynomials in the places of some atoms; the inside of clamped values stays as it is."""
        if not values.keys() & self.atoms():
            return self
        kept: dict[Monomial, Number] = {}
        total = ZERO
        for monomial, factor in self.terms.items():
            replaced = [values[atom] for atom in monomial if atom in values]
            if not replaced:
                kept[monomial] = factor
            elif all(replaced):
                rest = Polynomial({tuple(atom for atom in monomial if atom not in values): factor})
                for value in replaced:
                    rest = rest if value is ONE else rest * value
                total = total + rest
        return total + Polynomial(kept)

    def renamed(self, names: Mapping[Atom, Atom]) -> Polynomial:
        """With other atoms in the places of some, which must stay different ones."""
        terms = {
            tuple(sorted((names.get(atom, atom) for atom in monomial), key=BY_KEY)): factor
            for monomial, factor in self.terms.items()
        }
        return Polynomial(terms)

    def divided_by(self, divisor: Polynomial) -> Polynomial | None:
        """The quotient if nothing remains: division by leading terms, in graded lexicographic order of monomials.

        Squares of clamps that become products may bring larger terms: no quotient is looked for behind them.
        """
        if divisor is ONE:
            return self
        lead = divisor.leading_monomial()
        quotient: dict[Monomial, Number] = {}
        rest = self
        while rest:
            top = rest.leading_monomial()
            monomial = _quotient_of_monomials(top, lead)
            if monomial is None:
                return None
            quotient[monomial] = _whole(Fraction(rest.terms[top]) / divisor.terms[lead])
            rest = rest - divisor * Polynomial({monomial: quotient[monomial]})
            if rest and _order(rest.leading_monomial()) <= _order(top):
                return None
        return Polynomial(quotient)

    def leading_monomial(self) -> Monomial:
        return min(self.terms, key=_order)

    def leading_term(self) -> Polynomial:
        lead = self.leading_monomial()
        return Polynomial({lead: self.terms[lead]})

    def leading_factor(self) -> Number:
        """The coefficient of the leading monomial: its sign tells a polynomial from its negative."""
        return self.terms[self.leading_monomial()] if self.terms else 0

    def compiled(self) -> Callable[[Mapping[Atom, float]], float]:
        """A function of the values of its atoms, in floating point; clamped values are computed from inside."""
        rows = [(float(factor), monomial) for monomial, factor in self.terms.items()]
        clamps: list[tuple[Atom, Callable[[Mapping[Atom, float]], float]]] = [
            (atom, atom.inner.compiled()) for atom in self.atoms() if isinstance(atom, Clamp)
        ]

        def evaluate(point: Mapping[Atom, float]) -> float:
            values = (
                {**point, **{atom: min(1.0, max(0.0, inner(point))) for atom, inner in clamps}} if clamps else point
            )
            total = 0.0
            for product, monomial in rows:
                for atom in monomial:
                    product *= values[atom]
                total += product
            return total

        return evaluate

    def __repr__(self) -> str:
        if self._text is None:
            self._text = "".join(self._parts()).removeprefix(" + ") or "0"
        return self._text

    def _parts(self) -> Iterator[str]:
        for monomial in sorted(self.terms, key=_order):
            factor: Number = self.terms[monomial]
            names = [atom.text for atom in monomial]
            size = [] if abs(factor) == 1 and names else [_text_of(factor if factor > 0 else -factor)]
            yield (" - " if factor < 0 else " + ") + "*".join(size + names)


ZERO = Polynomial({})
ONE = Polynomial({(): 1})


def polynomial(value: Polynomial | Atom | Number) -> Polynomial:
    """An atom or a number as a polynomial."""
    if isinstance(value, Polynomial):
        return value
    if isinstance(value, Atom):
        return Polynomial({(value,): 1})
    return Polynomial({(): _whole(Fraction(value))} if value else {})


def all_atoms(value: Polynomial) -> frozenset[Atom]:
    """The atoms, and those inside of clamped values."""
    found = value.atoms()
    return found.union(*(all_atoms(atom.inner) for atom in found if isinstance(atom, Clamp)))


def rational(value: float) -> Fraction:
    """The simplest fraction that a literal of 32-bit precision can mean: 0.3 is 3/10, so that 1 - 0.3 is 7/10.

    Infinity is a number beyond all that clamps keep; for what is no number GLSL permits any.
    """
    if not isfinite(value):
        return Fraction(0) if isnan(value) else Fraction(2**128 if value > 0 else -(2**128))
    exact = Fraction(value)
    for digits in range(1, 10):
        simple = exact.limit_denominator(10**digits)
        if abs(simple - exact) <= abs(exact) / 2**24:
            return simple
    return exact


def _order(monomial: Monomial) -> tuple[int, list[str]]:
    """Highest degree first, then by atoms; a product by the same monomial keeps the order."""
    return -len(monomial), [atom.key for atom in monomial]


def _quotient_of_monomials(dividend: Monomial, divisor: Monomial) -> Monomial | None:
    rest = list(dividend)
    for atom in divisor:
        if atom not in rest:
            return None
        rest.remove(atom)
    return tuple(rest)


def _without_squares_of_clamps(value: Polynomial) -> Polynomial:
    """max(x, 0) squared is max(x, 0) times x, so no power of a narrow clamp remains."""
    for monomial, factor in value.terms.items():
        for atom, following in pairwise(monomial):
            if atom == following and isinstance(atom, Clamp) and atom.narrow:
                rest = list(monomial)
                rest.remove(atom)
                reduced = Polynomial({tuple(rest): factor}) * atom.inner
                return _without_squares_of_clamps(value - Polynomial({monomial: factor}) + reduced)
    return value


def _whole(value: Number) -> Number:
    return value.numerator if type(value) is Fraction and value.denominator == 1 else value


def _text_of(value: Number) -> str:
    text = f"{float(value):.6g}"
    return text if Fraction(text) == value else str(value)
