"""Exact polynomials: what every value of a pixel is.

Combiners add and multiply numbers of 0 to 1, so a value is a polynomial with rational coefficients over *atoms*:
channels of textures and colours, numbers that the host computes from uniforms, and clamped values, which no polynomial
can express.  Polynomials are canonical: equal values are equal objects, whatever formula they came from.  So `mix`,
`1-(1-a)(1-b)` and `a+b-2ab` need no rules of rewriting.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, pairwise
from math import gcd, isfinite, isnan, lcm, prod
from operator import attrgetter
from typing import TypeVar
from weakref import WeakValueDictionary

#: Whole numbers are ints.
Number = int | Fraction
#: Sorts atoms.
BY_KEY = attrgetter("key")


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
    atom = _known_atoms.get((kind, *facts))
    if atom is None:
        atom = _known_atoms[(kind, *facts)] = object.__new__(kind)
    assert isinstance(atom, kind)
    return atom


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


class HostByte(HostNumber):
    """A number of the host that is a whole number of steps of 1/255."""

    __slots__ = ()


class HostPart(HostNumber):
    """clamp(inner, 0, 1) of a number of the host, which the host computes as well: no more is known of it."""

    __slots__ = ("inner",)

    def __new__(cls, inner: Polynomial) -> HostPart:
        return one_object(cls, inner)

    def __init__(self, inner: Polynomial) -> None:
        super().__init__(f"part({inner})")
        self.inner = inner


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


class Jump(Atom):
    """1 where inner is below 0, or is 0 `or_equal`, else 0; `jumps.jump_where` makes it, in one canonical form."""

    __slots__ = ("inner", "or_equal")

    def __new__(cls, inner: Polynomial, or_equal: bool) -> Jump:
        return one_object(cls, inner, or_equal)

    def __init__(self, inner: Polynomial, or_equal: bool) -> None:
        text = f"({inner} {'<=' if or_equal else '<'} 0)"
        super().__init__(f"3{text}", text)
        self.inner = inner
        self.or_equal = or_equal


#: A product of atoms, in order; a power is the atom several times.
Monomial = tuple[Atom, ...]


class Polynomial:
    """A sum of products.

    Coefficients are whole numbers over one denominator, in lowest terms, because fractions are slow.
    """

    __slots__ = ("_atoms", "_hash", "_lead", "_terms", "_text", "denominator", "numerators")

    def __init__(self, terms: Mapping[Monomial, Number]) -> None:
        denominator = lcm(*(factor.denominator for factor in terms.values()))
        self._initialise(
            {m: factor.numerator * (denominator // factor.denominator) for m, factor in terms.items()}, denominator
        )

    @classmethod
    def _over(cls, numerators: dict[Monomial, int], denominator: int) -> Polynomial:
        """In lowest terms."""
        if denominator != 1:
            common = gcd(denominator, *numerators.values())
            if common != 1:
                denominator //= common
                numerators = {monomial: number // common for monomial, number in numerators.items()}
        polynomial_ = object.__new__(cls)
        polynomial_._initialise(numerators, denominator)
        return polynomial_

    def _initialise(self, numerators: Mapping[Monomial, int], denominator: int) -> None:
        self.numerators = numerators
        self.denominator = denominator
        self._hash: int | None = None
        self._atoms: frozenset[Atom] | None = None
        self._lead: Monomial | None = None
        self._terms: Mapping[Monomial, Number] | None = None
        self._text: str | None = None

    @property
    def terms(self) -> Mapping[Monomial, Number]:
        """The coefficients."""
        if self._terms is None:
            below = self.denominator
            self._terms = self.numerators if below == 1 else {m: _over(n, below) for m, n in self.numerators.items()}
        return self._terms

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Polynomial)
            and self.denominator == other.denominator
            and self.numerators == other.numerators
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.denominator, frozenset(self.numerators.items())))
        return self._hash

    def __add__(self, other: Polynomial | Number) -> Polynomial:
        return self._combined(polynomial(other), 1)

    def __sub__(self, other: Polynomial | Number) -> Polynomial:
        return self._combined(polynomial(other), -1)

    def __rsub__(self, other: Number) -> Polynomial:
        return polynomial(other) - self

    def __neg__(self) -> Polynomial:
        return self._over({monomial: -number for monomial, number in self.numerators.items()}, self.denominator)

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        if not isinstance(other, Polynomial):
            return self._times(other.numerator, other.denominator)
        numerators: dict[Monomial, int] = {}
        for left, x in self.numerators.items():
            for right, y in other.numerators.items():
                monomial = tuple(sorted(left + right, key=BY_KEY)) if left and right else left or right
                numerators[monomial] = numerators.get(monomial, 0) + x * y
        product = self._over(_without_zeros(numerators), self.denominator * other.denominator)
        has_squares = any(isinstance(atom, Clamp) and atom.narrow for atom in self.atoms() & other.atoms())
        return _without_squares_of_clamps(product) if has_squares else product

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, divisor: Number) -> Polynomial:
        if divisor == 1:
            return self
        sign = 1 if divisor > 0 else -1
        return self._times(sign * divisor.denominator, abs(divisor.numerator))

    def _times(self, numerator: int, denominator: int) -> Polynomial:
        if not numerator:
            return ZERO
        return self._over({m: n * numerator for m, n in self.numerators.items()}, self.denominator * denominator)

    def _combined(self, other: Polynomial, sign: int) -> Polynomial:
        below = self.denominator
        if below == other.denominator:
            numerators = dict(self.numerators)
        else:
            below = lcm(below, other.denominator)
            factor = below // self.denominator
            sign *= below // other.denominator
            numerators = {monomial: number * factor for monomial, number in self.numerators.items()}
        for monomial, number in other.numerators.items():
            total = numerators.get(monomial, 0) + sign * number
            if total:
                numerators[monomial] = total
            else:
                del numerators[monomial]
        return self._over(numerators, below)

    def __bool__(self) -> bool:
        return bool(self.numerators)

    @property
    def constant(self) -> Number | None:
        """The number that this is, if it is one."""
        if not self.numerators:
            return 0
        return self.terms.get(()) if len(self.numerators) == 1 else None

    @property
    def degree(self) -> int:
        return max(map(len, self.numerators), default=0)

    def atoms(self) -> frozenset[Atom]:
        if self._atoms is None:
            self._atoms = frozenset(chain.from_iterable(self.numerators))
        return self._atoms

    @property
    def is_host(self) -> bool:
        """Tell whether the host can compute it: nothing in it differs from pixel to pixel."""
        return all(isinstance(atom, HostNumber) for atom in self.atoms())

    @property
    def host_part(self) -> Polynomial:
        """Return the terms that the host can compute."""
        return Polynomial({m: f for m, f in self.terms.items() if all(isinstance(atom, HostNumber) for atom in m)})

    def grouped(self, is_chosen: Callable[[Atom], bool]) -> dict[Monomial, Polynomial]:
        """Return the same as a sum of products of chosen atoms, each times a polynomial of the others."""
        groups: dict[Monomial, dict[Monomial, Number]] = {}
        for monomial, factor in self.terms.items():
            rest = tuple(atom for atom in monomial if not is_chosen(atom))
            groups.setdefault(tuple(filter(is_chosen, monomial)), {})[rest] = factor
        return {chosen: Polynomial(terms) for chosen, terms in groups.items()}

    def substitute(self, values: Mapping[Atom, Polynomial]) -> Polynomial:
        """With polynomials in the places of some atoms; the inside of clamped values stays as it is."""
        if self.atoms().isdisjoint(values):
            return self
        kept: dict[Monomial, int] = {}
        total = ZERO
        for monomial, number in self.numerators.items():
            replaced = [values[atom] for atom in monomial if atom in values]
            if not all(replaced):
                continue
            rest = tuple(atom for atom in monomial if atom not in values) if replaced else monomial
            if all(value is ONE for value in replaced):
                kept[rest] = kept.get(rest, 0) + number
            else:
                total = total + prod(replaced, start=Polynomial({rest: number}))
        return (total + self._over(_without_zeros(kept), 1)) / self.denominator

    def renamed(self, names: Mapping[Atom, Atom]) -> Polynomial:
        """With other atoms in the places of some, which must stay different ones."""
        numerators = {
            tuple(sorted((_renamed(atom, names) for atom in monomial), key=BY_KEY)): number
            for monomial, number in self.numerators.items()
        }
        return self._over(numerators, self.denominator)

    def divided_by(self, divisor: Polynomial) -> Polynomial | None:
        """The quotient if nothing remains: division by leading terms, in graded lexicographic order of monomials.

        Squares of clamps that become products may bring larger terms: no quotient is looked for behind them.
        """
        if divisor is ONE:
            return self
        if divisor.is_host and not divisor.atoms() <= self.atoms():
            return None if self else ZERO
        lead = divisor.leading_monomial()
        quotient = ZERO
        rest = self
        while rest:
            top = rest.leading_monomial()
            monomial = _quotient_of_monomials(top, lead)
            if monomial is None:
                return None
            term = Polynomial({monomial: _over(rest.numerators[top], divisor.numerators[lead])})
            term = term._times(divisor.denominator, rest.denominator)
            quotient = quotient + term
            rest = rest - divisor * term
            if rest and _order(rest.leading_monomial()) <= _order(top):
                return None
        return quotient

    def leading_monomial(self) -> Monomial:
        if self._lead is None:
            self._lead = min(self.numerators, key=_order)
        return self._lead

    def leading_term(self) -> Polynomial:
        lead = self.leading_monomial()
        return Polynomial({lead: self.terms[lead]})

    def leading_factor(self) -> Number:
        """The coefficient of the leading monomial: its sign tells a polynomial from its negative."""
        return self.terms[self.leading_monomial()] if self else 0

    def compiled(self) -> Callable[[Mapping[Atom, float]], float]:
        """A function of the values of its atoms, in floating point; clamped values are computed from inside."""
        rows = [(number / self.denominator, monomial) for monomial, number in self.numerators.items()]
        clamps: list[tuple[Atom, Callable[[Mapping[Atom, float]], float]]] = [
            (atom, atom.inner.compiled()) for atom in self.atoms() if isinstance(atom, Clamp | HostPart)
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


#: Red, green and blue of a pixel.
Rgb = tuple[Polynomial, ...]

ZERO = Polynomial({})
ONE = Polynomial({(): 1})


def polynomial(value: Polynomial | Atom | Number) -> Polynomial:
    """An atom or a number as a polynomial."""
    if isinstance(value, Polynomial):
        return value
    if isinstance(value, Atom):
        return Polynomial({(value,): 1})
    return Polynomial({(): Fraction(value)} if value else {})


def all_atoms(value: Polynomial) -> frozenset[Atom]:
    """The atoms, and those inside of clamped values and of jumps."""
    atoms = value.atoms()
    inner = [all_atoms(atom.inner) for atom in atoms if isinstance(atom, Clamp | HostPart | Jump)]
    return atoms.union(*inner) if inner else atoms


def is_whole(value: Polynomial) -> bool:
    """Tell whether a number of the host is a whole number of steps of 1/255, whatever its uniforms are."""
    return all(
        (255 * Fraction(factor)).denominator == 1
        if not monomial
        else Fraction(factor).denominator == 1
        and [isinstance(atom, HostByte) or (isinstance(atom, HostPart) and is_whole(atom.inner)) for atom in monomial]
        == [True]
        for monomial, factor in value.terms.items()
    )


def rational(value: float) -> Fraction:
    """The simplest fraction that a literal of 32-bit precision can mean: 0.3 is 3/10, so that 1 - 0.3 is 7/10.

    So can what was computed of literals, which has lost a bit or two: 1 / (0.9 - 0.4) is 2.

    Infinity is a number beyond all that clamps keep; for what is no number GLSL permits any.
    """
    if not isfinite(value):
        return Fraction(0) if isnan(value) else Fraction(2**128 if value > 0 else -(2**128))
    exact = Fraction(value)
    for digits in range(1, 10):
        simple = exact.limit_denominator(10**digits)
        if abs(simple - exact) <= abs(exact) / 2**20:
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


def _without_zeros(numerators: dict[Monomial, int]) -> dict[Monomial, int]:
    if all(numerators.values()):
        return numerators
    return {monomial: number for monomial, number in numerators.items() if number}


def _without_squares_of_clamps(value: Polynomial) -> Polynomial:
    """max(x, 0) squared is max(x, 0) times x, so no power of a narrow clamp remains."""
    for monomial in value.numerators:
        for atom, following in pairwise(monomial):
            if atom is following and isinstance(atom, Clamp) and atom.narrow:
                factor = value.terms[monomial]
                rest = list(monomial)
                rest.remove(atom)
                reduced = Polynomial({tuple(rest): factor}) * atom.inner
                return _without_squares_of_clamps(value - Polynomial({monomial: factor}) + reduced)
    return value


def _renamed(atom: Atom, names: Mapping[Atom, Atom]) -> Atom:
    if isinstance(atom, HostPart) and atom not in names:
        return HostPart(atom.inner.renamed(names))
    return names.get(atom, atom)


def _over(numerator: int, denominator: int) -> Number:
    whole, rest = divmod(numerator, denominator)
    return Fraction(numerator, denominator) if rest else whole


def _text_of(value: Number) -> str:
    text = f"{float(value):.6g}"
    return text if Fraction(text) == value else str(value)
