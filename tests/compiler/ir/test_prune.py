"""Removing variables: what goes with them and what stays."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.prune import remove_read, remove_written
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import verify_module

VERTEX = """shader vertex
uniform @u: vec4
varying @keep: vec4
varying @drop: float
local @other: float

func @main {
  local @shadow: float
^entry:
  %0:vec4 = load @u
  %1:float = swizzle.x %0
  %2:float = fsin %1
  store @shadow, %2
  %4:float = load @other
  store @shadow, %4
  %6:float = load @shadow
  %7:float = fexp %6
  store @drop, %7
  store @keep, %0
  ret
}
"""


def parsed(text: str) -> Module:
    module = parse_module(text, "x.sir", DiagnosticSink())
    assert module is not None
    return module


def test_stores_go_with_all_that_only_they_needed() -> None:
    module = parsed(VERTEX)
    remove_written(module, [module.variables["drop"]])
    assert verify_module(module, final=True) == []
    module.main.renumber()
    assert (
        print_module(module)
        == """shader vertex
uniform @u: vec4
varying @keep: vec4

func @main {
^entry:
  %0:vec4 = load @u
  store @keep, %0
  ret
}
"""
    )


def test_a_local_that_is_read_elsewhere_stays() -> None:
    module = parsed(
        VERTEX.replace("store @keep, %0", "%9:float = load @shadow\n  %10:vec4 = swizzle.xxxx %9\n  store @keep, %10")
    )
    remove_written(module, [module.variables["drop"]])
    assert verify_module(module, final=True) == []
    text = print_module(module)
    assert "fsin" in text and "store @shadow" in text and "fexp" not in text and "@drop" not in text


def test_calls_and_stores_to_others_stay() -> None:
    module = parsed("""
        shader vertex
        varying @drop: float
        output @gl_Position: vec4
        func @main {
        ^entry:
          call @f
          %1:float = load @result
          store @drop, %1
          store @gl_Position, vec4(0.0, 0.0, 0.0, 1.0)
          ret
        }
        func @f {
          local @result: float
        ^entry:
          store @result, 1.0
          ret
        }
    """)
    remove_written(module, [module.variables["drop"]])
    assert verify_module(module, final=True) == []
    text = print_module(module)
    assert "call @f" in text and "@result" not in text


def test_what_nobody_writes_reads_as_undefined() -> None:
    module = parsed("""
        shader fragment
        varying @v: vec4[2]
        uniform @k: int
        output @gl_FragColor: vec4
        func @main {
        ^entry:
          %0:int = load @k
          %1:vec4 = load @v[%0]
          %2:vec4 = fadd %1, %1
          store @gl_FragColor, %2
          ret
        }
    """)
    remove_read(module, [module.variables["v"]])
    text = print_module(module)
    assert "@v" not in text and "load" not in text and "fadd" in text and "undef" in text
