"""GLSL ES 3.00 chapters 4 to 6: arrays as values, structures, matrices of all shapes, uniform blocks, switch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.types import ALL_MATRICES, matrix_name, type_named
from tests.conformance.define.value_case import EXACT, ValueCase, value

_PAIR = "struct Pair { float f; ivec2 i; };"


def cases() -> Iterator[ValueCase]:
    yield from _arrays()
    yield from _comparisons()
    yield from _functions()
    yield from _switches()
    for type_ in ALL_MATRICES:
        yield from _matrix_constructors(type_)
        yield from _matrix_operators(type_)
    for columns in (2, 3, 4):
        for rows in (2, 3, 4):
            for inner in (2, 3, 4):
                yield from _product(columns, rows, inner)
    yield from _blocks()


def _exact(*arguments: Any, **more: Any) -> list[ValueCase]:
    return value(*arguments, tolerance=EXACT, is_modern=True, **more)


def _value(*arguments: Any, **more: Any) -> list[ValueCase]:
    return value(*arguments, is_modern=True, **more)


def _arrays() -> Iterator[ValueCase]:
    abc = "float a, float b, float c"
    for name, spelling in {"sized": "float[3](a, b, c)", "counted": "float[](a, b, c)"}.items():
        yield from _exact(
            f"300-5.4.4/{name}_constructor",
            "vec3",
            f"float k[3] = {spelling}; result = vec3(k[2], k[0], k[1]);",
            lambda a, b, c: np.array([c, a, b]),
            abc,
        )
    yield from _exact(
        "300-4.1.9/length_counts_elements",
        "ivec2",
        "float k[] = float[](a, b, a, b); const int n = k.length(); float m[n + 1]; result = ivec2(n, m.length());",
        lambda: np.array([4, 5]),
        "float a, float b",
    )
    yield from _exact(
        "300-4.1.9/size_after_the_type",
        "vec2",
        "float[2] k = float[2](a, b); float[2] m, n; m = k; n = m; n[0] += 1.0; result = vec2(m[0], n[0]);",
        lambda a: np.array([a, a + 1]),
        "float a, float b",
    )
    yield from _exact(
        "300-5.8/assignment_copies_an_array",
        "vec4",
        "vec2 k[2] = vec2[2](a, b); vec2 m[2]; m = k; k[0] = vec2(9.0); result = vec4(m[0], m[1]);",
        lambda a, b: np.concatenate([a, b]),
        "vec2 a, vec2 b",
    )
    yield from _exact(
        "300-4.1.9/element_by_a_variable",
        "float",
        "float k[4] = float[4](a, b, a + b, a - b); result = k[i];",
        lambda a, b, i: [a, b, a + b, a - b][i],
        "float a, float b, int i",
        domains={"i": d.INDEX4},
    )
    yield from _exact(
        "300-4.1.9/constant_table",
        "int",
        "const int k[5] = int[5](3, 1, 4, 1, 5); result = k[i] * 10 + k[i + 1];",
        lambda i: [31, 14, 41, 15][i],
        "int i",
        domains={"i": d.INDEX4},
    )
    yield from _exact(
        "300-5.7/array_inside_a_structure_is_copied",
        "vec2",
        "S s = S(float[2](a, b)); S t = s; t.k[0] += 1.0; result = vec2(s.k[0], t.k[0]);",
        lambda a: np.array([a, a + 1]),
        "float a, float b",
        before="struct S { float k[2]; };",
    )


def _comparisons() -> Iterator[ValueCase]:
    few = {"a": d.INDEX2, "b": d.INDEX2}
    yield from _exact(
        "300-5.7/arrays_are_equal_or_not",
        "bvec2",
        "float k[2] = float[2](a, b); float m[2] = float[2](b, a); result = bvec2(k == m, k != m);",
        lambda a, b: np.array([a == b, a != b]),
        "float a, float b",
        domains=few,
    )
    yield from _exact(
        "300-5.7/structures_with_ints_are_equal_or_not",
        "bvec2",
        "Pair p = Pair(1.0, ivec2(a, b)); Pair q = Pair(1.0, ivec2(b, a)); result = bvec2(p == q, p != q);",
        lambda a, b: np.array([a == b, a != b]),
        "int a, int b",
        before=_PAIR,
        domains=few,
    )
    yield from _exact(
        "300-5.7/arrays_of_structures_are_equal_or_not",
        "bool",
        "Pair p[2] = Pair[2](Pair(a, ivec2(1)), Pair(b, ivec2(2))); "
        "Pair q[2] = Pair[2](Pair(b, ivec2(1)), Pair(a, ivec2(2))); result = p == q;",
        lambda a, b: a == b,
        "float a, float b",
        before=_PAIR,
        domains=few,
    )


def _functions() -> Iterator[ValueCase]:
    yield from _exact(
        "300-6.1/array_parameter_and_result",
        "vec3",
        "float k[3] = turned(float[3](a, b, c)); result = vec3(k[0], k[1], k[2]);",
        lambda a, b, c: np.array([b, c, a]),
        "float a, float b, float c",
        before="float[3] turned(float k[3]) { return float[3](k[1], k[2], k[0]); }",
    )
    yield from _exact(
        "300-6.1/array_inout_parameter",
        "vec2",
        "float k[2] = float[2](a, b); swap(k); result = vec2(k[0], k[1]);",
        lambda a, b: np.array([b, a]),
        "float a, float b",
        before="void swap(inout float[2] k) { float first = k[0]; k[0] = k[1]; k[1] = first; }",
    )
    yield from _exact(
        "300-6.1/overload_by_signedness",
        "ivec2",
        "result = ivec2(kind(uint(a)), kind(a));",
        lambda: np.array([2, 1]),
        "int a",
        before="int kind(int x) { return 1; }\nint kind(uint x) { return 2; }",
    )


def _switches() -> Iterator[ValueCase]:
    index = {"i": d.Domain(-1, 4, 1)}
    yield from _exact(
        "300-6.2/switch_with_default",
        "int",
        "switch (i) { case 0: result = 10; break; case 1: result = 11; break; default: result = 99; }",
        lambda i: {0: 10, 1: 11}.get(i, 99),
        "int i",
        domains=index,
    )
    yield from _exact(
        "300-6.2/switch_falls_through",
        "int",
        "result = 0; switch (i) { case 0: result += 1; case 1: result += 2; break; case 2: result += 4; }",
        lambda i: {0: 3, 1: 2, 2: 4}.get(i, 0),
        "int i",
        domains=index,
    )
    yield from _exact(
        "300-6.2/default_in_the_middle",
        "int",
        "result = 0; switch (i) { case 3: result += 1; default: result += 2; case 1: result += 4; }",
        lambda i: {3: 7, 1: 4}.get(i, 6),
        "int i",
        domains=index,
    )
    yield from _exact(
        "300-6.2/switch_on_uint",
        "uint",
        "switch (u) { case 4294967295u: result = 1u; break; case 0u: case 1u: result = 2u; break; "
        "default: result = u; }",
        lambda u: {4294967295: 1, 0: 2, 1: 2}.get(u, u),
        "uint u",
        domains={"u": d.UINT},
    )
    yield from _exact(
        "300-6.2/switch_inside_a_loop",
        "int",
        "result = 0; for (int k = 0; k < 4; k++) { switch (k + i) { case 1: continue; case 3: result += 100; break; "
        "default: result += k; } result += 10; }",
        lambda i: sum(0 if k + i == 1 else (100 if k + i == 3 else k) + 10 for k in range(4)),
        "int i",
        domains=index,
    )


def _matrix_constructors(type_: str) -> Iterator[ValueCase]:
    shape = type_named(type_)
    diagonal = np.eye(shape.rows, shape.columns)
    yield from _exact(f"300-5.4.2/{type_}_of_float", type_, f"{type_}(a)", lambda a: a * diagonal, "float a")
    parts = ", ".join(f"a + {number}.0" for number in range(shape.size))
    counted = np.arange(shape.size, dtype=float).reshape(shape.columns, shape.rows).T
    yield from _exact(f"300-5.4.2/{type_}_of_numbers", type_, f"{type_}({parts})", lambda a: a + counted, "float a")
    for other in ALL_MATRICES:
        given = type_named(other)

        def cut(m: Any, rows: int = given.rows, columns: int = given.columns) -> Any:
            result = np.eye(shape.rows, shape.columns)
            kept = min(rows, shape.rows), min(columns, shape.columns)
            result[: kept[0], : kept[1]] = m[: kept[0], : kept[1]]
            return result

        yield from _exact(f"300-5.4.2/{type_}_of_{other}", type_, f"{type_}(m)", cut, f"{other} m")
    column = f"vec{shape.rows}"
    yield from _exact(
        f"300-5.10/{type_}_column_by_a_variable",
        column,
        "m[i]",
        lambda m, i: m[:, i],
        f"{type_} m, int i",
        domains={"i": d.Domain(0, shape.columns - 1, 1)},
    )


def _matrix_operators(type_: str) -> Iterator[ValueCase]:
    both = f"{type_} a, {type_} b"
    yield from _value(f"300-5.10/{type_}_plus_minus", type_, "(a + b) - b * 3.0", lambda a, b: a - 2.0 * b, both)
    domains = {"b": d.NON_ZERO}
    yield from _value(f"300-5.10/{type_}_over", type_, "a / b", lambda a, b: a / b, both, domains=domains)
    yield from _exact(f"300-5.10/{type_}_of_float_minus", type_, "2.0 - a", lambda a: 2.0 - a, f"{type_} a")
    yield from _exact(
        f"300-5.9/equality_{type_}",
        "bvec2",
        f"{type_} b = a; b[1][1] += k; result = bvec2(a == b, a != b);",
        lambda k: np.array([k == 0, k != 0]),
        f"{type_} a, float k",
        domains={"k": d.INDEX2},
    )
    shape = type_named(type_)
    row, column = f"vec{shape.columns}", f"vec{shape.rows}"
    small = {"m": d.SMALL, "v": d.SMALL}
    yield from _value(
        f"300-5.10/{type_}_times_{row}", column, "m * v", lambda m, v: m @ v, f"{type_} m, {row} v", domains=small
    )
    yield from _value(
        f"300-5.10/{column}_times_{type_}", row, "v * m", lambda m, v: v @ m, f"{type_} m, {column} v", domains=small
    )


def _product(columns: int, rows: int, inner: int) -> list[ValueCase]:
    left, right = matrix_name(inner, rows), matrix_name(columns, inner)
    return _value(
        f"300-5.10/{left}_times_{right}",
        matrix_name(columns, rows),
        "a * b",
        lambda a, b: a @ b,
        f"{left} a, {right} b",
        domains={"a": d.SMALL, "b": d.SMALL},
    )


def _blocks() -> Iterator[ValueCase]:
    """Layouts by the rules of std140 (OpenGL ES 3.0 section 2.12.6.4), written out by hand."""
    yield from _value(
        "300-4.3.7/members_by_their_own_names",
        "vec4",
        "vec4(offset, scale, float(count)) * a",
        lambda a: np.array([1.0, 2.0, 0.5, 3.0]) * a,
        "float a",
        before="layout(std140) uniform Params { float scale; vec2 offset; uint count; };",
        blocks={
            "Params": {
                "size": 32,
                "members": {
                    "scale": {"type": "float", "value": 0.5, "offset": 0},
                    "offset": {"type": "vec2", "value": [1.0, 2.0], "offset": 8},
                    "count": {"type": "uint", "value": 3, "offset": 16},
                },
            }
        },
    )
    matrix = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    yield from _value(
        "300-4.3.7/instance_with_a_row_major_matrix",
        "vec2",
        "p.m * v + p.k[i]",
        lambda v, i: matrix @ v + np.array([[7.0, 8.0], [9.0, 10.0]])[i],
        "vec3 v, int i",
        before="layout(std140, row_major) uniform Place { mat3x2 m; vec2 k[2]; } p;",
        domains={"i": d.INDEX2},
        blocks={
            "Place": {
                "size": 64,
                "members": {
                    "Place.m": {
                        "type": "mat3x2",
                        "value": matrix.T.reshape(-1).tolist(),
                        "offset": 0,
                        "matrix_stride": 16,
                        "row_major": True,
                    },
                    "Place.k": {
                        "type": "vec2[2]",
                        "value": [[7.0, 8.0], [9.0, 10.0]],
                        "offset": 32,
                        "array_stride": 16,
                    },
                },
            }
        },
    )
    yield from _exact(
        "300-4.3.7/array_of_blocks",
        "vec2",
        "vec2(l[0].power, l[1].power) * a",
        lambda a: np.array([2.0, 3.0]) * a,
        "float a",
        before="layout(std140) uniform Light { float power; } l[2];",
        blocks={
            f"Light[{index}]": {
                "size": 16,
                "members": {"Light.power": {"type": "float", "value": power, "offset": 0}},
            }
            for index, power in enumerate((2.0, 3.0))
        },
    )
