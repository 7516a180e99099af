"""Choices that a branch or a discard has decided."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.lifting.words.choices import decide_choices

BRANCH = """shader fragment
varying @v: vec4 highp
output @o: vec4 highp role(frag_color)

func @main {
^entry:
  %0:vec4 = load @v
  %1:float = swizzle.x %0
  %2:float = swizzle.y %0
  %3:bool = flt %1, %2
  %4:bool = flt %2, 0.5
  %5:bool = or %3, %4
  %6:float = select CHOICE
  condbr CONDITION, ^then, ^else
^then:
  %7:float = fadd %6, 1.0
  br ^end
^else:
  %8:float = fmul %6, 2.0
  br ^end
^end:
  %9:float = phi [%7, ^then], [%8, ^else]
  %10:float = fadd %9, %6
  %11:vec4 = swizzle.xxxx %10
  store @o, %11
  ret
}
"""
LOOP = """shader fragment
varying @v: vec4 highp
output @o: vec4 highp role(frag_color)

func @main {
^entry:
  %0:vec4 = load @v
  %1:float = swizzle.x %0
  br ^loop
^loop:
  %2:float = phi [%1, ^entry], [%5, ^loop]
  %3:float = fadd %2, 1.0
  %4:bool = flt 4.0, %3
  %5:float = select %4, %2, %3
  condbr %4, ^end, ^loop
^end:
  %6:vec4 = swizzle.xxxx %5
  store @o, %6
  ret
}
"""
DISCARD = """shader fragment
varying @v: vec4 highp
output @o: vec4 highp role(frag_color)
sampler @s: sampler2D

func @main {
^entry:
  %0:vec4 = load @v
  %1:float = swizzle.x %0
  %2:bool = flt %1, 0.5
  %3:float = select %2, 0.0, %1
  %4:float = select %2, 0.25, %1
  %5:vec2 = construct %4, %4
  %6:vec4 = texture @s, %5
  %7:float = swizzle.y %6
  kill %2
  %8:vec4 = construct %3, %7, vec2(0.5, 1.0)
  store @o, %8
  ret
}
"""


def _decided(text: str) -> Module:
    sink = DiagnosticSink()
    module = parse_module(text, "<test>", sink)
    sink.raise_if_errors()
    assert module is not None
    decide_choices(module.main)
    verify_module(module)
    return module


def _operand(module: Module, op: str, number: int = 0) -> Instruction | None:
    """The first operand of an instruction, if that is a choice."""
    instruction = [i for i in module.main.instructions() if i.op.name == op][number]
    choice = instruction.operands[0]
    return choice if isinstance(choice, Instruction) and choice.op.name == "select" else None


@pytest.mark.parametrize(
    ("choice", "condition", "then", "otherwise"),
    [
        ("%3, %1, %2", "%3", True, True),
        ("%5, %1, %2", "%5", True, True),
        # Of one of two that is true nothing follows.
        ("%3, %1, %2", "%5", False, True),
        ("%4, %1, %2", "%3", False, False),
    ],
)
def test_arms_know_their_condition(choice: str, condition: str, then: bool, otherwise: bool) -> None:
    module = _decided(BRANCH.replace("CHOICE", choice).replace("CONDITION", condition))
    assert (_operand(module, "fadd") is None) == then
    assert (_operand(module, "fmul") is None) == otherwise
    # Behind both nobody knows.
    (after,) = [i for i in module.main.instructions() if i.op.name == "fadd" and i.operands[0].op.name == "phi"]  # type: ignore[attr-defined]
    assert after.operands[1].op.name == "select"  # type: ignore[attr-defined]


def test_rounds_know_that_the_loop_goes_on() -> None:
    module = _decided(LOOP)
    (phi,) = [i for i in module.main.instructions() if i.op.name == "phi"]
    assert phi.operands[1].op.name == "fadd"  # type: ignore[attr-defined]
    # Behind the loop the last round has been left.
    (last,) = [i for i in module.main.instructions() if i.op.name == "swizzle" and i.type.width == 4]
    assert last.operands[0] is phi


def test_colours_of_discarded_pixels_are_nobodys() -> None:
    module = _decided(DISCARD)
    (colour,) = [i for i in module.main.instructions() if i.op.name == "construct" and i.type.width == 4]
    assert colour.operands[0].op.name == "swizzle"  # type: ignore[attr-defined]
    # What neighbours look up is not.
    (coordinate,) = [i for i in module.main.instructions() if i.op.name == "construct" and i.type.width == 2]
    assert coordinate.operands[0].op.name == "select"  # type: ignore[attr-defined]
