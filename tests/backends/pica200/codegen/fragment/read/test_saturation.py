"""Sums of the host that may be above 1 where the pixel is clamped: one constant holds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glslc_multi

_DECLARED = """
precision mediump float;
uniform vec3 a, b, c, d;
varying vec3 v_color;
void main() { gl_FragColor = vec4(%s, 1.0); }
"""
#: A pixel's colour, and how many stages it takes.
COLOURS = {
    "v_color * a + (b * c + d)": 2,
    "v_color + (b + c + d)": 1,
    "(v_color + (b + d)) * c": 2,
    "mix(b + c, v_color, a)": None,
    "v_color - 0.5 + (b + c)": None,
}


@pytest.mark.parametrize("colour", COLOURS)
def test_what_is_beyond_one_does_not_count(colour: str) -> None:
    compiled = glslc_multi.compile(_DECLARED % colour, target="pica200", stage="fragment")
    assert COLOURS[colour] in (None, compiled.stats.instructions)
    random = np.random.default_rng(3)
    for _ in range(20):
        uniforms: dict[str, Any] = {name: random.uniform(0, 1, 3) for name in "abcd"}
        given = {"v_color": random.integers(0, 256, (50, 3)) / 255}
        found, meant = (compiled.run(given, uniforms, engine=e)["gl_FragColor"] for e in ("simulator", "reference"))
        assert 255 * np.abs(found - np.clip(meant, 0, 1)).max() <= (compiled.stats.error_steps or 0.0) + 1e-3
