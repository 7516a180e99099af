"""A sound module that tests break, and what the verifier says about it."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.verify import verify_module

BASE = """shader fragment "base"
varying @v: vec2
uniform @u: float[3]
uniform @m: mat4
sampler @s: sampler2D
output @o: vec4

func @helper {
^entry:
  ret
}

func @main {
  local @l: vec4
^entry:
  %0:vec2 = load @v
  %1:float = swizzle.x %0
  %2:bool = flt %1, 0.5
  condbr %2, ^then, ^exit
^then:
  %4:float = fneg %1
  call @helper
  br ^exit
^exit:
  %7:float = phi [%1, ^entry], [%4, ^then]
  %8:vec4 = swizzle.xxxx %7
  store @o, %8
  ret
}
"""


def base(text: str = BASE) -> Module:
    sink = DiagnosticSink()
    module = parse_module(text, "t.sir", sink)
    assert module is not None, [diagnostic.message for diagnostic in sink.diagnostics]
    return module


def texts(module: Module, final: bool = False) -> list[str]:
    return [fault.text for fault in verify_module(module, final=final)]


def instruction(module: Module, number: int) -> Instruction:
    return next(i for i in module.main.instructions() if i.id == number)
