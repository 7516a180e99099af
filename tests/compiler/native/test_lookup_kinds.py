"""Lookups of every kind of sampler in compiled code against the evaluator, whose meaning other tests look after."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.images import KINDS
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import COMPARES, Texture
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS, SamplerKind
from glslc_multi.compiler.ir.types import vector
from tests.compiler.ir.evaluating import parse
from tests.compiler.native.run_host import evaluate_on_host

LANES = 240
_SHAPES = {"faces": 6, "layers": 5, "depth": 3, "height": 8, "width": 8}
_DTYPES = {"float": np.uint8, "int": np.int32, "uint": np.uint32}


def lookup(kind: SamplerKind, mode: str, offset: tuple[int, ...] = ()) -> Module:
    """A shader with one lookup, of an element of two samplers that varies by lane."""
    place, step = vector("float", kind.coordinate_width), vector("float", kind.dimensions)
    texel = "vec4" if kind.texel == "float" else "ivec4"
    size = vector("int", kind.size_width)
    numbers = vector("int", kind.coordinate_width)
    reference = "%4, " if kind.is_shadow else ""
    moved = f" offset({', '.join(map(str, offset))})" if offset else ""
    made = {
        "auto": f"%9:{texel} = texture{moved} @map[%5], %0, {reference}".rstrip(", "),
        "bias": f"%9:{texel} = texture.bias{moved} @map[%5], %0, {reference}%1",
        "lod": f"%9:{texel} = texture.lod{moved} @map[%5], %0, {reference}%1",
        "grad": f"%9:{texel} = texture.grad{moved} @map[%5], %0, {reference}%2, %3",
        "fetch": f"%9:{texel} = texture.fetch{moved} @map[%5], %6, %7",
        "size": f"%9:{size} = texture_size @map[%5], %7",
    }[mode]
    result = size if mode == "size" else texel
    return parse(
        f"""
        shader fragment
        varying @place: {place}
        varying @level: float
        varying @dx: {step}
        varying @dy: {step}
        varying @reference: float
        varying @element: float
        varying @texel: {place}
        varying @number: float
        sampler @map: {kind.name}[2]
        output @found: {result}

        func @main {{
        ^entry:
          %0:{place} = load @place
          %1:float = load @level
          %2:{step} = load @dx
          %3:{step} = load @dy
          %4:float = load @reference
          %10:float = load @element
          %5:int = ftoi %10
          %11:{place} = load @texel
          %6:{numbers} = ftoi %11
          %12:float = load @number
          %7:int = ftoi %12
          {made}
          store @found, %9
          ret
        }}
        """
    )


def values(kind: SamplerKind, seed: int) -> dict[str, Array]:
    random = np.random.default_rng(seed)
    width = kind.coordinate_width
    scale = 8.0 if kind.shape == "2DRect" else 1.0
    place = random.uniform(-2.0, 3.0, (LANES, width)) * scale
    place[:40] = random.integers(-16, 17, (40, width)) / 8 * scale
    if kind.is_arrayed:
        place[:, -1] = random.integers(-4, 14, LANES) / 2
    found = {
        "place": place,
        "level": random.uniform(-2.0, 5.0, LANES),
        "dx": random.uniform(-0.4, 0.4, (LANES, kind.dimensions)),
        "dy": random.uniform(-0.1, 0.1, (LANES, kind.dimensions)),
        "reference": random.integers(-1, 6, LANES) / 4,
        "element": random.integers(0, 2, LANES),
        "texel": random.integers(-2, 10, (LANES, width)),
        "number": random.integers(-1, 5, LANES),
    }
    scalars = {name: value[:, 0] if value.shape[1:] == (1,) else value for name, value in found.items()}
    return {name: value.astype(np.float32) for name, value in scalars.items()}


def textures(kind: SamplerKind, filters: tuple[str, str], wraps: str | tuple[str, ...], compare: str) -> list[Texture]:
    random = np.random.default_rng(7)
    dtype: Any = _DTYPES[kind.texel]
    limits = np.iinfo(dtype)
    found = []
    for smaller in (1, 2):
        shape = [_SHAPES[axis] // (1 if axis == "faces" else smaller) for axis in KINDS[kind.image_kind].axes]
        image = random.integers(limits.min, limits.max, (*shape, 4), dtype, endpoint=True)
        if kind.is_shadow:
            image = image // 64 * 64
        mips: Any = "mipmap" in filters[0]
        texture = Texture(image, filters, wraps, mips, kind=kind.image_kind, texels=kind.texel, compare=compare)
        found.append(texture)
    return found


def assert_alike(kind: SamplerKind, module: Module, bound: list[Texture], seed: int = 3) -> None:
    inputs = values(kind, seed)
    found, wanted = (
        run(module, inputs, {}, {"map": bound}, lanes=LANES, quads=True).outputs["found"]
        for run in (evaluate_on_host, evaluate)
    )
    assert wanted.any()
    if found.dtype == np.int32:
        assert (found == wanted).all()
        return
    np.testing.assert_array_max_ulp(found, wanted, 1)
    assert np.mean(found != wanted) < 0.01


def _filters(kind: SamplerKind) -> list[tuple[str, str]]:
    if kind.texel != "float":
        return [("nearest", "nearest")]
    if kind.shape in ("2DRect", "Buffer"):
        return [("nearest", "nearest"), ("linear", "nearest")]
    return [("nearest", "nearest"), ("linear", "linear"), ("linear_mipmap_linear", "nearest")]


@pytest.mark.parametrize("name", [name for name, kind in SAMPLER_KINDS.items() if kind.can_filter])
def test_lookups(name: str) -> None:
    kind = SAMPLER_KINDS[name]
    for mode, filters in product(("auto", "bias", "lod", "grad"), _filters(kind)):
        bound = textures(kind, filters, ("repeat", "mirror", "clamp"), "lequal" if kind.is_shadow else "")
        assert_alike(kind, lookup(kind, mode), bound)


@pytest.mark.parametrize("name", [name for name, kind in SAMPLER_KINDS.items() if kind.can_offset])
def test_offsets(name: str) -> None:
    kind = SAMPLER_KINDS[name]
    for offset, wraps in product(
        ((-8, 7, 3), (20, -5, -1)), (("repeat", "mirror", "repeat"), ("mirror", "clamp", "mirror"))
    ):
        bound = textures(kind, _filters(kind)[-1], wraps, "greater" if kind.is_shadow else "")
        assert_alike(kind, lookup(kind, "lod", offset[: kind.dimensions]), bound)
        assert_alike(kind, lookup(kind, "auto", offset[: kind.dimensions]), bound)


@pytest.mark.parametrize("compare", COMPARES)
def test_comparisons(compare: str) -> None:
    kind = SAMPLER_KINDS["sampler2DShadow"]
    bound = textures(kind, ("linear", "nearest"), "repeat", compare)
    inputs = values(kind, 5)
    inputs["reference"][::17] = np.nan
    found, wanted = (
        run(lookup(kind, "lod"), inputs, {}, {"map": bound}, lanes=LANES).outputs["found"]
        for run in (evaluate_on_host, evaluate)
    )
    np.testing.assert_array_max_ulp(found, wanted, 1)


@pytest.mark.parametrize("name", [name for name, kind in SAMPLER_KINDS.items() if kind.can_fetch])
def test_fetches(name: str) -> None:
    kind = SAMPLER_KINDS[name]
    bound = textures(kind, _filters(kind)[-1], "repeat", "")
    assert_alike(kind, lookup(kind, "fetch"), bound)
    if kind.can_offset:
        assert_alike(kind, lookup(kind, "fetch", (3, -1, 1)[: kind.dimensions]), bound)


@pytest.mark.parametrize("name", SAMPLER_KINDS)
def test_sizes(name: str) -> None:
    kind = SAMPLER_KINDS[name]
    bound = textures(kind, _filters(kind)[-1], "repeat", "less" if kind.is_shadow else "")
    assert_alike(kind, lookup(kind, "size"), bound)
