"""The polynomials of the elementary functions: their errors are as stated, and the least of their degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from glslc_multi.backends.theia.codegen.rewrites import elementary, exponents
from glslc_multi.compiler.arithmetic.lanes import Array
from tests.least_error import grid, swings


@pytest.mark.parametrize(
    ("polynomial", "function", "high", "stated"),
    [
        (elementary._SIN_TURNS, lambda u: np.sin(2 * np.pi * np.sqrt(u)) / np.sqrt(u), 1 / 16, 9.4e-7),
        (elementary._ATAN, lambda u: np.arctan(np.sqrt(u)) / np.sqrt(u), 1, 4.4e-6),
        (elementary._ASIN, lambda u: np.arcsin(np.sqrt(u)) / np.sqrt(u), 1 / 4, 1.52e-6),
        (exponents._EXP2, np.exp2, 1, 2.6e-6),
        (exponents._LOG2, lambda u: 2 * np.arctanh(np.sqrt(u)) / np.log(2) / np.sqrt(u), 1 / 9, 7.2e-6),
    ],
    ids=["SIN_TURNS", "ATAN", "ASIN", "EXP2", "LOG2"],
)
def test_no_polynomial_of_the_degree_is_better(
    polynomial: Sequence[float], function: Callable[[Array], Array], high: float, stated: float
) -> None:
    x = grid(0, high)
    error = np.polynomial.polynomial.polyval(x, polynomial) / function(x) - 1
    assert np.abs(error).max() <= stated
    assert swings(error) == len(polynomial) + 1
