"""Values of the scene that a run is given: the code of a shader computes them again from the rows made of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array

LANES = 5
#: Units in the last of the 17 digits behind the point.
STEP = 2.0**-17


def drawn(seed: int, width: int) -> Array:
    """Multiples of 1/8 of both signs."""
    return np.random.default_rng(seed).integers(-40, 40, (LANES, width)) / 8


def seen(names: Sequence[str], colour: str, values: dict[str, Array]) -> Array:
    """The first components of a colour of scene values."""
    declared = "".join(f"varying {name};" for name in names)
    text = f"precision highp float; {declared} void main() {{ gl_FragColor = vec4({colour}); }}"
    shader = glslc_multi.compile(text, target="theia", stage="fragment", options={"output": "raw"})
    found: Array = shader.run(values)["gl_FragColor"]
    return found


@pytest.mark.parametrize(
    ("name", "width"),
    [
        *(("RayDirection", 3), ("CameraPosition", 3), ("HitPosition", 3), ("Diffuse", 3), ("TextureColor", 3)),
        *(("LightPosition", 3), ("LightDiffuse", 3)),
        *(("Barycentric", 2), ("TexCoord", 2), ("Resolution", 2), ("HitDistance", 1)),
    ],
)
def test_each_value_alone_is_seen_as_it_was_given(name: str, width: int) -> None:
    type_ = "float" if width == 1 else f"vec{width}"
    given = drawn(width, width)
    zeros = ", 0.0" * (4 - width)
    found = seen([f"{type_} theia_{name}"], f"theia_{name}{zeros}", {f"theia_{name}": given.squeeze()})
    np.testing.assert_allclose(found[:, :width], given, atol=4 * STEP)


def test_normals_have_the_direction_that_was_given() -> None:
    given = drawn(3, 3)
    found = seen(["vec3 theia_Normal"], "theia_Normal, 0.0", {"theia_Normal": given})[:, :3]
    np.testing.assert_allclose(found, given / np.linalg.norm(given, axis=1, keepdims=True), atol=1e-3)


def test_hits_and_misses() -> None:
    given = np.array([1.0, 0.0, 1.0, 1.0, 0.0])
    assert seen(["float theia_Hit"], "theia_Hit", {"theia_Hit": given})[:, 0].tolist() == given.tolist()


def test_the_place_of_a_pixel_is_its_middle() -> None:
    places = drawn(4, 4)
    found = seen([], "gl_FragCoord.xy, 0.0, 0.0", {"gl_FragCoord": places})
    np.testing.assert_allclose(found[:, :2], places[:, :2], atol=STEP)


def test_a_side_is_the_one_that_was_given() -> None:
    sides = np.array([True, False, True, True, False])
    found = seen([], "gl_FrontFacing ? 1.0 : 0.0", {"gl_FrontFacing": sides})
    assert found[:, 0].tolist() == sides.tolist()


def test_a_hit_lies_on_the_ray_that_is_given_with_it() -> None:
    ray, distance, place = drawn(5, 3), drawn(6, 1), drawn(7, 3)
    found = seen(
        ["vec3 theia_RayDirection", "float theia_HitDistance", "vec3 theia_HitPosition"],
        "theia_HitPosition + theia_RayDirection * 0.5 + theia_HitDistance, 0.0",
        {"theia_RayDirection": ray, "theia_HitDistance": distance[:, 0], "theia_HitPosition": place},
    )
    np.testing.assert_allclose(found[:, :3], place + ray / 2 + distance, atol=8 * STEP)
