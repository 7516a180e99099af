"""Keywords and reserved words against the lists of the specifications, word by word."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.language.words import word_kinds

#: In every version: GLSL ES 1.00, section 3.7.
_COMMON = """const uniform break continue do for while if else in out inout float int void bool true false
lowp mediump highp precision discard return mat2 mat3 mat4 vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4
sampler2D samplerCube struct"""
_MATRICES = "mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4"
_SAMPLERS_300 = """sampler3D sampler2DShadow samplerCubeShadow sampler2DArray sampler2DArrayShadow isampler2D isampler3D
isamplerCube isampler2DArray usampler2D usampler3D usamplerCube usampler2DArray"""
_LINES = """sampler1D sampler1DShadow sampler1DArray sampler1DArrayShadow isampler1D isampler1DArray usampler1D
usampler1DArray"""
_RECTANGLES = """sampler2DRect sampler2DRectShadow isampler2DRect usampler2DRect samplerBuffer isamplerBuffer
usamplerBuffer"""
_SEVERAL = """sampler2DMS isampler2DMS usampler2DMS sampler2DMSArray isampler2DMSArray usampler2DMSArray"""
_KEYWORDS = {
    100: f"{_COMMON} attribute varying invariant",
    300: f"{_COMMON} {_MATRICES} {_SAMPLERS_300} layout centroid flat smooth switch case default invariant uint uvec2"
    " uvec3 uvec4",
    # GLSL 3.30, section 3.6, but for samplers of several samples, which no target has.
    330: f"{_COMMON} {_MATRICES} {_SAMPLERS_300} {_LINES} {_RECTANGLES} attribute varying layout centroid flat smooth"
    " noperspective switch case default invariant uint uvec2 uvec3 uvec4",
}
_COMMON_RESERVED = """asm class union enum typedef template this goto inline noinline volatile public static extern
external interface long short double half fixed unsigned input output hvec2 hvec3 hvec4 dvec2 dvec3 dvec4 fvec2 fvec3
fvec4 sampler3DRect sizeof cast namespace using superp"""
_IMAGES = " ".join(
    f"{base}image{kind}" for base in ("", "i", "u") for kind in "1D 2D 3D Cube 1DArray 2DArray Buffer".split()
)
_RESERVED = {
    100: f"""{_COMMON_RESERVED} packed switch default flat sampler1D sampler3D sampler1DShadow sampler2DShadow
        sampler2DRect sampler2DRectShadow""",
    300: f"""{_COMMON_RESERVED} {_IMAGES} {_LINES} {_RECTANGLES} {_SEVERAL} attribute varying coherent restrict
        readonly writeonly resource atomic_uint noperspective patch sample subroutine common partition active filter""",
    # But for packed and row_major, which are words of layouts from 1.40 on.
    330: f"""{_COMMON_RESERVED} {_IMAGES} {_SEVERAL} common partition active filter image1DShadow image2DShadow
        image1DArrayShadow image2DArrayShadow""",
}


@pytest.mark.parametrize("version", _KEYWORDS)
def test_words_are_those_of_the_specification(version: int) -> None:
    kinds = word_kinds(version)
    for kind, words in (("keyword", _KEYWORDS), ("reserved", _RESERVED)):
        assert {word for word, of in kinds.items() if of == kind} == set(words[version].split())


@pytest.mark.parametrize(
    ("word", "first"),
    [
        # The version of the desktop that has the word as a keyword first.
        *(("attribute", 110), ("sampler1D", 110), ("sampler3D", 110), ("sampler2DShadow", 110)),
        *(("invariant", 120), ("centroid", 120), ("mat2x3", 120)),
        *(("flat", 130), ("smooth", 130), ("noperspective", 130), ("uint", 130), ("switch", 130), ("case", 130)),
        *(("sampler1DArray", 130), ("usampler2DArray", 130), ("samplerCubeShadow", 130)),
        *(("layout", 140), ("sampler2DRect", 140), ("usamplerBuffer", 140)),
    ],
)
def test_words_become_keywords_in_a_version(word: str, first: int) -> None:
    versions = (110, 120, 130, 140, 150, 330)
    assert [word_kinds(number).get(word) == "keyword" for number in versions] == [n >= first for n in versions]
