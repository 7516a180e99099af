"""Images: pairs with samplers and alone, levels in stages without derivatives, operands that do not fit."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.variables import TextureAccess
from tests.frontends.spirv.modules import lowered, refusal_here, run, shader

_TYPES = """
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%volume = OpTypeImage %float 3D 0 0 0 1 Unknown
%cube = OpTypeImage %float Cube 0 0 0 1 Unknown
%of_ints = OpTypeImage %int 2D 0 0 0 1 Unknown
%sampler = OpTypeSampler
%both = OpTypeSampledImage %image
%both_volume = OpTypeSampledImage %volume
%both_cube = OpTypeSampledImage %cube
%both_ints = OpTypeSampledImage %of_ints
%images = OpTypeArray %image %i4
%samplers = OpTypeArray %sampler %i4
%to_image = OpTypePointer UniformConstant %image
%to_images = OpTypePointer UniformConstant %images
%to_sampler = OpTypePointer UniformConstant %sampler
%to_samplers = OpTypePointer UniformConstant %samplers
%to_both = OpTypePointer UniformConstant %both
%to_both_volume = OpTypePointer UniformConstant %both_volume
%to_both_cube = OpTypePointer UniformConstant %both_cube
%ivec2 = OpTypeVector %int 2
%uv = OpConstantComposite %vec2 %f0 %f0
%uvw = OpConstantComposite %vec3 %f0 %f0 %f0
%corner = OpConstantComposite %ivec2 %i0 %i0
%f05 = OpConstant %float 0.5
%minus_one = OpConstant %int -1
%i2 = OpConstant %int 2
%i3 = OpConstant %int 3
%first = OpVariable %to_image UniformConstant
%second = OpVariable %to_image UniformConstant
%list = OpVariable %to_images UniformConstant
%nearest = OpVariable %to_sampler UniformConstant
%linear = OpVariable %to_sampler UniformConstant
%ways = OpVariable %to_samplers UniformConstant
%whole = OpVariable %to_both UniformConstant
%solid = OpVariable %to_both_volume UniformConstant
%sky = OpVariable %to_both_cube UniformConstant
"""
_LOADS = """
%im = OpLoad %image %first
%sa = OpLoad %sampler %nearest
%sb = OpLoad %sampler %linear
%co = OpLoad %both %whole
%vo = OpLoad %both_volume %solid
%cu = OpLoad %both_cube %sky
%n = OpCompositeExtract %int %j 0
"""


def _text(body: str) -> str:
    return shader(_LOADS + body, _TYPES)


def _of(red: float) -> Texture:
    return Texture(np.array([[[red, 0, 0, 1]]], np.float32), "nearest", "clamp")


def _lookup(name: str, image: str, sampler: str) -> str:
    return f"%{name}p = OpSampledImage %both {image} {sampler}\n%{name} = OpImageSampleImplicitLod %vec4 %{name}p %uv\n"


def test_a_fetch_before_the_pair_takes_the_same_variable() -> None:
    body = "%x = OpImageFetch %vec4 %im %corner Lod %i0\n" + _lookup("y", "%im", "%sa")
    assert run(_text(f"{body}%result = OpFAdd %vec4 %x %y\n"), textures={"first": _of(3.0)}) == [6.0, 0.0, 0.0, 2.0]


def test_an_image_alone_is_a_variable_for_all_its_lookups() -> None:
    body = "%x = OpImageFetch %vec4 %im %corner Lod %i0\n%y = OpImageFetch %vec4 %im %corner Lod %i0\n"
    assert run(_text(f"{body}%result = OpFAdd %vec4 %x %y\n"), textures={"first": _of(3.0)}) == [6.0, 0.0, 0.0, 2.0]


def test_a_fetch_is_one_of_two_pairs() -> None:
    """That which was made first: hosts bind one image to both."""
    body = f"{_lookup('x', '%im', '%sa')}{_lookup('y', '%im', '%sb')}%z = OpImageFetch %vec4 %im %corner Lod %i0\n"
    body += "%w = OpFAdd %vec4 %x %z\n%result = OpFMul %vec4 %w %y\n"
    textures = {"first_nearest": _of(3.0), "first_linear": _of(5.0)}
    assert run(_text(body), textures=textures) == [30.0, 0.0, 0.0, 2.0]


def test_elements_of_an_array_of_samplers_are_samplers_of_their_own() -> None:
    body = "".join(f"%p{n} = OpAccessChain %to_sampler %ways %i{n}\n%s{n} = OpLoad %sampler %p{n}\n" for n in (1, 2))
    body += f"{_lookup('x', '%im', '%s1')}{_lookup('y', '%im', '%s2')}%result = OpFAdd %vec4 %x %y\n"
    (first, second) = (v.name for v in lowered(_text(body)).variables.values() if v.storage == "sampler")
    assert first == "first_ways" and second.startswith("first_ways")
    assert run(_text(body), textures={first: _of(3.0), second: _of(5.0)}) == [8.0, 0.0, 0.0, 2.0]


@pytest.mark.parametrize("element", [1, 3])
def test_an_element_of_an_array_of_images_meets_a_sampler(element: int) -> None:
    body = f"%p = OpAccessChain %to_image %list %i{element}\n%e = OpLoad %image %p\n{_lookup('x', '%e', '%sa')}"
    module = lowered(_text(f"{body}%result = OpCopyObject %vec4 %x\n"))
    (variable,) = (v for v in module.variables.values() if v.storage == "sampler")
    assert (variable.name, variable.length) == ("list", 4)
    (access,) = _accesses(_text(f"{body}%result = OpCopyObject %vec4 %x\n"))
    assert access.address.offset == element


def _accesses(text: str, stage: str = "fragment") -> list[TextureAccess]:
    module = lowered(text, stage=stage)
    return [
        instruction.attribute
        for instruction in module.functions["main"].instructions()
        if isinstance(instruction.attribute, TextureAccess) and instruction.op is not ops.TEXTURE_SIZE
    ]


@pytest.mark.parametrize(
    ("stage", "level", "wanted"),
    [
        # Only fragments have derivatives: elsewhere level 0 is the level that a lookup without one reads.
        ("fragment", "Lod %f0", "lod"),
        ("vertex", "Lod %f0", "auto"),
        ("vertex", "Lod %f1", "lod"),
        ("vertex", "Lod %run_time", "lod"),
        ("fragment", "Lod %f1", "lod"),
        ("fragment", "Grad %uv %uv", "grad"),
        ("vertex", "Grad %uv %uv", "grad"),
    ],
)
def test_levels_are_what_the_stage_has(stage: str, level: str, wanted: str) -> None:
    body = f"%run_time = OpCompositeExtract %float %a 0\n%result = OpImageSampleExplicitLod %vec4 %co %uv {level}\n"
    text = _text(body)
    if stage == "vertex":
        text = text.replace("Fragment %main", "Vertex %main").replace("%color Location 0", "%color BuiltIn Position")
    assert [access.mode for access in _accesses(text, stage)] == [wanted]


@pytest.mark.parametrize(("offset", "wanted"), [("%corner", (0, 0)), ("%far", (3, -1))])
def test_offsets_are_numbers(offset: str, wanted: tuple[int, int]) -> None:
    body = f"%result = OpImageSampleImplicitLod %vec4 %co %uv ConstOffset {offset}\n"
    text = shader(_LOADS + body, f"{_TYPES}%far = OpConstantComposite %ivec2 %i3 %minus_one\n")
    assert [access.offset for access in _accesses(text)] == [wanted]


#: A lookup that does not fit -> code and message.
_REFUSED: dict[str, tuple[str, str]] = {
    "%x = OpSampledImage %both %im %im": ("E1006", "OpSampledImage: it combines an image with a sampler"),
    "%x = OpSampledImage %both %sa %sa": ("E1006", "OpSampledImage: it combines an image with a sampler"),
    "%x = OpSampledImage %both %co %sa": ("E1006", "OpSampledImage: it combines an image with a sampler"),
    "%x = OpSampledImage %both %im %a": ("E1006", "OpSampledImage: %a is no image or sampler"),
    "%x = OpSampledImage %both %im %chosen": ("E1010", "OpSampledImage: the sampler is chosen at run time"),
    "%x = OpImageSampleImplicitLod %vec4 %im %uv": (
        "E1006",
        "OpImageSampleImplicitLod: its operand is no image of the kind",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %sa %uv": (
        "E1006",
        "OpImageSampleImplicitLod: its operand is no image of the kind",
    ),
    "%x = OpImageFetch %vec4 %sa %corner": ("E1006", "OpImageFetch: its operand is no image of the kind"),
    "%x = OpImageQuerySizeLod %ivec2 %sa %i0": (
        "E1006",
        "OpImageQuerySizeLod: its operand is no image of the kind",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %co %f0": (
        "E1006",
        "OpImageSampleImplicitLod: its coordinate has too few components",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %vo %uv": (
        "E1006",
        "OpImageSampleImplicitLod: its coordinate has too few components",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %cu %uv": (
        "E1006",
        "OpImageSampleImplicitLod: its coordinate has too few components",
    ),
    "%x = OpImageSampleProjImplicitLod %vec4 %co %uv": (
        "E1006",
        "OpImageSampleProjImplicitLod: its coordinate has too few components",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %co %corner": (
        "E1006",
        "OpImageSampleImplicitLod: its coordinate is not of floats",
    ),
    "%x = OpImageSampleImplicitLod %float %co %uv": (
        "E1006",
        "OpImageSampleImplicitLod: its operands yield no float",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %co %uv MinLod %f0": (
        "E1010",
        "OpImageSampleImplicitLod MinLod: no target bounds levels of detail for each lookup",
    ),
    "%x = OpImageFetch %vec4 %im %corner Sample %i0": (
        "E1010",
        "OpImageFetch Sample: no target has textures of several samples",
    ),
    "%x = OpImageSampleDrefImplicitLod %float %cu %uvw %i0": (
        "E1006",
        "OpImageSampleDrefImplicitLod: its coordinate is not of floats",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %co %uv Offset %moved": (
        "E1010",
        "OpImageSampleImplicitLod: the offset is no constant",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %co %uv ConstOffset %moved": (
        "E1006",
        "OpImageSampleImplicitLod: the offset is no constant",
    ),
    "%x = OpImageSampleImplicitLod %vec4 %co %uv ConstOffset %uv": (
        "E1006",
        "OpImageSampleImplicitLod: the offset is no constant",
    ),
}


@pytest.mark.parametrize("lookup", _REFUSED)
def test_lookups_that_do_not_fit(lookup: str) -> None:
    code, what = _REFUSED[lookup]
    before = "%at = OpAccessChain %to_sampler %ways %n\n%chosen = OpLoad %sampler %at\n"
    before += "%moved = OpVectorShuffle %ivec2 %i %j 0 1\n"
    text = _text(f"{before}{lookup} ; here\n%result = OpCopyObject %vec4 %a\n")
    assert refusal_here(text) == (code, ("" if code == "E1010" else "invalid SPIR-V: ") + what)


@pytest.mark.parametrize("is_first", [False, True])
def test_two_lookups_of_one_image_compare_both_or_neither(is_first: bool) -> None:
    lookups = ["%x = OpImageSampleDrefImplicitLod %float %co %uv %f0", "%y = OpImageSampleImplicitLod %vec4 %co %uv"]
    first, second = lookups if is_first else lookups[::-1]
    text = _text(f"{first}\n{second} ; here\n%result = OpCopyObject %vec4 %a\n")
    wanted = "'whole' is compared with a depth in some lookups and not in others, or cannot be"
    name = second.split()[2]
    assert refusal_here(text) == ("E1010", f"{name}: {wanted}")


def test_a_name_that_a_uniform_has_is_not_that_of_a_pair() -> None:
    """The pair of %first and %nearest is called by what is left."""
    text = shader(
        f"{_LOADS}{_lookup('x', '%im', '%sa')}{_lookup('y', '%im', '%sb')}%u = OpLoad %vec4 %first_nearest\n"
        "%v = OpFAdd %vec4 %x %y\n%result = OpFAdd %vec4 %v %u\n",
        f"{_TYPES}%first_nearest = OpVariable %in_vec4 UniformConstant\n",
    )
    found = {v.name: v.storage for v in lowered(text).variables.values() if v.name.startswith("first")}
    assert found.pop("first_nearest") == "uniform"
    assert found.pop("first_linear") == "sampler"
    assert list(found.values()) == ["sampler"]
