"""Images: combined and separate samplers, every kind of lookup, and what the pairs are called."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.spirv.grammar.structure import LOOKUPS
from tests.frontends.spirv.modules import refusal, run, shader

_TYPES = """
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%depth = OpTypeImage %float 2D 1 0 0 1 Unknown
%sampler = OpTypeSampler
%both = OpTypeSampledImage %image
%both_depth = OpTypeSampledImage %depth
%to_image = OpTypePointer UniformConstant %image
%to_sampler = OpTypePointer UniformConstant %sampler
%to_both = OpTypePointer UniformConstant %both
%to_both_depth = OpTypePointer UniformConstant %both_depth
%ivec2 = OpTypeVector %int 2
%f3 = OpConstant %float 3
%f025 = OpConstant %float 0.25
%f075 = OpConstant %float 0.75
%uv = OpConstantComposite %vec2 %f025 %f075
%uvz = OpConstantComposite %vec3 %f025 %f075 %f0
%dx = OpConstantComposite %vec2 %f0 %f0
%texel = OpConstantComposite %ivec2 %i0 %i1
%corner = OpConstantComposite %ivec2 %i0 %i0
%east = OpConstantComposite %ivec2 %i1 %i0
%f05 = OpConstant %float 0.5
%f15 = OpConstant %float 1.5
%uvq = OpConstantComposite %vec4 %f05 %f15 %f025 %f2
%first = OpVariable %to_image UniformConstant
%second = OpVariable %to_image UniformConstant
%nearest = OpVariable %to_sampler UniformConstant
%linear = OpVariable %to_sampler UniformConstant
%whole = OpVariable %to_both UniformConstant
%shadow = OpVariable %to_both_depth UniformConstant
"""
_LOADS = """
%im1 = OpLoad %image %first
%im2 = OpLoad %image %second
%sa1 = OpLoad %sampler %nearest
%sa2 = OpLoad %sampler %linear
%co = OpLoad %both %whole
%sh = OpLoad %both_depth %shadow
"""
#: 2x2 texels, the bottom row first: red is the number of the texel, alpha the level.
_RED = np.array([[[0.0, 0, 0, 0], [1, 0, 0, 0]], [[2, 0, 0, 0], [3, 0, 0, 0]]], dtype=np.float32)
_SMALL = np.array([[[9.0, 0, 0, 1]]], dtype=np.float32)
_TEXEL = [2.0, 0.0, 0.0, 0.0]


def _texture(first: float = 0.0) -> Texture:
    return Texture(_RED + np.array([first, 0, 0, 0], np.float32), "nearest_mipmap_nearest", "clamp", [_SMALL])


def _run(body: str, **textures: Texture) -> list[float]:
    return run(shader(_LOADS + body, _TYPES), textures=textures)


#: Lookup -> body, and the colour from `whole` or `shadow`, whose depths are the red of its texels.
_SPREAD = "%result = OpCompositeConstruct %vec4 %r %r %r %r"
_CASES: dict[str, tuple[str, list[float]]] = {
    "OpImageSampleImplicitLod": ("%result = OpImageSampleImplicitLod %vec4 %co %uv", _TEXEL),
    # Where neighbours look at the same place, no bias leads away from the largest level.
    "OpImageSampleImplicitLod Bias": ("%result = OpImageSampleImplicitLod %vec4 %co %uv Bias %f3", _TEXEL),
    "OpImageSampleExplicitLod": ("%result = OpImageSampleExplicitLod %vec4 %co %uv Lod %f1", [9.0, 0.0, 0.0, 1.0]),
    "OpImageSampleExplicitLod Grad": ("%result = OpImageSampleExplicitLod %vec4 %co %uv Grad %dx %dx", _TEXEL),
    "OpImageSampleProjImplicitLod": ("%result = OpImageSampleProjImplicitLod %vec4 %co %projected", _TEXEL),
    "OpImageSampleProjExplicitLod": (
        "%result = OpImageSampleProjExplicitLod %vec4 %co %projected Lod %f1",
        [9.0, 0.0, 0.0, 1.0],
    ),
    "OpImageSampleDrefImplicitLod": (f"%r = OpImageSampleDrefImplicitLod %float %sh %uv %f025\n{_SPREAD}", [1.0] * 4),
    "OpImageSampleDrefExplicitLod": (
        f"%r = OpImageSampleDrefExplicitLod %float %sh %uv %f025 Lod %f0\n{_SPREAD}",
        [1.0] * 4,
    ),
    "OpImageSampleProjDrefImplicitLod": (
        f"%r = OpImageSampleProjDrefImplicitLod %float %sh %projected %f05\n{_SPREAD}",
        [1.0] * 4,
    ),
    "OpImageSampleProjDrefExplicitLod": (
        f"%r = OpImageSampleProjDrefExplicitLod %float %sh %projected %f05 Lod %f0\n{_SPREAD}",
        [1.0] * 4,
    ),
    "OpImageFetch": ("%im = OpImage %image %co\n%result = OpImageFetch %vec4 %im %texel Lod %i0", _TEXEL),
    "OpImageFetch Lod": (
        "%im = OpImage %image %co\n%result = OpImageFetch %vec4 %im %corner Lod %i1",
        [9.0, 0.0, 0.0, 1.0],
    ),
    "OpImageSampleImplicitLod ConstOffset": (
        "%result = OpImageSampleImplicitLod %vec4 %co %uv ConstOffset %east",
        [3.0, 0.0, 0.0, 0.0],
    ),
    "OpImageFetch ConstOffset": (
        "%im = OpImage %image %co\n%result = OpImageFetch %vec4 %im %texel Lod|ConstOffset %i0 %east",
        [3.0, 0.0, 0.0, 0.0],
    ),
    "OpImageQuerySizeLod": (
        """%im = OpImage %image %co
        %size = OpImageQuerySizeLod %ivec2 %im %i0
        %s = OpConvertSToF %vec2 %size
        %result = OpCompositeConstruct %vec4 %s %s""",
        [2.0] * 4,
    ),
    "OpImageQuerySize": (
        """%im = OpImage %image %co
        %size = OpImageQuerySize %ivec2 %im
        %s = OpConvertSToF %vec2 %size
        %result = OpCompositeConstruct %vec4 %s %s""",
        [2.0] * 4,
    ),
}
#: (0.25, 0.75) times two, and the two.
_PROJECTED = "%projected = OpVectorShuffle %vec3 %uvq %uvq 0 1 3\n"


@pytest.mark.parametrize("name", _CASES)
def test_lookups(name: str) -> None:
    body, wanted = _CASES[name]
    given = {"shadow": Texture(_RED, "nearest", "clamp", compare="lequal")} if "Dref" in name else {"whole": _texture()}
    assert _run(f"{_PROJECTED}{body}\n", **given) == wanted


@pytest.mark.parametrize(("reference", "wanted"), [("1.5", 1.0), ("2.5", 0.0)])
@pytest.mark.parametrize("name", [name for name in _CASES if "Dref" in name])
def test_comparisons(name: str, reference: str, wanted: float) -> None:
    """The texel is 2; the reference is an operand of its own, and is divided as the coordinate is."""
    factor, coordinate = (2, "%projected") if "Proj" in name else (1, "%uv")
    level = " Lod %f0" if "Explicit" in name else ""
    declared = f"%reference = OpConstant %float {float(reference) * factor}\n"
    body = f"{_PROJECTED}%r = {name} %float %sh {coordinate} %reference{level}\n{_SPREAD}\n"
    texture = Texture(_RED, "nearest", "clamp", compare="lequal")
    assert run(shader(_LOADS + body, _TYPES + declared), textures={"shadow": texture}) == [wanted] * 4


def test_every_lookup_has_a_case() -> None:
    assert {row.name for row in LOOKUPS} == {name.partition(" ")[0] for name in _CASES}


def _pair(name: str, image: str, sampler: str) -> str:
    return f"""
        %{name} = OpSampledImage %both %{image} %{sampler}
        %t{name} = OpImageSampleImplicitLod %vec4 %{name} %uv
    """


def test_an_image_with_one_sampler_has_its_own_name() -> None:
    assert _run(_pair("x", "im1", "sa1") + "%result = OpCopyObject %vec4 %tx\n", first=_texture()) == _TEXEL


def test_an_image_with_two_samplers_becomes_two() -> None:
    """A host binds each pair by itself, so each has a name; the other image keeps its own."""
    body = f"""
        {_pair("x", "im1", "sa1")}{_pair("y", "im1", "sa2")}{_pair("z", "im2", "sa2")}
        %h = OpFMul %vec4 %ty %tz
        %result = OpFAdd %vec4 %tx %h
    """
    textures = {"first_nearest": _texture(), "first_linear": _texture(10.0), "second": _texture(20.0)}
    assert _run(body, **textures) == [2.0 + 12.0 * 22.0, 0.0, 0.0, 0.0]


def test_a_pair_that_is_made_twice_is_one() -> None:
    body = f"{_pair('x', 'im1', 'sa1')}{_pair('y', 'im1', 'sa1')}%result = OpFAdd %vec4 %tx %ty\n"
    assert _run(body, first=_texture()) == [4.0, 0.0, 0.0, 0.0]


def test_a_fetch_takes_the_pair_that_is_there() -> None:
    body = f"{_pair('x', 'im1', 'sa1')}%f = OpImageFetch %vec4 %im1 %texel Lod %i0\n%result = OpFAdd %vec4 %tx %f\n"
    assert _run(body, first=_texture()) == [4.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("%x = OpSampledImage %both %sa1 %im1\n%result = OpImageSampleImplicitLod %vec4 %x %uv\n", "E1006"),
        ("%result = OpImageSampleImplicitLod %vec4 %im1 %uv\n", "E1006"),
        ("%result = OpImageSampleImplicitLod %vec4 %co %f0\n", "E1006"),
        ("%result = OpImageSampleImplicitLod %vec4 %co %texel\n", "E1006"),
        ("%result = OpImageSampleExplicitLod %vec4 %co %uv Lod|MinLod %f0 %f0\n", "E1010"),
        ("%result = OpImageSampleImplicitLod %vec4 %co %uv Offset %j2\n", "E1010"),
        ("%result = OpImageSampleImplicitLod %vec4 %co %uv ConstOffset %j2\n", "E1006"),
        ("%result = OpImageGather %vec4 %co %uv %i0\n", "E1010"),
    ],
)
def test_lookups_that_do_not_fit(body: str, code: str) -> None:
    offset = "%j2 = OpVectorShuffle %ivec2 %i %j 0 1\n"
    assert refusal(shader(_LOADS + offset + body, _TYPES))[0] == code


@pytest.mark.parametrize("is_compared_first", [False, True])
def test_one_image_is_either_compared_or_not(is_compared_first: bool) -> None:
    lookups = [
        "%r = OpImageSampleDrefImplicitLod %float %sh %uv %f0\n",
        "%result = OpImageSampleImplicitLod %vec4 %sh %uv\n",
    ]
    body = "".join(lookups if is_compared_first else lookups[::-1])
    assert refusal(shader(_LOADS + body, _TYPES))[0] == "E1010"


@pytest.mark.parametrize(
    ("operands", "code", "text"),
    [
        ("SubpassData 0 0 0 2 Unknown", "E1010", "no target has subpass images"),
        ("SubpassData 0 0 1 2 Unknown", "E1010", "no target has subpass images"),
        ("2D 0 0 0 2 Rgba8", "E1010", "no target has storage images"),
        ("2D 0 0 1 1 Unknown", "E1010", "no target has textures of several samples"),
        ("SubpassData 0 0 0 1 Unknown", "E1006", "invalid SPIR-V: OpTypeImage: there is no such type"),
        ("2D 0 0 0 3 Unknown", "E1006", "invalid SPIR-V: OpTypeImage: there is no such type"),
    ],
)
def test_images_that_no_target_has(operands: str, code: str, text: str) -> None:
    """The specification, OpTypeImage: Sampled is 0, 1 or 2, and 2 where Dim is SubpassData."""
    found = refusal(shader("%result = OpCopyObject %vec4 %a\n", f"%strange = OpTypeImage %float {operands}\n"))
    assert found[0] == code and text in found[1]
