"""Texture sampling against the formulas of the OpenGL ES 2.0 specification, a lane at a time in plain Python."""

from __future__ import annotations

import math
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import FILTERS, WRAPS, Texture

IMAGE = np.arange(4 * 8 * 4, dtype=np.float64).reshape(4, 8, 4) % 13.0
HALF, QUARTER = IMAGE[::2, ::2] + 100.0, IMAGE[::4, ::4] + 200.0
SMALLEST = IMAGE[:1, :1] + 300.0
PLACES = [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5), (0.4999, 0.26), (-0.3, 1.7), (2.6, -1.1), (-7.9, 5.05), (1e9 + 0.5, 0.1)]


def wrapped(texel: int, size: int, wrap: str) -> int:
    """Table of section 3.7.6: which texel stands for one outside of the image."""
    if wrap == "clamp":
        return min(max(texel, 0), size - 1)
    if wrap == "repeat":
        return texel % size
    period = texel % (2 * size)
    return period if period < size else 2 * size - 1 - period


def texel(image: Any, i: int, j: int, wraps: tuple[str, str]) -> list[float]:
    height, width, _ = image.shape
    value: list[float] = image[wrapped(j, height, wraps[1]), wrapped(i, width, wraps[0])].tolist()
    return value


def filtered(image: Any, s: float, t: float, filter: str, wraps: tuple[str, str]) -> list[float]:
    """Section 3.7.7, equations 3.24 to 3.27."""
    height, width, _ = image.shape
    u, v = s * width, t * height
    if filter == "nearest":
        return texel(image, math.floor(u), math.floor(v), wraps)
    i, j = math.floor(u - 0.5), math.floor(v - 0.5)
    a, b = u - 0.5 - i, v - 0.5 - j
    corners = [((1 - a) * (1 - b), i, j), (a * (1 - b), i + 1, j), ((1 - a) * b, i, j + 1), (a * b, i + 1, j + 1)]
    texels = [(weight, texel(image, x, y, wraps)) for weight, x, y in corners]
    return [sum(weight * value[c] for weight, value in texels) for c in range(4)]


def sampled(texture: Texture, *lanes: tuple[float, ...], levels: list[float] | None = None) -> list[list[float]]:
    coordinate = np.array(lanes, dtype=np.float64).T
    level = np.zeros(len(lanes)) if levels is None else np.array(levels)
    found: list[list[float]] = texture.sample(coordinate, level).T.tolist()
    return found


@pytest.mark.parametrize(("filter", "wrap_s", "wrap_t"), list(product(("nearest", "linear"), WRAPS, WRAPS)))
def test_filters_and_wraps(filter: str, wrap_s: str, wrap_t: str) -> None:
    random = Random(5)
    places = PLACES + [(random.uniform(-3, 3), random.uniform(-3, 3)) for _ in range(40)]
    found = sampled(Texture(IMAGE, filter, (wrap_s, wrap_t)), *places)
    for (s, t), got in zip(places, found, strict=True):
        assert got == pytest.approx(filtered(IMAGE, s, t, filter, (wrap_s, wrap_t)), abs=2e-6), (s, t)


def minified(level: float, s: float, t: float, filter: str) -> list[float]:
    """Section 3.7.7: which levels, and how much of each."""
    within, between = FILTERS[filter]
    images = [IMAGE, HALF, QUARTER, SMALLEST]
    if not between:
        return filtered(IMAGE, s, t, within, ("repeat", "repeat"))
    if between == "nearest":
        number = 0 if level <= 0.5 else min(math.ceil(level + 0.5) - 1, 3)
        return filtered(images[number], s, t, within, ("repeat", "repeat"))
    low = min(math.floor(level), 3)
    share = min(level, 3.0) - low
    two = [filtered(images[min(n, 3)], s, t, within, ("repeat", "repeat")) for n in (low, low + 1)]
    return [x * (1 - share) + y * share for x, y in zip(*two, strict=True)]


@pytest.mark.parametrize("filter", FILTERS)
def test_levels(filter: str) -> None:
    texture = Texture(IMAGE, (filter, "linear"), "repeat", [HALF, QUARTER, SMALLEST])
    assert texture.problem == ""
    levels = [-math.inf, -1.0, 0.0, 0.25, 0.5, 0.51, 1.0, 1.49, 1.5, 1.51, 2.75, 3.0, 9.0, math.inf]
    s, t = 0.3, 0.7
    found = sampled(texture, *[(s, t)] * len(levels), levels=levels)
    for level, got in zip(levels, found, strict=True):
        bounded = min(level, 1000.0)
        magnified = filtered(IMAGE, s, t, "linear", ("repeat", "repeat"))
        assert got == pytest.approx(magnified if level <= 0 else minified(bounded, s, t, filter)), level


def test_level_of_detail_is_that_of_the_longer_step_in_texels() -> None:
    texture = Texture(IMAGE)
    place = np.zeros((2, 3))
    step_x = np.array([[2 / 8, 0.0, 0.0], [0.0, 3 / 4, 0.0]])
    step_y = np.array([[0.0, 3 / 8, 0.0], [1 / 4, 0.0, 0.0]])
    with np.errstate(divide="ignore"):
        assert texture.level_of_detail(place, step_x, step_y).tolist() == [1.0, math.log2(3), -math.inf]


# --------------------------------------------------------------------------------------- cube maps
#: Table 3.21 of the specification, in the order of the faces: (sc, tc, |ma|) of a direction.
FACE_TABLE = [
    lambda x, y, z: (-z, -y, x),
    lambda x, y, z: (z, -y, -x),
    lambda x, y, z: (x, z, y),
    lambda x, y, z: (x, -z, -y),
    lambda x, y, z: (x, -y, z),
    lambda x, y, z: (-x, -y, -z),
]
CUBE = np.arange(6 * 4 * 4 * 4, dtype=np.float64).reshape(6, 4, 4, 4)


def on_cube(direction: tuple[float, float, float]) -> tuple[int, float, float]:
    axis = max(range(3), key=lambda k: abs(direction[k]))
    face = 2 * axis + (direction[axis] < 0)
    sc, tc, ma = FACE_TABLE[face](*direction)
    return face, (sc / ma + 1) / 2, (tc / ma + 1) / 2


@pytest.mark.parametrize("filter", ["nearest", "linear"])
def test_cube_map(filter: str) -> None:
    random = Random(11)
    directions = [(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(200)]
    found = sampled(Texture(CUBE, filter, "clamp"), *directions)
    seen = set()
    for direction, got in zip(directions, found, strict=True):
        face, s, t = on_cube(direction)
        seen.add(face)
        assert got == pytest.approx(filtered(CUBE[face], s, t, filter, ("clamp", "clamp"))), direction
    assert seen == set(range(6))


def test_level_of_detail_of_a_cube_map_is_that_on_its_face() -> None:
    """The analytic step on the face against the difference of two places that are close together."""
    texture, small = Texture(CUBE), 1e-6
    for direction in [(2.0, 0.5, -0.3), (-0.1, -0.9, 0.4), (0.2, -0.1, -3.0), (0.3, 1.5, 1.2)]:
        step = (0.7 * small, -0.2 * small, 0.4 * small)
        face, s, t = on_cube(direction)
        moved_face, moved_s, moved_t = on_cube(tuple(d + e for d, e in zip(direction, step, strict=True)))  # type: ignore[arg-type]
        assert face == moved_face
        wanted = math.log2(math.hypot((moved_s - s) * 4, (moved_t - t) * 4))
        columns = [np.array([vector]).T for vector in (direction, step, (0.0, 0.0, 0.0))]
        assert texture.level_of_detail(*columns)[0] == pytest.approx(wanted, abs=1e-4)


# ------------------------------------------------------------------------------------ construction
def test_channels_and_integer_texels() -> None:
    image = np.array([[[51, 102]]], dtype=np.uint8)
    assert sampled(Texture(image), (0.5, 0.5)) == [[0.2, 0.2, 0.2, 0.4]]
    assert sampled(Texture(image[:, :, 0]), (0.5, 0.5)) == [[0.2, 0.2, 0.2, 1.0]]
    assert sampled(Texture(np.array([[[0.5, 2.0, -1.0]]])), (0.5, 0.5)) == [[0.5, 2.0, -1.0, 1.0]]


def test_averaged_mipmaps() -> None:
    texture = Texture(IMAGE, "linear_mipmap_linear", mips=True)
    assert [level.shape for level in texture.levels] == [(1, 4, 8, 4), (1, 2, 4, 4), (1, 1, 2, 4), (1, 1, 1, 4)]
    assert texture.levels[1][0, 1, 2].tolist() == IMAGE[2:4, 4:6].mean(axis=(0, 1)).tolist()
    assert texture.levels[3][0, 0, 0].tolist() == pytest.approx(IMAGE.mean(axis=(0, 1)).tolist())
    assert texture.problem == ""


def test_what_makes_a_texture_incomplete() -> None:
    assert Texture(IMAGE, "nearest_mipmap_linear", mips=[HALF, HALF]).problem == "mipmap level 2 must be 2x1 texels"
    assert Texture(IMAGE, "nearest_mipmap_linear", mips=[HALF]).problem == (
        "filter nearest_mipmap_linear needs mipmap level 2, which is missing"
    )
    assert Texture(np.zeros((6, 2, 4, 3))).problem == "the faces of a cube map must be square, found 4x2"
    assert Texture(np.zeros((3, 5, 3))).problem == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros((2, 2, 5)),), "a texture is"),
        ((np.zeros((2, 2, 2, 3)),), "a texture is"),
        ((np.zeros((0, 2, 3)),), "a texture is"),
        ((np.zeros((2, 2), dtype=np.int32),), "texels must be unsigned integers or floats, found int32"),
        ((IMAGE, "cubic"), "unknown filter 'cubic'"),
        ((IMAGE, ("nearest", "linear_mipmap_linear")), "unknown magnification filter 'linear_mipmap_linear'"),
        ((IMAGE, "nearest", "border"), "unknown wrap 'border'"),
    ],
)
def test_wrong_arguments(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Texture(*arguments)


def test_coordinates_that_are_no_numbers_give_some_texel() -> None:
    for place in [(math.nan, 0.5), (math.inf, -math.inf), (1e38, -1e38)]:
        with np.errstate(all="ignore"):
            assert len(sampled(Texture(IMAGE, "linear"), place)[0]) == 4
            assert len(sampled(Texture(CUBE, "linear"), (*place, 0.0))[0]) == 4
