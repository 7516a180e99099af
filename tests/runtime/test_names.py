"""Values under GLSL names: every form in which they are written, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.ir.declarations import Declaration, Member
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, SAMPLER_2D, SAMPLER_CUBE, VEC2, VEC3
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.runtime.names import Names, bind, bind_textures, name_results, split_name

UNIFORMS = (
    Variable("f", "uniform", FLOAT),
    Variable("flag", "uniform", BOOL),
    Variable("v", "uniform", VEC3),
    Variable("m", "uniform", VEC3, columns=2),
    Variable("a", "uniform", FLOAT, dims=(3,)),
    Variable("s.k", "uniform", INT),
    Variable("l[].p", "uniform", VEC2, dims=(2,)),
    Variable("l[].w", "uniform", FLOAT, dims=(2, 3)),
    Variable("mm", "uniform", VEC2, columns=2, dims=(2,)),
)
DECLARED = (Declaration("l", "uniform", "L[2]", (Member("", "L[2]"), Member("[]", "L"), Member("[].unused", "float"))),)


def uniforms(values: dict[str, Any], fill: bool = False) -> dict[str, Any]:
    bound = bind(Names("uniform", UNIFORMS, DECLARED), values, lanes=None, fill=fill)
    return {name: value.tolist() for name, value in bound.items()}


def error_of(values: dict[str, Any], **options: Any) -> str:
    with pytest.raises(CompileError) as caught:
        uniforms(values, **options)
    (diagnostic,) = caught.value.diagnostics
    return f"{diagnostic.message} [{diagnostic.code}]" + (f" {diagnostic.help}" if diagnostic.help else "")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"f": 2}, {"f": 2.0}),
        ({"f": [2.5]}, {"f": 2.5}),
        ({"flag": True}, {"flag": 1.0}),
        ({"v": (1, 2, 3)}, {"v": [1.0, 2.0, 3.0]}),
        ({"m": [1, 2, 3, 4, 5, 6]}, {"m": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}),
        ({"m": np.array([[1, 4], [2, 5], [3, 6]])}, {"m": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}),
        ({"a": [1, 2, 3]}, {"a": [1.0, 2.0, 3.0]}),
        ({"a[2]": 3, "a[0]": 1, "a[1]": 2}, {"a": [1.0, 2.0, 3.0]}),
        ({"s.k": 7}, {"s.k": 7.0}),
        ({"s": {"k": 7}}, {"s.k": 7.0}),
        ({"l[0].p": [1, 2], "l[1].p": [3, 4]}, {"l[].p": [[1.0, 2.0], [3.0, 4.0]]}),
        ({"l": [{"p": [1, 2]}, {"p": [3, 4]}]}, {"l[].p": [[1.0, 2.0], [3.0, 4.0]]}),
        ({"l[1].w": [4, 5, 6], "l[0].w[0]": 1, "l[0].w[1]": 2, "l[0].w[2]": 3}, {"l[].w": [1.0, 2, 3, 4, 5, 6]}),
        ({"mm": [[1, 2, 3, 4], [5, 6, 7, 8]]}, {"mm": [[[1.0, 2], [3, 4]], [[5, 6], [7, 8]]]}),
        ({"mm": [1, 2, 3, 4, 5, 6, 7, 8]}, {"mm": [[[1.0, 2], [3, 4]], [[5, 6], [7, 8]]]}),
        ({"mm[1]": [[1, 2], [3, 4]], "mm[0]": [0, 0, 0, 0]}, {"mm": [[[0.0, 0], [0, 0]], [[1, 3], [2, 4]]]}),
        ({"l[0].unused": 1, "l[1].unused": 2}, {}),
    ],
)
def test_ways_to_write_a_uniform(values: dict[str, Any], expected: dict[str, Any]) -> None:
    assert uniforms(values) == expected


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"ff": 1}, "the shader has no uniform 'ff' [E0650] did you mean 'f'?"),
        (
            {"f[0]": 1},
            "the shader has no uniform 'f[0]' [E0650] known names: f, flag, v, m, a, s.k, l[].p, l[].w, mm",
        ),
        ({"l[0].q": 1}, "the shader has no uniform 'l[0].q' [E0650] did you mean 'l[].p'?"),
        ({"v": [1, 2]}, "uniform 'v' must have shape (3,), found (2,) [E0652]"),
        ({"v": [[1], [2, 3]]}, "uniform 'v' must have shape (3,), found something else than numbers [E0652]"),
        ({"v": "red"}, "uniform 'v' must have shape (3,), found something else than numbers [E0652]"),
        ({"v": None}, "uniform 'v' must have shape (3,), found something else than numbers [E0652]"),
        ({"m": [1, 2]}, "uniform 'm' must have shape (3, 2), found (2,) [E0652]"),
        ({"m": np.zeros((2, 3))}, "uniform 'm' must have shape (3, 2), found (2, 3) [E0652]"),
        ({"a": 1}, "uniform 'a' must have shape (3,), found () [E0652]"),
        ({"a": [1, 2]}, "uniform 'a' must have shape (3,), found (2,) [E0652]"),
        ({"a[3]": 1}, "'a[3]' does not exist: the array has 3 elements [E0658]"),
        ({"a[1]": 1}, "uniform 'a' was given values for some of its elements only [E0659]"),
    ],
)
def test_refused_values(values: dict[str, Any], message: str) -> None:
    assert error_of(values) == message


def test_an_absurd_index_is_an_unknown_name() -> None:
    assert error_of({f"a[{'9' * 5000}]": 1}).startswith("the shader has no uniform 'a[999")


def test_filling_up_with_zeros() -> None:
    filled = uniforms({"a": [5], "l[1].p": [1, 2]}, fill=True)
    assert filled["a"] == [5.0, 0.0, 0.0]
    assert filled["l[].p"] == [[0.0, 0.0], [1.0, 2.0]]
    assert filled["v"] == [0.0, 0.0, 0.0]
    assert error_of({"a": [1, 2, 3, 4]}, fill=True) == "uniform 'a' must have shape (3,), found (4,) [E0652]"


def test_inputs_have_their_lanes_first() -> None:
    variables = (
        Variable("v", "varying", VEC2),
        Variable("m", "varying", VEC2, columns=2),
        Variable("x", "varying", FLOAT),
    )
    values = {"v": [[1, 2], [3, 4], [5, 6]], "m": [[1, 2, 3, 4]] * 3, "x": [1, 2, 3]}
    bound = bind(Names("input", variables), values, lanes=3)
    assert bound["v"].tolist() == values["v"] and bound["x"].tolist() == [1, 2, 3]
    assert bound["m"][2].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(CompileError, match=r"input 'x' must have shape \(2,\), found \(3,\)"):
        bind(Names("input", variables), values | {"v": [[0, 0]] * 2, "m": [[0] * 4] * 2}, lanes=2)


def test_textures() -> None:
    black, white = (Texture(np.full((1, 1, 4), value)) for value in (0.0, 1.0))
    names = Names(
        "sampler", (Variable("one", "sampler", SAMPLER_2D), Variable("two", "sampler", SAMPLER_2D, dims=(2,)))
    )

    def bound(textures: dict[str, Any]) -> dict[str, Sequence[Texture]]:
        return {name: list(found) for name, found in bind_textures(names, textures).items()}

    assert bound({"one": white}) == {"one": [white]}
    assert bound({"two": [black, white]}) == bound({"two[1]": white, "two[0]": black}) == {"two": [black, white]}
    for textures, message in (
        ({"two[0]": white}, "sampler 'two' was given values for some of its elements only"),
        ({"two[1]": [white, white]}, r"'two\[1\]' does not exist: the array has 2 elements"),
        ({"one": np.zeros((1, 1))}, "it is not a Texture or a list of them"),
        ({"three": white}, "the shader has no sampler 'three'"),
    ):
        with pytest.raises(CompileError, match=message):
            bound(textures)


def test_missing_textures_can_be_black() -> None:
    names = Names("sampler", (Variable("c", "sampler", SAMPLER_CUBE), Variable("d", "sampler", SAMPLER_2D, dims=(2,))))
    bound = bind_textures(names, {}, fill=True)
    assert bound["c"][0].is_cube and len(bound["d"]) == 2
    assert bound["d"][0].sample(np.zeros((2, 1)), np.zeros(1)).ravel().tolist() == [0, 0, 0, 1]


def test_results_show_matrices_by_rows() -> None:
    matrix = Variable("m", "varying", VEC3, columns=2)
    shown = name_results([matrix], {"m": np.array([[[1, 2, 3], [4, 5, 6]]])})
    assert shown["m"].tolist() == [[[1, 4], [2, 5], [3, 6]]]


@pytest.mark.parametrize(
    ("name", "leaf", "indices"),
    [("u", "u", ()), ("u[2]", "u", (2,)), ("l[1].w[20]", "l[].w", (1, 20)), ("s.t[3].k", "s.t[].k", (3,))],
)
def test_split_name(name: str, leaf: str, indices: tuple[int, ...]) -> None:
    assert split_name(name) == (leaf, indices)
