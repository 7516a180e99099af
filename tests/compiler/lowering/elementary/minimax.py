"""Finds the polynomials of `coefficients.py`: `python -m tests.compiler.lowering.elementary.minimax` prints them.

Remez's exchange algorithm (1934) for the polynomial of least relative error: solve for coefficients that make
the error equally large, with alternating signs, at one point more than there are coefficients; move those
points to where the error is largest between its zeros; repeat.  Run by people, not by the compiler.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.records import dataclass

_GRID, _ROUNDS = 20_000, 30


@dataclass(frozen=True, slots=True)
class Target:
    """A function of one variable, where it is wanted, and how many coefficients to spend."""

    name: str
    function: Callable[[Array], Array]
    low: float
    high: float
    count: int


def _over_root(function: Callable[[Array], Array], limit: float) -> Callable[[Array], Array]:
    """function(sqrt u) / sqrt u for an odd function; `limit` is its slope at 0."""

    def even(u: Array) -> Array:
        root = np.sqrt(np.maximum(u, 1e-300))
        return np.where(u == 0.0, limit, function(root) / root)

    return even


def _over_argument(function: Callable[[Array], Array], limit: float) -> Callable[[Array], Array]:
    """function(t) / t; `limit` is the slope at 0."""
    return lambda t: np.where(t == 0.0, limit, function(t) / np.where(t == 0.0, 1.0, t))


TARGETS = (
    Target("SIN_TURNS", _over_root(lambda z: np.sin(2 * np.pi * z), 2 * math.pi), 0.0, 1 / 16, 5),
    Target("EXP2", _over_argument(lambda f: np.expm1(f * math.log(2)), math.log(2)), -0.5, 0.5, 6),
    Target("LOG2", _over_argument(lambda t: np.log1p(t) / math.log(2), 1 / math.log(2)), 0.5**0.5 - 1, 2**0.5 - 1, 9),
    Target("ATAN", _over_root(np.arctan, 1.0), 0.0, 1.0, 8),
    Target("ASIN", _over_root(np.arcsin, 1.0), 0.0, 0.25, 5),
)


def minimax(target: Target) -> tuple[list[float], float]:
    """Coefficients from the constant one on, and the largest relative error."""
    count = target.count
    middle, half = (target.low + target.high) / 2, (target.high - target.low) / 2
    grid = middle - half * np.cos(np.linspace(0.0, np.pi, _GRID))
    wanted = target.function(grid)
    points = np.linspace(0, _GRID - 1, count + 1).astype(int)
    coefficients = np.zeros(count)
    for _ in range(_ROUNDS):
        powers = np.vander(grid[points], count, increasing=True)
        signs = (-1.0) ** np.arange(count + 1)
        # The unknowns: the coefficients and the error.
        matrix = np.column_stack([powers, signs * wanted[points]])
        coefficients = np.linalg.solve(matrix, wanted[points])[:count]
        error = np.polynomial.polynomial.polyval(grid, coefficients) / wanted - 1.0
        points = _extremes(error, count + 1)
    return coefficients.tolist(), float(np.abs(error).max())


def _extremes(error: Array, count: int) -> Array:
    """Where the error is largest between its changes of sign; made up to `count` places at the right end."""
    changes = np.flatnonzero(np.diff(np.sign(error))) + 1
    found = [first + int(np.abs(part).argmax()) for first, part in _parts(error, changes)]
    found += [len(error) - 1] * (count - len(found))
    return np.array(found[:count])


def _parts(error: Array, changes: Array) -> list[tuple[int, Array]]:
    starts = [0, *changes.tolist()]
    return list(zip(starts, np.split(error, changes), strict=True))


def main() -> None:
    for target in TARGETS:
        coefficients, error = minimax(target)
        numbers = ", ".join(f"{coefficient:.12g}" for coefficient in coefficients)
        print(f"{target.name} = Polynomial({target.low!r}, {target.high!r}, ({numbers}), {error:.1e})")


if __name__ == "__main__":
    main()
