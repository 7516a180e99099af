"""What lit shaders compute in the simulated machine, against what they mean: within the bound of the compiler."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest

import glslc_multi
from tests.backends.pica200.fragment.lighting.shaders import BODIES, shader, texture, uniforms, varyings

#: Directions and places of lights are floats of 16 bits, which the bound does not count: an eighth of a step where a
#: function is as steep as its cosine.
_DIRECTIONS = 0.125
_STEEPNESS = {"blinn": 20, "clamped highlights": 8, "two lights": 12, "lamp with highlight": 8, "spot": 4, "gain": 4}
_PIXELS = 400
#: Of a shader with two tables twice.
_MOST = {"two lights": 5.1}


@pytest.mark.parametrize("name", BODIES)
def test_a_lit_shader_computes_what_it_means(name: str) -> None:
    compiled = glslc_multi.compile(shader(name), target="pica200", stage="fragment")
    stats = compiled.artifact.stats
    assert stats.instructions == BODIES[name][1]
    bound = stats.error_steps or 0.0
    assert bound <= _MOST.get(name, 3.3)
    random = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(3):
        given: dict[str, Any] = {
            "uniforms": uniforms(random),
            "textures": {"u_texture": texture(random)},
            "inputs": varyings(random, _PIXELS),
        }
        found = compiled.run(**given, engine="simulator")["gl_FragColor"]
        meant = np.clip(compiled.run(**given, engine="reference")["gl_FragColor"], 0, 1)
        worst = 255 * np.abs(found - meant).max()
        assert worst <= bound + _DIRECTIONS * _STEEPNESS.get(name, 2)
