"""A dome, drawn by vertex shader, rasteriser, lighting unit and combiners, beside what the source means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.runtime.raster import Frame, draw, stage_of
from glslc_multi.runtime.shader import CompiledProgram
from tests.backends.pica200.codegen.fragment.link.pairs import smooth_image

_VERTEX = """
attribute vec3 a_normal;
uniform mat3 u_turn;
varying vec3 v_normal, v_position;
varying vec2 v_uv;
void main() {
    gl_Position = vec4(a_normal.xy, 0.0, 1.0);
    v_normal = u_turn * a_normal;
    v_position = a_normal - vec3(0.0, 0.0, 4.0);
    v_uv = a_normal.xy;
}
"""
_FRAGMENT = """
#pragma pica200 range u_shininess 1 20
precision highp float;
uniform sampler2D u_texture;
uniform vec3 u_light, u_diffuse;
uniform float u_shininess;
varying vec3 v_normal, v_position;
varying vec2 v_uv;
void main() {
    vec3 n = normalize(v_normal), v = normalize(-v_position);
    vec3 t = texture2D(u_texture, v_uv).rgb, l = %s;
    float s = pow(max(dot(n, normalize(l + v)), 0.0), u_shininess);
    gl_FragColor = vec4(t * u_diffuse * max(dot(n, l), 0.0) + s * 0.5, 1.0);
}
"""
_LIGHTS = {"far light": "normalize(u_light)", "lamp": "normalize(u_light - v_position)"}
_UNIFORMS: dict[str, Any] = {
    "u_turn": [[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]],
    "u_light": [2.0, 1.0, 1.5],
    "u_diffuse": [0.9, 0.6, 0.3],
    "u_shininess": 8.0,
}
#: Corners along a side; between them the normals of both ways of interpolation differ by little.
_SIDE, _SIZE = 25, 32
#: Beyond the bound: lights are floats of 16 bits, normals are interpolated as quaternions, texels are rounded twice.
_INPUTS = 4


def _corners() -> Array:
    """Normals of a dome over a square."""
    y, x = np.mgrid[-1 : 1 : _SIDE * 1j, -1 : 1 : _SIDE * 1j].reshape(2, -1)
    dome: Array = np.stack([x, y, np.sqrt(2.5 - x * x - y * y)], axis=1)
    return dome


def _triangles() -> Array:
    first = (np.arange(_SIDE - 1)[:, None] * _SIDE + np.arange(_SIDE - 1)).reshape(-1, 1)
    halves = [0, 1, _SIDE], [_SIDE, 1, _SIDE + 1]
    return np.concatenate([first + np.array(half) for half in halves])


def _drawn(compiled: CompiledProgram, engine: Any) -> Frame:
    textures = {"u_texture": Texture(smooth_image(1), "linear")}
    vertex, fragment = (stage_of(shader, engine, _UNIFORMS, textures) for shader in compiled.stages.values())
    return draw(vertex, fragment, {"a_normal": _corners()}, _triangles(), width=_SIZE, height=_SIZE)


@pytest.mark.parametrize("light", _LIGHTS.values(), ids=_LIGHTS)
@pytest.mark.parametrize("engine", ["simulator", "translated"])
def test_a_lit_dome_is_that_of_the_source(light: str, engine: str) -> None:
    compiled = glslc_multi.link(_VERTEX, _FRAGMENT % light, target="pica200")
    stats = compiled.stages["fragment"].stats
    assert stats.instructions <= 2
    wanted, found = (np.clip(_drawn(compiled, e).colour, 0, 1) * 255 for e in ("reference", engine))
    assert np.abs(wanted - found).max() <= (stats.error_steps or 0.0) + _INPUTS
    assert np.ptp(wanted) > 100, "something is to be seen"
