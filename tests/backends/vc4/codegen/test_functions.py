"""Powers and logarithms: how near they come with the unit's own digits, and with those that a polynomial adds."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi

_COUNT = 4096
_SHADER = """
precision highp float;
varying vec4 v;
void main() { gl_FragColor = vec4(pow(v.x, v.y), exp2(v.z), log2(v.x), exp(v.w)); }
"""


def errors(functions: str) -> tuple[float, float, float, float]:
    """The largest ones, relative but for the logarithm."""
    random = np.random.default_rng(1)
    low, high = [0.01, 0.0, -8.0, -5.0], [4.0, 8.0, 8.0, 5.0]
    values = random.uniform(low, high, (_COUNT, 4)).astype("f4")
    shader = glslc_multi.compile(
        _SHADER, stage="fragment", target="vc4", options={"functions": functions, "output": "raw"}
    )
    found = shader.run({"v": values}, {})["gl_FragColor"].astype("f8")
    x, y, z, w = values.astype("f8").T
    wanted = np.stack([x**y, 2.0**z, np.log2(x), np.exp(w)], axis=1)
    scale = np.abs(wanted)
    scale[:, 2] = 1.0
    power, exp2, log2, exp = (np.abs(found - wanted) / scale).max(axis=0)
    return power, exp2, log2, exp


@pytest.mark.parametrize(
    ("functions", "limits"), [("precise", (3e-5, 7e-6, 6e-6, 7e-6)), ("fast", (3e-3, 1.3e-4, 5e-4, 1.3e-4))]
)
def test_errors(functions: str, limits: tuple[float, ...]) -> None:
    found = errors(functions)
    assert all(error <= limit for error, limit in zip(found, limits, strict=True)), found
    # A limit that is much too wide would hide a fault.
    assert all(error > limit / 3 for error, limit in zip(found, limits, strict=True)), found


@pytest.mark.parametrize("exponent", [1, 5, 6, 7, 13, 16, 33, 96, 128])
def test_whole_exponents(exponent: int) -> None:
    # Products: the error is that of their roundings, not of a logarithm.
    source = f"precision highp float; varying vec4 v; void main() {{ gl_FragColor = pow(v, vec4({exponent}.0)); }}"
    shader = glslc_multi.compile(source, stage="fragment", target="vc4", options={"output": "raw"})
    values = np.random.default_rng(exponent).uniform(0.6, 1.5, (256, 4)).astype("f4")
    found = shader.run({"v": values}, {})["gl_FragColor"]
    np.testing.assert_allclose(found, values.astype("f8") ** exponent, rtol=exponent * 2.0**-23)
