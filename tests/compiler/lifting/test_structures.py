"""Structures are found again in the names of their members."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import FLOAT, VEC3
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lifting.structures import declare_structures


def declared(**lengths: int | None) -> tuple[dict[str, list[tuple[str, str]]], dict[str, tuple[int, ...]]]:
    """The declarations that names and numbers of elements amount to, and how long the arrays of each variable are."""
    module = Module("vertex")
    for name, length in lengths.items():
        name = name.replace("__", "[]").replace("_dot_", ".")
        dims = () if length is None else (length,)
        module.add_variable(Variable(name, "uniform", VEC3 if name.endswith("pos") else FLOAT, dims=dims))
    declare_structures(module)
    shapes = {each.name: list(each.shape) for each in module.declarations}
    return shapes, {variable.name: variable.dims for variable in module.variables.values()}


def test_a_structure() -> None:
    shapes, dims = declared(u_lamp_dot_pos=None, u_lamp_dot_reach=None, other=None)
    assert shapes == {"u_lamp": [("", "Lamp"), (".pos", "vec3"), (".reach", "float")]}
    assert set(dims.values()) == {()}


def test_an_array_of_structures_with_an_array() -> None:
    """Three elements for each of four are the member's own."""
    shapes, dims = declared(lights___dot_pos=4, lights___dot_weights=12)
    members = [("[].pos", "vec3"), ("[].weights", "float[3]"), ("[].weights[]", "float")]
    assert shapes == {"lights": [("", "Lights[4]"), ("[]", "Lights"), *members]}
    assert dims == {"lights[].pos": (4,), "lights[].weights": (4, 3)}


def test_arrays_in_one_another() -> None:
    shapes, dims = declared(a___dot_b___dot_pos=6, a___dot_size=2)
    assert [type for path, type in shapes["a"] if path in ("", "[].b", "[].size")] == [
        "Structure[2]",
        "Structure_[3]",
        "float",
    ]
    assert dims == {"a[].b[].pos": (2, 3), "a[].size": (2,)}


@pytest.mark.parametrize("name", ["gl_DepthRange_dot_near", "plain"])
def test_what_is_none(name: str) -> None:
    assert declared(**{name: None})[0] == {}


def test_types_have_names_of_their_own() -> None:
    shapes, _ = declared(Lamp=None, u_lamp_dot_reach=None, a_lamp_dot_reach=None)
    types = [members[0][1] for members in shapes.values()]
    assert len({*types, "Lamp"}) == 3
