"""What operations cost, by the branches and loops that stay: the sums beside the cases are in slots.

A branch with its join counts as four.  It becomes selects where its arms, and one select for each number that they
set, take no more.
"""

from __future__ import annotations

import pytest

import glslc_multi

BRANCH, SELECT = 4.0, 1.0
#: Two operations that stay two.
WORK = ("c = fract(c);", "c = c * w;", "c = c + u;", "c = floor(c);")


def _text(body: str, opt: int | str) -> str:
    source = (
        "precision highp float; varying vec4 v, w; uniform vec4 u; uniform sampler2D s;\n"
        f"void main() {{ vec4 c = v; float d = v.z; {body} gl_FragColor = c * d; }}"
    )
    return glslc_multi.compile(source, target="adreno", stage="fragment", opt=opt).assembly


def _branches(arm: str, opt: int | str = 2) -> bool:
    return "PRED" in _text(f"if (v.x > 0.0) {{ {arm} }}", opt)


@pytest.mark.parametrize(
    ("arm", "cost"),
    [
        ("", 0.0),
        *((" ".join(WORK[:count]), float(count)) for count in range(1, 5)),
        ("c = -abs(c.wzyx) * w.yxwz; c = clamp(c + u, 0.0, 1.0); c = -c;", 2.0),
        # A component put into a vector, or a vector put together, is half of one.
        ("c.y = fract(c.x);", 1.5),
        ("c = fract(c); c.y = fract(c.x); c.z = c.w;", 3.0),
        ("c = fract(c) * w; c.y = fract(c.x);", 3.5),
        ("c = fract(vec4(c.xy, w.xy)); c = floor(vec4(c.yx, u.zw));", 3.0),
        # The reciprocal runs beside something else half of the time.
        ("c = c / w;", 1.5),
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
    if arm:
        assert _branches(arm) == (cost + SELECT > BRANCH)


def test_small_code_has_the_arms_anyhow() -> None:
    """A branch then costs the slot that sets the predicate; more than one select is more."""
    assert not _branches(" ".join(WORK), "s")
    assert _branches("c = fract(c) * w; d = floor(d + 1.5);", "s")


@pytest.mark.parametrize(("opt", "budget"), [(2, 96), ("s", 4)])
@pytest.mark.parametrize("operations", [1, 2, 4])
def test_loops_are_unrolled_to_so_many_operations(opt: int | str, budget: int, operations: int) -> None:
    def loops(count: int) -> bool:
        return "LOOP_START" in _text(f"for (int i = 0; i < {count}; i++) {{ {' '.join(WORK[:operations])} }}", opt)

    most = budget // operations
    assert not loops(most)
    assert loops(most + 1)
