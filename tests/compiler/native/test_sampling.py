"""Texture lookups in compiled code against `compiler/arithmetic/sampling.py`: every filter, wrap, kind and mode."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import FILTERS, WRAPS, Texture
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from tests.compiler.ir.evaluating import parse
from tests.compiler.native.run_host import evaluate_on_host

LANES = 400
_EXTRA = {"auto": "", "bias": ", %1", "lod": ", %1", "grad": ", %2, %3"}
_OPERATION = {"auto": "texture", "bias": "texture.bias", "lod": "texture.lod", "grad": "texture.grad"}


def lookup(mode: str, *, is_cube: bool = False) -> Module:
    width = 3 if is_cube else 2
    return parse(
        f"""
        shader fragment
        varying @place: vec{width}
        varying @level: float
        varying @dx: vec{width}
        varying @dy: vec{width}
        sampler @map: {"samplerCube" if is_cube else "sampler2D"}
        output @colour: vec4

        func @main {{
        ^entry:
          %0:vec{width} = load @place
          %1:float = load @level
          %2:vec{width} = load @dx
          %3:vec{width} = load @dy
          %4:vec4 = {_OPERATION[mode]} @map, %0{_EXTRA[mode]}
          store @colour, %4
          ret
        }}
        """
    )


def values(width: int, seed: int) -> dict[str, Array]:
    """Coordinates in, outside and far outside of the image, and on borders of texels."""
    random = np.random.default_rng(seed)
    place = random.uniform(-2.0, 3.0, (LANES, width)).astype(np.float32)
    place[:40] = random.integers(-16, 17, (40, width)) / 8
    place[40:48] = random.choice(np.array([1e10, -1e10, 1e30], np.float32), (8, width))
    return {
        "place": place,
        "level": random.uniform(-2.0, 6.0, LANES).astype(np.float32),
        "dx": random.uniform(-0.4, 0.4, (LANES, width)).astype(np.float32),
        "dy": random.uniform(-0.1, 0.1, (LANES, width)).astype(np.float32),
    }


def assert_alike(module: Module, texture: Texture, inputs: dict[str, Any]) -> None:
    found, wanted = (
        run(module, inputs, {}, {"map": texture}, lanes=LANES, quads=True).outputs["colour"]
        for run in (evaluate_on_host, evaluate)
    )
    np.testing.assert_array_max_ulp(found, wanted, 1)
    assert np.mean(found != wanted) < 0.01


def image(*shape: int) -> Array:
    return np.random.default_rng(7).integers(0, 256, (*shape, 4)).astype(np.uint8)


@pytest.mark.parametrize("minify", FILTERS)
@pytest.mark.parametrize("mode", _OPERATION)
def test_filters(minify: str, mode: str) -> None:
    module = lookup(mode)
    for magnify, wraps in (("nearest", ("repeat", "clamp")), ("linear", ("mirror", "repeat"))):
        texture = Texture(image(8, 16), (minify, magnify), wraps, mips=True)
        assert_alike(module, texture, values(2, seed=3))


def test_wraps_and_odd_sizes() -> None:
    module = lookup("lod")
    for (s, t), size in product(product(WRAPS, repeat=2), [(1, 1), (3, 5), (1, 7)]):
        assert_alike(module, Texture(image(*size), "linear", (s, t)), values(2, seed=5))


def test_infinite_coordinates_read_some_texel_of_the_image() -> None:
    """The language leaves open which one, but nothing outside of the image may be touched."""
    inputs = values(2, seed=11)
    edges = np.array([np.inf, -np.inf, np.nan, 3e38], np.float32)
    inputs["place"] = np.random.default_rng(1).choice(edges, (LANES, 2))
    for mode, (s, t) in product(_OPERATION, product(WRAPS, repeat=2)):
        texture = Texture(image(4, 4), "linear_mipmap_linear", (s, t), mips=True)
        found = evaluate_on_host(lookup(mode), inputs, {}, {"map": texture}, lanes=LANES, quads=True)
        assert (found.outputs["colour"] >= 0).all() and (found.outputs["colour"] <= 1).all()


@pytest.mark.parametrize("mode", _OPERATION)
def test_cube_maps(mode: str) -> None:
    module = lookup(mode, is_cube=True)
    for filters in (("nearest", "linear"), ("linear_mipmap_linear", "nearest")):
        assert_alike(module, Texture(image(6, 8, 8), filters, "clamp", mips=True), values(3, seed=9))
