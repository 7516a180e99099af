"""Geometry shaders: lifted, and compared with their source or their triangles."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi as g
from glslc_multi.backends.frontend import MachineCode
from glslc_multi.backends.pica200.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Stats, Verdict
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.lifting.lift import lift
from glslc_multi.compiler.proof.modules import prove_module
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.records import replace
from glslc_multi.runtime.reference import run_module
from tests.proof.prove import compile_text

COPIES = """
#pragma geometry(triangles)
attribute vec4 v_color[3]; uniform vec4 u_shift; varying vec4 color;
void main() {
    for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = gl_PositionIn[i] + float(copy) * u_shift;
            color = v_color[i];
            EmitVertex();
        }
        EndPrimitive();
    }
}
"""
RIBBON = """
#pragma geometry(lines)
attribute vec2 v_uv[2]; uniform vec4 u_side; uniform bool u_long; varying vec2 texcoord0;
void main() {
    gl_Position = gl_PositionIn[0] - u_side; texcoord0 = v_uv[0]; EmitVertex();
    gl_Position = gl_PositionIn[0] + u_side; EmitVertex();
    gl_Position = gl_PositionIn[1] - u_side; texcoord0 = v_uv[1]; EmitVertex();
    if (u_long) { gl_Position = gl_PositionIn[1] + u_side; texcoord0 = v_uv[1].yx; EmitVertex(); }
    EndPrimitive();
}
"""
LOOP = """
#pragma geometry(points)
attribute float v_size[1]; uniform int u_count; uniform vec4 u_right; varying vec2 texcoord0;
void main() {
    for (int i = 0; i < u_count; i++) {
        gl_Position = gl_PositionIn[0] + u_right * float(i); texcoord0 = vec2(0.0); EmitVertex();
        gl_Position += u_right.yxzw * v_size[0]; texcoord0 = vec2(1.0); EmitVertex();
        gl_Position += u_right.wzyx; texcoord0 = vec2(0.0, 1.0); EmitVertex();
        EndPrimitive();
    }
}
"""
FAN = """
.gsh point c0
.out - position o0
.out - color o1
.proc main
    mov r0, v0
    setemit 1
    mov o0, r0
    mov o1, v0
    emit
    setemit 0
    add o0, v1, r0
    mov o1, v1
    emit
    setemit 2, prim inv
    mov o0, v2
    mov o1, v2
    emit
    setemit 1, prim
    add o0, v1, -r0
    mov o1, v0
    emit
    end
.end
"""


def lifted(artifact: Artifact) -> Module:
    code = TARGET.machine_code(artifact, {})
    assert code is not None
    module = lift(code, artifact.reflection)
    assert not verify_module(module)
    return optimise(module, 2)


def verdict_on(source: Module, artifact: Artifact) -> Verdict:
    after = Snapshot(lifted(artifact))
    outputs = {v.name: (after.module.find_variable(v.name), 0) for v in source.outputs()}
    return prove_module(Snapshot(source), after, outputs, draws=8)


@pytest.mark.parametrize("optimisation", [0, 2])
@pytest.mark.parametrize("text", [COPIES, RIBBON, LOOP, COPIES.replace("(tri", "(fixed, tri")])
def test_lifted_shaders_emit_the_triangles_of_their_source(text: str, optimisation: int) -> None:
    source, artifact = compile_text(text, "pica200", "geometry", optimisation=optimisation)
    assert verdict_on(source, artifact).outcome == "equal"


def test_other_triangles_differ() -> None:
    source, artifact = compile_text(RIBBON, "pica200", "geometry")
    binary = TARGET.assemble(artifact.assembly.replace("prim inv", "prim"), "<fault>", DiagnosticSink())
    # No strip any more: each triangle is one.
    assert verdict_on(source, replace(artifact, binary=binary)).outcome == "differs"


def test_triangles_that_are_no_strip_are_one_each() -> None:
    data = TARGET.assemble(FAN, "<test>", DiagnosticSink())
    module = lifted(Artifact(data, str, TARGET.read_interface(data, "<test>", DiagnosticSink()), Stats(0, 0, 0, 0)))
    values = np.random.default_rng(3).random((3, 1, 4)).astype(np.float32)
    first, second, third = values[:, 0]
    found = run_module(
        module, {"gl_PositionIn": values[0][:, None], "v1": values[1][:, None], "v2": values[2][:, None]}, {}
    )
    corners = [[first, second + first, third], [second + first, second - first, third]]
    assert_triangles(found["gl_Position"], corners)


def assert_triangles(found: Array, wanted: list[list[Array]]) -> None:
    """Compare triangles, each from any of its corners on."""
    assert len(found) == len(wanted)
    for triangle, corners in zip(np.asarray(found), np.asarray(wanted), strict=True):
        assert any(np.allclose(np.roll(triangle, turn, axis=0), corners, atol=1e-6) for turn in range(3))


def test_the_text_is_that_of_the_pragma() -> None:
    _, artifact = compile_text(RIBBON, "pica200", "geometry")
    text = g.decompile(artifact.binary, target="pica200", version="100")
    assert "#pragma geometry(lines)" in text
    assert text.count("EmitVertex();") == 4
    with pytest.raises(CompileError, match="E0702"):
        g.decompile(artifact.binary, target="pica200", version="330")


def test_vertices_in_variable_numbers_are_refused() -> None:
    text = RIBBON.replace("geometry(lines)", "geometry(variable, vertices = 2, most = 4)")
    _, artifact = compile_text(text, "pica200", "geometry")
    source = Source(artifact.binary, "a.shbin", MachineCode(TARGET))
    with pytest.raises(CompileError, match="E0862"):
        lower_source(source, FrontEndOptions(), DiagnosticSink())
