"""Sections 4.1.8 and 4.1.9: structures and arrays, local, global and uniform, in each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.value_case import ValueCase, exact

_VECTOR = "vec3 a"


def cases() -> Iterator[ValueCase]:
    yield from _structures()
    yield from _arrays()


def _structures() -> Iterator[ValueCase]:
    light = "struct Light { vec3 colour; float power; };\n"
    members = {"light.colour": ("", np.array([1.0, 2.0, 3.0])), "light.power": ("", 0.5)}
    yield from exact(
        "4.1.8/uniform_struct",
        "vec3",
        "light.colour * light.power + a",
        lambda a: np.array([0.5, 1.0, 1.5]) + a,
        _VECTOR,
        before=f"{light}uniform Light light;",
        uniforms=members,
    )
    yield from exact(
        "4.1.8/uniform_struct_through_function",
        "vec3",
        "shade(light) + a",
        lambda a: np.array([0.5, 1.0, 1.5]) + a,
        _VECTOR,
        before=f"{light}uniform Light light;\nvec3 shade(Light l) {{ return l.colour * l.power; }}",
        uniforms=members,
    )
    array = {
        f"lights[{i}].{m}": ("", v * (i + 1))
        for i in range(2)
        for m, v in (("colour", np.array([1.0, 2.0, 3.0])), ("power", 0.5))
    }
    yield from exact(
        "4.1.8/uniform_array_of_structs",
        "vec3",
        "lights[0].colour * lights[1].power + a * lights[1].colour",
        lambda a: np.array([1.0, 2.0, 3.0]) + a * np.array([2.0, 4.0, 6.0]),
        _VECTOR,
        before=f"{light}uniform Light lights[2];",
        uniforms=array,
    )
    yield from exact(
        "4.1.8/uniform_array_of_structs_in_loop",
        "vec3",
        "result = a; for (int i = 0; i < 2; i++) result += lights[i].colour * lights[i].power;",
        lambda a: a + np.array([1.0, 2.0, 3.0]) * (0.5 + 2.0),
        _VECTOR,
        before=f"{light}uniform Light lights[2];",
        uniforms=array,
    )
    nested = {
        "o.inner.m": ("", np.array([[1.0, 2.0], [3.0, 4.0]])),
        "o.inner.k[0]": ("", 5.0),
        "o.inner.k[1]": ("", 6.0),
        "o.n": ("", 7),
    }
    yield from exact(
        "4.1.8/uniform_nested_struct",
        "vec4",
        "vec4(o.inner.m[1], o.inner.k[1], float(o.n)) + a",
        lambda a: a + np.array([2.0, 4.0, 6.0, 7.0]),
        "vec4 a",
        before=("struct Inner { mat2 m; float k[2]; };\nstruct Outer { Inner inner; int n; };\nuniform Outer o;"),
        uniforms=nested,
    )
    yield from exact(
        "4.1.8/declared_with_variable",
        "float",
        "s.x = a; result = s.x + t.x;",
        lambda a: a,
        "float a",
        before="struct S { float x; } s;\nconst S t = S(0.0);",
    )
    yield from exact(
        "4.1.8/anonymous", "float", "struct { float x; } s; s.x = a; result = s.x;", lambda a: a, "float a"
    )
    yield from exact(
        "4.1.8/local_type",
        "float",
        "struct S { float x; float y; }; S s = S(a, 1.0); result = s.x + s.y;",
        lambda a: a + 1,
        "float a",
    )
    yield from exact(
        "4.1.8/several_members_a_line",
        "vec3",
        "S s; s.x = a; s.y = 1.0; s.z[1] = 2.0; result = vec3(s.x, s.y, s.z[1]);",
        lambda a: np.array([a, 1.0, 2.0]),
        "float a",
        before="struct S { float x, y, z[2]; };",
    )
    yield from exact(
        "4.1.8/array_of_nested_structs_dynamic",
        "float",
        (
            "P p[2]; p[0].q[0].v = a; p[0].q[1].v = a * 2.0; p[1].q[0].v = a * 3.0; "
            "p[1].q[1].v = a * 4.0; result = p[i].q[j].v;"
        ),
        lambda a, i, j: a * (1 + 2 * i + j),
        "float a, int i, int j",
        before="struct Q { float v; };\nstruct P { Q q[2]; };",
        domains={"i": d.INDEX2, "j": d.INDEX2},
    )


def _arrays() -> Iterator[ValueCase]:
    yield from exact(
        "4.1.9/local_array_filled_by_loop",
        "float",
        "float x[4]; for (int i = 0; i < 4; i++) x[i] = a * float(i); result = x[1] + x[3];",
        lambda a: 4 * a,
        "float a",
    )
    for element, literal in (("vec2", "vec2(a, 1.0)"), ("mat2", "mat2(a)"), ("int", "int(a)"), ("bool", "a > 0.0")):
        shown = {"vec2": "float(x[1].x)", "mat2": "x[1][0][0]", "int": "float(x[1])", "bool": "float(x[1])"}[element]
        formula = {"int": lambda a: int(a), "bool": lambda a: float(a > 0)}.get(element, lambda a: a)
        yield from exact(
            f"4.1.9/array_of_{element}",
            "float",
            f"{element} x[2]; x[1] = {literal}; x[0] = x[1]; result = {shown};",
            formula,
            "float a",
        )
    yield from exact(
        "4.1.9/global_array",
        "float",
        "k[0] = a; k[1] = 2.0; result = sum();",
        lambda a: a + 2,
        "float a",
        before="float k[2];\nfloat sum() { return k[0] + k[1]; }",
    )
    yield from exact(
        "4.1.9/uniform_array_of_vectors",
        "vec2",
        "u[0] + u[2] * a",
        lambda a: np.array([1.0, 2.0]) + np.array([5.0, 6.0]) * a,
        "float a",
        uniforms={"u": ("vec2[3]", [np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0])])},
    )
    yield from exact(
        "4.1.9/uniform_array_of_matrices",
        "vec2",
        "u[1] * a",
        lambda a: np.array([[1.0, 2.0], [0.0, 1.0]]) @ a,
        "vec2 a",
        uniforms={"u": ("mat2[2]", [np.eye(2), np.array([[1.0, 2.0], [0.0, 1.0]])])},
    )
    yield from exact(
        "4.1.9/uniform_array_of_ints",
        "int",
        "u[0] * u[1] + a",
        lambda a: a - 12,
        "int a",
        uniforms={"u": ("int[2]", [3, -4])},
    )
