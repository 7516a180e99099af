"""Statements: branches, loops and their jumps, declarations in conditions, returns, over diverging lanes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.frontends.glsl.lower.harness import lower_text, run_lanes

LANES = [float(n) for n in range(-3, 9)]


def check(body: str, expected: Callable[[float], float], functions: str = "") -> None:
    """`body` computes `r` from `x`, as `expected` does."""
    values = run_lanes(f"float r = 0.0; {body} result = r;", "float", functions=functions, x=LANES)
    assert values.tolist() == [expected(x) for x in LANES]


def test_if_and_else_chains() -> None:
    check("if (x > 2.0) r = 1.0;", lambda x: float(x > 2.0))
    check("if (x > 2.0) r = 1.0; else r = 2.0;", lambda x: 1.0 if x > 2.0 else 2.0)
    body = "if (x < 0.0) r = 1.0; else if (x < 3.0) { r = 2.0; r += x; } else if (x < 5.0) r = 3.0; else r = 4.0;"
    check(body, lambda x: 1.0 if x < 0.0 else 2.0 + x if x < 3.0 else 3.0 if x < 5.0 else 4.0)
    check(
        "if (x < 0.0) r = 1.0; else if (x < 3.0) r = 2.0; r *= 2.0;", lambda x: 2.0 * (x < 0.0) + 4.0 * (0 <= x < 3.0)
    )
    check("if (x > 0.0) ; else r = 1.0;", lambda x: float(x <= 0.0))


def test_a_block_has_its_own_names() -> None:
    check("float y = x; { float y = 5.0; y += 1.0; r = y; } r += y;", lambda x: 6.0 + x)
    check("for (int r = 0; r < 3; r++) {} r += 1.0;", lambda x: 1.0)


def _for(x: float) -> float:
    r = 0.0
    for i in range(10):
        if i == int(x):
            continue
        if i > 6:
            break
        r += i
    return r


def test_for() -> None:
    check("for (int i = 0; i < 4; i++) r += x;", lambda x: 4.0 * x)
    check("for (int i = 0; i < 10; i++) { if (i == int(x)) continue; if (i > 6) break; r += float(i); }", _for)
    check("int i = 0; for (;;) { if (i++ > int(x)) break; r += 1.0; }", lambda x: max(x + 1.0, 0.0))
    check("float i; for (i = x; i < 4.0; i += 1.0); r = i;", lambda x: max(x, 4.0))
    check("for (float i = x; bool go = i < 4.0; i++) { if (go) r++; }", lambda x: max(4.0 - x, 0.0))


def test_while() -> None:
    check("float i = x; while (i < 5.0) { i++; if (i == 2.0) continue; r += i; }", _while)
    check("float i = x; while (bool go = i < 5.0) { i += go ? 1.0 : 0.0; r++; }", lambda x: max(5.0 - x, 0.0))
    check("while (true) { r += 2.0; if (r > x) break; }", lambda x: 2.0 * max(1.0, np.floor(x / 2.0) + 1.0))
    check("while (false) r = 1.0;", lambda x: 0.0)


def _while(x: float) -> float:
    r = 0.0
    while x < 5.0:
        x += 1.0
        if x == 2.0:
            continue
        r += x
    return r


def test_do_while() -> None:
    check("float i = x; do { r++; i++; } while (i < 3.0);", lambda x: max(1.0, 3.0 - x))
    check("float i = x; do { i++; if (i < 2.0) continue; r += i; } while (i < 4.0);", _do_while)
    check("do { r = 1.0; break; r = 2.0; } while (true);", lambda x: 1.0)
    check("do { if (x > 2.0) break; r = x; } while (false);", lambda x: 0.0 if x > 2.0 else x)


def _do_while(x: float) -> float:
    r = 0.0
    while True:
        x += 1.0
        if x >= 2.0:
            r += x
        if x >= 4.0:
            return r


def test_nested_loops() -> None:
    body = """
        for (int i = 0; i < 5; i++) {
            int j = 0;
            while (true) {
                if (j > i) break;
                j++;
                if (float(j) == x) continue;
                for (int k = 0; k < 2; k++) { if (k == 1) break; r += float(10 * i + j); }
            }
            if (r > 60.0) break;
        }
    """
    check(body, _nested)


def _nested(x: float) -> float:
    r = 0.0
    for i in range(5):
        for j in range(1, i + 2):
            if float(j) != x:
                r += 10.0 * i + j
        if r > 60.0:
            break
    return r


def test_return_from_anywhere() -> None:
    functions = """
        float f(float x) {
            if (x < 0.0) return -1.0;
            for (int i = 0; i < 10; i++) {
                for (int j = 0; j < 10; j++) {
                    if (float(i * j) == x) { return float(10 * i + j); }
                    if (i + j > 5) break;
                }
            }
            return 99.0;
        }
        void g(inout float y) { y += 1.0; if (y > 3.0) return; y = 100.0; }
    """
    check("r = f(x); g(r);", _returned, functions)


def _returned(x: float) -> float:
    found = _first_product(x)
    return found + 1.0 if found + 1.0 > 3.0 else 100.0


def _first_product(x: float) -> float:
    if x < 0.0:
        return -1.0
    for i in range(10):
        for j in range(10):
            if i * j == x:
                return 10.0 * i + j
            if i + j > 5:
                break
    return 99.0


def test_main_may_return_early() -> None:
    body = "result = 1.0; if (x > 2.0) return; result = 2.0; while (x < 0.0) return; result = 3.0;"
    expected = [1.0 if x > 2.0 else 2.0 if x < 0.0 else 3.0 for x in LANES]
    assert run_lanes(body, "float", x=LANES).tolist() == expected


def test_initialised_globals_are_set_in_order_at_the_start_of_main() -> None:
    functions = "float a = 2.0; const float k = 3.0; float b = k * 4.0; vec2 c = vec2(k, 1.0), d = vec2(2.0);"
    check("r = a + b + c.x + d.y; a = 50.0;", lambda x: 2.0 + 12.0 + 3.0 + 2.0, functions)


@pytest.mark.parametrize(
    "body",
    [
        "return; float y = 1.0; y++;",
        "if (u > 0.0) return; else { return; } gl_FragColor = vec4(1.0);",
        "for (int i = 0; i < 3; i++) { break; gl_FragColor = vec4(1.0); }",
        "for (int i = 0; i < 3; i++) { continue; gl_FragColor = vec4(1.0); }",
        "while (true) { return; }",
        "do { discard; } while (u > 0.0);",
        "do { continue; } while (u > 0.0); gl_FragColor = vec4(1.0);",
        "discard; gl_FragColor = vec4(1.0);",
        "if (u > 0.0) { discard; } else if (u < 0.0) { return; } else discard;",
    ],
)
def test_no_unreachable_blocks_are_left(body: str) -> None:
    main = lower_text(f"precision mediump float; uniform float u; void main() {{ {body} }}").main
    reached, pending = {main.entry}, [main.entry]
    while pending:
        fresh = [block for block in pending.pop().successors if block not in reached]
        reached.update(fresh)
        pending.extend(fresh)
    assert set(main.blocks) == reached


def test_straight_code_is_one_block() -> None:
    module = lower_text("""
        precision mediump float;
        varying vec4 v;
        vec4 f(vec4 c) { return c * 2.0; }
        void main() { gl_FragColor = f(v); return; }
    """)
    assert {name: len(function.blocks) for name, function in module.functions.items()} == {"main": 1, "f": 1}
