"""Values of polynomials at a few points, in floating point.

Most operands that one can solve for lie outside 0 to 1 somewhere, and a single point shows it, long before a
polynomial is divided.  The first two points have the same host numbers, so that what differs there is no constant of
the host.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from backends.pica200.codegen.fragment.algebra.polynomials import BY_KEY, Atom, HostNumber, Polynomial

Values = tuple[float, ...]

COUNT = 16


class Points:
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
