"""Pixels stay the same when coordinates and colours are computed at the vertices."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from tests.backends.pica200.codegen.fragment.link.pairs import (
    Adapted,
    adapted,
    outputs,
    pixel_values,
    run_stage,
    smooth_textures,
)

VERTEX = """
attribute vec4 a_position;
attribute vec2 a_uv;
attribute vec4 a_color;
attribute vec3 a_normal;
varying vec2 v_uv, v_shift;
varying vec3 v_tint, v_normal;
varying float v_fade, v_rows[2];
varying vec4 v_color, v_place;
varying mat2 v_turn;
void main() {
    gl_Position = a_position;
    v_uv = a_uv;
    v_shift = a_uv.yx * 0.25;
    v_tint = a_color.bgr;
    v_normal = a_normal;
    v_fade = a_color.a * 0.5;
    v_rows[0] = a_uv.x;
    v_rows[1] = a_color.g * 0.5;
    v_color = a_color;
    v_place = vec4(a_uv * 2.0, a_uv.x, 1.5 + a_uv.y);
    v_turn = mat2(a_uv, a_uv.yx);
    if (a_uv.x > 0.75) v_uv = a_uv * 1.5;
}
"""
DECLARATIONS = """
varying vec2 v_uv, v_shift;
varying vec3 v_tint, v_normal;
varying float v_fade, v_rows[2];
varying vec4 v_color, v_place;
varying mat2 v_turn;
uniform sampler2D u_a, u_b, u_c;
uniform samplerCube u_sky;
uniform vec2 u_scroll;
uniform mat3 u_map;
uniform float u_time;
uniform bool u_mirror;
uniform vec2 u_steps[2];
vec4 a, b, c;
"""
#: What a fragment shader does -> the outputs that it needs, and how many numbers of each.
SHADERS = {
    "gl_FragColor = texture2D(u_a, v_uv) * v_color;": {"texcoord0": 2, "color": 4},
    "gl_FragColor = texture2D(u_a, v_uv) * texture2D(u_b, v_uv);": {"texcoord0": 2, "texcoord1": 2},
    "gl_FragColor = texture2D(u_a, v_uv) * texture2D(u_a, v_uv);": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, v_uv) * texture2D(u_a, 1.0 - v_uv);": {"texcoord0": 2, "texcoord1": 2},
    "gl_FragColor = texture2D(u_a, v_uv * 2.0 + u_scroll * sin(u_time));": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, (u_map * vec3(v_uv, 1.0)).xy);": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, vec2(dot(v_tint, u_map[1]), v_fade - v_uv.x / u_time));": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, mix(v_uv, v_shift, u_time));": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, u_mirror ? -v_uv : v_uv);": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, v_uv + u_steps[1]);": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, u_scroll);": {"texcoord0": 2},
    "gl_FragColor = texture2D(u_a, vec2(v_rows[1], v_turn[1].x));": {"texcoord0": 2},
    "gl_FragColor = texture2DProj(u_a, v_place);": {"texcoord0": 2, "texcoord0w": 1},
    "gl_FragColor = texture2DProj(u_a, v_place.xyw);": {"texcoord0": 2, "texcoord0w": 1},
    "gl_FragColor = texture2D(u_a, v_uv) * texture2D(u_b, v_place.xy / v_place.w * 0.5 + 0.5);": {
        "texcoord0": 2, "texcoord0w": 1, "texcoord1": 2,
    },
    "gl_FragColor = textureCube(u_sky, v_normal);": {"texcoord0": 2, "texcoord0w": 1},
    "gl_FragColor = textureCube(u_sky, normalize(-v_normal)) * texture2D(u_a, v_uv);": {
        "texcoord0": 2, "texcoord0w": 1, "texcoord1": 2,
    },
    "gl_FragColor = vec4(v_tint, v_fade);": {"color": 4},
    "gl_FragColor = vec4(v_fade) * texture2D(u_a, v_uv);": {"texcoord0": 2, "color": 4},
    "gl_FragColor = vec4(v_tint.bgr * v_tint, 1.0);": {"color": 3},
    "gl_FragColor = vec4(v_uv, v_shift);": {"color": 4},
    "gl_FragColor = vec4(v_rows[0], v_turn[0], v_rows[1]);": {"color": 4},
    # Eight numbers, and four that are affine functions of them.
    "gl_FragColor = texture2D(u_a, v_uv) * (v_color * 0.5 + vec4(v_tint, v_fade) * u_time);": {
        "texcoord0": 2, "color": 4,
    },
    "for (int i = 0; i < 3; i++) a += texture2D(u_a, v_uv + u_scroll * float(i)) * 0.25; gl_FragColor = a;": {
        "texcoord0": 2, "texcoord1": 2, "texcoord2": 2,
    },
    "if (v_fade > 0.25) discard; gl_FragColor = texture2D(u_a, v_uv);": {"texcoord0": 2, "color": 4},
}  # fmt: skip
#: With what is promised of the numbers that a colour is made of, which may be beyond 0 to 1.
BEYOND = {
    "v_normal -1 1": "gl_FragColor = vec4(v_normal * 0.5 + 0.5, v_fade);",
    "v_place 0 3": "gl_FragColor = texture2D(u_a, v_uv) * v_place;",
    "v_color -3 0.5": "gl_FragColor = texture2D(u_a, v_uv) * v_color + v_color;",
}
UNIFORMS = {
    "u_scroll": (0.375, -0.25),
    "u_map": [0.5, 0.25, 0.0, -0.75, 1.5, 0.0, 0.125, 0.25, 1.0],
    "u_time": 0.625,
    "u_mirror": True,
    "u_steps": [(0.5, 0.25), (0.125, 0.75)],
}


def attributes(low: float = 0.1, high: float = 1.0) -> dict[str, Array]:
    """Of three vertices; `low` and `high` are for colours and normals."""
    random = np.random.default_rng(1)
    widths = {"a_position": 4, "a_uv": 2, "a_color": 4, "a_normal": 3}
    found = {name: random.random((3, width)) for name, width in widths.items()}
    for name in ("a_color", "a_normal"):
        found[name] = low + found[name] * (high - low)
    return found


def values(pair: Adapted, given: dict[str, Array]) -> tuple[dict[str, Array], dict[str, Array]]:
    """Pixels of one triangle: as written, and as adapted."""
    weights = np.random.default_rng(2).dirichlet(np.ones(3), 200)
    textures = smooth_textures()
    written, made = (pixel_values(each, given, weights, UNIFORMS, textures) for each in (pair.written, pair.made))
    return written, made


@pytest.mark.parametrize("promise", BEYOND)
def test_numbers_beyond_0_to_1_are_scaled_at_the_vertices(promise: str) -> None:
    text = f"#pragma pica200 range {promise}\n{DECLARATIONS}void main() {{ {BEYOND[promise]} }}"
    pair = adapted(VERTEX.replace("v_fade = a_color.a * 0.5", "v_fade = a_uv.x"), text)
    _, low, high = promise.split()
    given = attributes(float(low), min(float(high), 1.0))
    written, made = values(pair, given)
    assert np.allclose(written["gl_FragColor"], made["gl_FragColor"], atol=2e-4)
    colour = run_stage(pair.made.vertex, given, UNIFORMS, lanes=3)["$color"]
    assert 0 <= colour.min() < colour.max() <= 1


@pytest.mark.parametrize("body", SHADERS)
@pytest.mark.parametrize("preamble", [False, True])
def test_pixels_stay_the_same(body: str, preamble: bool) -> None:
    pair = adapted(VERTEX, f"{DECLARATIONS}void main() {{ {body} }}", preamble=preamble)
    assert outputs(pair) == SHADERS[body]
    written, made = values(pair, attributes())
    assert np.array_equal(written["discarded"], made["discarded"])
    kept = ~written["discarded"]
    assert np.allclose(written["gl_FragColor"][kept], made["gl_FragColor"][kept], atol=2e-4)
    assert np.max(written["gl_FragColor"][kept]) > 0.05, "something is to be seen"
