"""Textures of newer GLSL against the formulas of the OpenGL ES 3.0 specification, a lane at a time in plain Python."""

from __future__ import annotations

import math
import operator
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import COMPARES, WRAPS, Texture

DEEP = np.arange(4 * 3 * 5 * 4, dtype=np.float64).reshape(4, 3, 5, 4) % 17.0
WRAPPED = {
    "clamp": lambda i, size: min(max(i, 0), size - 1),
    "repeat": lambda i, size: i % size,
    "mirror": lambda i, size: i % size if (i // size) % 2 == 0 else size - 1 - i % size,
}


def texel(image: Any, numbers: list[int], wraps: tuple[str, ...]) -> Any:
    """The texel of the numbers (i, j, k), each wrapped by the size of its axis."""
    sizes = image.shape[:-1][::-1]
    inside = [WRAPPED[wrap](i, size) for i, size, wrap in zip(numbers, sizes, wraps, strict=True)]
    return image[tuple(reversed(inside))]


def filtered(
    image: Any,
    place: list[float],
    filter: str,
    wraps: tuple[str, ...],
    offset: tuple[int, ...],
    convert: Any = lambda x: x,
) -> Any:
    """Section 3.8.10: nearest, or the weighted mean of the 2 to the k texels around; `convert` may make verdicts."""
    sizes = image.shape[:-1][::-1]
    texels = [p * size for p, size in zip(place, sizes, strict=True)]
    if filter == "nearest":
        numbers = [math.floor(u) + moved for u, moved in zip(texels, offset, strict=True)]
        return convert(texel(image, numbers, wraps))
    total = 0.0
    lower = [math.floor(u - 0.5) for u in texels]
    for corner in product((0, 1), repeat=len(texels)):
        weight = math.prod(
            (u - 0.5 - i) if up else 1.0 - (u - 0.5 - i) for u, i, up in zip(texels, lower, corner, strict=True)
        )
        numbers = [i + up + moved for i, up, moved in zip(lower, corner, offset, strict=True)]
        total = total + weight * convert(texel(image, numbers, wraps))
    return total


def places(width: int, seed: int) -> list[list[float]]:
    random = Random(seed)
    return [[random.uniform(-2.5, 3.0) for _ in range(width)] for _ in range(60)] + [[0.0] * width, [1.0] * width]


def sampled(texture: Texture, lanes: list[list[float]], **more: Any) -> Any:
    coordinate = np.array(lanes, dtype=np.float64).T
    return texture.sample(coordinate, np.zeros(len(lanes)), **more).T


@pytest.mark.parametrize(("filter", "wraps"), list(product(("nearest", "linear"), product(WRAPS, repeat=3))))
def test_3d(filter: str, wraps: tuple[str, ...]) -> None:
    texture, lanes = Texture(DEEP, filter, wraps, kind="3d"), places(3, 1)
    for offset in ((0, 0, 0), (-8, 7, 3)):
        wanted = [filtered(DEEP, place, filter, wraps, offset) for place in lanes]
        assert sampled(texture, lanes, offset=offset) == pytest.approx(np.array(wanted), abs=1e-12)


@pytest.mark.parametrize(("filter", "wrap"), list(product(("nearest", "linear"), WRAPS)))
def test_1d_and_2d_with_offsets(filter: str, wrap: str) -> None:
    row, plane = DEEP[0, 0], DEEP[1]
    lanes = places(1, 2)
    wanted = [filtered(row, place, filter, (wrap,), (-3,)) for place in lanes]
    found = sampled(Texture(row, filter, wrap, kind="1d"), lanes, offset=(-3,))
    assert found == pytest.approx(np.array(wanted), abs=1e-12)
    lanes = places(2, 3)
    wanted = [filtered(plane, place, filter, (wrap, "clamp"), (6, -2)) for place in lanes]
    found = sampled(Texture(plane, filter, (wrap, "clamp")), lanes, offset=(6, -2))
    assert found == pytest.approx(np.array(wanted), abs=1e-12)


@pytest.mark.parametrize("filter", ["nearest", "linear"])
def test_layers_are_chosen_not_filtered(filter: str) -> None:
    """Section 3.8.9.2: layer clamp(floor(layer + 0.5), 0, count - 1)."""
    layers = {-3.0: 0, 0.49: 0, 0.5: 1, 1.49: 1, 2.0: 2, 2.5: 3, 3.49: 3, 3.5: 3, 90.0: 3}
    texture = Texture(DEEP, filter, "clamp", kind="2d_array")
    rows = Texture(DEEP[:, 0], filter, "clamp", kind="1d_array")
    for (layer, number), (s, t) in product(layers.items(), places(2, 4)[:8]):
        wanted = filtered(DEEP[number], [s, t], filter, ("clamp", "clamp"), (0, 0))
        assert sampled(texture, [[s, t, layer]])[0] == pytest.approx(wanted, abs=1e-12)
        wanted = filtered(DEEP[number, 0], [s], filter, ("clamp",), (0,))
        assert sampled(rows, [[s, layer]])[0] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("filter", ["nearest", "linear"])
def test_rectangles_count_texels(filter: str) -> None:
    image = DEEP[2]
    texture = Texture(image, filter, "clamp", kind="rect")
    lanes = [[x / 4, y / 4] for x in range(-9, 40) for y in range(-9, 30, 5)]
    wanted = [filtered(image, [x / 5, y / 3], filter, ("clamp", "clamp"), (0, 0)) for x, y in lanes]
    assert sampled(texture, lanes) == pytest.approx(np.array(wanted), abs=1e-9)


_OPERATORS = {
    "never": lambda depth, texel: False,
    "always": lambda depth, texel: True,
    "less": operator.lt,
    "lequal": operator.le,
    "greater": operator.gt,
    "gequal": operator.ge,
    "equal": operator.eq,
    "notequal": operator.ne,
}


@pytest.mark.parametrize(("compare", "filter"), list(product(COMPARES, ("nearest", "linear"))))
def test_depths_are_compared_before_they_are_filtered(compare: str, filter: str) -> None:
    image = np.arange(15, dtype=np.float64).reshape(3, 5, 1) / 15
    texture = Texture(image, filter, "repeat", compare=compare)
    lanes = places(2, 6)
    references = [Random(number).choice([0.2, 0.5, 1 / 15 * 4, 2.0, -1.0]) for number in range(len(lanes))]
    found = sampled(texture, lanes, reference=np.array(references))
    for place, reference, verdict in zip(lanes, references, found, strict=True):
        holds = lambda texel, depth=reference: float(_OPERATORS[compare](depth, texel[0]))  # noqa: E731
        wanted = filtered(image, place, filter, ("repeat", "repeat"), (0, 0), holds)
        assert verdict == pytest.approx([wanted, 0.0, 0.0, 1.0], abs=1e-12)


def test_depths_to_compare_with_are_limited_where_texels_are_fractions() -> None:
    """Section 3.8.16.1: 2 compares as 1 does, if the depths of the texture are fixed-point numbers."""
    for dtype, verdict in ((np.uint8, 1.0), (np.float32, 0.0)):
        texture = Texture(np.ones((1, 1), dtype) * np.array(255 if dtype is np.uint8 else 1, dtype), compare="lequal")
        assert sampled(texture, [[0.5, 0.5]], reference=np.array([2.0]))[0, 0] == verdict


@pytest.mark.parametrize(("texels", "dtype"), [("int", np.int32), ("uint", np.uint32), ("int", np.int8)])
def test_integers_are_exact(texels: Any, dtype: type[np.integer[Any]]) -> None:
    limits = np.iinfo(dtype)
    image = np.random.default_rng(3).integers(limits.min, limits.max, (4, 4, 3), dtype, endpoint=True)
    image[0, 0] = limits.max, limits.min, limits.max - 1
    texture = Texture(image, texels=texels)
    lanes = [[(i + 0.5) / 4, (j + 0.5) / 4] for j in range(4) for i in range(4)]
    found = sampled(texture, lanes).reshape(4, 4, 4)
    assert (found[..., :3].astype(np.int64) == image).all() and (found[..., 3] == 1).all()


def test_integers_are_not_filtered() -> None:
    assert "cannot be filtered" in Texture(np.zeros((2, 2), np.int32), "linear", texels="int").problem
    with pytest.raises(ValueError, match="not averaged"):
        Texture(np.zeros((2, 2), np.int32), texels="int", mips=True)
    with pytest.raises(ValueError, match="must be that of 8, 16 or 32 bits, found float64"):
        Texture(np.zeros((2, 2)), texels="int")


def test_fetches_and_sizes() -> None:
    base, half = DEEP, DEEP[::2, :1, ::2][:, :, :2]
    texture = Texture(base, ("nearest", "nearest"), mips=[half], kind="3d")
    lanes = [
        (i, j, k, level) for i in range(-1, 6) for j in range(-1, 4) for k in range(-1, 5) for level in (-1, 0, 1, 2)
    ]
    numbers = np.array(lanes).T
    found = texture.fetch(numbers[:3], numbers[3]).T
    moved = texture.fetch(numbers[:3], numbers[3], (1, 0, -2)).T

    def wanted(i: int, j: int, k: int, level: int) -> Any:
        if level not in (0, 1):
            return np.zeros(4)
        image = (base, half)[level]
        depth, height, width, _ = image.shape
        return image[k, j, i] if 0 <= i < width and 0 <= j < height and 0 <= k < depth else np.zeros(4)

    for (i, j, k, level), texel, other in zip(lanes, found, moved, strict=True):
        assert texel.tolist() == wanted(i, j, k, level).tolist()
        assert other.tolist() == wanted(i + 1, j, k - 2, level).tolist()
    assert texture.size(np.array([0, 1, 2, -1])).T.tolist() == [[5, 3, 4], [2, 1, 2], [0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("kind", "shape", "size"),
    [
        ("1d", (7,), [7]),
        ("2d", (3, 7), [7, 3]),
        ("rect", (3, 7), [7, 3]),
        ("buffer", (7,), [7]),
        ("cube", (6, 5, 5), [5, 5]),
        ("1d_array", (2, 7), [7, 2]),
        ("2d_array", (2, 3, 7), [7, 3, 2]),
        ("3d", (2, 3, 7), [7, 3, 2]),
    ],
)
def test_sizes_of_kinds(kind: str, shape: tuple[int, ...], size: list[int]) -> None:
    assert Texture(np.zeros(shape), kind=kind).size(np.zeros(1)).T.tolist() == [size]
    assert Texture(np.zeros((*shape, 3)), kind=kind).size(np.zeros(1)).T.tolist() == [size]
    with pytest.raises(ValueError, match="a texture is"):
        Texture(np.zeros((*shape, 3, 1)), kind=kind)


def test_the_level_of_detail_leaves_layers_out_and_takes_depth_in() -> None:
    lane = [np.array([[0.5], [0.5]]), np.array([[0.25], [0.0]]), np.zeros((2, 1))]
    assert Texture(np.zeros((9, 4, 16)), kind="2d_array").level_of_detail(*lane).tolist() == [2.0]
    deep = [np.full((3, 1), 0.5), np.array([[0.0], [0.0], [0.5]]), np.array([[0.125], [0.0], [0.0]])]
    assert Texture(np.zeros((16, 4, 8)), kind="3d").level_of_detail(*deep).tolist() == [3.0]
    assert Texture(np.zeros(8), kind="1d").level_of_detail(*(np.array([[x]]) for x in (0.5, -0.5, 0.1))).tolist() == [2]


def test_mipmaps_of_depth_and_layers() -> None:
    deep = Texture(DEEP[:, :2, :4], "linear_mipmap_linear", mips=True, kind="3d")
    assert deep.problem == "" and [level.shape[:3] for level in deep.levels] == [(4, 2, 4), (2, 1, 2), (1, 1, 1)]
    assert deep.levels[1][1, 0, 1].tolist() == pytest.approx(DEEP[2:4, :2, 2:4].mean(axis=(0, 1, 2)).tolist())
    layered = Texture(DEEP[:, :2, :4], "linear_mipmap_linear", mips=True, kind="2d_array")
    assert layered.problem == "" and [level.shape[:3] for level in layered.levels] == [(4, 2, 4), (4, 1, 2), (4, 1, 1)]
    wrong = Texture(DEEP, "nearest_mipmap_nearest", mips=[DEEP], kind="3d")
    assert wrong.problem == "mipmap level 1 must be 2x1x2 texels"


def test_channels_by_name() -> None:
    pixel = np.array([[[0.25, 0.5]]])
    assert sampled(Texture(pixel), [[0, 0]])[0].tolist() == [0.25, 0.25, 0.25, 0.5]
    assert sampled(Texture(pixel, channels="rg"), [[0, 0]])[0].tolist() == [0.25, 0.5, 0.0, 1.0]
    assert sampled(Texture(pixel, channels="bg"), [[0, 0]])[0].tolist() == [0.0, 0.5, 0.25, 1.0]
    with pytest.raises(ValueError, match="do not name 2 of r, g, b, a and l"):
        Texture(pixel, channels="rr")
