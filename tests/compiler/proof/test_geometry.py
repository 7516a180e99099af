"""Geometry shaders: the triangles of strips, corner by corner."""

from __future__ import annotations

import pytest

from tests.proof.prove import prove_text, prove_with_fault

STRIPS = """
#pragma geometry(triangles)
attribute vec3 v_colour[3]; uniform float u_size; varying vec3 colour;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_PositionIn[i] * u_size;
        colour = v_colour[i].yzx;
        EmitVertex();
    }
    EndPrimitive();
    if (v_colour[0].x > 0.25) {
        for (int i = 0; i < 4; i++) {
            gl_Position = gl_PositionIn[2 - i / 2] + u_size;
            colour = v_colour[0];
            EmitVertex();
        }
    }
}
"""


@pytest.mark.parametrize("optimisation", [0, 1, 2, 3])
def test_right_triangles_are_equal(optimisation: int) -> None:
    assert prove_text(STRIPS, "pica200", "geometry", optimisation=optimisation, draws=16).outcome == "equal"


#: What is changed in the code, and what the verdict says.
FAULTS = [
    # The corner of another vertex; the colour of another one.
    ("mul o0, c0.x, v2", "mul o0, c0.x, v4", "gl_Position (element 0, column 0).x of corner 1 of triangle 0"),
    ("mov o1, v3.yzx", "mov o1, v5.yzx", "colour (element 0, column 0).x of corner 1 of triangle 0"),
    # Another slot, another winding, no triangle.
    ("setemit 1\n        call", "setemit 0\n        call", "of triangle 1"),
    ("setemit 0, prim inv", "setemit 0, prim", "triangles are turned"),
    ("setemit 2, prim\n    mul", "setemit 2\n    mul", "triangles are turned"),
]


@pytest.mark.parametrize(("right", "wrong", "reason"), FAULTS)
def test_another_triangle_differs(right: str, wrong: str, reason: str) -> None:
    verdict = prove_with_fault(STRIPS, "pica200", lambda code: code.replace(right, wrong), "geometry", draws=16)
    assert verdict.outcome == "differs", verdict
    assert reason in verdict.reason


def test_a_threshold_that_a_rounding_moves_is_no_difference() -> None:
    """Whether a triangle is issued may depend on a magnified error: 2^x is good for 15 digits there."""
    text = """
    #pragma geometry(triangles)
    attribute float v_a[3];
    void main() {
        for (int i = 0; i < 3; i++) { gl_Position = gl_PositionIn[i]; EmitVertex(); }
        if (fract(exp2(v_a[0]) * 1e5) > 0.5) { gl_Position = gl_PositionIn[0]; EmitVertex(); }
    }
    """
    assert prove_text(text, "pica200", "geometry", draws=16).outcome != "differs"
