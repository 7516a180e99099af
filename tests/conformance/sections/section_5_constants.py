"""Section 5.10: constant expressions, which the compiler folds; the numbers below are worked out by numpy."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tests.conformance.define.types import vectors
from tests.conformance.define.value_case import VERTEX, ValueCase, exact, value

_FOLDED = {
    "arithmetic": ("float", "1.5 + 2.0 * 3.25 - 0.5 / 4.0", 1.5 + 6.5 - 0.125),
    "int_arithmetic": ("int", "7 / 2 + 3 * (2 - 9)", 3 + 3 * -7),
    "conversion": ("int", "int(3.75) + int(true)", 4),
    "vector": ("vec3", "vec3(1.0, 2.0, 3.0) * 2.0 + vec3(0.5)", np.array([2.5, 4.5, 6.5])),
    "swizzle": ("vec2", "vec4(1.0, 2.0, 3.0, 4.0).wy", np.array([4.0, 2.0])),
    "builtin": (
        "vec3",
        "vec3(sin(0.5), pow(2.0, 0.5), exp2(-3.0))",
        np.array([math.sin(0.5), math.sqrt(2), 0.125]),
    ),
    "builtin_vector": ("float", "dot(vec3(1.0, 2.0, 3.0), normalize(vec3(0.0, 3.0, 4.0)))", 3.6),
    "matrix": ("vec2", "mat2(1.0, 2.0, 3.0, 4.0) * vec2(5.0, 6.0)", np.array([23.0, 34.0])),
    "matrix_element": ("float", "mat3(2.0)[1][1] + mat3(2.0)[0][1]", 2.0),
    "relation": ("bool", "3 < 4 && !(2.5 >= 2.5) || false", False),
    "choice": ("float", "true ^^ false ? 1.25 : 2.0", 1.25),
    "relational_function": ("bvec2", "lessThan(vec2(1.0, 3.0), vec2(2.0))", np.array([True, False])),
    "nested_constructor": ("vec4", "vec4(vec2(1.0), vec3(2.0).xy)", np.array([1.0, 1.0, 2.0, 2.0])),
    "octal_and_hexadecimal": ("ivec2", "ivec2(0x1F + 010, 0XaB)", np.array([39, 171])),
    "mod_of_negative": ("float", "mod(-5.5, 2.0)", 0.5),
    "clamp": ("vec2", "clamp(vec2(-1.0, 9.0), 0.0, 2.5)", np.array([0.0, 2.5])),
}


def cases() -> Iterator[ValueCase]:
    for name, (type_, text, number) in _FOLDED.items():
        yield from value(
            f"5.10/const_{name}", type_, f"const {type_} k = {text}; result = k;", lambda number=number: number
        )
    yield from exact(
        "5.10/const_of_consts",
        "vec2",
        ("const int n = 3; const float f = float(n) * 0.5; const vec2 v = vec2(f, n - 1); result = v + a;"),
        lambda a: np.array([1.5, 2.0]) + a,
        "vec2 a",
    )
    yield from exact(
        "5.10/const_struct_member",
        "vec2",
        ("const S s = S(1.5, vec2(2.0, 4.0)); const float k = s.v.y * s.f; result = vec2(k, s.v.x) + a;"),
        lambda a: np.array([6.0, 2.0]) + a,
        "vec2 a",
        before="struct S { float f; vec2 v; };",
    )
    yield from exact(
        "5.10/const_array_size",
        "float",
        "float x[n * 2 - 1]; for (int i = 0; i < n * 2 - 1; i++) x[i] = a + float(i); result = x[n];",
        lambda a: a + 2,
        "float a",
        before="const int n = 2;",
    )
    yield from exact(
        "5.10/const_global_in_function",
        "float",
        "scaled(a)",
        lambda a: a * 2.5,
        "float a",
        before="const float k = 0.5 * 5.0;\nfloat scaled(float x) { return x * k; }",
    )
    for type_ in vectors("int"):
        size = int(type_[-1])
        yield from exact(
            f"5.10/const_{type_}_index",
            "int",
            (
                f"const {type_} v = {type_}({', '.join(str(3 * i + 1) for i in range(size))}); "
                f"result = v[{size - 1}] * a;"
            ),
            lambda a, size=size: (3 * size - 2) * a,
            "int a",
            stages=VERTEX,
        )
