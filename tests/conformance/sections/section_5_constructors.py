"""Sections 5.2 and 5.4 to 5.7: subscripts, constructors of every kind, swizzles, matrix columns, fields."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.types import MATRICES, Scalar, vectors
from tests.conformance.define.value_case import VERTEX, ValueCase, exact, value

_SCALARS: tuple[Scalar, ...] = ("float", "int", "bool")
_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3}
#: Component letters of one vector: position, colour, texture coordinate (section 5.5).
_SETS = ("xyzw", "rgba", "stpq")


def cases() -> Iterator[ValueCase]:
    yield from _conversions()
    yield from _vectors()
    yield from _matrices()
    yield from _structures()
    yield from _swizzles()
    yield from _indices()
    yield from _matrix_components()


def _converted(target: str, number: Any) -> Any:
    """Section 5.4.1: to int drops the fraction, to bool asks for a difference from 0."""
    return {"float": float, "int": int, "bool": bool}[target](number)


def _conversions() -> Iterator[ValueCase]:
    for to, of in product(_SCALARS, _SCALARS):
        yield from exact(f"5.4.1/{to}_of_{of}", to, f"{to}(a)", lambda a, to=to: _converted(to, a), f"{of} a")
    yield from exact("5.4.1/float_of_vector_takes_first", "float", "float(a)", lambda a: a[0], "vec3 a")
    yield from exact("5.4.1/int_of_matrix_takes_first", "int", "int(a)", lambda a: int(a[0, 0]), "mat2 a")
    yield from exact(
        "5.4.1/bool_of_ivec_takes_first", "bool", "bool(a)", lambda a: a[0] != 0, "ivec2 a", domains={"a": d.INDEX2}
    )
    yield from exact(
        "5.4.1/int_truncates_towards_zero",
        "ivec4",
        "ivec4(int(a), int(-a), int(0.75), int(-0.75))",
        lambda a: np.array([int(a), int(-a), 0, 0]),
        "float a",
    )
    for to, of in product(_SCALARS, _SCALARS):
        for target, source in zip(vectors(to), vectors(of), strict=True):
            yield from exact(
                f"5.4.2/{target}_of_{source}",
                target,
                f"{target}(a)",
                lambda a, to=to: np.array([_converted(to, x) for x in a]),
                f"{source} a",
            )


_SHAPES = {
    "vec3_of_vec2_float": ("vec3", "vec3(a.xy, b)", lambda a, b: np.array([a[0], a[1], b])),
    "vec3_of_float_vec2": ("vec3", "vec3(b, a.xy)", lambda a, b: np.array([b, a[0], a[1]])),
    "vec4_of_vec2_vec2": ("vec4", "vec4(a.xy, a.zw)", lambda a: a),
    "vec4_of_float_vec2_float": ("vec4", "vec4(b, a.yz, b)", lambda a, b: np.array([b, a[1], a[2], b])),
    "vec4_of_vec3_float": ("vec4", "vec4(a.xyz, b)", lambda a, b: np.array([a[0], a[1], a[2], b])),
    "vec4_of_float_vec3": ("vec4", "vec4(b, a.xyz)", lambda a, b: np.array([b, a[0], a[1], a[2]])),
    "vec2_drops_the_rest": ("vec2", "vec2(a)", lambda a: a[:2]),
    "vec3_drops_the_rest": ("vec3", "vec3(a)", lambda a: a[:3]),
    "vec3_last_argument_used_in_part": ("vec3", "vec3(b, a)", lambda a, b: np.array([b, a[0], a[1]])),
    "vec4_of_mat2": ("vec4", "vec4(m)", lambda m: m.T.reshape(-1)),
    "vec3_of_mat2": ("vec3", "vec3(m)", lambda m: m.T.reshape(-1)[:3]),
    "vec4_of_float_mat2": ("vec4", "vec4(b, m)", lambda b, m: np.array([b, *m.T.reshape(-1)[:3]])),
    "vec4_nested": ("vec4", "vec4(vec3(vec2(a), b), vec2(b).x)", lambda a, b: np.array([a[0], a[1], b, b])),
    "ivec3_of_vec2_bool": (
        "ivec3",
        "ivec3(a.xy, b > 0.0)",
        lambda a, b: np.array([int(a[0]), int(a[1]), int(b > 0)]),
    ),
    "bvec4_of_mixed": (
        "bvec4",
        "bvec4(a.x, int(b), true, false)",
        lambda a, b: np.array([a[0] != 0, int(b) != 0, True, False]),
    ),
}


def _vectors() -> Iterator[ValueCase]:
    for scalar in _SCALARS:
        for target in vectors(scalar):
            size = int(target[-1])
            yield from exact(
                f"5.4.2/{target}_of_one_{scalar}",
                target,
                f"{target}(a)",
                lambda a, size=size: np.array([a] * size),
                f"{scalar} a",
            )
            yield from exact(
                f"5.4.2/{target}_of_other_scalars",
                target,
                f"{target}({', '.join(['a', 'b', 'c', 'a'][:size])})",
                lambda a, b, c, size=size, scalar=scalar: np.array(
                    [_converted(scalar, x) for x in (a, b, c, a)[:size]]
                ),
                "float a, int b, bool c",
            )
    for name, (result, text, formula) in _SHAPES.items():
        yield from exact(f"5.4.2/{name}", result, text, formula, "vec4 a, float b, mat2 m")


def _matrices() -> Iterator[ValueCase]:
    for type_ in MATRICES:
        size = int(type_[-1])
        column = f"vec{size}"
        names = "abcd"[:size]
        columns = ", ".join(f"{column} {name}" for name in names)
        yield from exact(
            f"5.4.2/{type_}_of_one_float_is_diagonal",
            type_,
            f"{type_}(a)",
            lambda a, size=size: a * np.eye(size),
            "float a",
        )
        yield from exact(f"5.4.2/{type_}_of_int", type_, f"{type_}(a)", lambda a, size=size: a * np.eye(size), "int a")
        yield from exact(
            f"5.4.2/{type_}_of_columns",
            type_,
            f"{type_}({', '.join(names)})",
            _of_columns,
            columns,
            arguments=tuple(names),
        )
        parts = ", ".join(f"{name}.{component}" for name in names for component in "xyzw"[:size])
        yield from exact(
            f"5.4.2/{type_}_of_scalars", type_, f"{type_}({parts})", _of_columns, columns, arguments=tuple(names)
        )
        yield from exact(
            f"5.4.2/{type_}_columns_come_first",
            column,
            (f"{type_} m = {type_}({', '.join(names)}); result = m * {column}(0.0, 1.0{', 0.0' * (size - 2)});"),
            lambda b: b,
            columns,
        )
    yield from exact("5.4.2/mat2_of_vec4", "mat2", "mat2(a)", lambda a: a.reshape(2, 2).T, "vec4 a")
    yield from exact(
        "5.4.2/mat2_of_float_vec3",
        "mat2",
        "mat2(b, a)",
        lambda a, b: np.array([b, *a]).reshape(2, 2).T,
        "vec3 a, float b",
    )
    yield from exact(
        "5.4.2/mat3_of_vec4_vec4_float",
        "mat3",
        "mat3(a, b, c)",
        lambda a, b, c: np.array([*a, *b, c]).reshape(3, 3).T,
        "vec4 a, vec4 b, float c",
    )
    yield from exact(
        "5.4.2/mat4_of_mixed_scalars",
        "mat2",
        "mat2(a, b, c, 1)",
        lambda a, b, c: np.array([[a, float(c)], [b, 1.0]]),
        "float a, int b, bool c",
    )


def _of_columns(*columns: Any) -> Any:
    return np.array(columns).T


def _structures() -> Iterator[ValueCase]:
    before = "struct Inner { vec2 v; int n; };\nstruct Outer { float f; Inner inner; mat2 m; };"
    yield from exact(
        "5.4.3/members_in_order",
        "vec3",
        "Inner s = Inner(a, b); result = vec3(s.v, s.n);",
        lambda a, b: np.array([*a, b]),
        "vec2 a, int b",
        before=before,
    )
    yield from exact(
        "5.4.3/nested",
        "vec4",
        "Outer o = Outer(c, Inner(a, b), m); result = vec4(o.inner.v.y, o.inner.n, o.f, o.m[1][0]);",
        lambda a, b, c, m: np.array([a[1], b, c, m[0, 1]]),
        "vec2 a, int b, float c, mat2 m",
        before=before,
    )
    yield from exact(
        "5.4.3/member_of_constructor",
        "float",
        "Outer(a, Inner(vec2(b, a), 1), mat2(1.0)).inner.v.x",
        lambda b: b,
        "float a, float b",
        before=before,
    )
    yield from exact(
        "5.7/field_read_and_write",
        "vec3",
        "Inner s; s.n = b; s.v = a; s.v.x += 1.0; s.v.yx = s.v; result = vec3(s.v, float(s.n));",
        lambda a, b: np.array([a[1], a[0] + 1, b]),
        "vec2 a, int b",
        before=before,
    )
    yield from exact(
        "5.7/whole_member_assignment",
        "vec3",
        (
            "Outer o = Outer(c, Inner(a, 1), mat2(0.0)); Inner other = Inner(a.yx, 5); o.inner = other; "
            "result = vec3(o.inner.v, o.inner.n);"
        ),
        lambda a: np.array([a[1], a[0], 5]),
        "vec2 a, float c",
        before=before,
    )
    yield from exact(
        "5.7/array_member",
        "vec3",
        ("S s; s.k[0] = a; s.k[1] = a * 2.0; s.k[2] = s.k[0] + s.k[1]; result = vec3(s.k[0], s.k[1], s.k[2]);"),
        lambda a: a * np.array([1, 2, 3]),
        "float a",
        before="struct S { float k[3]; };",
    )
    yield from exact(
        "5.7/array_of_structs",
        "vec2",
        "S s[2]; s[0] = S(a, 1); s[1] = S(a.yx, 2); s[i].v.x += 1.0; result = s[0].v + s[1].v * 10.0;",
        lambda a, i: np.array([a[0] + 10 * a[1] + (10 if i else 1), a[1] + 10 * a[0]]),
        "vec2 a, int i",
        domains={"i": d.INDEX2},
        before="struct S { vec2 v; int n; };",
    )
    yield from exact(
        "5.7/method_like_use_of_function_result",
        "float",
        "make(a).v.y",
        lambda a: a + 1,
        "float a",
        before="struct S { vec2 v; };\nS make(float x) { return S(vec2(x, x + 1.0)); }",
    )


def _swizzles() -> Iterator[ValueCase]:
    for letters in ("x", "yx", "zzz", "wzyx", "xxyy", "wwww", "yzw", "zw"):
        for names in _SETS:
            written = "".join(names[_COMPONENTS[letter]] for letter in letters)
            result = "float" if len(letters) == 1 else f"vec{len(letters)}"
            yield from exact(
                f"5.5/read_{written}",
                result,
                f"a.{written}",
                lambda a, letters=letters: _picked(a, letters),
                "vec4 a",
                stages=VERTEX if names != "xyzw" else ("vertex", "fragment"),
            )
    for letters in ("y", "zx", "wxz", "wzyx", "yz"):
        source = "b.x" if len(letters) == 1 else f"b.{'xyzw'[: len(letters)]}"
        for sign, step in (("=", 0), ("+=", 1)):
            kind = "add_to" if step else "write"
            yield from exact(
                f"5.5/{kind}_{letters}",
                "vec4",
                f"result = a; result.{letters} {sign} {source};",
                lambda a, b, letters=letters, step=step: _written(a, b, letters, step),
                "vec4 a, vec4 b",
            )
    yield from exact("5.5/swizzle_of_swizzle", "vec2", "a.wzyx.yz.yx", lambda a: np.array([a[1], a[2]]), "vec4 a")
    yield from exact(
        "5.5/write_through_swizzle_of_swizzle",
        "vec4",
        "result = a; result.zwx.yx = b;",
        lambda a, b: np.array([a[0], a[1], b[1], b[0]]),
        "vec4 a, vec2 b",
    )
    yield from exact("5.5/swap_in_place", "vec2", "result = a; result.xy = result.yx;", lambda a: a[::-1], "vec2 a")
    yield from exact(
        "5.5/overlapping_write", "vec4", "result = a; result.yzw = result.xyz;", lambda a: a[[0, 0, 1, 2]], "vec4 a"
    )
    yield from exact("5.5/swizzle_of_expression", "vec3", "(a + b).zyx", lambda a, b: (a + b)[::-1], "vec3 a, vec3 b")
    yield from exact(
        "5.5/swizzle_of_call", "vec2", "max(a, b).yy", lambda a, b: np.array([max(a[1], b[1])] * 2), "vec2 a, vec2 b"
    )
    yield from exact(
        "5.5/ivec_swizzle",
        "ivec3",
        "ivec3 v = a; v.zx = v.xy; result = v;",
        lambda a: np.array([a[1], a[1], a[0]]),
        "ivec3 a",
    )
    yield from exact(
        "5.5/bvec_swizzle",
        "bvec2",
        "bvec4 v = a; v.xw = v.wx; result = v.xz;",
        lambda a: np.array([a[3], a[2]]),
        "bvec4 a",
    )
    yield from exact(
        "5.5/increment_of_component",
        "vec3",
        "result = a; result.y++; --result.z;",
        lambda a: a + np.array([0, 1, -1]),
        "vec3 a",
    )
    yield from exact(
        "5.5/increment_of_swizzle", "vec3", "result = a; result.zx++;", lambda a: a + np.array([1, 0, 1]), "vec3 a"
    )


def _picked(a: Any, letters: str) -> Any:
    components = a[[_COMPONENTS[letter] for letter in letters]]
    return components[0] if len(letters) == 1 else components


def _written(a: Any, b: Any, letters: str, keep: int) -> Any:
    after = a.copy()
    for index, letter in enumerate(letters):
        after[_COMPONENTS[letter]] = b[index] + keep * a[_COMPONENTS[letter]]
    return after


def _indices() -> Iterator[ValueCase]:
    yield from exact("5.5/vector_index_constant", "vec2", "vec2(a[0], a[3])", lambda a: a[[0, 3]], "vec4 a")
    for type_ in (*vectors("float"), "ivec3"):
        size = int(type_[-1])
        index = d.Domain(0, size - 1, 1)
        result, one = ("int", "1") if type_.startswith("i") else ("float", "1.0")
        yield from exact(
            f"5.5/{type_}_dynamic_read", result, "a[i]", lambda a, i: a[i], f"{type_} a, int i", domains={"i": index}
        )
        yield from exact(
            f"5.5/{type_}_dynamic_write",
            type_,
            f"result = a; result[i] += {one}; result[i] *= {one} + {one};",
            lambda a, i: np.array([2 * x + 2 if k == i else x for k, x in enumerate(a)]),
            f"{type_} a, int i",
            domains={"i": index},
        )
    for length in (2, 3, 5):
        writes = " ".join(f"x[{k}] = a * {k + 1}.0;" for k in range(length))
        last = d.Domain(0, length - 1, 1)
        yield from exact(
            f"5.2/array_{length}_dynamic_read",
            "float",
            f"float x[{length}]; {writes} result = x[i];",
            lambda a, i: a * (i + 1),
            "float a, int i",
            domains={"i": last},
        )
        total = " + ".join(f"x[{k}] * {k + 1}.0" for k in range(length))
        yield from exact(
            f"5.2/array_{length}_dynamic_write",
            "float",
            f"float x[{length}]; {writes.replace('a *', '0.0 *')} x[i] = a; result = {total};",
            lambda a, i: a * (i + 1),
            "float a, int i",
            domains={"i": last},
        )
    yield from exact(
        "5.2/array_of_vectors_dynamic_component",
        "float",
        "vec3 x[2]; x[0] = a; x[1] = a.zyx * 2.0; result = x[i][j];",
        lambda a, i, j: (2 * a[::-1] if i else a)[j],
        "vec3 a, int i, int j",
        domains={"i": d.INDEX2, "j": d.INDEX3},
    )
    yield from exact(
        "5.2/array_of_vectors_dynamic_component_write",
        "vec3",
        "vec3 x[2]; x[0] = a; x[1] = a; x[i][j] = 9.0; result = x[0] - x[1];",
        lambda a, i, j: np.array([(9 - a[k]) * (1 if i == 0 else -1) if k == j else 0 for k in range(3)]),
        "vec3 a, int i, int j",
        domains={"i": d.INDEX2, "j": d.INDEX3},
    )
    yield from exact(
        "5.2/index_expression_with_effect",
        "vec2",
        (
            "float x[3]; x[0] = a; x[1] = a + 1.0; x[2] = a + 2.0; int i = 0; float first = x[i++]; "
            "result = vec2(first, x[i]);"
        ),
        lambda a: np.array([a, a + 1]),
        "float a",
    )
    yield from exact(
        "5.2/element_updated_once",
        "vec2",
        ("float x[2]; x[0] = a; x[1] = a; int i = 0; x[i++] += 5.0; result = vec2(x[0], x[1]) + float(i) * 10.0;"),
        lambda a: np.array([a + 15, a + 10]),
        "float a",
    )
    table = [0.5, -1.25, 3.0, 8.0]
    yield from exact(
        "5.2/uniform_array_dynamic_read",
        "float",
        "k[i] + a",
        lambda a, k, i: k[i] + a,
        "float a, int i",
        domains={"i": d.INDEX4},
        uniforms={"k": ("float[4]", table)},
        stages=VERTEX,
    )
    for element in range(4):
        yield from exact(
            f"5.2/uniform_array_element_{element}",
            "float",
            f"k[{element}] + a",
            lambda a, k, element=element: k[element] + a,
            "float a",
            uniforms={"k": ("float[4]", table)},
        )


def _matrix_components() -> Iterator[ValueCase]:
    for type_ in MATRICES:
        size = int(type_[-1])
        column = f"vec{size}"
        index = d.Domain(0, size - 1, 1)
        yield from exact(f"5.6/{type_}_column", column, f"m[{size - 1}]", lambda m: m[:, -1], f"{type_} m")
        yield from exact(
            f"5.6/{type_}_element",
            "vec2",
            f"vec2(m[1][0], m[0].{'xyzw'[size - 1]})",
            lambda m: np.array([m[0, 1], m[-1, 0]]),
            f"{type_} m",
        )
        yield from exact(
            f"5.6/{type_}_column_write",
            type_,
            "result = m; result[1] = a; result[0].yx = a.xy;",
            lambda m, a: _with_columns(m, a),
            f"{type_} m, {column} a",
            stages=VERTEX,
        )
        yield from exact(
            f"5.6/{type_}_dynamic_column",
            column,
            "m[i]",
            lambda m, i: m[:, i],
            f"{type_} m, int i",
            domains={"i": index},
        )
        yield from exact(
            f"5.6/{type_}_dynamic_element",
            "float",
            "m[i][j]",
            lambda m, i, j: m[j, i],
            f"{type_} m, int i, int j",
            domains={"i": index, "j": index},
        )
        yield from exact(
            f"5.6/{type_}_dynamic_element_write",
            type_,
            "result = m; result[i][j] = 100.0;",
            lambda m, i, j: _with_element(m, i, j),
            f"{type_} m, int i, int j",
            domains={"i": index, "j": index},
        )
        yield from value(
            f"5.6/{type_}_transposed_by_hand",
            type_,
            f"for (int i = 0; i < {size}; i++) for (int j = 0; j < {size}; j++) result[i][j] = m[j][i];",
            lambda m: m.T,
            f"{type_} m",
            stages=VERTEX,
        )
        yield from exact(
            f"5.6/{type_}_dynamic_column_write",
            type_,
            "result = m; result[i] = a; result[i] *= 2.0; result[i].yx = result[i].xy;",
            lambda m, a, i: _with_column(m, i, [2 * a[1], 2 * a[0], *(2 * a[2:])]),
            f"{type_} m, {column} a, int i",
            domains={"i": index},
        )


def _with_column(m: Any, column: int, values: Any) -> Any:
    after = m.copy()
    after[:, column] = values
    return after


def _with_columns(m: Any, a: Any) -> Any:
    after = m.copy()
    after[:, 1] = a
    after[[1, 0], 0] = a[:2]
    return after


def _with_element(m: Any, column: int, row: int) -> Any:
    after = m.copy()
    after[row, column] = 100.0
    return after
