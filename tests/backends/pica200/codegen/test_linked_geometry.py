"""A vertex and a geometry shader in one file: they run one after the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import glslc_multi as g
from glslc_multi.backends.pica200.isa.asm import assemble, assemble_files
from glslc_multi.backends.pica200.isa.container import read, write
from glslc_multi.backends.pica200.isa.disasm import disassemble
from glslc_multi.backends.pica200.isa.program import SEMANTICS, Program
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.backends.pica200.machine.simulate import Uniforms, simulate
from glslc_multi.cli.commands.link import run as run_link
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.pica200.compiled import dyadic

BODY = "void main() { gl_Position = vec4(1.0); EmitVertex(); }"
VERTEX = """
attribute vec4 a_position;
attribute vec2 a_uv;
uniform vec4 u_shift;
varying vec2 v_unread;
varying vec3 v_other;
varying vec2 v_uv;
void main() {
    gl_Position = a_position + u_shift;
    gl_PointSize = 3.0;
    v_other = vec3(a_uv, 1.0);
    v_unread = a_uv;
    v_uv = a_uv * 2.0;
}
"""
GEOMETRY = """
#pragma geometry(triangles)
attribute vec2 v_uv[3];
attribute vec3 v_other[3];
varying vec2 texcoord0;
varying vec3 color;
void main() {
    for (int i = 0; i < gl_VerticesIn; i++) {
        gl_Position = gl_PositionIn[i];
        texcoord0 = v_uv[i];
        color = v_other[2 - i];
        EmitVertex();
    }
}
"""


def linked_program(geometry: str) -> Program:
    """Both stages in one file, which follows the rules."""
    linked = g.link(VERTEX, geometry, target="pica200", fragment_filename="b.geom")
    assert linked.binary is not None and list(linked.stages) == ["vertex", "geometry"]
    program = read(linked.binary, "a.shbin", DiagnosticSink())
    assert program is not None and [shader.stage for shader in program.executables] == ["vertex", "geometry"]
    assert validate(program) == []
    return program


@pytest.mark.parametrize("kind", ["point", "fixed", "variable"])
def test_both_stages_run_one_after_the_other(kind: str) -> None:
    pragma = {"point": "triangles", "fixed": "fixed, triangles", "variable": "variable, vertices = 3, most = 3"}[kind]
    program = linked_program(GEOMETRY.replace("triangles", pragma))
    position, uv, shift = dyadic(1, 3, 4), dyadic(2, 3, 2), dyadic(3, 4)
    registers = {
        0: position,
        1: np.concatenate([uv, np.zeros((3, 1)), np.ones((3, 1))], axis=1),
    }
    before = simulate(program, registers, Uniforms({0: shift.tolist()}, {}, {}))
    # The hardware hands over the registers of the vertex stage's map, vertex after vertex.
    used = [k for k in range(7) if program.executables[0].output_mask >> k & 1]
    assert used == [0, 1, 2] and program.executables[1].input_mask == (0b111111111 if kind == "point" else 0)
    handed = before.outputs[:, used].reshape(1, 9, 4)
    if kind == "point":
        after = simulate(program, {k: handed[:, k] for k in range(9)}, executable=1)
    else:
        # There are no uniforms before a fixed array here; the number of vertices is before a variable one.
        memory = [*handed[0].tolist()] if kind == "fixed" else [[3.0] * 4, *handed[0].tolist()]
        after = simulate(program, {}, Uniforms(dict(enumerate(memory)), {}, {}), executable=1)
    ((triangle,),) = after.emitted.values()
    places = {output.semantic: output.register for output in program.executables[1].outputs}
    numbers = {name: number for number, name in SEMANTICS.items()}
    assert np.array_equal(triangle.vertices[:, places[numbers["position"]]], position + shift)
    assert np.array_equal(triangle.vertices[:, places[numbers["texcoord0"]], :2], uv * 2.0)
    colors = np.concatenate([uv, np.ones((3, 1))], axis=1)[::-1]
    assert np.array_equal(triangle.vertices[:, places[numbers["color"]], :3], colors)


@pytest.mark.parametrize(
    ("primitive", "directive"),
    [
        ("triangles", ".gsh point c0"),
        ("fixed, triangles", ".gsh fixed c9 c0 3"),
        ("variable, vertices = 3, most = 3", ".gsh variable c0 3"),
    ],
)
def test_the_text_of_both_stages_is_the_file(primitive: str, directive: str) -> None:
    """In the text of each, an `.entry`; picasso wants the uniforms of a fixed primitive behind its vertices."""
    pragma = GEOMETRY.replace("triangles", primitive).replace("void main", "uniform vec4 u_far; void main")
    geometry = pragma.replace("= gl_PositionIn[i]", "= gl_PositionIn[i] + u_far")
    linked = g.link(VERTEX, geometry, target="pica200", fragment_filename="b.geom")
    assert linked.binary is not None
    text = disassemble(linked.binary, "a.shbin", DiagnosticSink())
    vertex, second = text.split(".dvle\n")
    assert second.startswith(f".entry geometry_1\n{directive}\n") and vertex.startswith(".entry vertex_0\n")
    assert "\n.fvec u_far\n" in second and "\n.fvec u_shift\n" in vertex
    assert write(assemble(text, "a.s", DiagnosticSink())) == linked.binary
    # As files of their own, too.
    both = assemble_files([(vertex, "a.v.pica"), (second, "b.g.pica")], DiagnosticSink())
    assert write(both) == linked.binary


def test_the_command_line_prints_text_of_both_stages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.vert").write_text(VERTEX, "utf-8")
    (tmp_path / "b.geom").write_text(GEOMETRY, "utf-8")
    run_link([str(tmp_path / "a.vert"), str(tmp_path / "b.geom"), "--target", "pica200", "-S"], DiagnosticSink())
    linked = g.link(VERTEX, GEOMETRY, target="pica200", fragment_filename="b.geom")
    assert write(assemble(capsys.readouterr().out, "a.s", DiagnosticSink())) == linked.binary


#: Long enough that both stages call it.
WARP = """
vec4 warp(vec4 x) {
    vec4 y = x * x + x.wzyx;
    y = max(y, x.wzyx) * y.yzwx;
    y = floor(y) + min(x, y.zwxy);
    return floor(y * y.x + x) * 0.125;
}
"""


def test_procedures_of_both_stages_have_names_of_their_own() -> None:
    vertex = f"attribute vec4 a, b, c;{WARP}void main() {{ gl_Position = warp(a) + warp(b) * warp(c); }}"
    geometry = f"""
    #pragma geometry(triangles)
    {WARP}
    void main() {{
        gl_Position = warp(gl_PositionIn[0]) + warp(gl_PositionIn[1]) * warp(gl_PositionIn[2]);
        EmitVertex();
    }}
    """
    linked = g.link(vertex, geometry, target="pica200", fragment_filename="b.geom")
    assert linked.binary is not None
    program = read(linked.binary, "a.shbin", DiagnosticSink())
    assert program is not None and validate(program) == []
    alone = [stage.stats.code_words for stage in linked.stages.values()]
    assert [stage.assembly.count("call ") for stage in linked.stages.values()] == [2, 2]
    assert len(program.code) == sum(alone)


@pytest.mark.parametrize(
    ("geometry", "code"),
    [
        ("#pragma geometry(points)\nattribute vec4 v_what[1];" + BODY.replace("vec4(1.0)", "v_what[0]"), "E0509"),
        ("#pragma geometry(points)\nattribute vec4 v_uv[1];" + BODY.replace("vec4(1.0)", "v_uv[0]"), "E0510"),
    ],
)
def test_stages_that_do_not_fit(geometry: str, code: str) -> None:
    with pytest.raises(CompileError) as caught:
        g.link(VERTEX, geometry, target="pica200", fragment_filename="b.geom")
    assert [d.code for d in caught.value.diagnostics if d.severity == "error"] == [code]


def test_other_targets_have_no_geometry_stage() -> None:
    with pytest.raises(CompileError) as caught:
        g.link(VERTEX, GEOMETRY, target="vc4", fragment_filename="b.geom")
    assert ["no geometry" in d.message or "geometry" in d.message for d in caught.value.diagnostics] == [True]


def test_the_command_line_writes_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.vert").write_text(VERTEX, "utf-8")
    Path("b.geom").write_text(GEOMETRY, "utf-8")
    run_link(["a.vert", "b.geom", "--target", "pica200", "-o", "both.shbin"], DiagnosticSink())
    linked = g.link(VERTEX, GEOMETRY, target="pica200", fragment_filename="b.geom")
    assert Path("both.shbin").read_bytes() == linked.binary
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.vert", "b.geom", "both.shbin"]
