"""What code asks of textures: sizes as uniforms, one row of 1D ones, and the state that it takes for granted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.evaluation_error import EvaluationError
from glslc_multi.compiler.artifact import Binding, Reflection
from glslc_multi.runtime.texture_sizes import as_held, check_demands, texture_sizes
from glslc_multi.runtime.textures import Texture

_FLAT = np.zeros((3, 5, 4), np.uint8)
_LINE = np.zeros((7, 4), np.uint8)


def test_sizes_are_uniforms_by_name() -> None:
    """Width, then height; of an array of samplers one row for each."""
    found = texture_sizes({"u_map": [Texture(_FLAT)], "u_list": [Texture(_FLAT), Texture(np.zeros((2, 9, 4)))]})
    assert {name: value.tolist() for name, value in found.items()} == {
        "textureSize(u_map, 0)": [[5, 3]],
        "textureSize(u_list, 0)": [[5, 3], [9, 2]],
    }


@pytest.mark.parametrize(
    ("sampler", "texture", "wanted"),
    [
        ("sampler1D", Texture(_LINE, kind="1d"), ("2d", "")),
        ("sampler2D", Texture(_FLAT), ("2d", "")),
        ("samplerCube", Texture(np.zeros((6, 2, 2, 4))), ("cube", "")),
        ("sampler2D", Texture(_FLAT, compare="less"), ("2d", "less")),
        # What the code compares, the texture does not.
        ("sampler2DShadow", Texture(_FLAT, compare="less"), ("2d", "")),
        ("sampler1DShadow", Texture(_LINE, kind="1d", compare="less"), ("2d", "")),
        ("sampler1D", Texture(_LINE, kind="1d", compare="less"), ("2d", "less")),
    ],
)
def test_machines_have_textures_of_their_own(sampler: str, texture: Texture, wanted: tuple[str, str]) -> None:
    before = texture.kind, texture.compare
    held = as_held(texture, sampler)
    assert (held.kind, held.compare) == wanted
    assert (texture.kind, texture.compare) == before, "what the caller has given is not changed"
    assert (held is texture) == (before == wanted)


def _reflection(state: Mapping[str, bool | int | str] | None) -> Reflection:
    samplers = tuple(Binding(name, "sampler2D", None, ()) for name in ("u_map", "u_other"))
    return Reflection("adreno", "fragment", samplers=samplers, host_state=state)


#: What is asked of u_map's state, the texture -> what it lacks and the function that wants it; "" where it has all.
_DEMANDS: list[tuple[dict[str, bool | int | str], dict[str, Any], str, str]] = [
    ({}, {"filter": "linear_mipmap_linear", "mips": True}, "", ""),
    ({"u_map.filter": "nearest"}, {"filter": "nearest"}, "", ""),
    ({"u_map.filter": "nearest"}, {"filter": "linear"}, "the filter nearest", "texelFetch"),
    ({"u_map.filter": "nearest"}, {"filter": ("nearest", "linear")}, "the filter nearest", "texelFetch"),
    ({"u_map.filter": "nearest"}, {"filter": ("linear", "nearest")}, "the filter nearest", "texelFetch"),
    (
        {"u_map.filter": "nearest"},
        {"filter": ("nearest_mipmap_linear", "nearest"), "mips": True},
        "the filter nearest",
        "texelFetch",
    ),
    ({"u_map.filter": "nearest"}, {"filter": ("nearest_mipmap_nearest", "nearest"), "mips": True}, "", ""),
    (
        {"u_map.filter": "nearest", "u_map.compare": "less"},
        {"filter": "linear", "compare": "less"},
        "the filter nearest",
        "sampler2D",
    ),
    ({"u_map.mipmaps": False}, {"filter": "linear"}, "", ""),
    ({"u_map.mipmaps": False}, {"filter": "linear_mipmap_nearest", "mips": True}, "no mipmaps", "textureOffset"),
    ({"u_map.compare": "less"}, {"compare": "less"}, "", ""),
    ({"u_map.compare": "less"}, {"compare": "lequal"}, "the comparison less", "sampler2D"),
    ({"u_map.compare": "less"}, {}, "the comparison less", "sampler2D"),
    ({"u_other.filter": "nearest"}, {"filter": "linear"}, "", ""),
]


@pytest.mark.parametrize(("state", "texture", "wanted", "function"), _DEMANDS)
def test_textures_have_the_state_that_the_code_asks_for(
    state: dict[str, bool | int | str], texture: dict[str, Any], wanted: str, function: str
) -> None:
    given = {"u_map": [Texture(_FLAT, **texture)]}
    if not wanted:
        check_demands(_reflection(state), given)
        return
    message = f"'u_map' must have {wanted}, or the code for adreno is not what '{function}' means"
    with pytest.raises(EvaluationError, match=message):
        check_demands(_reflection(state), given)


def test_every_element_has_the_state() -> None:
    textures = [Texture(_FLAT), Texture(_FLAT, "linear")]
    with pytest.raises(EvaluationError, match="the filter nearest"):
        check_demands(_reflection({"u_map.filter": "nearest"}), {"u_map": textures})


def test_no_state_asks_for_nothing() -> None:
    check_demands(_reflection(None), {"u_map": [Texture(_FLAT, "linear", mips=True)]})
