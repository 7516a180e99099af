"""The polynomials of the elementary functions: their errors are as stated, and the least of their degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.native import coefficients
from tests.least_error import grid, swings

_EIGHTH = (np.pi / 4) ** 2
_ROOT = np.sqrt(2.0)
_LARGEST_S = (_ROOT - 1) / (_ROOT + 1)


@pytest.mark.parametrize(
    ("polynomial", "function", "low", "high", "stated"),
    [
        (coefficients.SINE, lambda u: np.sin(np.sqrt(u)) / np.sqrt(u), 0, _EIGHTH, 4.8e-12),
        (coefficients.COSINE, lambda u: np.cos(np.sqrt(u)), 0, _EIGHTH, 6e-11),
        (coefficients.EXP2, lambda f: np.expm1(f * np.log(2)) / f, -0.5, 0.5, 2.4e-10),
        (coefficients.LOG2, lambda u: 2 * np.arctanh(np.sqrt(u)) / np.log(2) / np.sqrt(u), 0, _LARGEST_S**2, 4.5e-12),
        (coefficients.ATAN, lambda u: np.arctan(np.sqrt(u)) / np.sqrt(u), 0, 1, 9.4e-12),
    ],
    ids=["SINE", "COSINE", "EXP2", "LOG2", "ATAN"],
)
def test_no_polynomial_of_the_degree_is_better(
    polynomial: Sequence[float], function: Callable[[Array], Array], low: float, high: float, stated: float
) -> None:
    x = grid(low, high)
    error = np.polynomial.polynomial.polyval(x, polynomial) / function(x) - 1
    assert np.abs(error).max() <= stated
    assert swings(error) == len(polynomial) + 1
