"""Recorded textures as arrays: shapes of each kind, colours of each format."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from tests.conformance.engines.textures import levels_of
from tests.conformance.model import TextureData


def image(*levels: bytes, kind: Any = "2d", width: int = 1, height: int = 1, **more: Any) -> TextureData:
    return TextureData(kind, width, height, levels, "nearest", "nearest", "repeat", "repeat", **more)


@pytest.mark.parametrize(
    ("format", "texel", "colour"),
    [
        ("r8", bytes([51]), (0.2, 0.0, 0.0, 1.0)),
        ("rg8", bytes([51, 255]), (0.2, 1.0, 0.0, 1.0)),
        ("rgba8", bytes([0, 51, 102, 255]), (0.0, 0.2, 0.4, 1.0)),
        # 188 / 255 is light of 0.5029, 10 / 255 is on the straight part; alpha is no light.
        ("srgb8_alpha8", bytes([188, 10, 255, 51]), (0.502886, 0.0030353, 1.0, 0.2)),
        ("r32f", struct.pack("<f", -2.5), (-2.5, 0.0, 0.0, 1.0)),
        ("rgba32f", struct.pack("<4f", 1, 2, 3, 4), (1.0, 2.0, 3.0, 4.0)),
        ("depth32f", struct.pack("<f", 0.75), (0.75, 0.0, 0.0, 1.0)),
        ("rgba8i", struct.pack("<4b", -128, -1, 0, 127), (-128, -1, 0, 127)),
        ("rgba8ui", bytes([255, 1, 2, 3]), (255, 1, 2, 3)),
        ("rgba32i", struct.pack("<4i", -(2**31), -1, 0, 2**31 - 1), (-(2**31), -1, 0, 2**31 - 1)),
        ("rgba32ui", struct.pack("<4I", 2**32 - 1, 1, 2, 3), (2**32 - 1, 1, 2, 3)),
    ],
)
def test_colours_of_each_format(format: str, texel: bytes, colour: tuple[float, ...]) -> None:
    (level,) = levels_of(image(texel, format=format))
    assert level.dtype == (np.uint32 if format.endswith("ui") else np.int32 if format.endswith("i") else np.float64)
    assert level.reshape(4).tolist() == pytest.approx(colour, rel=1e-5)


def test_layers_rows_and_columns_follow_each_other() -> None:
    (level,) = levels_of(image(bytes(range(12)), kind="2d_array", width=2, height=3, depth=2, format="r8"))
    assert level.shape == (2, 3, 2, 4)
    assert (level[..., 0] * 255).round().tolist() == [[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]


@pytest.mark.parametrize(
    ("kind", "layers"), [("2d", (1, 1, 1)), ("cube", (6, 6, 6)), ("3d", (4, 2, 1)), ("2d_array", (4, 4, 4))]
)
def test_only_volumes_become_flatter_with_each_level(kind: str, layers: tuple[int, ...]) -> None:
    sizes = [(4, 2), (2, 1), (1, 1)]
    levels = [bytes(count * width * height) for count, (width, height) in zip(layers, sizes, strict=True)]
    found = levels_of(image(*levels, kind=kind, width=4, height=2, depth=4, format="r8"))
    assert [level.shape for level in found] == [
        (count, height, width, 4) for count, (width, height) in zip(layers, sizes, strict=True)
    ]
