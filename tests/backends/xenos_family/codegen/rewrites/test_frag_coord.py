"""z and w of gl_FragCoord in a linked pair: what the vertex program leaves is what the fragment program reads."""

from __future__ import annotations

import re

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array
from tests.backends.xenos_family.codegen.test_generate import simulate_exports

VERTEX = "attribute vec4 p; varying vec4 v; void main() { v = p.wzyx; gl_Position = p; }"
POSITIONS = np.array([[1.0, 2.0, 3.0, 2.0], [0.5, 1.0, -1.0, 4.0], [0.25, 0.5, 1.5, 0.5]])


def _pair(fragment: str, vertex: str = VERTEX) -> glslc_multi.CompiledProgram:
    source = f"precision highp float; varying vec4 v; void main() {{ gl_FragColor = {fragment}; }}"
    return glslc_multi.link(vertex, source, target="adreno")


def _window(positions: Array) -> Array:
    """z in the window (scale 0.5, offset 0.25: see `simulate_exports`), and w."""
    with np.errstate(divide="ignore"):
        return np.stack([positions[:, 2] / positions[:, 3] * 0.5 + 0.25, positions[:, 3]])


@pytest.mark.parametrize("read", ["v + gl_FragCoord.z", "v * gl_FragCoord.w", "v + gl_FragCoord"])
def test_either_of_both_needs_the_varying(read: str) -> None:
    pair = _pair(read)
    exports = simulate_exports(pair.stages["vertex"].binary, POSITIONS)
    np.testing.assert_allclose(exports[1][:2], _window(POSITIONS), rtol=1e-6)
    np.testing.assert_allclose(exports[0].T, POSITIONS[:, ::-1], rtol=1e-6)
    np.testing.assert_allclose(exports[62].T, POSITIONS, rtol=1e-6)
    assert (pair.stages["fragment"].reflection.host_state or {})["depth_register"] == 1


@pytest.mark.parametrize("read", ["v", "v + gl_FragCoord.x", "v + gl_FragCoord.y"])
def test_nothing_else_does(read: str) -> None:
    pair = _pair(read)
    assert set(simulate_exports(pair.stages["vertex"].binary, POSITIONS)) == {0, 62}
    assert "depth_register" not in (pair.stages["fragment"].reflection.host_state or {})
    assert [row.name for row in pair.stages["vertex"].reflection.uniforms] == []


def test_the_viewport_is_in_two_constants_of_the_driver() -> None:
    rows = _pair("v + gl_FragCoord.z").stages["vertex"].reflection.uniforms
    assert {row.name: [place.index for place in row.locations] for row in rows} == {
        "$viewport_offset": [65],
        "$viewport_scale": [66],
    }


def test_what_is_behind_the_eye_divides_by_no_negative_number() -> None:
    """Clipping takes it away; until then its depth is far off, not inside of the view."""
    exports = simulate_exports(_pair("v + gl_FragCoord.z").stages["vertex"].binary, np.array([[0.0, 0.0, 1.0, -2.0]]))
    assert np.isposinf(exports[1][0]).all()
    np.testing.assert_array_equal(exports[1][1], [-2.0])


def test_a_vertex_shader_that_leaves_no_position_leaves_no_depth() -> None:
    pair = _pair("v + gl_FragCoord.z", "attribute vec4 p; varying vec4 v; void main() { v = p; }")
    assert set(re.findall(r"export\d+", pair.stages["vertex"].assembly)) == {"export0", "export62"}


def test_a_varying_that_the_fragment_shader_does_not_read_is_not_exported() -> None:
    vertex = VERTEX.replace("varying vec4 v;", "varying vec4 a, v, b;").replace("v = ", "a = p; b = p.yxwz + p; v = ")
    fragment = "precision highp float; varying vec4 b, a, v; void main() { gl_FragColor = v - b; }"
    pair = glslc_multi.link(vertex, fragment, target="adreno")
    exports = simulate_exports(pair.stages["vertex"].binary, POSITIONS)
    assert set(exports) == {0, 1, 62}
    # In the order of the fragment shader.
    np.testing.assert_allclose(exports[0].T, POSITIONS[:, [1, 0, 3, 2]] + POSITIONS, rtol=1e-6)
    np.testing.assert_allclose(exports[1].T, POSITIONS[:, ::-1], rtol=1e-6)
