"""Texture functions against the prototypes of GLSL ES 3.00 (section 8.8) and 1.00 (8.7), parameter by parameter."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.symbols import ALL_STAGES, BEFORE_FRAGMENT, FRAGMENT

#: As the specification has them, without names: `g` stands for float, int and uint, brackets for a bias, which only
#: fragment shaders may give.
_ES_300 = """
ivec2 textureSize(gsampler2D, int)                  ivec3 textureSize(gsampler3D, int)
ivec2 textureSize(gsamplerCube, int)                ivec2 textureSize(sampler2DShadow, int)
ivec2 textureSize(samplerCubeShadow, int)           ivec3 textureSize(gsampler2DArray, int)
ivec3 textureSize(sampler2DArrayShadow, int)
gvec4 texture(gsampler2D, vec2 [, float])           gvec4 texture(gsampler3D, vec3 [, float])
gvec4 texture(gsamplerCube, vec3 [, float])         float texture(sampler2DShadow, vec3 [, float])
float texture(samplerCubeShadow, vec4 [, float])    gvec4 texture(gsampler2DArray, vec3 [, float])
float texture(sampler2DArrayShadow, vec4)
gvec4 textureProj(gsampler2D, vec3 [, float])       gvec4 textureProj(gsampler2D, vec4 [, float])
gvec4 textureProj(gsampler3D, vec4 [, float])       float textureProj(sampler2DShadow, vec4 [, float])
gvec4 textureLod(gsampler2D, vec2, float)           gvec4 textureLod(gsampler3D, vec3, float)
gvec4 textureLod(gsamplerCube, vec3, float)         float textureLod(sampler2DShadow, vec3, float)
gvec4 textureLod(gsampler2DArray, vec3, float)
gvec4 textureOffset(gsampler2D, vec2, ivec2 [, float])
gvec4 textureOffset(gsampler3D, vec3, ivec3 [, float])
float textureOffset(sampler2DShadow, vec3, ivec2 [, float])
gvec4 textureOffset(gsampler2DArray, vec3, ivec2 [, float])
gvec4 texelFetch(gsampler2D, ivec2, int)            gvec4 texelFetch(gsampler3D, ivec3, int)
gvec4 texelFetch(gsampler2DArray, ivec3, int)
gvec4 texelFetchOffset(gsampler2D, ivec2, int, ivec2)
gvec4 texelFetchOffset(gsampler3D, ivec3, int, ivec3)
gvec4 texelFetchOffset(gsampler2DArray, ivec3, int, ivec2)
gvec4 textureProjOffset(gsampler2D, vec3, ivec2 [, float])
gvec4 textureProjOffset(gsampler2D, vec4, ivec2 [, float])
gvec4 textureProjOffset(gsampler3D, vec4, ivec3 [, float])
float textureProjOffset(sampler2DShadow, vec4, ivec2 [, float])
gvec4 textureLodOffset(gsampler2D, vec2, float, ivec2)
gvec4 textureLodOffset(gsampler3D, vec3, float, ivec3)
float textureLodOffset(sampler2DShadow, vec3, float, ivec2)
gvec4 textureLodOffset(gsampler2DArray, vec3, float, ivec2)
gvec4 textureProjLod(gsampler2D, vec3, float)       gvec4 textureProjLod(gsampler2D, vec4, float)
gvec4 textureProjLod(gsampler3D, vec4, float)       float textureProjLod(sampler2DShadow, vec4, float)
gvec4 textureProjLodOffset(gsampler2D, vec3, float, ivec2)
gvec4 textureProjLodOffset(gsampler2D, vec4, float, ivec2)
gvec4 textureProjLodOffset(gsampler3D, vec4, float, ivec3)
float textureProjLodOffset(sampler2DShadow, vec4, float, ivec2)
gvec4 textureGrad(gsampler2D, vec2, vec2, vec2)     gvec4 textureGrad(gsampler3D, vec3, vec3, vec3)
gvec4 textureGrad(gsamplerCube, vec3, vec3, vec3)   float textureGrad(sampler2DShadow, vec3, vec2, vec2)
float textureGrad(samplerCubeShadow, vec4, vec3, vec3)
gvec4 textureGrad(gsampler2DArray, vec3, vec2, vec2)
float textureGrad(sampler2DArrayShadow, vec4, vec2, vec2)
gvec4 textureGradOffset(gsampler2D, vec2, vec2, vec2, ivec2)
gvec4 textureGradOffset(gsampler3D, vec3, vec3, vec3, ivec3)
float textureGradOffset(sampler2DShadow, vec3, vec2, vec2, ivec2)
gvec4 textureGradOffset(gsampler2DArray, vec3, vec2, vec2, ivec2)
float textureGradOffset(sampler2DArrayShadow, vec4, vec2, vec2, ivec2)
gvec4 textureProjGrad(gsampler2D, vec3, vec2, vec2) gvec4 textureProjGrad(gsampler2D, vec4, vec2, vec2)
gvec4 textureProjGrad(gsampler3D, vec4, vec3, vec3) float textureProjGrad(sampler2DShadow, vec4, vec2, vec2)
gvec4 textureProjGradOffset(gsampler2D, vec3, vec2, vec2, ivec2)
gvec4 textureProjGradOffset(gsampler2D, vec4, vec2, vec2, ivec2)
gvec4 textureProjGradOffset(gsampler3D, vec4, vec3, vec3, ivec3)
float textureProjGradOffset(sampler2DShadow, vec4, vec2, vec2, ivec2)
"""
#: Those with a level are of vertex shaders, and of an extension for fragment shaders, where they have another name.
_ES_100 = """
vec4 texture2D(sampler2D, vec2 [, float])           vec4 texture2DProj(sampler2D, vec3 [, float])
vec4 texture2DProj(sampler2D, vec4 [, float])       vec4 textureCube(samplerCube, vec3 [, float])
vec4 texture2DLod(sampler2D, vec2, float)           vec4 texture2DProjLod(sampler2D, vec3, float)
vec4 texture2DProjLod(sampler2D, vec4, float)       vec4 textureCubeLod(samplerCube, vec3, float)
vec4 texture2DLodEXT(sampler2D, vec2, float)        vec4 texture2DProjLodEXT(sampler2D, vec3, float)
vec4 texture2DProjLodEXT(sampler2D, vec4, float)    vec4 textureCubeLodEXT(samplerCube, vec3, float)
vec4 texture2DGradEXT(sampler2D, vec2, vec2, vec2)  vec4 texture2DProjGradEXT(sampler2D, vec3, vec2, vec2)
vec4 texture2DProjGradEXT(sampler2D, vec4, vec2, vec2)
vec4 textureCubeGradEXT(samplerCube, vec3, vec3, vec3)
"""
#: (result, name, parameters), and whether the last one is a bias.
Prototype = tuple[str, str, tuple[str, ...]]


def _prototypes(text: str) -> dict[Prototype, bool]:
    found: dict[Prototype, bool] = {}
    for line in text.replace(")", ")\n").splitlines():
        if not line.strip():
            continue
        head, _, rest = line.strip().removesuffix(")").partition("(")
        for base in ("", "i", "u") if "gsampler" in line else ("",):
            result, name = head.replace("gvec", f"{base}vec").split()
            fixed, _, bias = rest.replace("gsampler", f"{base}sampler").removesuffix("]").partition(" [, ")
            parameters = tuple(fixed.split(", "))
            found[result, name, parameters] = False
            if bias:
                found[result, name, (*parameters, bias)] = True
    return found


def _found(version: int, names: set[str]) -> dict[Prototype, tuple[bool, str]]:
    """Return whether each function of the tables is of fragment shaders alone, and its extension."""
    return {
        (str(each.return_type), each.name, tuple(map(str, each.parameters))): (each.stages == FRAGMENT, each.extension)
        for name in names
        for each in functions_of(name, version)
        if "External" not in str(each.parameters[0])
    }


def test_prototypes_of_es_300() -> None:
    wanted = _prototypes(_ES_300)
    assert _found(300, {name for _, name, _ in wanted}) == {key: (is_biased, "") for key, is_biased in wanted.items()}


def test_prototypes_of_es_100() -> None:
    wanted = _prototypes(_ES_100)
    found = _found(100, {name for _, name, _ in wanted})
    assert found.keys() == wanted.keys()
    for key, (is_of_fragments, extension) in found.items():
        is_extended = key[1].endswith("EXT")
        assert extension == ("GL_EXT_shader_texture_lod" if is_extended else "")
        assert is_of_fragments == (wanted[key] or is_extended)


@pytest.mark.parametrize("name", ["texture2DLod", "texture2DProjLod", "textureCubeLod"])
def test_levels_are_for_vertex_shaders(name: str) -> None:
    """GLSL ES 1.00 and GLSL 1.20; from 1.30 on every stage has them."""
    for version, stages in ((100, BEFORE_FRAGMENT), (120, BEFORE_FRAGMENT), (130, ALL_STAGES)):
        assert {each.stages for each in functions_of(name, version) if not each.extension} == {stages}


def test_sizes_are_whole_in_high_precision() -> None:
    assert {each.precision for each in functions_of("textureSize", 300)} == {"highp"}
    assert {each.precision for each in functions_of("texture", 300)} == {None}


#: GLSL 3.30, section 8.7: those of samplers that GLSL ES has not.
_OF_330 = """
ivec2 textureSize(gsampler2DRect)                   int textureSize(gsamplerBuffer)
int textureSize(gsampler1D, int)                    ivec2 textureSize(gsampler1DArray, int)
float texture(sampler1DShadow, vec3 [, float])      float texture(sampler1DArrayShadow, vec3 [, float])
gvec4 texture(gsampler2DRect, vec2)                 float texture(sampler2DRectShadow, vec3)
gvec4 texture(gsampler1D, float [, float])          gvec4 texture(gsampler1DArray, vec2 [, float])
gvec4 textureProj(gsampler1D, vec2 [, float])       gvec4 textureProj(gsampler1D, vec4 [, float])
float textureProj(sampler1DShadow, vec4 [, float])  gvec4 textureProj(gsampler2DRect, vec3)
gvec4 textureProj(gsampler2DRect, vec4)             float textureProj(sampler2DRectShadow, vec4)
gvec4 texelFetch(gsampler2DRect, ivec2)             gvec4 texelFetch(gsamplerBuffer, int)
gvec4 texelFetch(gsampler1D, int, int)              gvec4 texelFetch(gsampler1DArray, ivec2, int)
gvec4 texelFetchOffset(gsampler2DRect, ivec2, ivec2)
gvec4 texelFetchOffset(gsampler1D, int, int, int)   gvec4 texelFetchOffset(gsampler1DArray, ivec2, int, int)
gvec4 textureOffset(gsampler1D, float, int [, float])
float textureOffset(sampler1DShadow, vec3, int [, float])
gvec4 textureOffset(gsampler2DRect, vec2, ivec2)
float textureOffset(sampler2DRectShadow, vec3, ivec2)
gvec4 textureOffset(gsampler1DArray, vec2, int [, float])
gvec4 textureGrad(gsampler1D, float, float, float)  gvec4 textureGrad(gsampler2DRect, vec2, vec2, vec2)
float textureGrad(sampler1DShadow, vec3, float, float)
gvec4 textureGrad(gsampler1DArray, vec2, float, float)
float textureGrad(sampler1DArrayShadow, vec3, float, float)
gvec4 textureLod(gsampler1D, float, float)          float textureLod(sampler1DShadow, vec3, float)
gvec4 textureLod(gsampler1DArray, vec2, float)      float textureLod(sampler1DArrayShadow, vec3, float)
"""


def test_prototypes_of_330() -> None:
    wanted = _prototypes(_OF_330)
    found = _found(330, {name for _, name, _ in wanted})
    assert {key: found.get(key) for key in wanted} == {key: (is_biased, "") for key, is_biased in wanted.items()}
