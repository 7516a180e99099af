"""Which built-in functions each version has, counted in the specifications."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.language.versions import DESKTOP_VERSIONS, ES_VERSIONS
from glslc_multi.frontends.glsl.library.functions import FUNCTION_NAMES, function_names, functions_of

#: Name -> number of overloads in chapter 8 of GLSL ES 3.00.
OF_ES_300: dict[str, int] = {
    **dict.fromkeys("radians degrees sin cos tan asin acos sinh cosh tanh asinh acosh atanh".split(), 4),
    "atan": 8,
    **dict.fromkeys("pow exp log exp2 log2 sqrt inversesqrt floor trunc round roundEven ceil fract modf".split(), 4),
    **dict.fromkeys("abs sign".split(), 8),
    **dict.fromkeys("mod step smoothstep".split(), 7),
    **dict.fromkeys("min max clamp".split(), 21),
    "mix": 11,
    **dict.fromkeys("isnan isinf floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat".split(), 4),
    **dict.fromkeys("packSnorm2x16 packUnorm2x16 packHalf2x16".split(), 1),
    **dict.fromkeys("unpackSnorm2x16 unpackUnorm2x16 unpackHalf2x16".split(), 1),
    **dict.fromkeys("length distance dot normalize faceforward reflect refract".split(), 4),
    "cross": 1,
    **dict.fromkeys("matrixCompMult outerProduct transpose".split(), 9),
    **dict.fromkeys("determinant inverse".split(), 3),
    **dict.fromkeys("lessThan lessThanEqual greaterThan greaterThanEqual".split(), 9),
    **dict.fromkeys("equal notEqual".split(), 12),
    **dict.fromkeys("any all not".split(), 3),
    # Three samplers each for float, int and uint; twice where a bias may follow.
    "textureSize": 12 + 3,
    "texture": 24 + 5,
    "textureProj": 18 + 2,
    "textureLod": 12 + 1,
    "textureOffset": 18 + 2,
    "texelFetch": 9,
    "texelFetchOffset": 9,
    "textureProjOffset": 18 + 2,
    "textureLodOffset": 9 + 1,
    "textureProjLod": 9 + 1,
    "textureProjLodOffset": 9 + 1,
    "textureGrad": 12 + 3,
    "textureGradOffset": 9 + 2,
    "textureProjGrad": 9 + 1,
    "textureProjGradOffset": 9 + 1,
    **dict.fromkeys("dFdx dFdy fwidth".split(), 4),
}
#: The same for the texture functions of GLSL 3.30 section 8.7.
OF_330 = {
    "textureSize": 24 + 6,
    "texture": 36 + 3 + 10,
    "textureProj": 30 + 6 + 5,
    "textureLod": 18 + 3,
    "textureOffset": 30 + 3 + 6 + 1,
    "texelFetch": 21,
    "texelFetchOffset": 18,
    "textureProjOffset": 30 + 6 + 5,
    "textureLodOffset": 15 + 3,
    "textureProjLod": 15 + 2,
    "textureProjLodOffset": 15 + 2,
    "textureGrad": 21 + 6,
    "textureGradOffset": 18 + 5,
    "textureProjGrad": 21 + 3,
    "textureProjGradOffset": 21 + 3,
}
OF_GEOMETRY = {"EmitVertex", "EndPrimitive"}


def test_every_function_of_es_300_is_there() -> None:
    found = {name: _of_the_core(name, 300) for name in function_names(300) if name not in OF_GEOMETRY}
    assert found == OF_ES_300


@pytest.mark.parametrize("name", OF_330)
def test_every_texture_function_of_330_is_there(name: str) -> None:
    assert _of_the_core(name, 330) == OF_330[name]


def _of_the_core(name: str, version: int) -> int:
    return sum(not function.extension for function in functions_of(name, version))


#: Name -> the first desktop version that has it, as the changes are told at the beginning of each specification.
FIRST = {
    **dict.fromkeys("noise1 texture1D texture3D shadow1D shadow2DProjLod dFdx texture2DProj".split(), 110),
    **dict.fromkeys("transpose outerProduct".split(), 120),
    **dict.fromkeys("sinh trunc roundEven modf isnan texture texelFetch textureSize textureGradOffset".split(), 130),
    "inverse": 140,
    "determinant": 150,
}


@pytest.mark.parametrize("name", FIRST)
def test_desktop_versions_have_a_function_from_the_right_one_on(name: str) -> None:
    assert [version for version in DESKTOP_VERSIONS if functions_of(name, version)] == [
        version for version in DESKTOP_VERSIONS if version >= FIRST[name]
    ]


def test_overloads_that_came_later() -> None:
    """Integers in 1.30; the rectangles' textures in 1.40 (sections 8.3 and 8.7)."""
    for version in (110, 120):
        assert {str(f.parameters[0]) for f in functions_of("abs", version)} == {"float", "vec2", "vec3", "vec4"}
        assert len(functions_of("mix", version)) == 7
    samplers = {version: {str(f.parameters[0]) for f in functions_of("texture", version)} for version in (130, 140)}
    assert samplers[140] - samplers[130] == {"sampler2DRect", "isampler2DRect", "usampler2DRect", "sampler2DRectShadow"}


def test_levels_in_fragment_shaders_before_130_need_an_extension() -> None:
    for name in ("texture2DLod", "texture3DProjLod", "shadow2DLod"):
        extensions = {f.extension for f in functions_of(name, 120) if "fragment" in f.stages}
        assert extensions == {"GL_ARB_shader_texture_lod"}
        assert {f.extension for f in functions_of(name, 130)} == {""}


@pytest.mark.parametrize("version", [*ES_VERSIONS, *DESKTOP_VERSIONS])
def test_no_two_overloads_take_the_same_types(version: int) -> None:
    for name in FUNCTION_NAMES:
        for stage in ("vertex", "fragment"):
            functions = [f for f in functions_of(name, version) if stage in f.stages]
            taken = [(f.parameters, f.extension) for f in functions]
            assert len(taken) == len(set(taken)), name
