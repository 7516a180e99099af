"""What an attribute has beside its own components: 0, 0 and 1, as constants that need no register."""

from __future__ import annotations

import pytest

from glslc_multi.backends.agal.codegen.rewrites.idioms import WidenAttributes
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.base import PassContext

_SHADER = """shader vertex
attribute @one: float
attribute @two: vec2
attribute @three: vec3
attribute @four: vec4
output @gl_Position: vec4 role(position)
func @main {{
^entry:
  %0:float = load @one
  %1:vec2 = load @two
  %2:vec3 = load @three
  %3:vec4 = load @four
{}
  store @gl_Position, %9
  ret
}}
"""


def _stored(body: str) -> str:
    """Return of each component that is stored the attribute or number that it comes from."""
    sink = DiagnosticSink()
    module = parse_module(_SHADER.format(body), "a.sir", sink)
    assert module is not None, sink.diagnostics
    WidenAttributes().run_on_module(module, PassContext())
    widths = {variable.type.width for variable in module.variables.values() if variable.storage == "attribute"}
    assert widths == {4}
    return " ".join(_origin(_position(module), component) for component in range(4))


def _position(module: Module) -> Instruction:
    (store,) = (each for each in module.main.instructions() if each.op is ops.STORE)
    value = store.operands[-1]
    assert isinstance(value, Instruction)
    return value


def _origin(value: object, component: int) -> str:
    if not isinstance(value, Instruction):
        return str(value.components[component])  # type: ignore[attr-defined]
    if value.op is ops.LOAD:
        return f"{value.address.variable.name}.{'xyzw'[component]}"
    if value.op is ops.SWIZZLE:
        return _origin(value.operands[0], value.attribute[component])
    assert value.op is ops.CONSTRUCT
    for part in value.operands:
        if component < part.type.width:
            return _origin(part, component)
        component -= part.type.width
    raise AssertionError


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("  %9:vec4 = construct %2, 1.0", "three.x three.y three.z three.w"),
        ("  %9:vec4 = construct %1, 0.0, 1.0", "two.x two.y two.z two.w"),
        ("  %9:vec4 = construct %0, 0.0, 0.0, 1.0", "one.x one.y one.y one.w"),
        # Only 0 and 1 are there, and z of three components is its own.
        ("  %9:vec4 = construct %2, 0.0", "three.x three.y three.z 0.0"),
        ("  %9:vec4 = construct %1, 0.5, 1.0", "two.x two.y 0.5 two.w"),
        # Of all that are read, the first one that has it.
        ("  %8:float = swizzle.x %2\n  %9:vec4 = construct %8, %1, 0.0", "three.x two.x two.y two.z"),
        # An attribute of four components lacks none.
        ("  %8:vec3 = swizzle.xyz %3\n  %9:vec4 = construct %8, 1.0", "four.x four.y four.z 1.0"),
    ],
)
def test_constants_beside_an_attribute_are_its_missing_components(body: str, expected: str) -> None:
    assert _stored(body) == expected


def test_what_has_no_such_constant_stays_as_it_is() -> None:
    sink = DiagnosticSink()
    module = parse_module(_SHADER.format("  %9:vec4 = construct %1, %1"), "a.sir", sink)
    assert module is not None
    before = _position(module)
    WidenAttributes().run_on_module(module, PassContext())
    assert _position(module) is before
