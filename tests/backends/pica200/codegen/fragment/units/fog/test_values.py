"""What fog makes of pixels in the simulated machine, against what the shader means: within the compiler's bound."""

from __future__ import annotations

import re
import zlib
from typing import Any, Literal

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.sampling import Texture
from tests.backends.pica200.codegen.fragment.pixels import Array, bound_of, compiled
from tests.backends.pica200.codegen.fragment.units.fog.shaders import BODIES, shader
from tests.shared_data import PROJECT_ROOT

_PIXELS = 300
#: The mix is cut off, constants and entries are rounded, and no table here bends much within a line.
_MOST = 3.1
#: The first line of a square root, from 0 to sqrt(1/128), is off by a quarter of that.
_STEEP = {"halved": 4.6, "between colours": 7.5}


def given(name: str) -> dict[str, Any]:
    random = np.random.default_rng(zlib.crc32(name.encode()))
    places = np.stack([(np.arange(_PIXELS) + 0.5) / _PIXELS, np.full(_PIXELS, 0.5)], axis=1)
    depth = random.random(_PIXELS)
    depth[:3] = 0, 1, 0.5
    return {
        "uniforms": {
            "u_fog": random.random(3),
            "u_tint": random.random(3),
            "u_density": 0.25 + 3.75 * random.random(),
            "u_near": random.random(),
            "u_far": random.random(),
            "u_foggy": bool(random.random() < 0.5),
        },
        "textures": {"u_image": Texture(random.integers(0, 256, (1, _PIXELS, 4), np.uint8))},
        "inputs": {
            "v_uv": places,
            "v_color": random.integers(0, 256, (_PIXELS, 4)) / 255,
            "gl_FragCoord": np.stack([places[:, 0], places[:, 1], depth, np.ones(_PIXELS)], axis=1),
        },
    }


@pytest.mark.parametrize("engine", ["simulator", "translated"])
@pytest.mark.parametrize("name", BODIES)
def test_fog_is_what_the_shader_means(name: str, engine: Literal["simulator", "translated"]) -> None:
    found = glslc_multi.compile(shader(name), target="pica200", stage="fragment")
    assert found.stats.instructions == BODIES[name][1]
    assert bound_of(found) <= _STEEP.get(name, _MOST)
    for seed in range(3):
        values = given(f"{name} {seed}")
        ours = found.run(**values, engine=engine)
        meant = found.run(**values, engine="reference")
        assert (ours["discarded"] == meant["discarded"]).all()
        drawn = ~meant["discarded"]
        apart = np.abs(ours["gl_FragColor"] - np.clip(meant["gl_FragColor"], 0, 1))[drawn]
        assert 255 * apart.max() <= bound_of(found)


def pixel(text: str, depth: float, **uniforms: Any) -> list[int]:
    """The bytes at a depth."""
    found = compiled(text).run({"gl_FragCoord": np.array([[0.5, 0.5, depth, 1.0]])}, uniforms)
    result: Array = np.round(255 * found["gl_FragColor"][0])
    return [int(part) for part in result]


def test_the_page_of_the_documentation() -> None:
    page = (PROJECT_ROOT / "docs" / "pica200-fragment.md").read_text()
    (text,) = (each for each in re.findall(r"```glsl\n(.*?)```", page, re.DOTALL) if "gl_FragCoord.z" in each)
    found = glslc_multi.compile(text, target="pica200", stage="fragment")
    assert found.stats.instructions == 1
    for seed in range(3):
        values = {**given(f"page {seed}"), "uniforms": {"u_fog": (0.9, 0.5, 0.1 * seed), "u_density": 0.4 * seed}}
        values["textures"] = {"u_map": values["textures"]["u_image"]}
        del values["inputs"]["v_color"]
        ours = found.run(**values)["gl_FragColor"]
        meant = found.run(**values, engine="reference")["gl_FragColor"]
        assert 255 * np.abs(ours - meant).max() <= bound_of(found) <= 2.5


@pytest.mark.parametrize(("depth", "expected"), [(0.0, 200), (0.25, 160), (0.5, 120), (1.0, 40)])
def test_by_hand(depth: float, expected: int) -> None:
    """200 (1 - z) + 40 z of a near white and a far grey: what is cut off, and half a step of the table."""
    text = "void main() { gl_FragColor = vec4(mix(vec3(200.0), vec3(40.0), gl_FragCoord.z) / 255.0, 1.0); }"
    red, _, _, alpha = pixel(text, depth)
    assert expected - 1 <= red <= expected
    assert alpha == 255


def test_what_the_host_must_set() -> None:
    reflection = compiled("void main() { gl_FragColor = vec4(gl_FragCoord.z); gl_FragColor.a = 1.0; }").reflection
    assert reflection.host_state == {"depth_map_scale": -1, "depth_map_offset": 0}
    assert [(b.name, b.locations[0].space) for b in reflection.inputs] == [("gl_FragCoord", "window")]


def test_a_function_that_jumps_is_as_far_off_as_it_jumps() -> None:
    """The line of the jump goes from one side to the other; the bound says so."""
    # 0.7 is at 89.6 of 128 lines: the line is off by 0.6 of the jump there.
    found = compiled("void main() { gl_FragColor = vec4(vec3(float(gl_FragCoord.z < 0.7) * 0.1), 1.0); }")
    assert 0.6 * 0.1 * 255 <= bound_of(found) <= 0.7 * 0.1 * 255 + 1.5


_PROMISED = """precision highp float;
#pragma pica200 depth v_depth
uniform sampler2D u_image;
uniform vec3 u_fog;
uniform float u_density;
varying vec2 v_uv;
varying float v_depth;
void main() { vec4 t = texture2D(u_image, v_uv); %s }
"""
_OF_A_VARYING = (
    "float f = exp(-v_depth * 3.0); gl_FragColor = vec4(mix(u_fog, t.rgb, f), t.a);",
    "float f = exp(-v_depth * 0.5); gl_FragColor = vec4(mix(t.rgb, u_fog, 1.0 - f), t.a);",
    "float f = exp2(-v_depth * u_density * 8.0); gl_FragColor = vec4(t.rgb * f + u_fog * (1.0 - f), t.a);",
    "float d = v_depth * 2.5; gl_FragColor = vec4(mix(u_fog, t.rgb, exp(-d * d)), t.a);",
    "gl_FragColor = vec4(mix(u_fog, t.rgb, clamp((0.9 - v_depth) / 0.5, 0.0, 1.0)), t.a);",
)


@pytest.mark.parametrize("text", _OF_A_VARYING)
def test_fog_of_a_varying_that_is_depth_by_promise(text: str) -> None:
    found = glslc_multi.compile(_PROMISED % text, target="pica200", stage="fragment")
    assert found.stats.instructions == 1
    values = given(text)
    inputs = {"v_uv": values["inputs"]["v_uv"], "v_depth": values["inputs"]["gl_FragCoord"][:, 2]}
    uniforms = {"u_fog": values["uniforms"]["u_fog"]}
    if "u_density" in text:
        uniforms["u_density"] = 0.7
    ours, meant = (
        found.run(inputs, uniforms, values["textures"], engine=e)["gl_FragColor"] for e in ("simulator", "reference")
    )
    assert 255 * np.abs(ours - meant).max() <= bound_of(found) <= _MOST


def test_linked_depth_by_promise_is_that_of_the_pixel() -> None:
    vertex = """attribute vec4 a_place; attribute vec2 a_uv; varying vec2 v_uv; varying float v_depth;
    void main() { gl_Position = a_place; v_uv = a_uv; v_depth = a_place.z * 0.5 + 0.5; }"""
    found = glslc_multi.link(vertex, _PROMISED % _OF_A_VARYING[0], target="pica200").stages
    assert [binding.name for binding in found["fragment"].reflection.inputs] == ["gl_FragCoord"]
    assert {b.name for b in found["vertex"].reflection.varyings} == {"$texcoord0"}
    given_ = {"$texcoord0": [[0.5, 0.5]] * 3, "gl_FragCoord": [[0.5, 0.5, z, 1.0] for z in (0.0, 0.5, 1.0)]}
    image = {"u_image": Texture(np.full((1, 1, 4), 255, np.uint8))}
    colours = found["fragment"].run(given_, {"u_fog": [0.0, 0.0, 0.0]}, image)["gl_FragColor"]
    assert np.abs(255 * colours[:, 0] - 255 * np.exp([0.0, -1.5, -3.0])).max() < 2


def test_what_cannot_be_depth() -> None:
    text = _PROMISED.replace("depth v_depth", "depth v_uv") % "gl_FragColor = t * u_density * v_depth;"
    with pytest.raises(glslc_multi.CompileError, match="'v_uv' cannot be the depth of pixels"):
        glslc_multi.compile(text, target="pica200", stage="fragment")
