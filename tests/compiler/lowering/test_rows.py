"""Which functions read uniform matrices for products alone, so that the host may upload them by rows."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.lowering.rows import reads_rows_alone

_SHADER = """shader vertex
attribute @a: vec4
uniform @m: mat2
uniform @r: vec3 columns(2)
uniform @u: vec2
output @gl_Position: vec4 role(position)
func @main {{
^entry:
  %0:vec2 = load @m.0
  %1:vec2 = load @m.1
  %2:vec4 = load @a
  %3:vec2 = swizzle.xy %2
  %4:vec2 = load @u
  %5:vec2 = fadd %3, %4
{}
  %9:vec4 = construct %8, 0.0, 1.0
  store @gl_Position, %9
  ret
}}
"""

_K = "  %10:vec2 = swizzle.xx %2\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # What is not a matrix may be computed with as one likes.
        ("  %8:vec2 = mat_vec %0, %1, %5", True),
        # The rows of k M are k times those of M; times a vector, they are not.
        (_K + "  %6:vec2 = fmul %0, %10\n  %7:vec2 = fmul %1, %10\n  %8:vec2 = mat_vec %6, %7, %5", True),
        ("  %6:vec2 = fmul %0, %4\n  %7:vec2 = fmul %1, %4\n  %8:vec2 = mat_vec %6, %7, %5", False),
        ("  %8:vec2 = vec_mat %5, %0, %1", False),
        ("  %8:vec2 = mat_vec %0, %1, %0", False),
        ("  %7:vec2 = mat_vec %0, %1, %5\n  %8:vec2 = fadd %7, %0", False),
        ("  %6:float = dot %0, %5\n  %8:vec2 = construct %6, %6", False),
        # It does not know a matrix of other rows than columns.
        (
            "  %10:vec3 = load @r.0\n  %11:vec3 = load @r.1\n  %6:vec3 = mat_vec %10, %11, %5\n"
            "  %8:vec2 = swizzle.xy %6",
            False,
        ),
    ],
)
def test_matrices_are_read_by_rows_alone(body: str, expected: bool) -> None:
    module = parse_module(_SHADER.format(body), "a.sir", DiagnosticSink())
    assert module is not None
    assert reads_rows_alone(module.main) is expected
