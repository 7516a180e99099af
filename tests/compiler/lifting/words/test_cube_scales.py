"""Directions of cube maps, with and without a scale."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.lifting.words.cube_scales import drop_scales

LOOKUP = """shader fragment
varying @v: vec3 highp
output @o: vec4 highp role(frag_color)
sampler @s: samplerCube

func @main {
^entry:
  %0:vec3 = load @v
  %1:float = swizzle.x %0
  %2:float = swizzle.y %0
  %3:float = swizzle.z %0
  %4:float = fabs %1
  %5:float = fabs %2
  %6:float = fmax %4, %5
  %7:float = frcp %6
  %8:float = fmul %1, %7
  %9:float = fmul %7, %2
  %10:float = fmul %3, %7
  %11:vec3 = construct %8, %9, %10
  %12:vec4 = texture @s, %11
  store @o, %12
  ret
}
"""


@pytest.mark.parametrize(
    ("change", "is_dropped"),
    [
        (("", ""), True),
        (("fmax %4, %5", "fmax %1, %5"), True),
        # It may be below 0, or is not that of all.
        (("fmax %4, %5", "fmax %1, %2"), False),
        (("fmul %3, %7", "fmul %3, %3"), False),
        (("frcp %6", "fadd %6, 1.0"), False),
    ],
)
def test_a_positive_scale_is_dropped(change: tuple[str, str], is_dropped: bool) -> None:
    sink = DiagnosticSink()
    module = parse_module(LOOKUP.replace(*change), "<test>", sink)
    sink.raise_if_errors()
    assert module is not None
    drop_scales(module.main)
    (lookup,) = [i for i in module.main.instructions() if i.op.name == "texture"]
    names = {part.op.name for part in lookup.operands[0].operands}  # type: ignore[attr-defined]
    assert names == ({"swizzle"} if is_dropped else {"fmul"})
