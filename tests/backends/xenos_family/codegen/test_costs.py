"""What operations cost, by the branches and loops that stay: the sums beside the cases are in slots.

A branch with its join counts as four slots of code, a select as one, and a slot of an arm as a sixteenth: so four
selects replace a branch, or one with arms of 48 slots.  In the smallest code only the selects count.
"""

from __future__ import annotations

from math import floor

import pytest

import glslc_multi

#: Slots of arms beside which one select still replaces a branch.
ARMS = 48
#: Operations that stay as many, whatever their number.
WORK = ("c = fract(c);", "c = c * w;", "c = c + u;")


def _text(body: str, opt: int | str) -> str:
    source = (
        "precision highp float; varying vec4 v, w; uniform vec4 u; uniform sampler2D s;\n"
        f"void main() {{ vec4 c = v; float d = v.z; {body} gl_FragColor = c * d; }}"
    )
    return glslc_multi.compile(source, target="adreno", stage="fragment", opt=opt).assembly


def _work(operations: int) -> str:
    return " ".join(WORK[number % len(WORK)] for number in range(operations))


def _branches(arm: str, opt: int | str = 2) -> bool:
    return "PRED" in _text(f"if (v.x > 0.0) {{ {arm} }}", opt)


@pytest.mark.parametrize(
    ("arm", "cost"),
    [
        ("", 0.0),
        ("c = -abs(c.wzyx) * w.yxwz; c = clamp(c + u, 0.0, 1.0); c = -c;", 2.0),
        # A component put into a vector, or a vector put together, is half of one.
        ("c.y = fract(c.x);", 1.5),
        ("c = fract(c); c.y = fract(c.x); c.z = c.w;", 3.0),
        ("c = fract(c) * w; c.y = fract(c.x);", 3.5),
        ("c = fract(vec4(c.xy, w.xy)); c = floor(vec4(c.yx, u.zw));", 3.0),
        # The reciprocal runs beside something else half of the time.
        ("c = c / w.wzyx;", 1.5),
        ("c = fract(c); c.y = c.x / w.y;", 3.0),
        ("c = fract(c / w); c = c / u;", 4.0),
        # An angle is brought into range in three operations.
        ("c = sin(c);", 3.0),
        ("c = cos(c);", 3.0),
        ("c = sin(c) * w;", 4.0),
        ("c = cos(c) + w;", 4.0),
        # What is fetched has to be waited for.
        ("c = texture2D(s, c.xy);", 4.0),
    ],
)
def test_selects_replace_what_costs_less_than_a_branch(arm: str, cost: float) -> None:
    more = floor(ARMS - cost)
    assert not _branches(_work(more) + arm)
    assert _branches(_work(more + 1) + arm)


@pytest.mark.parametrize("opt", [2, "s"])
def test_four_selects_replace_a_branch(opt: int | str) -> None:
    def branches(selects: int) -> bool:
        names = "cdefg"[:selects]
        arm = " ".join(f"{name} = {name} * 1.5;" for name in names)
        after = " ".join(f"c = fract(c + {name});" for name in "defg")
        body = f"vec4 e = fract(v), f = floor(v), g = w; if (v.x > 0.0) {{ {arm} }} {after}"
        return "PRED" in _text(body, opt)

    assert not branches(4 if opt == "s" else 3)
    assert branches(5)


def test_small_code_has_the_arms_anyhow() -> None:
    assert not _branches(_work(2 * ARMS), "s")


@pytest.mark.parametrize(("opt", "budget"), [(2, 48), ("s", 24)])
@pytest.mark.parametrize("operations", [1, 2, 3])
def test_loops_are_unrolled_to_so_many_operations(opt: int | str, budget: int, operations: int) -> None:
    def loops(count: int) -> bool:
        return "LOOP_START" in _text(f"for (int i = 0; i < {count}; i++) {{ {_work(operations)} }}", opt)

    most = budget // operations
    assert not loops(most)
    assert loops(most + 1)
