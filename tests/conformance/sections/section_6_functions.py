"""Section 6.1: functions, their overloads, and how arguments are copied in and out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.types import MATRICES, generic
from tests.conformance.define.value_case import VERTEX, ValueCase, exact


def cases() -> Iterator[ValueCase]:
    yield from _functions()
    yield from _conventions()


_FUNCTIONS = {
    "prototype_then_definition": (
        "float f(float x);",
        "f(a)",
        lambda a: a + 1,
        "float f(float y) { return y + 1.0; }",
    ),
    "overload_by_type": (
        (
            "float f(float x) { return x; }\nfloat f(int x) { return float(x) * 10.0; }\n"
            "float f(vec2 x) { return x.y * 100.0; }"
        ),
        "f(a) + f(2) + f(vec2(0.0, 1.0))",
        lambda a: a + 120,
        "",
    ),
    "overload_by_count": (
        "float f(float x) { return x; }\nfloat f(float x, float y) { return x * y; }",
        "f(a) + f(a, 3.0)",
        lambda a: 4 * a,
        "",
    ),
    "overload_by_struct": (
        (
            "struct S { float x; };\nstruct T { float x; };\nfloat f(S s) { return s.x; }\n"
            "float f(T t) { return t.x * 2.0; }"
        ),
        "f(S(a)) + f(T(a))",
        lambda a: 3 * a,
        "",
    ),
    "overload_by_array_size": (
        "float f(float x[2]) { return x[0]; }\nfloat f(float x[3]) { return x[2]; }",
        ("float p[2]; p[0] = a; p[1] = 0.0; float q[3]; q[0] = 0.0; q[1] = 0.0; q[2] = 2.0 * a; result = f(p) + f(q);"),
        lambda a: 3 * a,
        "",
    ),
    "calls_in_arguments": ("float f(float x) { return x * 2.0; }", "f(f(f(a)))", lambda a: 8 * a, ""),
    "calls_functions": (
        "float f(float x) { return x + 1.0; }\nfloat g(float x) { return f(x) * f(x + 1.0); }",
        "g(a)",
        lambda a: (a + 1) * (a + 2),
        "",
    ),
    "unnamed_parameter": ("float f(float, float y) { return y; }", "f(9.0, a)", lambda a: a, ""),
    "array_parameter": (
        "float f(float x[3]) { return x[0] + x[1] * x[2]; }",
        "float x[3]; x[0] = a; x[1] = 2.0; x[2] = 3.0; result = f(x);",
        lambda a: a + 6,
        "",
    ),
    "array_parameter_is_a_copy": (
        "float f(float x[2]) { x[0] = 50.0; return x[1]; }",
        "float x[2]; x[0] = a; x[1] = 1.0; result = f(x) + x[0];",
        lambda a: a + 1,
        "",
    ),
    "struct_with_array_parameter": (
        "struct S { float k[2]; };\nfloat f(S s) { s.k[0] += 1.0; return s.k[0] + s.k[1]; }",
        "S s; s.k[0] = a; s.k[1] = 2.0; result = f(s) * 10.0 + s.k[0];",
        lambda a: 10 * (a + 3) + a,
        "",
    ),
    "matrix_parameter": (
        "float f(mat2 m) { return m[0][1] * m[1][0]; }",
        "f(mat2(1.0, a, 2.0, 3.0))",
        lambda a: 2 * a,
        "",
    ),
    "early_return": (
        "float f(float x) { if (x < 0.0) return -x; return x * 2.0; }",
        "f(a)",
        lambda a: -a if a < 0 else 2 * a,
        "",
    ),
    "return_from_loop": (
        ("float f(float x) { for (int i = 0; i < 5; i++) { if (float(i) > x) return float(i); } return 100.0; }"),
        "f(a)",
        lambda a: float(next((i for i in range(5) if i > a), 100)),
        "",
    ),
    "return_from_nested_loops": (
        (
            "float f(float x) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; "
            "j++) if (float(i * 3 + j) > x) return float(i * 10 + j); return -1.0; }"
        ),
        "f(a)",
        lambda a: float(next((10 * i + j for i in range(3) for j in range(3) if 3 * i + j > a), -1)),
        "",
    ),
    "void_early_return": (
        "float g;\nvoid f(float x) { g = x; if (x > 0.0) return; g = x - 1.0; }",
        "f(a); result = g;",
        lambda a: a if a > 0 else a - 1,
        "",
    ),
    "return_in_both_branches": (
        "float f(float x) { if (x > 1.0) { return 1.0; } else { return 2.0; } }",
        "f(a)",
        lambda a: 1.0 if a > 1 else 2.0,
        "",
    ),
    "global_changed_by_callee": (
        "float g;\nfloat f() { g += 1.0; return g; }",
        "g = a; float x = f(); float y = f(); result = x + y * 10.0;",
        lambda a: a + 1 + 10 * (a + 2),
        "",
    ),
    "local_of_each_call_is_new": (
        "float f(float x) { float y = 1.0; y += x; return y; }",
        "f(a) + f(a)",
        lambda a: 2 * (a + 1),
        "",
    ),
    "main_void_list": ("void unused(void) { }", "a", lambda a: a, ""),
}


def _functions() -> Iterator[ValueCase]:
    for type_ in (*generic("float"), *generic("int"), *generic("bool"), *MATRICES):
        yield from exact(
            f"6.1/returns_{type_}",
            type_,
            "same(a)",
            lambda a: a,
            f"{type_} a",
            before=f"{type_} same({type_} x) {{ return x; }}",
        )
    for name, (before, body, formula, after) in _FUNCTIONS.items():
        text = f"{before}\n{after}" if after else before
        yield from exact(f"6.1/{name}", "float", body, formula, "float a", before=text)


_SWAP = "void swap(inout float x, inout float y) { float t = x; x = y; y = t; }"
_CALLS = {
    "out": ("void f(out float x) { x = 7.0; }", "float v = a; f(v); result = vec2(v, a);", lambda a, b: [7.0, a]),
    "inout": (
        "void f(inout float x) { x *= 2.0; }",
        "float v = a; f(v); f(v); result = vec2(v, a);",
        lambda a, b: [4 * a, a],
    ),
    "swap": (_SWAP, "float x = a; float y = b; swap(x, y); result = vec2(x, y);", lambda a, b: [b, a]),
    "swap_of_components": (_SWAP, "vec2 v = vec2(a, b); swap(v.x, v.y); result = v;", lambda a, b: [b, a]),
    "swap_of_elements": (
        _SWAP,
        "float v[2]; v[0] = a; v[1] = b; swap(v[0], v[1]); result = vec2(v[0], v[1]);",
        lambda a, b: [b, a],
    ),
    "swap_of_matrix_elements": (
        _SWAP,
        "mat2 m = mat2(a, 0.0, 0.0, b); swap(m[0][0], m[1][1]); result = vec2(m[0][0], m[1][1]);",
        lambda a, b: [b, a],
    ),
    "swap_of_members": (
        f"struct S {{ float p; float q; }};\n{_SWAP}",
        "S s = S(a, b); swap(s.p, s.q); result = vec2(s.p, s.q);",
        lambda a, b: [b, a],
    ),
    "out_swizzle": (
        "void f(out vec2 x) { x = vec2(1.0, 2.0); }",
        "vec3 v = vec3(a); f(v.zx); result = v.xz;",
        lambda a, b: [2.0, 1.0],
    ),
    "inout_swizzle": (
        "void f(inout vec2 x) { x = x.yx + 1.0; }",
        "vec3 v = vec3(a, b, 0.0); f(v.xy); result = v.xy;",
        lambda a, b: [b + 1, a + 1],
    ),
    "inout_array": (
        "void f(inout float x[2]) { x[1] += x[0]; }",
        "float v[2]; v[0] = a; v[1] = b; f(v); result = vec2(v[0], v[1]);",
        lambda a, b: [a, a + b],
    ),
    "out_array": (
        "void f(out float x[2]) { x[0] = 1.0; x[1] = 2.0; }",
        "float v[2]; f(v); result = vec2(v[0], v[1]) + a;",
        lambda a, b: [a + 1, a + 2],
    ),
    "inout_struct": (
        "struct S { vec2 v; float f; };\nvoid g(inout S s) { s.v.y += s.f; s.f = 9.0; }",
        "S s = S(vec2(a), b); g(s); result = vec2(s.v.y, s.f);",
        lambda a, b: [a + b, 9.0],
    ),
    "inout_matrix_column": (
        "void f(inout vec2 x) { x *= 2.0; }",
        "mat2 m = mat2(a, b, a, b); f(m[1]); result = vec2(m[0].x, m[1].y);",
        lambda a, b: [a, 2 * b],
    ),
    "copy_out_after_the_call": (
        "float g;\nvoid f(inout float x) { x += 1.0; g += 10.0; }",
        "g = a; f(g); result = vec2(g, b);",
        lambda a, b: [a + 1, b],
    ),
    "copy_in_before_the_call": (
        "float g;\nfloat f(float x) { g = 100.0; return x; }",
        "g = a; float r = f(g); result = vec2(r, g);",
        lambda a, b: [a, 100.0],
    ),
    "out_and_result": (
        "float f(float x, out float y) { y = x + 1.0; return x * 2.0; }",
        "float y; float r = f(a, y); result = vec2(r, y);",
        lambda a, b: [2 * a, a + 1],
    ),
    "early_return_copies_out": (
        "void f(float x, inout float y) { y += 1.0; if (x > 0.0) return; y += 10.0; }",
        "float y = b; f(a, y); result = vec2(y, a);",
        lambda a, b: [b + 1 if a > 0 else b + 11, a],
    ),
    "inout_through_two_levels": (
        "void g(inout float x) { x += 1.0; }\nvoid f(inout float x) { g(x); x *= 2.0; g(x); }",
        "float v = a; f(v); result = vec2(v, b);",
        lambda a, b: [2 * (a + 1) + 1, b],
    ),
    "call_in_condition": (
        "bool f(inout float x) { x += 1.0; return x > 0.0; }",
        "float v = a; if (f(v)) v += 10.0; result = vec2(v, b);",
        lambda a, b: [a + 11 if a + 1 > 0 else a + 1, b],
    ),
}


def _conventions() -> Iterator[ValueCase]:
    for name, (before, body, formula) in _CALLS.items():
        yield from exact(
            f"6.1.1/{name}",
            "vec2",
            body,
            lambda a, b, formula=formula: np.array(formula(a, b)),
            "float a, float b",
            before=before,
        )
        yield from exact(
            f"5.3/{name}_in_loop",
            "vec2",
            f"for (int i = 0; i < 1; i++) {{ {body} }}",
            lambda a, b, formula=formula: np.array(formula(a, b)),
            "float a, float b",
            before=before,
            stages=VERTEX,
        )
    yield from exact(
        "6.1.1/out_dynamic_component",
        "vec3",
        "result = a; put(result[i]);",
        lambda a, i: _put(a, i, 5.0),
        "vec3 a, int i",
        before="void put(out float x) { x = 5.0; }",
        domains={"i": d.INDEX3},
    )
    yield from exact(
        "6.1.1/inout_dynamic_element",
        "vec2",
        "float x[2]; x[0] = a.x; x[1] = a.y; twice(x[i]); result = vec2(x[0], x[1]);",
        lambda a, i: _put(a, i, 2 * a[i]),
        "vec2 a, int i",
        before="void twice(inout float x) { x *= 2.0; }",
        domains={"i": d.INDEX2},
    )
    yield from exact(
        "6.1.1/arguments_before_body",
        "ivec2",
        "n = a; int r = f(n++, n++); result = ivec2(r, n);",
        lambda a: np.array([10 * a + a + 1, a + 2]),
        "int a",
        before="int n;\nint f(int x, int y) { return x * 10 + y; }",
        tags=("freedom:evaluation-order",),
    )
    yield from exact(
        "6.1.1/inout_element_of_member_of_array",
        "vec4",
        """
        P p[2]; p[0].k[0] = a.x; p[0].k[1] = a.y; p[1].k[0] = a.z; p[1].k[1] = a.w;
        twice(p[i].k[j]);
        result = vec4(p[0].k[0], p[0].k[1], p[1].k[0], p[1].k[1]);
        """,
        lambda a, i, j: _put(a, 2 * i + j, 2 * a[2 * i + j]),
        "vec4 a, int i, int j",
        before="struct P { float k[2]; };\nvoid twice(inout float x) { x *= 2.0; }",
        domains={"i": d.INDEX2, "j": d.INDEX2},
    )
    yield from exact(
        "6.1.1/inout_index_evaluated_once",
        "vec3",
        "float x[2]; x[0] = a; x[1] = a; int i = 0; twice(x[i++]); result = vec3(x[0], x[1], i);",
        lambda a: np.array([2 * a, a, 1.0]),
        "float a",
        before="void twice(inout float x) { x *= 2.0; }",
    )
    yield from exact(
        "6.1.1/index_is_fixed_before_the_body",
        "vec3",
        "n = 0; float x[2]; x[0] = a; x[1] = a; put(x[n]); result = vec3(x[0], x[1], n);",
        lambda a: np.array([7.0, a, 1.0]),
        "float a",
        before="int n;\nvoid put(out float x) { n = 1; x = 7.0; }",
    )
    yield from exact(
        "6.1.1/struct_in_and_out",
        "vec4",
        "S s = S(a, mat2(1.0)); S t = turned(s, s.m[1]); result = vec4(s.m[1], t.v);",
        lambda a: np.array([a[0], a[1], a[1], a[0]]),
        "vec2 a",
        before="struct S { vec2 v; mat2 m; };\nS turned(S s, out vec2 old) { old = s.v; s.v = s.v.yx; return s; }",
    )
    yield from exact(
        "6.1.1/same_variable_in_and_out",
        "float",
        "float v = a; f(v, v); result = v;",
        lambda a: 2 * a + 1,
        "float a",
        before="void f(in float x, out float y) { y = 1.0; y += x * 2.0; }",
    )


def _put(a: Any, index: int, number: float) -> Any:
    after = a.copy()
    after[index] = number
    return after
