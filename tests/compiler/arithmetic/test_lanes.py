"""Arithmetic on arrays, against what is said of single numbers."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import LANES, quiet

LOW, HIGH = 0.25, 8.0
NUMBERS = (0.0, -0.0, 0.125, -LOW, 1.0, np.nextafter(HIGH, 0), -HIGH, math.inf, math.nan)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_number_strays_that_is_neither_zero_nor_within_the_bounds(count: int) -> None:
    for numbers in combinations(NUMBERS, count):
        wanted = any(not (x == 0 or LOW <= abs(x) < HIGH) for x in numbers)
        with quiet():
            found = LANES.stray([np.array(numbers), np.array([1.0])], LOW, HIGH)
        assert bool(found.any()) == wanted, numbers
