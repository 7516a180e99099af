"""Section 4 except structures and arrays: types, scoping, storage, precision and invariance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.types import MATRICES, generic
from tests.conformance.define.value_case import BOTH, VERTEX, ValueCase, exact, value

_VECTOR = "vec3 a"
_NUMBERS: dict[str, float] = {
    "1.5": 1.5,
    "1.": 1.0,
    ".5": 0.5,
    "1e2": 100.0,
    "1.5E+1": 15.0,
    "25.e-1": 2.5,
    ".5e1": 5.0,
    "0.0": 0.0,
    "1e-3": 0.001,
    "123456.0": 123456.0,
    "0001.0": 1.0,
    "09.5": 9.5,
}
_WHOLE_NUMBERS: dict[str, float] = {
    "0": 0,
    "42": 42,
    "017": 15,
    "0x1F": 31,
    "0Xff": 255,
    "00": 0,
    "0xaBc": 2748,
    "65535": 65535,
}


def cases() -> Iterator[ValueCase]:
    yield from _scalars()
    yield from _scoping()
    yield from _storage()
    yield from _qualifiers()


def _scalars() -> Iterator[ValueCase]:
    yield from exact(
        "4.1.1/void_function",
        "float",
        "set(a); result = k;",
        lambda a: a,
        "float a",
        before="float k;\nvoid set(float x) { k = x; }",
    )
    yield from exact(
        "4.1.1/void_parameter_list",
        "float",
        "one() * a",
        lambda a: a,
        "float a",
        before="float one(void) { return 1.0; }",
    )
    yield from exact("4.1.2/bool_literals", "bvec2", "bvec2(true, false)", lambda: np.array([True, False]))
    yield from exact(
        "4.1.2/bool_variable_in_condition",
        "float",
        "bool b = a > 0.0; result = b ? 1.0 : 2.0;",
        lambda a: 1.0 if a > 0 else 2.0,
        "float a",
    )
    yield from exact(
        "4.1.2/bool_uniform",
        "float",
        "b ? a : -a",
        lambda a, b: a if b else -a,
        "float a",
        uniforms={"b": ("bool", True)},
    )
    for index, (text, whole) in enumerate(_WHOLE_NUMBERS.items()):
        yield from exact(f"4.1.3/literal_{index:02}", "int", text, lambda whole=whole: whole, stages=VERTEX)
    yield from exact(
        "4.1.3/int_uniform", "int", "n * 2 + a", lambda a, n: 2 * n + a, "int a", uniforms={"n": ("int", -7)}
    )
    # Only the vertex language has highp ints for certain (section 4.5.2).
    yield from exact(
        "4.1.3/int_range_of_16_bits",
        "ivec2",
        "ivec2(a * 127, a * 127 - 30000 + 30000)",
        lambda a: np.array([a * 127] * 2),
        "int a",
        stages=VERTEX,
    )
    for index, (text, number) in enumerate(_NUMBERS.items()):
        yield from value(f"4.1.4/literal_{index:02}", "float", text, lambda number=number: number, stages=VERTEX)
    for type_ in generic("float"):
        yield from exact(
            f"4.1.5/{type_}_uniform",
            type_,
            "u + a",
            lambda a, u: u + a,
            f"{type_} a",
            uniforms={"u": (type_, _some(type_))},
        )
    for type_ in (*generic("int")[1:], *generic("bool")[1:]):
        some = np.arange(int(type_[-1])) % 2 if type_.startswith("b") else np.arange(int(type_[-1])) - 5
        yield from exact(f"4.1.5/{type_}_uniform", type_, "u", lambda u: u, uniforms={"u": (type_, some)})
    for type_ in MATRICES:
        size = int(type_[-1])
        entries = np.arange(size * size).reshape(size, size) / 2.0
        yield from exact(f"4.1.6/{type_}_uniform", type_, "u", lambda u: u, uniforms={"u": (type_, entries)})
        yield from exact(f"4.1.6/{type_}_variable", type_, f"{type_} m; m = a; result = m;", lambda a: a, f"{type_} a")
    yield from exact(
        "4.1.10/conversions_are_written_out", "float", "float(3) * a + float(true)", lambda a: 3 * a + 1, "float a"
    )


def _some(type_: str) -> object:
    return 2.5 if type_ == "float" else np.arange(int(type_[-1])) - 0.5


_SCOPES = {
    "block_hides": ("", "float x = a; { float x = 5.0; x += 1.0; } result = x;", lambda a: a),
    "block_sees_outside": ("", "float x = a; { x += 1.0; } result = x;", lambda a: a + 1),
    "scope_begins_after_declarator": ("", "float x = a; { float x = x + 1.0; result = x; }", lambda a: a + 1),
    "list_uses_earlier_names": ("", "float x = a, y = x + 1.0, z = y * 2.0; result = z;", lambda a: 2 * (a + 1)),
    "loop_variable_hides": (
        "",
        "int i = 7; float s = 0.0; for (int i = 0; i < 3; i++) s += a; result = s + float(i);",
        lambda a: 3 * a + 7,
    ),
    "local_hides_global": ("float g = 3.0;", "float g = a; result = g;", lambda a: a),
    "function_sees_global": (
        "float g;\nfloat f() { return g * 2.0; }",
        "g = a; { float g = 100.0; result = f() + g - 100.0; }",
        lambda a: 2 * a,
    ),
    "parameter_hides_global": ("float g = 3.0;\nfloat f(float g) { return g; }", "f(a) + g", lambda a: a + 3),
    "local_hides_parameter": ("float f(float x) { float x = 5.0; return x; }", "f(a) + a", lambda a: a + 5),
    "local_hides_function": (
        "float f(float x) { return x * 2.0; }",
        "float y = f(a); float f = 1.0; result = y + f;",
        lambda a: 2 * a + 1,
    ),
    "local_struct_hides_global": (
        "struct S { float x; };",
        "S s = S(a); { struct S { vec2 v; }; S s = S(vec2(9.0)); s.v.x = 1.0; } result = s.x;",
        lambda a: a,
    ),
    "built_in_overloaded": ("float max(float x) { return x + 1.0; }", "max(a)", lambda a: a + 1),
    "if_branch_has_a_scope": (
        "",
        "float x = a; if (a > 0.0) { float x = 1.0; x++; } else { x += 1.0; } result = x;",
        lambda a: a if a > 0 else a + 1,
    ),
    "while_condition_declares": (
        "",
        "float s = a; int n = 0; while (bool go = n < 2) { s += float(go); n++; } result = s;",
        lambda a: a + 2,
    ),
}


def _scoping() -> Iterator[ValueCase]:
    for name, (before, body, formula) in _SCOPES.items():
        yield from exact(f"4.2/{name}", "float", body, formula, "float a", before=before)


def _storage() -> Iterator[ValueCase]:
    yield from exact(
        "4.3.1/global_keeps_value_between_functions",
        "float",
        "set(a); add(); add(); result = g;",
        lambda a: a + 4,
        "float a",
        before="float g;\nvoid set(float x) { g = x; }\nvoid add() { g += 2.0; }",
    )
    yield from exact(
        "4.3.1/global_with_constant_initializer",
        "float",
        "g += a; result = g;",
        lambda a: a + 2.5,
        "float a",
        before="float g = 2.0 + 0.5;",
    )
    yield from exact(
        "4.3.1/global_vector_component",
        "vec3",
        "g = a; g.y = 7.0; result = g;",
        lambda a: np.array([a[0], 7.0, a[2]]),
        _VECTOR,
        before="vec3 g;",
    )
    yield from exact(
        "4.3.2/global_const",
        "vec3",
        "k * a",
        lambda a: np.array([1.0, 2.0, 3.0]) * a,
        _VECTOR,
        before="const vec3 k = vec3(1.0, 2.0, 3.0);",
    )
    yield from exact(
        "4.3.2/local_const_in_loop",
        "float",
        "result = 0.0; for (int i = 0; i < 3; i++) { const float k = 2.0; result += k * a; }",
        lambda a: 6 * a,
        "float a",
    )
    yield from exact(
        "4.3.2/const_matrix",
        "vec2",
        "k * a",
        lambda a: np.array([[1.0, 3.0], [2.0, 4.0]]) @ a,
        "vec2 a",
        before="const mat2 k = mat2(1.0, 2.0, 3.0, 4.0);",
    )
    for type_ in (*generic("float"), *MATRICES):
        yield from exact(f"4.3.3/attribute_{type_}", type_, "a", lambda a: a, f"{type_} a", stages=VERTEX)
    yield from exact(
        "4.3.3/several_attributes",
        "vec4",
        "vec4(a, b.x, c)",
        lambda a, b, c: np.array([*a, b[0], c]),
        "vec2 a, vec4 b, float c",
        stages=VERTEX,
    )
    yield from exact(
        "4.3.4/several_uniforms_a_line",
        "vec2",
        "p * a + q",
        lambda a: a * 2.0 + np.array([3.0, 4.0]),
        "vec2 a",
        before="uniform vec2 p, q;",
        uniforms={"p": ("", np.array([2.0, 2.0])), "q": ("", np.array([3.0, 4.0]))},
    )
    yield from exact(
        "4.3.4/uniform_read_in_function",
        "float",
        "f(a)",
        lambda a: a * 1.5,
        "float a",
        before="uniform float u;\nfloat f(float x) { return x * u; }",
        uniforms={"u": ("", 1.5)},
    )
    for type_ in generic("float"):
        yield from exact(f"4.3.5/varying_{type_}_read", type_, "a", lambda a: a, f"{type_} a", stages=("fragment",))
    yield from exact(
        "4.3.5/varying_mat2_read",
        "vec2",
        "a * vec2(1.0, 2.0)",
        lambda a: a @ np.array([1.0, 2.0]),
        "mat2 a",
        stages=("fragment",),
    )
    yield from exact(
        "4.3.5/varying_is_read_back",
        "float",
        "v = a; v += 1.0; result = v * 2.0;",
        lambda a: 2 * a + 2,
        "float a",
        before="varying float v;",
        stages=VERTEX,
    )


def _qualifiers() -> Iterator[ValueCase]:
    yield from exact(
        "4.4/in_is_a_copy",
        "vec2",
        "float x = a; float y = f(x); result = vec2(x, y);",
        lambda a: np.array([a, a + 1]),
        "float a",
        before="float f(in float p) { p += 1.0; return p; }",
    )
    yield from exact(
        "4.4/const_in",
        "float",
        "f(a)",
        lambda a: a + 1,
        "float a",
        before="float f(const in float p) { return p + 1.0; }",
    )
    yield from exact(
        "4.4/precision_of_parameter",
        "float",
        "f(a)",
        lambda a: a + 1,
        "float a",
        before="float f(mediump float p) { return p + 1.0; }",
    )
    for precision in ("lowp", "mediump", "highp"):
        yield from exact(
            f"4.5/{precision}_variable",
            "vec2",
            f"{precision} vec2 v = a; {precision} int i = 3; result = v * float(i) / 3.0;",
            lambda a: a,
            "vec2 a",
            domains={"a": d.Domain(-0.5, 0.5, 8)},
            tags=("precision:mediump",),
        )
    yield from exact(
        "4.5/default_in_inner_scope",
        "float",
        "float x = a; { precision mediump float; float y = x; result = y; }",
        lambda a: a,
        "float a",
        domains={"a": d.Domain(-0.5, 0.5, 8)},
        tags=("precision:mediump",),
    )
    yield from exact(
        "4.5/default_for_samplers_and_ints",
        "int",
        "a + 1",
        lambda a: a + 1,
        "int a",
        directives="precision highp int;\nprecision lowp sampler2D;\nprecision lowp samplerCube;\n",
    )
    yield from exact(
        "4.5/struct_members",
        "vec2",
        "S s = S(a.x, a.y); result = vec2(s.l, s.h);",
        lambda a: a,
        "vec2 a",
        before="struct S { mediump float l; highp float h; };",
        domains={"a": d.Domain(-1, 1, 8)},
        tags=("precision:mediump",),
    )
    yield from exact(
        "4.6/invariant_position",
        "vec4",
        "a",
        lambda a: a,
        "vec4 a",
        before="invariant gl_Position;",
        stages=VERTEX,
        output="gl_Position",
    )
    yield from exact(
        "4.6/invariant_varying",
        "float",
        "v = a; result = v;",
        lambda a: a,
        "float a",
        before="invariant varying float v;",
        stages=VERTEX,
    )
    yield from exact(
        "4.6/invariant_all",
        "float",
        "a * 2.0",
        lambda a: a * 2,
        "float a",
        directives="#pragma STDGL invariant(all)\n",
        stages=VERTEX,
    )
    yield from exact(
        "4.6/invariant_later",
        "float",
        "v = a; result = v;",
        lambda a: a,
        "float a",
        before="varying float v;\ninvariant v;",
        stages=VERTEX,
    )
    yield from exact(
        "4.7/all_qualifiers_in_order",
        "float",
        "v = f(a); result = v;",
        lambda a: a,
        "float a",
        before="invariant varying highp float v;\nfloat f(const in mediump float p) { return p; }",
        stages=VERTEX,
    )
    yield from exact(
        "4.7/uniform_with_precision",
        "float",
        "a * u",
        lambda a: 2 * a,
        "float a",
        before="uniform mediump float u;",
        uniforms={"u": ("", 2.0)},
        stages=BOTH,
    )
