"""What is found again in single components: vector operations, dot products, products with matrices, directions."""

from __future__ import annotations

from collections import Counter

import pytest

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.lifting.lift import lift
from tests.proof.prove import compile_text

TARGETS = ("agal", "pica200", "adreno", "xenos", "vc4")
MATRICES = """
attribute vec3 a_position, a_normal; uniform mat4 u_view, u_screen; uniform mat3 u_turn; uniform vec4 u_scale;
varying vec3 v_normal; varying vec2 v_place;
void main() {
    vec4 seen = u_view * vec4(a_position, 1.0);
    v_normal = normalize(u_turn * a_normal);
    v_place = (u_turn * a_normal).xy;
    gl_Position = u_screen * (seen * u_scale);
}
"""


def operations(text: str, target: str) -> Counter[str]:
    """How often each operation is in what is lifted of a vertex shader's code."""
    _, artifact = compile_text(text, target, "vertex")
    code = find_target(target, DiagnosticSink()).machine_code(artifact, {})
    assert code is not None
    module = optimise(lift(code, artifact.reflection), 2)
    return Counter(instruction.op.name for instruction in module.main.instructions())


@pytest.mark.parametrize("target", TARGETS)
def test_products_with_matrices_and_directions_are_whole(target: str) -> None:
    """However the machine uploads a matrix, and though it needs some rows of a product only."""
    found = operations(MATRICES, target)
    assert (found["mat_vec"], found["normalize"]) == (3, 1)
    assert not found.keys() & {"dot", "fadd", "fmad", "frsqrt", "fsqrt"}
    assert found["fmul"] == 1


@pytest.mark.parametrize("target", TARGETS)
def test_rows_of_different_products_stay_apart(target: str) -> None:
    text = """
    attribute vec4 a, b; uniform mat4 u;
    void main() { gl_Position = vec4((u * a).x, (u * b).y, (u * a).z, (u * b).w); }
    """
    assert operations(text, target)["mat_vec"] == 2


@pytest.mark.parametrize("target", TARGETS)
def test_one_row_is_no_product(target: str) -> None:
    text = "attribute vec4 a; uniform mat4 u; void main() { gl_Position = vec4((u * a).y); }"
    assert operations(text, target)["mat_vec"] == 0


@pytest.mark.parametrize("target", TARGETS)
def test_a_length_of_another_vector_is_no_direction(target: str) -> None:
    text = """
    attribute vec4 a, b;
    void main() { gl_Position = vec4(a.xyz / length(b.xyz), 1.0); }
    """
    assert operations(text, target)["normalize"] == 0


@pytest.mark.parametrize("target", TARGETS)
def test_components_are_computed_together(target: str) -> None:
    text = """
    attribute vec4 a, b; uniform vec4 u;
    void main() { gl_Position = max(a * u + b, u.wzyx) - floor(b * 4.0); }
    """
    found = operations(text, target)
    assert sum(found[name] for name in ("fmul", "fadd", "fsub", "fmad", "fmax", "ffloor", "ffract", "fneg")) <= 7
    assert found["construct"] <= 1


@pytest.mark.parametrize("target", TARGETS)
def test_products_with_points_of_a_plane_are_whole(target: str) -> None:
    """Columns that are multiplied with nothing are missing in the sums."""
    text = """
    attribute vec2 a, b; uniform mat4 u; varying vec2 v;
    void main() { gl_Position = u * vec4(a, 0.0, 1.0); v = (u * vec4(b, 0.0, 0.0)).xw; }
    """
    found = operations(text, target)
    assert found["mat_vec"] == 2
    assert not found.keys() & {"dot", "fadd", "fmul", "fmad"}
