"""The polynomials of powers and logarithms: their errors are as stated, and the least of their degrees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.polynomial.polynomial import polyval

import glslc_multi
from glslc_multi.backends.vc4.codegen.selection import special_functions
from glslc_multi.compiler.arithmetic.lanes import Array
from tests.least_error import grid, swings


def test_no_polynomial_of_the_degree_gives_better_powers() -> None:
    f = grid(-1, 1)
    error = (polyval(f, special_functions._POWER) * f + 1) / np.exp2(f) - 1
    assert np.abs(error).max() <= 6e-6
    assert swings(error) == len(special_functions._POWER) + 1


@pytest.mark.parametrize(
    ("coefficients", "low", "high"),
    [(special_functions._POWER_ABOVE, 0, 1), (special_functions._POWER_BELOW, -1, 0)],
    ids=["above", "below"],
)
def test_no_polynomial_gives_better_powers_of_one_sign(coefficients: Sequence[float], low: int, high: int) -> None:
    f = grid(low, high)
    error = (polyval(f, coefficients) * f + 1) / np.exp2(f) - 1
    assert np.abs(error).max() <= 3.1e-6
    assert swings(error) == len(coefficients) + 1


#: What a power is of, an exponent beside whole numbers, where powers end, and far beyond.
_EXPONENTS = np.array(
    [0.0, 0.25, 0.999, 1.0, 1.001, 12.5, 125.5, 126.0, 127.0, 127.25, 128.0, 149.5, 1e6, 3e8, 2e9, 1e30, 3e38],
    np.float32,
)


@pytest.mark.parametrize("exponent", ["-abs(x)", "abs(x)", "min(x, 0.0)", "max(-20.0, -abs(x))"])
@pytest.mark.parametrize("sign", [1, -1])
def test_powers_of_known_sign(exponent: str, sign: int) -> None:
    x = sign * _EXPONENTS
    meanings: dict[str, Array] = {
        "-abs(x)": -np.abs(x),
        "abs(x)": np.abs(x),
        "min(x, 0.0)": np.minimum(x, 0),
        "max(-20.0, -abs(x))": np.maximum(-20, -np.abs(x)),
    }
    powers = meanings[exponent].astype(np.float64)
    is_finite = powers < 127
    wanted = np.exp2(powers[is_finite])
    wanted[wanted < 2.0**-126] = 0.0
    np.testing.assert_allclose(_computed(f"exp2({exponent})", x)[is_finite], wanted, rtol=7e-6)


@pytest.mark.parametrize(
    ("exponent", "y"),
    [
        *(("0.3", 0.3), ("0.9999", 0.9999), ("1.0001", 1.0001), ("2.2", 2.2), ("7.5", 7.5), ("1000.5", 1000.5)),
        *(("u", 2.5), ("max(u, 1.0)", 2.5), ("clamp(u, 1.0, 1000000.0)", 2.5)),
    ],
)
def test_powers_of_nothing(exponent: str, y: float) -> None:
    """They are 0 whatever the logarithm of 0 is."""
    x = np.array([0.0, 2.0**-120, 2.0**-20, 0.25, 0.999, 1.0, 1.001, 1.05], np.float32)
    wanted = x.astype(np.float64) ** y
    wanted[wanted < 2.0**-126] = 0.0
    found = _computed(f"pow(abs(x), {exponent})", x, 2.5)
    assert found[0] == 0.0
    np.testing.assert_allclose(found, wanted, rtol=1.2e-5 * max(y, 1.0))


def _computed(expression: str, x: Array, u: float = 1.0) -> Array:
    """What a shader that must have all digits makes of numbers."""
    source = (
        f"precision highp float; varying float x; uniform float u; void main() {{ gl_FragColor = vec4({expression}); }}"
    )
    shader = glslc_multi.compile(
        source, stage="fragment", target="vc4", options={"functions": "precise", "output": "raw"}
    )
    return np.asarray(shader.run({"x": x}, {"u": u})["gl_FragColor"][:, 0], np.float64)


def test_no_polynomial_of_the_degree_gives_better_logarithms() -> None:
    z = grid(0.5**0.5 - 1, 2**0.5 - 1)
    error = polyval(z, special_functions._LOGARITHM) - np.log1p(z) / np.log(2) / z
    assert np.abs(error).max() <= 1.1e-5
    assert swings(error) == len(special_functions._LOGARITHM) + 1
