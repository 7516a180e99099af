"""`switch` against a model of C's: labels, falling through, `break`, what is around it (GLSL ES 3.00 section 6.2)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.frontends.glsl.lower.harness import run_lanes

VERSION = 130
SELECTORS = range(-1, 6)
#: A label or a statement that appends the digit to the result; None is `default`, "break" leaves.
Item = tuple[str, int | None]


def _random_items(seed: int) -> list[Item]:
    """The inside of a `switch` with labels in any order, `default` perhaps among them."""
    rng = random.Random(seed)
    labels: list[int | None] = [*rng.sample(range(5), rng.randint(1, 4)), *([None] if rng.random() < 0.6 else [])]
    rng.shuffle(labels)
    items: list[Item] = []
    for label in labels:
        items.append(("label", label))
        if rng.random() < 0.75:
            items.append(("digit", rng.randint(1, 9)))
        if rng.random() < 0.5:
            items += [("break", None)]
    return [*items, ("digit", rng.randint(1, 9))]


def _spelled(item: Item, suffix: str) -> str:
    kind, value = item
    if kind == "label":
        return "default:" if value is None else f"case {value}{suffix}:"
    return "break;" if kind == "break" else f"r = r * 10.0 + {value}.0;"


def _meaning(items: list[Item], selector: int) -> float:
    start = next((i for i, item in enumerate(items) if item == ("label", selector)), None)
    if start is None:
        start = next((i for i, item in enumerate(items) if item == ("label", None)), len(items))
    result = 0.0
    for kind, value in items[start:]:
        if kind == "break":
            break
        result = result * 10.0 + (value or 0) if kind == "digit" else result
    return result


@pytest.mark.parametrize("seed", range(60))
def test_random_switches(seed: int) -> None:
    items = _random_items(seed)
    suffix, selector = ("u", "uint(x)") if seed % 3 == 0 else ("", "int(x)")
    selectors = [s for s in SELECTORS if s >= 0 or not suffix]
    inside = " ".join(_spelled(item, suffix) for item in items)
    got = run_lanes(
        f"float r = 0.0; switch ({selector}) {{ {inside} }} result = r;", "float", version=VERSION, x=selectors
    )
    assert got.tolist() == [_meaning(items, s) for s in selectors]


def test_a_loop_is_continued_from_within() -> None:
    body = """
    float r = 0.0;
    for (int i = 0; i < 6; i++) {
        switch (i) {
            case 0: continue;
            case 4: if (x > 1.0) break; r += 100.0;
            case 1: r += 1.0; break;
            default: for (int j = 0; j < 3; j++) { if (j == i - 2) break; r += 10.0; }
        }
        r += 0.5;
    }
    result = r;
    """

    def meaning(x: float) -> float:
        total = 0.0
        for i in range(1, 6):
            if i == 4 and x <= 1.0:
                total += 101.0
            elif i == 1:
                total += 1.0
            elif i != 4:
                total += 10.0 * min(i - 2, 3)
            total += 0.5
        return total

    assert run_lanes(body, "float", version=VERSION, x=[0.0, 2.0]).tolist() == [meaning(0.0), meaning(2.0)]


def test_a_function_returns_from_within() -> None:
    functions = "float f(int i) { switch (i) { case 0: return 1.0; case 1: { return 2.0; } } return 3.0; }"
    got = run_lanes("result = f(int(x));", "float", functions=functions, version=VERSION, x=[0, 1, 2])
    assert got.tolist() == [1.0, 2.0, 3.0]


def test_the_selector_is_evaluated_once() -> None:
    body = "int n = 0; switch (n++) { case 0: case 1: case 2: break; } switch (n++) { } result = float(n);"
    assert run_lanes(body, "float", version=VERSION, x=np.array([0.0])).tolist() == [2.0]


def test_a_constant_selector() -> None:
    body = "result = x; switch (2) { case 1: result = 5.0; case 2: result += 1.0; case 3: result *= 2.0; }"
    assert run_lanes(body, "float", version=VERSION, x=[3.0]).tolist() == [8.0]


#: Statements that leave a group only in part -> what they add where control falls, and whether it does for whole x.
_PARTLY = {
    "if (fract(x) == 0.0) break; else r += 1.0;": (1.0, False),
    "if (fract(x) == 0.0) r += 1.0; else break;": (1.0, True),
    "if (fract(x) == 0.0) { break; } else { if (x > 9.0) break; r += 1.0; }": (1.0, False),
    "if (fract(x) == 0.0) break;": (0.0, False),
    "{ if (fract(x) == 0.0) { r += 1.0; } else { break; } }": (1.0, True),
}


@pytest.mark.parametrize("statement", _PARTLY)
def test_control_falls_from_the_arm_that_does_not_leave(statement: str) -> None:
    added, falls_whole = _PARTLY[statement]
    selectors = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    groups = f"case 0: {statement} case 1: r += 10.0; default: r += 100.0;"
    got = run_lanes(f"float r = 0.0; switch (int(x)) {{ {groups} }} result = r;", "float", version=VERSION, x=selectors)
    first = [110.0 + added if is_whole == falls_whole else 0.0 for is_whole in (True, False)]
    assert got.tolist() == [*first, 110.0, 110.0, 100.0, 100.0]
