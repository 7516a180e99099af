"""Where components come from, through each kind of shuffle."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Instruction
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.rules.shuffles import Source, _follow

_SHADER = """shader vertex
attribute @a: vec4
attribute @s: float
output @gl_Position: vec4 role(position)
func @main {{
^entry:
  %0:vec4 = load @a
  %1:float = load @s
{}
  store @gl_Position, %9
  ret
}}
"""
_SPLAT = "\n  %9:vec4 = construct %8, %8, %8, %8"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("  %9:vec4 = swizzle.wzyy %0", ["0.3", "0.2", "0.1", "0.1"]),
        ("  %8:vec2 = swizzle.yz %0\n  %9:vec4 = construct %1, %8, 5.0", ["1.0", "0.1", "0.2", "5.0"]),
        ("  %9:vec4 = insert.z %0, %1", ["0.0", "0.1", "1.0", "0.3"]),
        ("  %8:float = extract_dynamic %0, 2" + _SPLAT, ["0.2"] * 4),
        # Beyond its ends, an index is the nearest one.
        ("  %8:float = extract_dynamic %0, 9" + _SPLAT, ["0.3"] * 4),
        ("  %8:float = extract_dynamic %0, -5" + _SPLAT, ["0.0"] * 4),
        ("  %9:vec4 = insert_dynamic %0, %1, 1", ["0.0", "1.0", "0.2", "0.3"]),
        ("  %9:vec4 = insert_dynamic %0, %1, 4", ["0.0", "0.1", "0.2", "1.0"]),
        ("  %8:vec4 = swizzle.wwww %0\n  %9:vec4 = select true, %8, %0", ["0.3"] * 4),
        ("  %8:vec4 = swizzle.wwww %0\n  %9:vec4 = select false, %8, %0", ["0.0", "0.1", "0.2", "0.3"]),
        (
            "  %8:vec4 = swizzle.wwww %0\n  %9:vec4 = select bvec4(true, false, false, true), %8, %0",
            ["0.3", "0.1", "0.2", "0.3"],
        ),
        ("  %8:vec4 = fneg %0\n  %9:vec4 = insert.x %8, %1", ["1.0", "8.1", "8.2", "8.3"]),
    ],
)
def test_the_origin_of_each_component(body: str, expected: list[str]) -> None:
    """By the number of a value and the component of it; or the number itself."""
    sink = DiagnosticSink()
    module = parse_module(_SHADER.format(body), "a.sir", sink)
    assert module is not None, sink.diagnostics
    made = {each.id: each for each in module.main.instructions()}
    root = next(each for each in module.main.instructions() if each.op.name == "store").operands[-1]
    assert made[9] is root
    found = []
    for component in range(4):
        origin = _follow(root, component, {})
        if isinstance(origin, Source):
            assert isinstance(origin.value, Instruction)
            found.append(f"{origin.value.id}.{origin.component}")
        else:
            found.append(str(origin))
    assert found == expected
