"""The reference engine on GLSL: names in, names out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.textures import Texture
from tests.frontends.glsl.shaders import compile_shader


def lowered(source: str, stage: Any) -> Module:
    return compile_shader(source, filename="test", stage=stage, sink=DiagnosticSink())


VERTEX = """
struct Light { vec3 position; float weights[2]; };
uniform Light lights[2];
uniform mat3 basis;
uniform bool mirrored;
uniform float never;
attribute vec3 a_position;
attribute vec2 a_unused;
varying mat2 v_frame;
varying float v_parts[2];
void main() {
    vec3 p = basis * a_position + lights[1].position * lights[0].weights[1];
    v_frame = mat2(p.x, p.y, 1.0, 2.0);
    v_parts[0] = mirrored ? -p.z : p.z;
    v_parts[1] = p.x;
    gl_Position = vec4(p, 1.0);
}
"""


def test_a_vertex_shader() -> None:
    random = np.random.default_rng(3)
    basis, positions = random.normal(size=(3, 3)), random.normal(size=(5, 3))
    lights = [
        {"position": [9, 9, 9], "weights": [9, 0.5]},
        {"position": [1, 2, 3], "weights": [9, 9]},
    ]
    uniforms = {"lights": lights, "basis": basis, "mirrored": 1, "never": 4}
    found = run_module(lowered(VERTEX, "vertex"), {"a_position": positions, "a_unused": [[0, 0]] * 5}, uniforms)
    wanted = positions @ basis.T + np.array([0.5, 1.0, 1.5])
    assert found.keys() == {"gl_Position", "v_frame", "v_parts"}
    np.testing.assert_allclose(found["gl_Position"][:, :3], wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found["v_parts"], np.stack([-wanted[:, 2], wanted[:, 0]], axis=1), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found["v_frame"][:, :, 0], wanted[:, :2], rtol=1e-5, atol=1e-6)
    assert found["v_frame"][0, :, 1].tolist() == [1, 2]


FRAGMENT = """
precision highp float;
uniform sampler2D u_maps[2];
varying vec2 v_uv;
void main() {
    if (v_uv.x > 0.9) discard;
    gl_FragColor = texture2D(u_maps[0], v_uv) + texture2D(u_maps[1], v_uv);
}
"""


def test_a_fragment_shader() -> None:
    textures = {"u_maps[0]": Texture(np.full((1, 1, 4), 0.25)), "u_maps[1]": Texture(np.full((1, 1, 3), 0.5))}
    found = run_module(lowered(FRAGMENT, "fragment"), {"v_uv": [[0, 0], [1, 0]]}, {}, textures)
    assert found["discarded"].tolist() == [False, True]
    assert found["gl_FragColor"][0].tolist() == [0.75, 0.75, 0.75, 1.25]


def test_missing_values_are_errors_unless_filled() -> None:
    module = lowered(FRAGMENT, "fragment")
    with pytest.raises(CompileError, match="varying 'v_uv' is read but was given no value"):
        run_module(module, {}, {})
    with pytest.raises(CompileError, match="sampler 'u_maps' is read but was given no value"):
        run_module(module, {"v_uv": [[0, 0]]}, {})
    assert run_module(module, {}, {}, fill=True)["gl_FragColor"].tolist() == [[0, 0, 0, 2]]


def test_a_shader_without_inputs_runs_on_one_lane() -> None:
    found = run_module(lowered("void main() { gl_FragColor = vec4(0.5); }", "fragment"), {}, {})
    assert found["gl_FragColor"].tolist() == [[0.5] * 4]
