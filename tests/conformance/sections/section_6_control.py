"""Section 6: functions and how they are called, selection, iteration, jumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.types import MATRICES, generic
from tests.conformance.define.value_case import FRAGMENT, FLOATS, VERTEX, ValueCase, exact, value

_COUNT = {"n": d.COUNT}


def cases() -> Iterator[ValueCase]:
    yield from _functions()
    yield from _conventions()
    yield from _selection()
    yield from _loops()
    yield from _jumps()
    yield from _discard()


def _functions() -> Iterator[ValueCase]:
    for type_ in (*generic("float"), *generic("int"), *generic("bool"), *MATRICES):
        yield from exact(f"6.1/returns_{type_}", type_, "same(a)", lambda a: a, f"{type_} a", before=f"{type_} same({type_} x) {{ return x; }}")
    bodies = {
        "prototype_then_definition": ("float f(float x);", "f(a)", lambda a: a + 1, "float f(float y) { return y + 1.0; }"),
        "overload_by_type": ("float f(float x) { return x; }\nfloat f(int x) { return float(x) * 10.0; }\nfloat f(vec2 x) { return x.y * 100.0; }",
                             "f(a) + f(2) + f(vec2(0.0, 1.0))", lambda a: a + 120, ""),
        "overload_by_count": ("float f(float x) { return x; }\nfloat f(float x, float y) { return x * y; }", "f(a) + f(a, 3.0)", lambda a: 4 * a, ""),
        "overload_by_struct": ("struct S { float x; };\nstruct T { float x; };\nfloat f(S s) { return s.x; }\nfloat f(T t) { return t.x * 2.0; }",
                               "f(S(a)) + f(T(a))", lambda a: 3 * a, ""),
        "overload_by_array_size": ("float f(float x[2]) { return x[0]; }\nfloat f(float x[3]) { return x[2]; }",
                                   "float p[2]; p[0] = a; p[1] = 0.0; float q[3]; q[0] = 0.0; q[1] = 0.0; q[2] = 2.0 * a; result = f(p) + f(q);",
                                   lambda a: 3 * a, ""),
        "calls_in_arguments": ("float f(float x) { return x * 2.0; }", "f(f(f(a)))", lambda a: 8 * a, ""),
        "calls_functions": ("float f(float x) { return x + 1.0; }\nfloat g(float x) { return f(x) * f(x + 1.0); }", "g(a)", lambda a: (a + 1) * (a + 2), ""),
        "unnamed_parameter": ("float f(float, float y) { return y; }", "f(9.0, a)", lambda a: a, ""),
        "array_parameter": ("float f(float x[3]) { return x[0] + x[1] * x[2]; }", "float x[3]; x[0] = a; x[1] = 2.0; x[2] = 3.0; result = f(x);", lambda a: a + 6, ""),
        "array_parameter_is_a_copy": ("float f(float x[2]) { x[0] = 50.0; return x[1]; }", "float x[2]; x[0] = a; x[1] = 1.0; result = f(x) + x[0];", lambda a: a + 1, ""),
        "struct_with_array_parameter": ("struct S { float k[2]; };\nfloat f(S s) { s.k[0] += 1.0; return s.k[0] + s.k[1]; }",
                                        "S s; s.k[0] = a; s.k[1] = 2.0; result = f(s) * 10.0 + s.k[0];", lambda a: 10 * (a + 3) + a, ""),
        "matrix_parameter": ("float f(mat2 m) { return m[0][1] * m[1][0]; }", "f(mat2(1.0, a, 2.0, 3.0))", lambda a: 2 * a, ""),
        "early_return": ("float f(float x) { if (x < 0.0) return -x; return x * 2.0; }", "f(a)", lambda a: -a if a < 0 else 2 * a, ""),
        "return_from_loop": ("float f(float x) { for (int i = 0; i < 5; i++) { if (float(i) > x) return float(i); } return 100.0; }",
                             "f(a)", lambda a: float(next((i for i in range(5) if i > a), 100)), ""),
        "return_from_nested_loops": ("float f(float x) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) if (float(i * 3 + j) > x) return float(i * 10 + j); return -1.0; }",
                                     "f(a)", lambda a: float(next((10 * i + j for i in range(3) for j in range(3) if 3 * i + j > a), -1)), ""),
        "void_early_return": ("float g;\nvoid f(float x) { g = x; if (x > 0.0) return; g = x - 1.0; }", "f(a); result = g;", lambda a: a if a > 0 else a - 1, ""),
        "return_in_both_branches": ("float f(float x) { if (x > 1.0) { return 1.0; } else { return 2.0; } }", "f(a)", lambda a: 1.0 if a > 1 else 2.0, ""),
        "global_changed_by_callee": ("float g;\nfloat f() { g += 1.0; return g; }", "g = a; float x = f(); float y = f(); result = x + y * 10.0;", lambda a: a + 1 + 10 * (a + 2), ""),
        "local_of_each_call_is_new": ("float f(float x) { float y = 1.0; y += x; return y; }", "f(a) + f(a)", lambda a: 2 * (a + 1), ""),
        "main_void_list": ("void unused(void) { }", "a", lambda a: a, ""),
    }  # fmt: skip
    for name, (before, body, formula, after) in bodies.items():
        text = f"{before}\n{after}" if after else before
        yield from exact(f"6.1/{name}", "float", body, formula, "float a", before=text)


def _conventions() -> Iterator[ValueCase]:
    swap = "void swap(inout float x, inout float y) { float t = x; x = y; y = t; }"
    bodies = {
        "out": ("void f(out float x) { x = 7.0; }", "float v = a; f(v); result = vec2(v, a);", lambda a, b: [7.0, a]),
        "inout": ("void f(inout float x) { x *= 2.0; }", "float v = a; f(v); f(v); result = vec2(v, a);", lambda a, b: [4 * a, a]),
        "swap": (swap, "float x = a; float y = b; swap(x, y); result = vec2(x, y);", lambda a, b: [b, a]),
        "swap_of_components": (swap, "vec2 v = vec2(a, b); swap(v.x, v.y); result = v;", lambda a, b: [b, a]),
        "swap_of_elements": (swap, "float v[2]; v[0] = a; v[1] = b; swap(v[0], v[1]); result = vec2(v[0], v[1]);", lambda a, b: [b, a]),
        "swap_of_matrix_elements": (swap, "mat2 m = mat2(a, 0.0, 0.0, b); swap(m[0][0], m[1][1]); result = vec2(m[0][0], m[1][1]);", lambda a, b: [b, a]),
        "swap_of_members": (f"struct S {{ float p; float q; }};\n{swap}", "S s = S(a, b); swap(s.p, s.q); result = vec2(s.p, s.q);", lambda a, b: [b, a]),
        "out_swizzle": ("void f(out vec2 x) { x = vec2(1.0, 2.0); }", "vec3 v = vec3(a); f(v.zx); result = v.xz;", lambda a, b: [2.0, 1.0]),
        "inout_swizzle": ("void f(inout vec2 x) { x = x.yx + 1.0; }", "vec3 v = vec3(a, b, 0.0); f(v.xy); result = v.xy;", lambda a, b: [b + 1, a + 1]),
        "inout_array": ("void f(inout float x[2]) { x[1] += x[0]; }", "float v[2]; v[0] = a; v[1] = b; f(v); result = vec2(v[0], v[1]);", lambda a, b: [a, a + b]),
        "out_array": ("void f(out float x[2]) { x[0] = 1.0; x[1] = 2.0; }", "float v[2]; f(v); result = vec2(v[0], v[1]) + a;", lambda a, b: [a + 1, a + 2]),
        "inout_struct": ("struct S { vec2 v; float f; };\nvoid g(inout S s) { s.v.y += s.f; s.f = 9.0; }", "S s = S(vec2(a), b); g(s); result = vec2(s.v.y, s.f);", lambda a, b: [a + b, 9.0]),
        "inout_matrix_column": ("void f(inout vec2 x) { x *= 2.0; }", "mat2 m = mat2(a, b, a, b); f(m[1]); result = vec2(m[0].x, m[1].y);", lambda a, b: [a, 2 * b]),
        "copy_out_after_the_call": ("float g;\nvoid f(inout float x) { x += 1.0; g += 10.0; }", "g = a; f(g); result = vec2(g, b);", lambda a, b: [a + 1, b]),
        "copy_in_before_the_call": ("float g;\nfloat f(float x) { g = 100.0; return x; }", "g = a; float r = f(g); result = vec2(r, g);", lambda a, b: [a, 100.0]),
        "out_and_result": ("float f(float x, out float y) { y = x + 1.0; return x * 2.0; }", "float y; float r = f(a, y); result = vec2(r, y);", lambda a, b: [2 * a, a + 1]),
        "early_return_copies_out": ("void f(float x, inout float y) { y += 1.0; if (x > 0.0) return; y += 10.0; }", "float y = b; f(a, y); result = vec2(y, a);", lambda a, b: [b + 1 if a > 0 else b + 11, a]),
        "inout_through_two_levels": ("void g(inout float x) { x += 1.0; }\nvoid f(inout float x) { g(x); x *= 2.0; g(x); }", "float v = a; f(v); result = vec2(v, b);", lambda a, b: [2 * (a + 1) + 1, b]),
        "call_in_condition": ("bool f(inout float x) { x += 1.0; return x > 0.0; }", "float v = a; if (f(v)) v += 10.0; result = vec2(v, b);", lambda a, b: [a + 11 if a + 1 > 0 else a + 1, b]),
    }  # fmt: skip
    for name, (before, body, formula) in bodies.items():
        yield from exact(f"6.1.1/{name}", "vec2", body, lambda a, b, formula=formula: np.array(formula(a, b)), "float a, float b", before=before)
        yield from exact(f"5.3/{name}_in_loop", "vec2", f"for (int i = 0; i < 1; i++) {{ {body} }}",
                         lambda a, b, formula=formula: np.array(formula(a, b)), "float a, float b", before=before, stages=VERTEX)  # fmt: skip
    yield from exact("6.1.1/out_dynamic_component", "vec3", "result = a; put(result[i]);", lambda a, i: _put(a, i, 5.0), "vec3 a, int i",
                     before="void put(out float x) { x = 5.0; }", domains={"i": d.INDEX3})  # fmt: skip
    yield from exact("6.1.1/inout_dynamic_element", "vec2", "float x[2]; x[0] = a.x; x[1] = a.y; twice(x[i]); result = vec2(x[0], x[1]);",
                     lambda a, i: _put(a, i, 2 * a[i]), "vec2 a, int i", before="void twice(inout float x) { x *= 2.0; }",
                     domains={"i": d.INDEX2})  # fmt: skip
    yield from exact("6.1.1/arguments_before_body", "ivec2", "n = a; int r = f(n++, n++); result = ivec2(r, n);", lambda a: np.array([10 * a + a + 1, a + 2]), "int a",
                     before="int n;\nint f(int x, int y) { return x * 10 + y; }", tags=("freedom:evaluation-order",))  # fmt: skip


def _put(a: Any, index: int, number: float) -> Any:
    after = a.copy()
    after[index] = number
    return after


def _selection() -> Iterator[ValueCase]:
    bodies = {
        "if_only": ("result = a; if (a > b) result = b;", min),
        "if_else": ("if (a > b) result = a; else result = b;", max),
        "if_else_blocks": ("if (a > b) { result = a; result += 1.0; } else { result = b; result -= 1.0; }", lambda a, b: a + 1 if a > b else b - 1),
        "chain": ("if (a < -1.0) result = 0.0; else if (a < 0.0) result = 1.0; else if (a < 1.0) result = 2.0; else result = 3.0;", lambda a, b: sum(float(a >= edge) for edge in (-1, 0, 1))),
        "dangling_else": ("result = 0.0; if (a > 0.0) if (b > 0.0) result = 1.0; else result = 2.0;", lambda a, b: 0.0 if a <= 0 else 1.0 if b > 0 else 2.0),
        "nested": ("if (a > 0.0) { if (b > 0.0) result = 1.0; else result = 2.0; } else { if (b > 0.0) result = 3.0; else result = 4.0; }", lambda a, b: 1.0 + (b <= 0) + 2 * (a <= 0)),
        "empty_branch": ("result = a; if (a > 0.0) ; else result = b;", lambda a, b: a if a > 0 else b),
        "empty_blocks": ("result = a; if (a > b) { } else { }", lambda a, b: a),
        "condition_with_effect": ("float x = a; if ((x += 1.0) > 0.0) result = x; else result = x * 2.0;", lambda a, b: a + 1 if a + 1 > 0 else 2 * a + 2),
        "constant_condition": ("if (true) result = a; else result = b; if (false) result = 100.0;", lambda a, b: a),
        "both_sides_write_components": ("vec2 v = vec2(a, b); if (a > b) v.x = 9.0; else v.y = 8.0; result = v.x + v.y * 16.0;", lambda a, b: 9 + 16 * b if a > b else a + 128),
        "and_condition": ("result = a > 0.0 && b > 0.0 ? 1.0 : 0.0; if (a > 0.0 || b > 0.0) result += 2.0;", lambda a, b: float(a > 0 and b > 0) + 2.0 * (a > 0 or b > 0)),
        "division_only_where_taken": ("result = 0.0; if (b != 0.0) result = a / b * b; else result = a;", lambda a, b: a),
    }  # fmt: skip
    for name, (body, formula) in bodies.items():
        yield from value(f"6.2/{name}", "float", body, lambda a, b, formula=formula: formula(a, b), "float a, float b")
    yield from exact("6.2/uniform_condition", "float", "if (u) result = a; else result = -a;", lambda a: -a, "float a",
                     before="uniform bool u;", uniforms={"u": ("", False)})  # fmt: skip


def _loops() -> Iterator[ValueCase]:
    """Counts that differ from lane to lane, in each form of loop."""
    bodies = {
        "for": ("result = 0.0; for (int i = 0; i < 5; i++) result += a;", lambda a, n: 5 * a),
        "for_down": ("result = 0.0; for (int i = 5; i > 0; i--) result += float(i) * a;", lambda a, n: 15 * a),
        "for_step_2": ("result = 0.0; for (int i = 1; i <= 7; i += 2) result += float(i);", lambda a, n: 16.0),
        "for_float_index": ("result = 0.0; for (float x = 0.0; x < 1.0; x += 0.25) result += x * a;", lambda a, n: 1.5 * a),
        "for_never": ("result = a; for (int i = 0; i < 0; i++) result = 100.0;", lambda a, n: a),
        "for_until_input": ("result = 0.0; for (int i = 0; i < n; i++) result += a;", lambda a, n: n * a),
        "for_break_at_input": ("result = 0.0; for (int i = 0; i < 8; i++) { if (i >= n) break; result += a; }", lambda a, n: n * a),
        "for_continue": ("result = 0.0; for (int i = 0; i < 6; i++) { if (i == n) continue; result += float(i); }", lambda a, n: 15.0 - (n if n < 6 else 0)),
        "for_break_and_continue": ("result = 0.0; for (int i = 0; i < 8; i++) { if (i == 1) continue; if (i > n) break; result += float(i); }", lambda a, n: float(sum(i for i in range(8) if i != 1 and i <= n))),
        "for_without_parts": ("result = 0.0; int i = 0; for (;;) { if (i >= n) break; i++; result += a; }", lambda a, n: n * a),
        "for_without_step": ("result = 0.0; for (int i = 0; i < n;) { i += 2; result += a; }", lambda a, n: (n + 1) // 2 * a),
        "for_outer_variable": ("int i; result = a; for (i = 0; i < n; i++) { } result += float(i);", lambda a, n: a + n),
        "for_comma_parts": ("int j = 10; result = a; for (int i = 0; i < 3; i++, j--) result += float(j); result += float(j) * 100.0;", lambda a, n: a + 27 + 700),
        "while": ("result = a; int i = 0; while (i < n) { result += 1.0; i++; }", lambda a, n: a + n),
        "while_never": ("result = a; while (false) result = 100.0;", lambda a, n: a),
        "while_break": ("result = a; int i = 0; while (true) { if (i == n) break; result += 2.0; i++; }", lambda a, n: a + 2 * n),
        "while_continue": ("result = a; int i = 0; while (i < n) { i++; if (i == 2) continue; result += 1.0; }", lambda a, n: a + n - (1 if n >= 2 else 0)),
        "while_condition_with_effect": ("int i = n; result = a; while (i-- > 0) result += float(i);", lambda a, n: a + n * (n - 1) / 2),
        "do_while": ("result = a; int i = 0; do { result += 1.0; i++; } while (i < n);", lambda a, n: a + max(n, 1)),
        "do_while_once": ("result = a; do result += 1.0; while (false);", lambda a, n: a + 1),
        "do_while_break": ("result = a; int i = 0; do { if (i == n) break; result += 1.0; i++; } while (i < 4);", lambda a, n: a + min(n, 4)),
        "do_while_continue_tests_condition": ("result = a; int i = 0; do { i++; if (i == 2) continue; result += 1.0; } while (i < n);", lambda a, n: a + max(n, 1) - (1 if n >= 2 else 0)),
        "nested": ("result = 0.0; for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) result += float(i * 8 + j) * 0.125;", lambda a, n: sum(i * 8 + j for i in range(3) for j in range(n)) / 8),
        "nested_break_leaves_inner": ("result = 0.0; for (int i = 0; i < 3; i++) { for (int j = 0; j < 4; j++) { if (j == n) break; result += 1.0; } result += 10.0; }", lambda a, n: 30.0 + 3 * min(n, 4)),
        "nested_continue_of_outer": ("result = 0.0; for (int i = 0; i < 4; i++) { for (int j = 0; j < 2; j++) result += 1.0; if (i == n) continue; result += 10.0; }", lambda a, n: 8.0 + 10 * (4 - (n < 4))),
        "nested_triangle": ("result = 0.0; for (int i = 0; i < 6; i++) { if (i >= n) break; for (int j = 0; j < 6; j++) { if (j > i) break; result += a; } }", lambda a, n: a * sum(min(i + 1, 6) for i in range(min(n, 6)))),
        "while_in_for": ("result = a; for (int i = 0; i < 3; i++) { int k = n; while (k > 0) { k -= 2; result += 1.0; } }", lambda a, n: a + 3 * ((n + 1) // 2)),
        "fibonacci": ("int x = 0; int y = 1; for (int i = 0; i < n; i++) { int z = x + y; x = y; y = z; } result = float(x);", lambda a, n: float([0, 1, 1, 2, 3, 5, 8][n])),
        "gcd": ("int x = n + 4; int y = 6; for (int i = 0; i < 16; i++) { if (x == y) break; if (x > y) x -= y; else y -= x; } result = float(x);", lambda a, n: float(np.gcd(n + 4, 6))),
        "vector_accumulator": ("vec3 v = vec3(0.0); for (int i = 0; i < 3; i++) v[i] = float(i) * a; result = v.x + v.y + v.z;", lambda a, n: 3 * a),
        "array_sum": ("float x[4]; for (int i = 0; i < 4; i++) x[i] = float(i * i); result = 0.0; for (int i = 0; i < 4; i++) { if (i < n) result += x[i]; }", lambda a, n: float(sum(i * i for i in range(min(n, 4))))),
        "swap_in_loop": ("vec2 v = vec2(a, 1.0); for (int i = 0; i < n; i++) v = v.yx; result = v.x;", lambda a, n: 1.0 if n % 2 else a),
        "loop_after_loop": ("result = a; for (int i = 0; i < n; i++) result += 1.0; for (int i = 0; i < n; i++) result += 2.0;", lambda a, n: a + 3 * n),
        "condition_changes_in_body": ("int limit = n; result = 0.0; for (int i = 0; i < limit; i++) { if (i == 1) limit--; result += 1.0; }", lambda a, n: float(n - 1 if n >= 2 else n)),
        "function_in_loop": ("result = a; for (int i = 0; i < n; i++) result = mix(result, 1.0, 0.5);", lambda a, n: 1.0 + (a - 1.0) / 2**n),
    }  # fmt: skip
    for name, (body, formula) in bodies.items():
        yield from exact(f"6.3/{name}", "float", body, formula, "float a, int n", domains=_COUNT)
    yield from value("6.3/newton", "float", "float x = a; for (int i = 0; i < 6; i++) x = 0.5 * (x + a / x); result = x;", lambda a: np.sqrt(a), "float a",
                     domains={"a": d.Domain(0.5, 4, 8)}, tolerance=FLOATS)  # fmt: skip
    yield from exact("6.3/uniform_bound", "float", "result = 0.0; for (int i = 0; i < 16; i++) { if (i >= u) break; result += a; }", lambda a: 6 * a, "float a",
                     before="uniform int u;", uniforms={"u": ("", 6)})  # fmt: skip


def _jumps() -> Iterator[ValueCase]:
    yield from exact("6.4/break_in_if_in_loop", "float", "result = 0.0; for (int i = 0; i < 5; i++) { if (float(i) > a) { if (i > 1) { result += 50.0; break; } } result += 1.0; }",
                     _break_in_if, "float a")  # fmt: skip
    yield from exact("6.4/continue_skips_rest_not_step", "float", "result = 0.0; for (int i = 0; i < 6; i++) { if (i < 3) continue; result += float(i); }", lambda a: 12.0, "float a")
    yield from exact("6.4/return_from_function_leaves_loop_of_caller", "float", "result = 0.0; for (int i = 0; i < 4; i++) result += f(i, a);",
                     lambda a: sum(10.0 if i > a else 1.0 for i in range(4)), "float a",
                     before="float f(int i, float x) { for (int j = 0; j < 3; j++) { if (float(i) > x) return 10.0; } return 1.0; }")  # fmt: skip


def _break_in_if(a: float) -> float:
    total = 0.0
    for i in range(5):
        if i > a and i > 1:
            return total + 50
        total += 1
    return total


def _discard() -> Iterator[ValueCase]:
    bodies = {
        "discard_some": ("if (a > 0.0) discard; result = a;", lambda a: None if a > 0 else a),
        "discard_after_write": ("result = a; if (a > 1.0) discard;", lambda a: None if a > 1 else a),
        "discard_none": ("if (false) discard; result = a;", lambda a: a),
        "discard_in_else": ("if (a > 0.0) result = a; else discard;", lambda a: a if a > 0 else None),
        "discard_in_loop": ("result = 0.0; for (int i = 0; i < 4; i++) { if (float(i) > a + 2.0) discard; result += 1.0; }", lambda a: None if a + 2 < 3 else 4.0),
        "discard_nested": ("result = a; if (a > -2.0) { if (a < 2.0) discard; result += 1.0; }", lambda a: None if -2 < a < 2 else a + 1 if a > -2 else a),
        "discard_in_branch_of_loop_with_break": ("result = 0.0; for (int i = 0; i < 4; i++) { if (a > 3.0) discard; if (float(i) > a) break; result += 1.0; }",
                                                 lambda a: None if a > 3 else float(next((i for i in range(4) if i > a), 4))),
    }  # fmt: skip
    for name, (body, formula) in bodies.items():
        yield from exact(f"6.4/{name}", "float", body, formula, "float a", stages=FRAGMENT)
    yield from exact("6.4/discard_in_function", "float", "check(a); result = a;", lambda a: None if a < 0 else a, "float a",
                     before="void check(float x) { if (x < 0.0) discard; }", stages=FRAGMENT)  # fmt: skip
    yield from exact("6.4/discard_on_uniform", "float", "if (u) discard; result = a;", lambda a: None, "float a", before="uniform bool u;",
                     uniforms={"u": ("", True)}, stages=FRAGMENT)  # fmt: skip
