"""Generated programs, compiled and run here with a library that records calls: what is in registers is what the
register map says."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.pica200.host.citro3d import citro3d_files
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.host_files import HostProgram
from tests.backends.pica200.host.programs import check_program
from tests.backends.pica200.host.registers import registers_of
from tests.backends.pica200.host.stub import COMPILER, run_main, run_stages
from tests.compiler.host_code.test_c_uniforms import COMPUTED, EVERYTHING
from tests.host_values import stages_of

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

#: Two loops that one uniform counts, whose counters begin and go on differently.
LOOPS = """
uniform int count; uniform uint rounds; uniform vec4 steps[40];
in vec4 p;
void main() {
    vec4 sum = p;
    for (int i = 0; i < count; i++) sum += steps[i];
    for (int i = 0; i < count; i++) sum *= steps[2 * i + 3];
    for (uint i = 0u; i < rounds; i++) sum.x += 1.5;
    gl_Position = sum;
}
"""
VERTEX = """
attribute vec4 p; uniform mat4 m; uniform vec4 shift[2]; varying vec4 v_color;
void main() { gl_Position = m * p + shift[1]; v_color = p; }
"""
GEOMETRY = """
#pragma geometry(lines)
attribute vec4 v_color[2]; uniform vec4 shift[2]; uniform bool twice; varying vec4 color;
void main() {
    for (int i = 0; i < 2; i++) { gl_Position = gl_PositionIn[i] + shift[i]; color = v_color[i]; EmitVertex(); }
    if (twice) { gl_Position = shift[0]; EmitVertex(); }
}
"""


@pytest.mark.parametrize("text", [EVERYTHING, f"#version 330\n{LOOPS}"])
@pytest.mark.parametrize("seed", range(2))
def test_uniforms_of_every_type(tmp_path: Path, text: str, seed: int) -> None:
    assert check_program(tmp_path, glslc_multi.compile(text, target="pica200", stage="vertex"), seed).registers > 5


def test_what_a_preamble_computes(tmp_path: Path) -> None:
    shader = glslc_multi.compile(COMPUTED, target="pica200", stage="vertex", preamble=True)
    check_program(tmp_path, shader, 3)


def test_initializers(tmp_path: Path) -> None:
    text = "#version 330\nuniform vec2 way = vec2(-1.5, 3.0); in vec4 p; void main() { gl_Position = p * way.xyxy; }"
    stages = stages_of(glslc_multi.compile(text, target="pica200", stage="vertex"))
    calls = run_stages(tmp_path, {"lit": stages}, "lit_program lit; lit_init(&lit); lit_bind(&lit);")
    (words,) = registers_of(calls).values()
    assert struct.unpack("<2f", struct.pack("<2I", *words[:2])) == (-1.5, 3.0)


def test_a_geometry_shader_has_its_stride_and_registers_of_its_own(tmp_path: Path) -> None:
    """A uniform of both shaders is one, set in both units."""
    program = glslc_multi.link(VERTEX, GEOMETRY, target="pica200", fragment_filename="a.geom")
    assert check_program(tmp_path, program, 5).registers == 4 + 2 + 2 + 1
    files = citro3d_files(HostProgram(stages_of(program), "lit", program.binary), DiagnosticSink())
    for file in files:
        (tmp_path / file.name).write_bytes(file.data)
    calls = run_main(tmp_path, ["lit"], "lit_program lit; lit_init(&lit); lit_bind(&lit); lit_free(&lit);")
    assert program.binary is not None
    (words,) = (rest for name, *rest in calls if name == "file")
    assert struct.pack(f"<{len(words)}I", *words) == program.binary
    # A line has two vertices of two registers.
    assert ["shaderProgramSetVsh", 0] in calls and ["shaderProgramSetGsh", 1, 4] in calls


ATTRIBUTES = """#version 330
in vec3 place; layout(location = 9) in mat3 turn; in float weights[2]; in vec4 more[4]; in vec2 unix;
void main() {
    vec4 sum = more[0] + more[1] + more[2] + more[3];
    gl_Position = vec4(turn * place, 1.0) * weights[0] + sum * weights[1] + unix.xyxy;
}
"""


@pytest.mark.parametrize("text", [ATTRIBUTES, VERTEX])
def test_attributes_go_to_the_registers_of_the_map(tmp_path: Path, text: str) -> None:
    assert check_program(tmp_path, glslc_multi.compile(text, target="pica200", stage="vertex"), 1).loaders > 0


def test_a_vertex_has_twelve_attributes_at_most() -> None:
    text = "#version 330\nin mat4 a[3]; in vec4 b; void main() { gl_Position = a[0] * (a[1] * (a[2] * b)); }"
    program = HostProgram(stages_of(glslc_multi.compile(text, target="pica200", stage="vertex")), "lit")
    with pytest.raises(CompileError, match="13"):
        citro3d_files(program, DiagnosticSink())


def test_a_geometry_shader_alone_is_no_program() -> None:
    stages = stages_of(glslc_multi.compile(GEOMETRY, target="pica200", stage="geometry"))
    with pytest.raises(CompileError) as failure:
        citro3d_files(HostProgram(stages, "lit"), DiagnosticSink())
    assert [diagnostic.code for diagnostic in failure.value.diagnostics] == ["E0953"]
