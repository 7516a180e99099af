"""Solving a function for one operand.

Every function but DOT3 is affine in each operand v: f(v) = f(0) + v*(f(1) - f(0)).  So of a goal P and the other
operands follows v = (P/scale - f(0)) / (f(1) - f(0)), by exact division of polynomials, if there is no remainder.

Most operands that one can solve for lie outside 0 to 1 somewhere, and a single sample shows it, long before a
polynomial is divided.  The first two samples have the same host numbers, so that what differs there is no constant of
the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    BY_KEY,
    ONE,
    ZERO,
    Atom,
    HostNumber,
    HostPart,
    Polynomial,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, lies_in_unit, range_of
from glslc_multi.backends.pica200.codegen.fragment.search.goals import is_step
from glslc_multi.backends.pica200.isa.fragment.combiners import FUNCTIONS, UNCLAMPED, Sought
from glslc_multi.compiler.records import dataclass

Values = tuple[float, ...]

COUNT = 16
_NEAR = 1e-7
#: Numbers as different as this may be the same after a division by a small one.
_SAME = 1e-5
_ZEROS: Values = (0.0,) * COUNT
#: Of 1, x, y and x*y.
_Weights = tuple[float, ...]


# --- Samples ----------------------------------------------------------------------------------------------------------


class Samples:
    """The same for the same atoms, in every run."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        random = Random(25)
        self._points: list[dict[Atom, float]] = [{} for _ in range(COUNT)]
        for atom in sorted(atoms, key=BY_KEY):
            shares = [_share(random) for _ in range(COUNT)]
            if isinstance(atom, HostNumber):
                shares[1] = shares[0]
                low, high = float(atom.low), float(atom.high)
                shares = [low + (high - low) * share for share in shares]
            for point, share in zip(self._points, shares, strict=True):
                point[atom] = share
        self._values: dict[Polynomial, Values] = {}

    def values(self, polynomial: Polynomial) -> Values:
        values = self._values.get(polynomial)
        if values is None:
            evaluate = polynomial.compiled()
            values = self._values[polynomial] = tuple(evaluate(point) for point in self._points)
        return values


def _share(random: Random) -> float:
    """Often near an end, where ranges are left."""
    return random.choice((0.0, 0.35, 0.7, 0.97)) + random.uniform(0.003, 0.027)


# --- Solving ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unknown:
    """A function, and the operand of it that is sought."""

    function: str
    sought: Sought

    @property
    def known(self) -> int:
        """The number of operands that are tried."""
        return FUNCTIONS[self.function].operands - 1


UNKNOWNS = tuple(Unknown(function.name, sought) for function in FUNCTIONS.values() for sought in function.sought)


def is_plausible(unknown: Unknown, scale: int, goal: Values, known: Sequence[Values]) -> bool:
    """Tell whether the operand can be in 0 to 1, or clamped without harm, at the points."""
    (base_0, base_x, base_y, base_xy), (slope_0, slope_x, slope_y, slope_xy) = _weights(unknown)
    first, second = [*known, _ZEROS, _ZEROS][:2]
    for wanted, x, y in zip(goal, first, second, strict=True):
        base = base_0 + base_x * x + base_y * y + base_xy * x * y
        slope = slope_0 + slope_x * x + slope_y * y + slope_xy * x * y
        if -_NEAR < slope < _NEAR:
            if abs(wanted - base) > _NEAR:
                return False
            continue
        value = (wanted - base) / slope
        if -_NEAR <= value <= 1 + _NEAR:
            continue
        reached = scale * (base + (slope if value > 1 else 0.0))
        if abs(min(1.0, max(0.0, reached)) - min(1.0, max(0.0, scale * wanted))) > _NEAR:
            return False
    return True


def may_be_read(unknown: Unknown, goal: Values, known: Sequence[Values], leaves: Sequence[Values]) -> bool:
    """Tell whether the operand can be a leaf, or a number of the host, of which the first two points have one."""
    (base_0, base_x, base_y, base_xy), (slope_0, slope_x, slope_y, slope_xy) = _weights(unknown)
    first, second = [*known, _ZEROS, _ZEROS][:2]
    values = []
    for wanted, x, y in zip(goal[:2], first, second, strict=False):
        slope = slope_0 + slope_x * x + slope_y * y + slope_xy * x * y
        if -_NEAR < slope < _NEAR:
            return True
        values.append((wanted - base_0 - base_x * x - base_y * y - base_xy * x * y) / slope)
    one, other = values
    if abs(one - other) < _SAME:
        return True
    return any(abs(leaf[0] - one) < _SAME and abs(leaf[1] - other) < _SAME for leaf in leaves)


@lru_cache(maxsize=len(UNKNOWNS))
def _weights(unknown: Unknown) -> tuple[_Weights, _Weights]:
    """The result for an operand of 0, and what is added for one of 1, by the known operands x and y.

    Functions are affine in each operand, so they are known by their values where operands are 0 or 1.
    """

    def weights_at(value: float) -> _Weights:
        at_0, at_x, at_y, at_xy = (
            _result(unknown, row[: unknown.known], value) for row in ((0, 0), (1, 0), (0, 1), (1, 1))
        )
        return at_0, at_x - at_0, at_y - at_0, at_xy - at_x - at_y + at_0

    base, end = weights_at(0.0), weights_at(1.0)
    return base, tuple(y - x for x, y in zip(base, end, strict=True))


def _result(unknown: Unknown, others: Sequence[Any], value: Any) -> Any:
    """Apply the function to its operands, one of which is the value."""
    operands = list(others)
    operands.insert(unknown.sought.place, value)
    return FUNCTIONS[unknown.function].of(UNCLAMPED, operands)


def solved(
    unknown: Unknown, scale: int, goal: Polynomial, known: Sequence[Polynomial | None]
) -> tuple[Polynomial | None] | None:
    """The operand, which is None if any will do; or None if there is no polynomial that serves."""
    base, end, slope = _ends(unknown, tuple(value for value in known if value is not None))
    rest = goal - base
    if not slope:
        return None if rest else (None,)
    value = rest.divided_by(slope)
    if value is None or not (value.is_host or is_step(value, goal * scale)):
        return None
    if lies_in_unit(value):
        return (value,)
    if not _clamps_without_harm(value, base * scale, end * scale):
        return None
    # A stage clamps what it makes; of its own numbers the host has to know it.
    return (polynomial(HostPart(value)) if value.is_host else value,)


@lru_cache(maxsize=1_000)
def _ends(unknown: Unknown, known: tuple[Polynomial, ...]) -> tuple[Polynomial, Polynomial, Polynomial]:
    """The result for an operand of 0, for one of 1, and the difference."""
    base: Polynomial = _result(unknown, known, ZERO)
    end: Polynomial = _result(unknown, known, ONE)
    return base, end, end - base


def _clamps_without_harm(value: Polynomial, at_zero: Polynomial, at_one: Polynomial) -> bool:
    """Tell whether the result is the same with the operand clamped: beyond its end the result is clamped as well.

    `at_zero` and `at_one` are the results for the operand's ends.  Where the operand exceeds 1 and the result grows
    with it, the result is beyond that at 1; if this is 1 at least, both are clamped to 1.
    """
    low, high = range_of(value)
    growth = range_of(at_one - at_zero)
    grows, falls = growth[0] >= 0, growth[1] <= 0
    above = high <= 1 + TOLERANCE or (grows and _exceeds(at_one)) or (falls and _is_below(at_one))
    below = low >= -TOLERANCE or (grows and _is_below(at_zero)) or (falls and _exceeds(at_zero))
    return above and below


def _exceeds(value: Polynomial) -> bool:
    return range_of(value)[0] >= 1 - TOLERANCE


def _is_below(value: Polynomial) -> bool:
    return range_of(value)[1] <= TOLERANCE
