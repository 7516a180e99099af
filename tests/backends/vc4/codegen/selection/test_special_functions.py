"""The polynomials of powers and logarithms: their errors are as stated, and the least of their degrees."""

from __future__ import annotations

import numpy as np
from numpy.polynomial.polynomial import polyval

from glslc_multi.backends.vc4.codegen.selection import special_functions
from tests.least_error import grid, swings


def test_no_polynomial_of_the_degree_gives_better_powers() -> None:
    f = grid(-1, 1)
    error = (polyval(f, special_functions._POWER) * f + 1) / np.exp2(f) - 1
    assert np.abs(error).max() <= 6e-6
    assert swings(error) == len(special_functions._POWER) + 1


def test_no_polynomial_of_the_degree_gives_better_logarithms() -> None:
    z = grid(0.5**0.5 - 1, 2**0.5 - 1)
    error = polyval(z, special_functions._LOGARITHM) - np.log1p(z) / np.log(2) / z
    assert np.abs(error).max() <= 1.1e-5
    assert swings(error) == len(special_functions._LOGARITHM) + 1
