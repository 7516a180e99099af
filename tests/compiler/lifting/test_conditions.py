"""Conditions that earlier branches have decided are known, and no others."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.lifting.conditions import decide_conditions
from tests.compiler.ir.broken import base

HEAD = """
shader fragment "t"
output @gl_FragColor: vec4 mediump role(frag_color)
varying @a: float highp
varying @b: float highp
func @main {
  local @r: float
^entry:
  %0:float = load @a
  %1:bool = flt %0, 0.5
  %2:float = load @b
  %3:bool = flt %2, 0.5
  store @r, 0.0
"""
TAIL = """
^end:
  %90:float = load @r
  %91:vec4 = swizzle.xxxx %90
  store @gl_FragColor, %91
  ret
}
"""
AGAIN = """
  condbr %1, ^then, ^next
^then:
  store @r, 1.0
  br ^next
^next:
  %5:bool = not %1
  condbr %5, ^other, ^again
^other:
  %6:float = load @r
  %7:float = select %1, 8.0, 4.0
  %8:float = fadd %6, %7
  store @r, %8
  br ^end
^again:
  %9:float = load @r
  %10:float = select %1, 2.0, 16.0
  %11:float = fadd %9, %10
  store @r, %11
  br ^end
"""
#: The second branch asks for something else, or is reached by a way that decides nothing.
OTHER = AGAIN.replace("not %1", "not %3")
JOINED = """
  condbr %3, ^first, ^second
^first:
  condbr %1, ^next, ^end
^second:
  store @r, 32.0
  br ^next
^next:
  condbr %1, ^yes, ^no
^yes:
  %9:float = load @r
  %10:float = fadd %9, 1.0
  store @r, %10
  br ^end
^no:
  %11:float = load @r
  %12:float = fadd %11, 2.0
  store @r, %12
  br ^end
"""
#: A conjunction that fails says nothing of its parts.
BOTH = """
  %4:bool = and %1, %3
  condbr %4, ^yes, ^no
^yes:
  %6:float = select %3, 1.0, 2.0
  store @r, %6
  br ^end
^no:
  %7:float = select %3, 4.0, 8.0
  %8:float = select %1, 16.0, 32.0
  %9:float = fadd %7, %8
  store @r, %9
  br ^end
"""
#: The header of a loop is not gone past, though both ways to it know what it asks.
LOOP = """
  condbr %1, ^before, ^end
^before:
  br ^head
^head:
  condbr %1, ^body, ^end
^body:
  %5:float = load @r
  %6:float = fadd %5, 1.0
  store @r, %6
  %7:bool = flt %6, 3.0
  condbr %7, ^head, ^end
"""


def decided(text: str) -> Module:
    module = base(HEAD + text + TAIL)
    decide_conditions(module.main)
    assert verify_module(module) == []
    return module


def values(module: Module) -> list[float]:
    """What all four outcomes of both comparisons give."""
    inputs = {"a": [0.0, 0.0, 1.0, 1.0], "b": [0.0, 1.0, 0.0, 1.0]}
    return [float(row[0]) for row in evaluate(module, inputs, {}, lanes=4).outputs["gl_FragColor"]]


@pytest.mark.parametrize(
    ("text", "expected", "branches", "selects"),
    [
        (AGAIN, [3.0, 3.0, 4.0, 4.0], 1, 0),
        (OTHER, [3.0, 9.0, 16.0, 4.0], 2, 2),
        (JOINED, [1.0, 33.0, 0.0, 34.0], 3, 0),
        (BOTH, [1.0, 24.0, 36.0, 40.0], 1, 2),
        (LOOP, [3.0, 3.0, 0.0, 0.0], 3, 0),
    ],
    ids=["again", "other", "joined", "both", "loop"],
)
def test_outcomes_stay(text: str, expected: list[float], branches: int, selects: int) -> None:
    assert values(base(HEAD + text + TAIL)) == expected
    module = decided(text)
    assert values(module) == expected
    counted = [i for i in module.main.instructions() if i.op is ops.CONDBR]
    chosen = [
        i for i in module.main.instructions() if i.op is ops.SELECT and i.operands[0].__class__.__name__ != "Constant"
    ]
    assert (len(counted), len(chosen)) == (branches, selects)
