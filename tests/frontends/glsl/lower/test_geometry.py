"""Geometry shaders: what each EmitVertex() emits, in order, by the evaluator."""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.evaluate import Result, evaluate
from glslc_multi.frontends.registry import make_source

POSITIONS = np.arange(16.0).reshape(2, 2, 4)
TINTS = np.array([[0.25, 0.5], [0.75, 1.0]])

SHADER = """
#pragma geometry(lines)
attribute float v_tint[2];
varying float tint;
void emit(int i) {
    gl_Position = gl_PositionIn[i];
    tint = v_tint[i];
    EmitVertex();
}
void main() {
    emit(1);
    EndPrimitive();
    if (v_tint[0] > 0.5) emit(0);
    tint = 2.0;
    EmitVertex();
    gl_Position = vec4(9.0);
}
"""


def run(source: str) -> Result:
    module = lower_source(make_source(source, "a.geom"), FrontEndOptions(), DiagnosticSink())
    return evaluate(module, {"gl_PositionIn": POSITIONS, "v_tint": TINTS}, {}, lanes=2)


def test_each_vertex_has_what_the_outputs_held() -> None:
    first, end, second, third = run(SHADER).emitted
    assert first.outputs is not None and second.outputs is not None and third.outputs is not None
    assert end.outputs is None and end.lanes.tolist() == [True, True]
    assert first.outputs["gl_Position"].tolist() == POSITIONS[:, 1].tolist()
    assert first.outputs["tint"].tolist() == [0.5, 1.0]
    assert second.lanes.tolist() == [False, True]
    assert second.outputs["gl_Position"][1].tolist() == POSITIONS[1, 0].tolist()
    # Unlike in the desktop's language, outputs keep what they hold.
    assert third.outputs["gl_Position"].tolist() == [POSITIONS[0, 1].tolist(), POSITIONS[1, 0].tolist()]
    assert third.outputs["tint"].tolist() == [2.0, 2.0]


def test_the_last_pragma_holds() -> None:
    result = run("#pragma geometry(triangles)\n" + SHADER)
    assert len(result.emitted) == 4
