"""Every transform that a register map can have is applied by whatever fills registers."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.artifact import Transform
from glslc_multi.runtime.textures import Texture
from glslc_multi.runtime.transforms import quaternions, transformed

_DECLARED = """precision mediump float;
uniform sampler2D u_tex;
uniform samplerCube u_sky;
varying vec2 v_st;
varying vec3 v_way;
void main() { gl_FragColor = %s; }
"""
_LOOKUPS = (
    "texture2D(u_tex, -v_st)",
    "texture2D(u_tex, vec2(-v_st.y, v_st.x))",
    "texture2D(u_tex, vec2(v_st.x, -v_way.z))",
    "textureCube(u_sky, -v_way)",
    "texture2DProj(u_tex, vec3(v_way.xy, -v_way.z))",
)


@pytest.mark.parametrize("engine", ["simulator", "translated"])
@pytest.mark.parametrize("lookup", _LOOKUPS)
def test_opposite_coordinates_of_a_lone_stage(lookup: str, engine: Any) -> None:
    shader = glslc_multi.compile(_DECLARED % lookup, target="pica200", stage="fragment")
    random = np.random.default_rng(4)
    inputs: dict[str, Any] = {"v_st": random.random((60, 2)) * 2 - 1, "v_way": random.normal(size=(60, 3))}
    images: dict[str, Any] = {
        "u_tex": Texture(random.integers(0, 256, (8, 8, 4), np.uint8)),
        "u_sky": Texture(random.integers(0, 256, (6, 8, 8, 4), np.uint8)),
    }
    names = {variable.name for variable in shader.module.variables.values()}
    inputs, images = ({n: v for n, v in given.items() if n in names} for given in (inputs, images))
    ours, meant = (shader.run(inputs, {}, images, engine=each)["gl_FragColor"] for each in (engine, "reference"))
    assert np.abs(ours - meant).max() < 0.01 / 255


def test_every_transform_is_known() -> None:
    for transform in get_args(Transform):
        transformed(np.ones(1), transform)
    with pytest.raises(AssertionError, match="nobody knows the transform mirrored"):
        transformed(np.ones(1), "mirrored")


def test_what_transforms_make_of_numbers() -> None:
    assert transformed(np.array([0.25, -1.0]), "negated").tolist() == [-0.25, 1.0]
    # Rounds of a loop less one; none is not fewer.
    assert transformed(np.array([0, 1, 7, 256, 300]), "count").tolist() == [0, 0, 6, 255, 255]


def test_a_quaternion_turns_the_axis_to_the_normal() -> None:
    normals = np.array([[0, 0, 2.0, 9], [0, 0, -1, 9], [3, -4, 0, 9], [1, 2, -3, 9]])
    found = quaternions(normals)
    x, y, z, w = (found / np.linalg.norm(found, axis=1, keepdims=True)).T
    turned = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    wanted = normals[:, :3] / np.linalg.norm(normals[:, :3], axis=1, keepdims=True)
    assert np.abs(turned - wanted).max() < 1e-12


def test_an_opposite_normal_needs_a_linked_shader() -> None:
    text = """precision mediump float;
    uniform vec3 u_light;
    varying vec3 v_normal;
    void main() { gl_FragColor = vec4(vec3(max(dot(normalize(-v_normal), normalize(u_light)), 0.0)), 1.0); }"""
    with pytest.raises(glslc_multi.CompileError, match="opposite normals do not fit"):
        glslc_multi.compile(text, target="pica200", stage="fragment")
    vertex = """attribute vec3 a; varying vec3 v_normal; void main() { v_normal = a; gl_Position = vec4(a, 1.0); }"""
    glslc_multi.link(vertex, text, target="pica200")
