"""Loops count from 0 and test first, run as often as before, and leave what they left."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.lifting.loops import count_loops
from tests.compiler.ir.broken import base

HEAD = """
shader fragment "t"
output @gl_FragColor: vec4 mediump role(frag_color)
varying @a: vec4 highp
func @main {
^entry:
  %0:vec4 = load @a
  %100:float = swizzle.x %0
  br ^head
"""
#: What the loop leaves is that of the last round, not of one after it: the sum, the counter, and twice the counter.
DOWN = """
^head:
  %1:int = phi [5, ^entry], [%4, ^head]
  %2:float = phi [%100, ^entry], [%3, ^head]
  %3:float = fadd %2, 2.0
  %4:int = isub %1, 1
  %5:int = imul %1, 2
  %6:bool = ilt 0, %4
  condbr %6, ^head, ^end
^end:
  %7:float = itof %1
  %8:float = itof %5
  %9:float = itof %4
  %10:vec4 = construct %3, %7, %8, %9
  store @gl_FragColor, %10
  ret
}
"""
#: The counter stays where it is in the last round; the test comes negated, on the old value; another number goes along.
STAYS = """
^head:
  %1:int = phi [3, ^entry], [%5, ^last]
  %2:float = phi [1.0, ^entry], [%6, ^last]
  %3:int = phi [7, ^entry], [%12, ^last]
  br ^last
^last:
  %4:bool = ilt 0, %1
  %11:int = iadd %1, -1
  %5:int = select %4, %11, %1
  %6:float = fadd %2, -3.0
  %12:int = iadd %3, 10
  %7:bool = not %4
  condbr %7, ^end, ^head
^end:
  %8:float = itof %5
  %9:float = itof %3
  %10:vec4 = construct %100, %8, %2, %9
  store @gl_FragColor, %10
  ret
}
"""
#: Two ways out, on which phis have different values.
BREAK = """
^head:
  %1:int = phi [4, ^entry], [%4, ^go]
  %2:float = phi [%100, ^entry], [%3, ^go]
  %3:float = fadd %2, 1.0
  %5:bool = flt 6.0, %3
  condbr %5, ^end, ^go
^go:
  %4:int = isub %1, 1
  %6:bool = ilt 0, %4
  condbr %6, ^head, ^end
^end:
  %7:float = phi [%2, ^head], [%3, ^go]
  %8:int = phi [%1, ^head], [%4, ^go]
  %9:float = itof %8
  %10:vec4 = construct %7, %9, %100, %100
  store @gl_FragColor, %10
  ret
}
"""
#: A loop in a loop, whose number of rounds nobody knows.
NESTED = """
^head:
  %1:int = phi [2, ^entry], [%4, ^outer]
  %2:float = phi [%100, ^entry], [%12, ^outer]
  br ^inner
^inner:
  %11:float = phi [%2, ^head], [%12, ^inner]
  %12:float = fadd %11, 1.0
  %13:bool = flt %12, 2.5
  condbr %13, ^inner, ^outer
^outer:
  %4:int = isub %1, 1
  %6:bool = ilt 0, %4
  condbr %6, ^head, ^end
^end:
  %10:vec4 = swizzle.xxxx %12
  store @gl_FragColor, %10
  ret
}
"""
#: What the loop leaves is taken by a phi that is not where the loop ends.
LATER = DOWN.replace(
    "^end:",
    """^end:
  %20:bool = flt %3, 12.0
  condbr %20, ^more, ^last
^more:
  br ^last
^last:
  %21:float = phi [%3, ^end], [%2, ^more]""",
).replace("construct %3", "construct %21")
#: The same of a loop with two ways out.
BREAK_LATER = (
    BREAK.replace(
        "^end:",
        """^end:
  %20:bool = flt %100, 1.0
  condbr %20, ^more, ^last
^more:
  br ^last
^last:
  %21:float = phi [%100, ^end], [%2, ^more]""",
    )
    .replace("  %7:float = phi [%2, ^head], [%3, ^go]\n  %8:int = phi [%1, ^head], [%4, ^go]", "")
    .replace("^end:", "^end:\n  %7:float = phi [%2, ^head], [%3, ^go]\n  %8:int = phi [%1, ^head], [%4, ^go]")
    .replace("construct %7, %9, %100", "construct %7, %9, %21")
)


@pytest.mark.parametrize(
    ("text", "inputs", "expected", "tests"),
    [
        (DOWN, [0.5, 4.0], [[10.5, 1.0, 2.0, 0.0], [14.0, 1.0, 2.0, 0.0]], 1),
        (STAYS, [0.5, 4.0], [[0.5, 0.0, -8.0, 37.0], [4.0, 0.0, -8.0, 37.0]], 1),
        (BREAK, [0.5, 4.0], [[4.5, 0.0, 0.5, 0.5], [6.0, 2.0, 4.0, 4.0]], 1),
        (NESTED, [0.5, 4.0], [[3.5] * 4, [6.0] * 4], 1),
        (LATER, [0.5, 4.0], [[8.5, 1.0, 2.0, 0.0], [14.0, 1.0, 2.0, 0.0]], 1),
        (BREAK_LATER, [0.5, 4.0], [[4.5, 0.0, 3.5, 0.5], [6.0, 2.0, 4.0, 4.0]], 0),
    ],
    ids=["down", "stays", "break", "nested", "later", "break later"],
)
def test_a_loop_leaves_what_it_left(text: str, inputs: list[float], expected: list[list[float]], tests: int) -> None:
    values = {"a": [[x, 0.0, 0.0, 0.0] for x in inputs]}
    for is_counted in (False, True):
        module = base(HEAD + text)
        if is_counted:
            count_loops(module.main)
            assert verify_module(module) == []
            loops = AnalysisManager(module.main).get(loop_nest).all_loops()
            heads = [loop.header.terminator for loop in loops]
            conditions = [str(i.operands[0]) for i in heads if i is not None and i.op is ops.CONDBR]
            assert sum("ilt" in each for each in conditions) == tests
        assert evaluate(module, values, {}, lanes=len(inputs)).outputs["gl_FragColor"].tolist() == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ilt 0, %4", "ilt -1, %100"),
        ("[5, ^entry]", "[-2147483648, ^entry]"),
        ("ilt 0, %4", "ilt %4, 6"),
    ],
)
def test_rounds_that_nobody_knows_stay(before: str, after: str) -> None:
    text = HEAD.replace("%100:float = swizzle.x %0", "%100:int = iadd 1, 2") if "%100" in after else HEAD
    changed = DOWN.replace(before, after)
    assert changed != DOWN
    module = base((text + changed).replace("phi [%100", "phi [0.0") if "%100" in after else text + changed)
    count_loops(module.main)
    assert [i.op for i in module.main.instructions()].count(ops.PHI) == 2
