"""Pixels stay the same when coordinates and colours are computed at the vertices."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.arithmetic.lanes import Array
from tests.backends.pica200.fragment.link.pairs import Adapted, adapted, outputs, pixel_values, smooth_textures

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
UNIFORMS = {
    "u_scroll": (0.375, -0.25),
    "u_map": [0.5, 0.25, 0.0, -0.75, 1.5, 0.0, 0.125, 0.25, 1.0],
    "u_time": 0.625,
    "u_mirror": True,
    "u_steps": [(0.5, 0.25), (0.125, 0.75)],
}


def values(pair: Adapted, *, seed: int = 1) -> tuple[dict[str, Array], dict[str, Array]]:
    """Pixels of one triangle: as written, and as adapted."""
    random = np.random.default_rng(seed)
    attributes = {
        "a_position": random.random((3, 4)),
        "a_uv": random.random((3, 2)),
        "a_color": random.random((3, 4)),
        "a_normal": random.random((3, 3)) + 0.1,
    }
    weights = random.dirichlet(np.ones(3), 200)
    textures = smooth_textures()
    written, made = (pixel_values(each, attributes, weights, UNIFORMS, textures) for each in (pair.written, pair.made))
    return written, made


@pytest.mark.parametrize("body", SHADERS)
@pytest.mark.parametrize("preamble", [False, True])
def test_pixels_stay_the_same(body: str, preamble: bool) -> None:
    pair = adapted(VERTEX, f"{DECLARATIONS}void main() {{ {body} }}", preamble=preamble)
    assert outputs(pair) == SHADERS[body]
    written, made = values(pair)
    assert np.array_equal(written["discarded"], made["discarded"])
    kept = ~written["discarded"]
    assert np.allclose(written["gl_FragColor"][kept], made["gl_FragColor"][kept], atol=2e-4)
    assert np.max(written["gl_FragColor"][kept]) > 0.05, "something is to be seen"
