"""Phis keep the components that are needed, and what they give stays."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.lifting.components import narrow_phis
from tests.compiler.ir.broken import base

#: x stays, y counts, z swaps with w at each turn, and what w was before is lost in the other register.
LOOP = """
shader fragment "t"
output @gl_FragColor: vec4 mediump role(frag_color)
varying @a: vec4 highp
func @main {
^entry:
  %0:vec4 = load @a
  br ^way
^way:
  %40:vec4 = phi [%0, ^entry]
  br ^head
^head:
  %1:vec4 = phi [%40, ^way], [%20, ^head]
  %2:vec4 = phi [%40, ^way], [%21, ^head]
  %3:float = phi [0.0, ^way], [%22, ^head]
  %4:float = swizzle.x %1
  %5:float = swizzle.y %1
  %6:float = swizzle.z %1
  %7:float = swizzle.w %1
  %8:float = fadd %5, 1.0
  %20:vec4 = construct %4, %8, %7, %6
  %9:float = swizzle.x %2
  %21:vec4 = construct %4, %9, %5, %3
  %22:float = fadd %3, 1.0
  %23:bool = flt %22, 3.0
  condbr %23, ^head, ^end
^end:
  %30:float = swizzle.y %21
  %31:vec3 = swizzle.xyz %20
  %32:vec4 = construct %31, %30
  store @gl_FragColor, %32
  ret
}
"""


def test_components_that_nobody_needs_go() -> None:
    module = base(LOOP)
    narrow_phis(module.main)
    assert verify_module(module) == []
    widths = [i.type.width for i in module.main.instructions() if i.op is ops.PHI]
    # y, z and w of the first register, the counter; all of the second one is what it was.
    assert sorted(widths) == [1, 3]
    found = evaluate(module, {"a": [[1.0, 2.0, 3.0, 4.0]]}, {}, lanes=1).outputs["gl_FragColor"]
    assert found.tolist() == [[1.0, 5.0, 4.0, 1.0]]
    assert evaluate(base(LOOP), {"a": [[1.0, 2.0, 3.0, 4.0]]}, {}, lanes=1).outputs["gl_FragColor"].tolist() == (
        found.tolist()
    )
