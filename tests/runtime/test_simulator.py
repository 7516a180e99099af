"""Compiled shaders on the simulators of their targets, by GLSL names."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.target import MachineFault, MachineInputs, MachineOutputs
from glslc_multi.runtime.simulator import Simulated, run_artifact

VERTEX = """
attribute vec3 a_position;
uniform mat4 u_matrix;
uniform vec2 u_offsets[2];
varying vec2 v_place;
void main() {
    gl_Position = u_matrix * vec4(a_position, 1.0);
    v_place = a_position.xy + u_offsets[1];
}
"""
MATRIX = [[2.0, 0, 0, 0.5], [0, 1.0, 0, -0.25], [0, 0, 0.5, 0], [0, 0, 0, 1.0]]
POSITIONS = np.array([[0.5, -0.25, 1.0], [1.0, 0.75, -2.0], [0.0, 0.0, 0.125]])
VERTEX_TARGETS = [name for name in target_names() if name != "theia"]


@pytest.mark.parametrize("target", VERTEX_TARGETS)
def test_values_by_glsl_names(target: str) -> None:
    """Against a matrix product of numpy's."""
    shader = glslc_multi.compile(VERTEX, target=target, stage="vertex")
    found = shader.run({"a_position": POSITIONS}, {"u_matrix": MATRIX, "u_offsets": [[0, 0], [0.25, 0.5]]})
    wanted = np.c_[POSITIONS, np.ones(3)] @ np.array(MATRIX).T
    np.testing.assert_allclose(found["gl_Position"], wanted, atol=1e-4)
    np.testing.assert_allclose(found["v_place"], POSITIONS[:, :2] + [0.25, 0.5], atol=1e-4)


@pytest.mark.parametrize("target", VERTEX_TARGETS)
@pytest.mark.parametrize("engine", ["simulator", "reference"])
@pytest.mark.parametrize("missing", ["a_position", "u_matrix"])
def test_what_is_read_needs_a_value_on_every_engine(target: str, engine: str, missing: str) -> None:
    shader = glslc_multi.compile(VERTEX, target=target, stage="vertex")
    inputs = {"a_position": POSITIONS}
    uniforms = {"u_matrix": MATRIX, "u_offsets": [[0, 0], [0.25, 0.5]]}
    inputs.pop(missing, None)
    uniforms.pop(missing, None)
    with pytest.raises(glslc_multi.CompileError) as caught:
        shader.run(inputs, uniforms, engine=engine)  # type: ignore[arg-type]
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0651"]


@pytest.mark.parametrize("target", VERTEX_TARGETS)
def test_an_unknown_name_is_an_error(target: str) -> None:
    shader = glslc_multi.compile(VERTEX, target=target, stage="vertex")
    with pytest.raises(glslc_multi.CompileError) as caught:
        shader.run({"a_positon": POSITIONS}, {})
    assert caught.value.diagnostics[0].code == "E0650"


FAN = """
#pragma geometry(points)
uniform int u_count;
varying vec2 corner;
void main() {
    for (int i = 0; i < 5; i++) {
        if (i >= u_count) break;
        gl_Position = gl_PositionIn[0] + vec4(float(i), float(i / 2), 0.0, 0.0);
        corner = vec2(float(i), gl_PositionIn[0].x);
        EmitVertex();
    }
}
"""


@pytest.mark.parametrize("engine", ["simulator", "reference", "jit"])
def test_a_geometry_shader_leaves_its_triangles(engine: str) -> None:
    """Of a strip of n vertices n - 2 triangles, every other one turned round; vertex k is in slot k mod 3."""
    shader = glslc_multi.compile(FAN, target="pica200", stage="geometry")
    inputs = {"gl_PositionIn": [[[0.0, 0, 0, 1]], [[8.0, 0, 0, 1]]]}
    found = shader.run(inputs, {"u_count": 5}, engine=engine)  # type: ignore[arg-type]
    assert found["gl_PrimitiveID"].tolist() == [0, 0, 0, 1, 1, 1]
    numbers = [[0, 1, 2], [3, 2, 1], [3, 4, 2]]
    assert found["corner"][:, :, 0].tolist() == numbers * 2
    assert found["corner"][:, :, 1].tolist() == [[0.0] * 3] * 3 + [[8.0] * 3] * 3
    places = [[[start + i, i // 2, 0, 1] for i in corners] for start in (0, 8) for corners in numbers]
    assert found["gl_Position"].tolist() == places


@pytest.mark.parametrize("engine", ["simulator", "reference", "jit"])
def test_a_geometry_shader_may_leave_nothing(engine: str) -> None:
    shader = glslc_multi.compile(FAN, target="pica200", stage="geometry")
    found = shader.run({"gl_PositionIn": np.zeros((2, 1, 4))}, {"u_count": 2}, engine=engine)  # type: ignore[arg-type]
    assert {name: value.shape for name, value in found.items()} == {
        "gl_Position": (0, 3, 4),
        "corner": (0, 3, 2),
        "gl_PrimitiveID": (0,),
    }


def test_what_the_machine_forbids_is_a_diagnostic() -> None:
    shader = glslc_multi.compile(VERTEX, target="xenos", stage="vertex")

    def stop(artifact: Artifact, inputs: MachineInputs) -> MachineOutputs:
        raise MachineFault("slot 7 holds no instruction")

    simulated = Simulated(shader.target, shader.artifact, shader.module, execute=stop)
    uniforms = {"u_matrix": MATRIX, "u_offsets": [[0, 0], [0.25, 0.5]]}
    with pytest.raises(glslc_multi.CompileError) as caught:
        run_artifact(simulated, {"a_position": POSITIONS}, uniforms)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E0661"
    assert diagnostic.message == "the machine code cannot go on: slot 7 holds no instruction"
