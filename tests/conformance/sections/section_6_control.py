"""Sections 6.2 to 6.4: selection, iteration and jumps, with counts and conditions that differ from lane to lane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.value_case import FLOATS, FRAGMENT, ValueCase, exact, value

_COUNT = {"n": d.COUNT}


def cases() -> Iterator[ValueCase]:
    yield from _selection()
    yield from _loops()
    yield from _jumps()
    yield from _discard()


_BRANCHES = {
    "if_only": ("result = a; if (a > b) result = b;", min),
    "if_else": ("if (a > b) result = a; else result = b;", max),
    "if_else_blocks": (
        "if (a > b) { result = a; result += 1.0; } else { result = b; result -= 1.0; }",
        lambda a, b: a + 1 if a > b else b - 1,
    ),
    "chain": (
        (
            "if (a < -1.0) result = 0.0; else if (a < 0.0) result = 1.0; else if (a < 1.0) result = 2.0; "
            "else result = 3.0;"
        ),
        lambda a, b: sum(float(a >= edge) for edge in (-1, 0, 1)),
    ),
    "dangling_else": (
        "result = 0.0; if (a > 0.0) if (b > 0.0) result = 1.0; else result = 2.0;",
        lambda a, b: 0.0 if a <= 0 else 1.0 if b > 0 else 2.0,
    ),
    "nested": (
        (
            "if (a > 0.0) { if (b > 0.0) result = 1.0; else result = 2.0; } else { "
            "if (b > 0.0) result = 3.0; else result = 4.0; }"
        ),
        lambda a, b: 1.0 + (b <= 0) + 2 * (a <= 0),
    ),
    "empty_branch": ("result = a; if (a > 0.0) ; else result = b;", lambda a, b: a if a > 0 else b),
    "empty_blocks": ("result = a; if (a > b) { } else { }", lambda a, b: a),
    "condition_with_effect": (
        "float x = a; if ((x += 1.0) > 0.0) result = x; else result = x * 2.0;",
        lambda a, b: a + 1 if a + 1 > 0 else 2 * a + 2,
    ),
    "constant_condition": ("if (true) result = a; else result = b; if (false) result = 100.0;", lambda a, b: a),
    "both_sides_write_components": (
        "vec2 v = vec2(a, b); if (a > b) v.x = 9.0; else v.y = 8.0; result = v.x + v.y * 16.0;",
        lambda a, b: 9 + 16 * b if a > b else a + 128,
    ),
    "and_condition": (
        "result = a > 0.0 && b > 0.0 ? 1.0 : 0.0; if (a > 0.0 || b > 0.0) result += 2.0;",
        lambda a, b: float(a > 0 and b > 0) + 2.0 * (a > 0 or b > 0),
    ),
    "division_only_where_taken": (
        "result = 0.0; if (b != 0.0) result = a / b * b; else result = a;",
        lambda a, b: a,
    ),
}


def _selection() -> Iterator[ValueCase]:
    for name, (body, formula) in _BRANCHES.items():
        yield from value(f"6.2/{name}", "float", body, lambda a, b, formula=formula: formula(a, b), "float a, float b")
    yield from exact(
        "6.2/uniform_condition",
        "float",
        "if (u) result = a; else result = -a;",
        lambda a: -a,
        "float a",
        before="uniform bool u;",
        uniforms={"u": ("", False)},
    )


def _pairs(a: float, n: int) -> float:
    x, y = a, 1.0
    for _ in range(n):
        x, y = y, x + y
    return x


_LOOPS = {
    "for": ("result = 0.0; for (int i = 0; i < 5; i++) result += a;", lambda a, n: 5 * a),
    "for_down": ("result = 0.0; for (int i = 5; i > 0; i--) result += float(i) * a;", lambda a, n: 15 * a),
    "for_step_2": ("result = 0.0; for (int i = 1; i <= 7; i += 2) result += float(i);", lambda a, n: 16.0),
    "for_float_index": (
        "result = 0.0; for (float x = 0.0; x < 1.0; x += 0.25) result += x * a;",
        lambda a, n: 1.5 * a,
    ),
    "for_never": ("result = a; for (int i = 0; i < 0; i++) result = 100.0;", lambda a, n: a),
    "for_until_input": ("result = 0.0; for (int i = 0; i < n; i++) result += a;", lambda a, n: n * a),
    "for_break_at_input": (
        "result = 0.0; for (int i = 0; i < 8; i++) { if (i >= n) break; result += a; }",
        lambda a, n: n * a,
    ),
    "for_continue": (
        "result = 0.0; for (int i = 0; i < 6; i++) { if (i == n) continue; result += float(i); }",
        lambda a, n: 15.0 - (n if n < 6 else 0),
    ),
    "for_break_and_continue": (
        ("result = 0.0; for (int i = 0; i < 8; i++) { if (i == 1) continue; if (i > n) break; result += float(i); }"),
        lambda a, n: float(sum(i for i in range(8) if i != 1 and i <= n)),
    ),
    "for_without_parts": (
        "result = 0.0; int i = 0; for (;;) { if (i >= n) break; i++; result += a; }",
        lambda a, n: n * a,
    ),
    "for_without_step": (
        "result = 0.0; for (int i = 0; i < n;) { i += 2; result += a; }",
        lambda a, n: (n + 1) // 2 * a,
    ),
    "for_outer_variable": (
        "int i; result = a; for (i = 0; i < n; i++) { } result += float(i);",
        lambda a, n: a + n,
    ),
    "for_comma_parts": (
        ("int j = 10; result = a; for (int i = 0; i < 3; i++, j--) result += float(j); result += float(j) * 100.0;"),
        lambda a, n: a + 27 + 700,
    ),
    "while": ("result = a; int i = 0; while (i < n) { result += 1.0; i++; }", lambda a, n: a + n),
    "for_condition_declares": (
        "result = a; int i = 0; for (; bool go = i < n; i++) result += go ? 1.0 : 100.0;",
        lambda a, n: a + n,
    ),
    "for_condition_with_effect": (
        "result = a; int i = 0; for (; i++ < n;) result += float(i);",
        lambda a, n: a + n * (n + 1) / 2,
    ),
    "do_while_condition_with_effect": (
        "result = a; int i = 0; do result += 1.0; while (++i < n);",
        lambda a, n: a + max(n, 1),
    ),
    "break_in_both_branches": (
        "result = a; for (int i = 0; i < 9; i++) { if (i < n) { if (i > 3) break; } else break; result += 1.0; }",
        lambda a, n: a + min(n, 4),
    ),
    "loop_carried_swap": (
        "vec2 v = vec2(a, 1.0); for (int i = 0; i < n; i++) v = vec2(v.y, v.x + v.y); result = v.x;",
        _pairs,
    ),
    "outer_break_by_flag": (
        "result = a; bool done = false; for (int i = 0; i < 4; i++) { for (int j = 0; j < 4; j++) "
        "{ if (i * 4 + j == n) { done = true; break; } result += 1.0; } if (done) break; }",
        lambda a, n: a + n,
    ),
    "while_never": ("result = a; while (false) result = 100.0;", lambda a, n: a),
    "while_break": (
        "result = a; int i = 0; while (true) { if (i == n) break; result += 2.0; i++; }",
        lambda a, n: a + 2 * n,
    ),
    "while_continue": (
        "result = a; int i = 0; while (i < n) { i++; if (i == 2) continue; result += 1.0; }",
        lambda a, n: a + n - (1 if n >= 2 else 0),
    ),
    "while_condition_with_effect": (
        "int i = n; result = a; while (i-- > 0) result += float(i);",
        lambda a, n: a + n * (n - 1) / 2,
    ),
    "do_while": ("result = a; int i = 0; do { result += 1.0; i++; } while (i < n);", lambda a, n: a + max(n, 1)),
    "do_while_once": ("result = a; do result += 1.0; while (false);", lambda a, n: a + 1),
    "do_while_break": (
        "result = a; int i = 0; do { if (i == n) break; result += 1.0; i++; } while (i < 4);",
        lambda a, n: a + min(n, 4),
    ),
    "do_while_continue_tests_condition": (
        "result = a; int i = 0; do { i++; if (i == 2) continue; result += 1.0; } while (i < n);",
        lambda a, n: a + max(n, 1) - (1 if n >= 2 else 0),
    ),
    "nested": (
        ("result = 0.0; for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) result += float(i * 8 + j) * 0.125;"),
        lambda a, n: sum(i * 8 + j for i in range(3) for j in range(n)) / 8,
    ),
    "nested_break_leaves_inner": (
        (
            "result = 0.0; for (int i = 0; i < 3; i++) { for (int j = 0; j < 4; j++) { "
            "if (j == n) break; result += 1.0; } result += 10.0; }"
        ),
        lambda a, n: 30.0 + 3 * min(n, 4),
    ),
    "nested_continue_of_outer": (
        (
            "result = 0.0; for (int i = 0; i < 4; i++) { for (int j = 0; j < 2; j++) result += 1.0; "
            "if (i == n) continue; result += 10.0; }"
        ),
        lambda a, n: 8.0 + 10 * (4 - (n < 4)),
    ),
    "nested_triangle": (
        (
            "result = 0.0; for (int i = 0; i < 6; i++) { if (i >= n) break; for (int j = 0; j < 6; "
            "j++) { if (j > i) break; result += a; } }"
        ),
        lambda a, n: a * sum(min(i + 1, 6) for i in range(min(n, 6))),
    ),
    "while_in_for": (
        ("result = a; for (int i = 0; i < 3; i++) { int k = n; while (k > 0) { k -= 2; result += 1.0; } }"),
        lambda a, n: a + 3 * ((n + 1) // 2),
    ),
    "fibonacci": (
        ("int x = 0; int y = 1; for (int i = 0; i < n; i++) { int z = x + y; x = y; y = z; } result = float(x);"),
        lambda a, n: float([0, 1, 1, 2, 3, 5, 8][n]),
    ),
    "gcd": (
        (
            "int x = n + 4; int y = 6; for (int i = 0; i < 16; i++) { if (x == y) break; "
            "if (x > y) x -= y; else y -= x; } result = float(x);"
        ),
        lambda a, n: float(np.gcd(n + 4, 6)),
    ),
    "vector_accumulator": (
        ("vec3 v = vec3(0.0); for (int i = 0; i < 3; i++) v[i] = float(i) * a; result = v.x + v.y + v.z;"),
        lambda a, n: 3 * a,
    ),
    "array_sum": (
        (
            "float x[4]; for (int i = 0; i < 4; i++) x[i] = float(i * i); result = 0.0; for (int i = 0; "
            "i < 4; i++) { if (i < n) result += x[i]; }"
        ),
        lambda a, n: float(sum(i * i for i in range(min(n, 4)))),
    ),
    "swap_in_loop": (
        "vec2 v = vec2(a, 1.0); for (int i = 0; i < n; i++) v = v.yx; result = v.x;",
        lambda a, n: 1.0 if n % 2 else a,
    ),
    "loop_after_loop": (
        ("result = a; for (int i = 0; i < n; i++) result += 1.0; for (int i = 0; i < n; i++) result += 2.0;"),
        lambda a, n: a + 3 * n,
    ),
    "condition_changes_in_body": (
        ("int limit = n; result = 0.0; for (int i = 0; i < limit; i++) { if (i == 1) limit--; result += 1.0; }"),
        lambda a, n: float(n - 1 if n >= 2 else n),
    ),
    "function_in_loop": (
        "result = a; for (int i = 0; i < n; i++) result = mix(result, 1.0, 0.5);",
        lambda a, n: 1.0 + (a - 1.0) / 2**n,
    ),
}


def _loops() -> Iterator[ValueCase]:
    """Counts that differ from lane to lane, in each form of loop."""
    for name, (body, formula) in _LOOPS.items():
        yield from exact(f"6.3/{name}", "float", body, formula, "float a, int n", domains=_COUNT)
    yield from value(
        "6.3/newton",
        "float",
        "float x = a; for (int i = 0; i < 6; i++) x = 0.5 * (x + a / x); result = x;",
        lambda a: np.sqrt(a),
        "float a",
        domains={"a": d.Domain(0.5, 4, 8)},
        tolerance=FLOATS,
    )
    yield from exact(
        "6.3/uniform_bound",
        "float",
        "result = 0.0; for (int i = 0; i < 16; i++) { if (i >= u) break; result += a; }",
        lambda a: 6 * a,
        "float a",
        before="uniform int u;",
        uniforms={"u": ("", 6)},
    )


def _jumps() -> Iterator[ValueCase]:
    for stage, output in (("vertex", "gl_Position"), ("fragment", "gl_FragColor"), ("fragment", "gl_FragData[0]")):
        shown = output.partition("[")[0]
        more: dict[str, Any] = {"stages": (stage,), "output": output}
        yield from exact(
            f"6.4/return_from_main_keeps_{shown}",
            "vec4",
            f"{output} = a; if (a.x > 0.0) return; result = -a;",
            lambda a: a if a[0] > 0 else -a,
            "vec4 a",
            **more,
        )
        yield from exact(
            f"6.4/return_from_loop_of_main_keeps_{shown}",
            "vec4",
            f"for (int i = 0; i < 4; i++) {{ {output} = a + float(i); if (float(i) > a.x) return; }} result = -a;",
            lambda a: next((a + i for i in range(4) if i > a[0]), -a),
            "vec4 a",
            **more,
        )
    yield from exact(
        "6.4/break_in_if_in_loop",
        "float",
        (
            "result = 0.0; for (int i = 0; i < 5; i++) { if (float(i) > a) { if (i > 1) { "
            "result += 50.0; break; } } result += 1.0; }"
        ),
        _break_in_if,
        "float a",
    )
    yield from exact(
        "6.4/continue_skips_rest_not_step",
        "float",
        "result = 0.0; for (int i = 0; i < 6; i++) { if (i < 3) continue; result += float(i); }",
        lambda a: 12.0,
        "float a",
    )
    yield from exact(
        "6.4/return_from_function_leaves_loop_of_caller",
        "float",
        "result = 0.0; for (int i = 0; i < 4; i++) result += f(i, a);",
        lambda a: sum(10.0 if i > a else 1.0 for i in range(4)),
        "float a",
        before=(
            "float f(int i, float x) { for (int j = 0; j < 3; j++) { if (float(i) > x) return 10.0; } return 1.0; }"
        ),
    )


def _break_in_if(a: float) -> float:
    total = 0.0
    for i in range(5):
        if i > a and i > 1:
            return total + 50
        total += 1
    return total


_DISCARDS = {
    "discard_some": ("if (a > 0.0) discard; result = a;", lambda a: None if a > 0 else a),
    "discard_after_write": ("result = a; if (a > 1.0) discard;", lambda a: None if a > 1 else a),
    "discard_none": ("if (false) discard; result = a;", lambda a: a),
    "discard_in_else": ("if (a > 0.0) result = a; else discard;", lambda a: a if a > 0 else None),
    "discard_in_loop": (
        ("result = 0.0; for (int i = 0; i < 4; i++) { if (float(i) > a + 2.0) discard; result += 1.0; }"),
        lambda a: None if a + 2 < 3 else 4.0,
    ),
    "discard_nested": (
        "result = a; if (a > -2.0) { if (a < 2.0) discard; result += 1.0; }",
        lambda a: None if -2 < a < 2 else a + 1 if a > -2 else a,
    ),
    "discard_in_branch_of_loop_with_break": (
        ("result = 0.0; for (int i = 0; i < 4; i++) { if (a > 3.0) discard; if (float(i) > a) break; result += 1.0; }"),
        lambda a: None if a > 3 else float(next((i for i in range(4) if i > a), 4)),
    ),
}


def _discard() -> Iterator[ValueCase]:
    for name, (body, formula) in _DISCARDS.items():
        yield from exact(f"6.4/{name}", "float", body, formula, "float a", stages=FRAGMENT)
    yield from exact(
        "6.4/discard_in_function",
        "float",
        "check(a); result = a;",
        lambda a: None if a < 0 else a,
        "float a",
        before="void check(float x) { if (x < 0.0) discard; }",
        stages=FRAGMENT,
    )
    yield from exact(
        "6.4/discard_on_uniform",
        "float",
        "if (u) discard; result = a;",
        lambda a: None,
        "float a",
        before="uniform bool u;",
        uniforms={"u": ("", True)},
        stages=FRAGMENT,
    )
