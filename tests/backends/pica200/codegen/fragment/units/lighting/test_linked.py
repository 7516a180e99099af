"""Linked with a vertex shader, which leaves quaternion and view: pixels at corners of triangles stay the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.pica200.codegen.fragment.link.pairs import adapted, outputs, pixel_values
from tests.backends.pica200.codegen.fragment.units.lighting.shaders import unit_vectors

_VERTEX = """
attribute vec4 a_position;
attribute vec3 a_normal;
uniform mat3 u_turn;
varying vec3 v_normal, v_position, v_view;
varying vec4 v_quaternion;
void main() {
    gl_Position = a_position;
    v_normal = u_turn * a_normal;
    v_position = a_position.xyz * 2.0;
    v_view = -a_position.xyz;
    v_quaternion = vec4(a_normal, a_position.x);
}
"""
_FRAGMENT = """
#include <pica200.glsl>
uniform vec3 u_light, u_eye;
varying vec3 v_normal, v_position, v_view;
varying vec4 v_quaternion;
void main() {
    vec3 n = normalize(v_normal), l = normalize(u_light);
    float x = 0.0;
    %s
    gl_FragColor = vec4(vec3(x * 0.5), 1.0);
}
"""
_LAMP = "vec3 w = normalize(u_light - v_position); x = max(dot(n, w), 0.0);"
#: What is in `main`, and which outputs it needs.
SHADERS = {
    "far light": ("x = max(dot(n, l), 0.0);", {"normalquat": 4}),
    "opposite normal": ("n = normalize(-v_normal); x = max(dot(n, l), 0.0);", {"normalquat": 4}),
    "own quaternion": (
        "vec4 q = normalize(v_quaternion); vec3 z = vec3(0.0, 0.0, 1.0);"
        "n = z + 2.0 * cross(q.xyz, cross(q.xyz, z) + q.w * z); x = max(dot(n, l), 0.0);",
        {"normalquat": 4},
    ),
    "view": ("x = pow(max(dot(n, normalize(l + normalize(v_view))), 0.0), 4.0);", {"normalquat": 4, "view": 3}),
    "along axes": (
        f"{_LAMP} x = max(n.y, 0.0) + 0.5 * x * picaSpot(w, vec3(0.0, 0.0, 1.0), 0.9, -0.9);",
        {"normalquat": 4, "view": 3},
    ),
    "spot along an axis": (
        "x = picaSpot(normalize(u_light - v_position), vec3(0.0, 0.0, 1.0), 0.9, -0.9);",
        {"view": 3},
    ),
    "lamp": (_LAMP, {"normalquat": 4, "view": 3}),
    "lamp that fades": (
        f"{_LAMP} x *= picaFading(u_light - v_position, 1.0, 0.0, 8.0);",
        {"normalquat": 4, "view": 3},
    ),
    "lamp without a normal": (
        "x = 1.0 / (1.0 + min(distance(v_position, u_light), 4.0));",
        {"view": 3},
    ),
    "lamp and eye": (
        f"{_LAMP} x += max(dot(n, normalize(w + normalize(-v_position))), 0.0);",
        {"normalquat": 4, "view": 3},
    ),
    "lamp and an eye that moves": (
        f"{_LAMP} x += max(dot(n, normalize(w + normalize(u_eye - v_position))), 0.0);",
        {"normalquat": 4, "view": 3},
    ),
}


@pytest.mark.parametrize(("body", "needed"), SHADERS.values(), ids=SHADERS)
def test_corners_stay_the_same(body: str, needed: dict[str, int]) -> None:
    pair = adapted(_VERTEX, _FRAGMENT % body)
    assert outputs(pair) == needed
    random = np.random.default_rng(7)
    for _ in range(20):
        attributes = {"a_position": random.uniform(-1, 1, (3, 4)), "a_normal": unit_vectors(random, 3) * 2}
        uniforms = {
            "u_turn": np.linalg.qr(random.normal(size=(3, 3)))[0],
            "u_light": unit_vectors(random, 1)[0] * 3,
            "u_eye": random.uniform(-2, 2, 3),
        }
        given = attributes, np.eye(3), uniforms, None
        written, made = (pixel_values(each, *given)["gl_FragColor"] for each in (pair.written, pair.made))
        np.testing.assert_allclose(made, written, atol=2e-4)
