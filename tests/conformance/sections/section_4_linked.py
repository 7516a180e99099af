"""Sections 4.3.4, 4.3.5 and 4.6 over two stages: what the vertex shader writes is what the fragment shader reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.conformance.define.pair_case import PairCase
from tests.conformance.define.types import generic


def cases() -> Iterator[PairCase]:
    for type_ in generic("float"):
        size = 1 if type_ == "float" else int(type_[-1])
        zeros = ", 0.0" * (4 - size)
        yield _pair(
            f"4.3.5/varying_{type_}",
            f"{type_} a",
            f"varying {type_} v;",
            "v = a * 2.0;",
            f"vec4 seen = vec4(v{zeros});",
            lambda a: 2 * a,
        )
    yield _pair(
        "4.3.5/varying_mat2",
        "mat2 a",
        "varying mat2 v;",
        "v = a;",
        "vec4 seen = vec4(v[0], v[1]);",
        lambda a: a.T.reshape(-1),
    )
    yield _pair(
        "4.3.5/varying_mat3",
        "mat3 a",
        "varying mat3 v;",
        "v = a;",
        "vec4 seen = vec4(v * vec3(1.0, 2.0, 3.0), 0.0);",
        lambda a: a @ np.array([1, 2, 3]),
    )
    yield _pair("4.3.5/varying_mat4", "mat4 a", "varying mat4 v;", "v = a;", "vec4 seen = v[2];", lambda a: a[:, 2])
    yield _pair(
        "4.3.5/varying_array",
        "vec4 a",
        "varying float v[4];",
        "for (int i = 0; i < 4; i++) v[i] = a[i] * float(i);",
        "vec4 seen = vec4(v[0], v[1], v[2], v[3]);",
        lambda a: a * np.arange(4),
    )
    yield _pair(
        "4.3.5/varying_array_of_vectors",
        "vec4 a",
        "varying vec2 v[2];",
        "v[0] = a.xy; v[1] = a.wz;",
        "vec4 seen = vec4(v[1], v[0]);",
        lambda a: a[[3, 2, 0, 1]],
    )
    yield _pair(
        "4.3.5/many_varyings",
        "vec4 a",
        "varying vec4 p, q; varying vec3 r; varying vec2 s; varying float t;",
        "p = a; q = a * 2.0; r = a.xyz; s = a.xy; t = a.w;",
        "vec4 seen = p + q + vec4(r, t) + vec4(s, s);",
        lambda a: 4 * a + a[[0, 1, 0, 1]],
    )
    yield _pair(
        "4.3.5/written_by_components",
        "vec4 a",
        "varying vec4 v;",
        "v.x = a.y; v.yzw = a.xzw; v.w += 1.0;",
        "vec4 seen = v;",
        lambda a: a[[1, 0, 2, 3]] + np.array([0, 0, 0, 1]),
    )
    yield _pair(
        "4.3.5/written_in_branches",
        "vec4 a",
        "varying vec4 v;",
        "if (a.x > 0.0) v = a; else v = -a;",
        "vec4 seen = v;",
        lambda a: a if a[0] > 0 else -a,
    )
    yield _pair(
        "4.3.5/written_in_function",
        "vec4 a",
        "varying vec4 v;\nvoid put(vec4 x) { v = x * 0.5; }",
        "put(a);",
        "vec4 seen = v;",
        lambda a: a / 2,
        "varying vec4 v;",
    )
    yield _pair(
        "4.3.5/unread_by_fragment",
        "vec4 a",
        "varying vec4 v; varying vec4 unread;",
        "v = a; unread = a * 3.0;",
        "vec4 seen = v;",
        lambda a: a,
        "varying vec4 v;",
    )
    yield _pair(
        "4.3.5/declared_but_unread",
        "vec4 a",
        "varying vec4 v;",
        "v = a;",
        "vec4 seen = v;",
        lambda a: a,
        "varying vec4 v; varying vec3 never;",
    )
    yield _pair(
        "4.3.5/different_order",
        "vec4 a",
        "varying vec2 p; varying vec2 q;",
        "p = a.xy; q = a.zw;",
        "vec4 seen = vec4(q, p);",
        lambda a: a[[2, 3, 0, 1]],
        "varying vec2 q; varying vec2 p;",
    )
    yield _pair(
        "4.3.5/precisions_may_differ",
        "vec4 a",
        "varying highp vec4 v;",
        "v = a;",
        "vec4 seen = v;",
        lambda a: a,
        "varying mediump vec4 v;",
    )
    yield _pair("4.6/invariant_varying", "vec4 a", "invariant varying vec4 v;", "v = a;", "vec4 seen = v;", lambda a: a)
    yield _pair(
        "4.6/invariant_redeclared", "vec4 a", "varying vec4 v; invariant v;", "v = a;", "vec4 seen = v;", lambda a: a
    )
    yield _pair(
        "4.3.4/uniform_of_both_stages",
        "vec4 a",
        "uniform highp vec4 u; varying vec4 v;",
        "v = a * u;",
        "vec4 seen = v + u;",
        lambda a: a * _U + _U,
        uniforms={"u": ("vec4", _U)},
    )
    yield _pair(
        "4.3.4/uniform_of_one_stage",
        "vec4 a",
        "uniform highp vec4 u; varying vec4 v;",
        "v = a * u;",
        "vec4 seen = v;",
        lambda a: a * _U,
        "varying vec4 v;",
        uniforms={"u": ("vec4", _U)},
    )


_U = np.array([1.0, -2.0, 0.5, 4.0])


def _pair(
    name: str, inputs: str, shared: str, vertex: str, fragment: str, formula: Any, other: str = "", **more: Any
) -> PairCase:
    """A pair whose stages share their declarations, unless the fragment stage has `other` ones."""
    return PairCase(
        name, inputs, shared, vertex, other or shared, fragment, lambda **values: _filled(formula(**values)), **more
    )


def _filled(answer: Any) -> Any:
    flat = np.atleast_1d(np.asarray(answer, dtype=float))
    return np.concatenate([flat, np.zeros(4 - len(flat))])
