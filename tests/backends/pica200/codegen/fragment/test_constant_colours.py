"""Colours that are the same number in every channel, or in none: constants reach the pixel as they are."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi as g


@pytest.mark.parametrize(
    "colour",
    [
        "vec4(0.0)",
        "vec4(1.0)",
        "vec4(0.25)",
        "vec4(vec3(0.5), 1.0)",
        "vec4(0.2, 0.4, 0.6, 0.8)",
        "vec4(0.0, 1.0, 0.0, 0.0)",
    ],
)
def test_a_colour_that_nothing_is_read_for(colour: str) -> None:
    text = f"precision mediump float; void main() {{ gl_FragColor = {colour}; }}"
    shader = g.compile(text, target="pica200", stage="fragment")
    wanted, found = (shader.run({}, engine=engine)["gl_FragColor"] for engine in ("reference", "simulator"))
    assert np.abs(found - wanted).max() <= 0.51 / 255
