"""What lit shaders compute in the simulated machine, against what they mean: within the bound of the compiler."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest

import glslc_multi
from tests.backends.pica200.codegen.fragment.units.lighting.shaders import (
    BODIES,
    CONDITIONS,
    DECLARED,
    shader,
    texture,
    uniforms,
    varyings,
    with_promises,
)

#: Directions and places of lights are floats of 16 bits, which the bound does not count: an eighth of a step where a
#: function is as steep as its cosine.
_DIRECTIONS = 0.125
_STEEPNESS = {"blinn": 20, "clamped highlights": 8, "two lights": 12, "lamp with highlight": 8, "spot": 4, "gain": 4}
_STEEPNESS["a light beyond 1"] = 8
_PIXELS = 400
#: Of a shader with two tables twice.
_MOST = {"two lights": 5.1, "spot that fades": 3.4}


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


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("highlight", ["u_specular", "u_specular * max(dot(n, v), 0.0)"])
def test_a_condition_is_the_one_that_was_written(condition: str, highlight: str) -> None:
    """Few pixels are on the slope that a table makes of a jump."""
    body = f"gl_FragColor = vec4({condition} ? {highlight} : vec3(0.0), 1.0);"
    compiled = glslc_multi.compile(with_promises(body), target="pica200", stage="fragment")
    random = np.random.default_rng(zlib.crc32(body.encode()))
    given: dict[str, Any] = {"uniforms": uniforms(random), "inputs": varyings(random, _PIXELS), "textures": {}}
    given["textures"]["u_texture"] = texture(random)
    found, meant = (compiled.run(**given, engine=engine)["gl_FragColor"] for engine in ("simulator", "reference"))
    is_off = 255 * np.abs(found - meant).max(axis=1) > 3
    assert is_off.mean() < 0.02


@pytest.mark.parametrize(
    ("body", "tables", "writes"),
    [
        # A direction in two registers, and a colour.
        ("u_diffuse * max(dot(n, l), 0.0)", 0, 3),
        # The stage doubles what the light gives.
        ("2.0 * u_diffuse * max(dot(n, l), 0.0)", 0, 3),
        # A direction, and three tables: an index and 256 entries of each.
        ("pow(vec3(max(dot(n, l), 0.0)), 1.0 + u_diffuse)", 3, 2 + 3 * 257),
        ("vec3(0.5) * max(dot(n, normalize(vec3(1.0, 2.0, 3.0))), 0.0)", 0, 0),
    ],
)
def test_what_uniforms_change_is_counted(body: str, tables: int, writes: int) -> None:
    text = DECLARED % f"gl_FragColor = vec4(t.rgb * {body}, t.a);"
    extra = glslc_multi.compile(text, target="pica200", stage="fragment").stats.extra or {}
    assert (extra.get("host_tables", 0), extra.get("host_writes", 0)) == (tables, writes)
