"""Keywords and reserved words of each version (sections 3.6 and 3.7 of the specifications)."""

from __future__ import annotations

from functools import cache

from glslc_multi.frontends.glsl.language.versions import EVERYWHERE, versions
from glslc_multi.frontends.glsl.tokens import TokenKind

#: (versions, keywords).
_KEYWORDS: tuple[tuple[str, str], ...] = (
    (
        EVERYWHERE,
        """
        const uniform break continue do for while if else in out inout float int void bool true false
        lowp mediump highp precision discard return mat2 mat3 mat4 vec2 vec3 vec4
        ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 sampler2D samplerCube struct
        """,
    ),
    ("100 110-", "attribute varying"),
    ("100 300 120-", "invariant"),
    ("300 120-", "mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 centroid"),
    ("300 130-", "flat smooth uint uvec2 uvec3 uvec4 switch case default"),
    ("130-", "noperspective"),
    ("300 140-", "layout"),
    ("300 110-", "sampler3D sampler2DShadow"),
    ("110-", "sampler1D sampler1DShadow"),
    (
        "300 130-",
        """
        samplerCubeShadow sampler2DArray sampler2DArrayShadow isampler2D isampler3D isamplerCube isampler2DArray
        usampler2D usampler3D usamplerCube usampler2DArray
        """,
    ),
    ("130-", "sampler1DArray sampler1DArrayShadow isampler1D isampler1DArray usampler1D usampler1DArray"),
    (
        "140-",
        """
        sampler2DRect sampler2DRectShadow isampler2DRect usampler2DRect samplerBuffer isamplerBuffer usamplerBuffer
        """,
    ),
)

_FOREIGN_TYPES = """
    long short double half fixed unsigned hvec2 hvec3 hvec4 dvec2 dvec3 dvec4 fvec2 fvec3 fvec4 sampler3DRect
"""
_IMAGES = """
    image1D image2D image3D imageCube iimage1D iimage2D iimage3D iimageCube uimage1D uimage2D uimage3D uimageCube
    image1DArray image2DArray iimage1DArray iimage2DArray uimage1DArray uimage2DArray
    imageBuffer iimageBuffer uimageBuffer
"""
#: (versions, reserved words).
_RESERVED: tuple[tuple[str, str], ...] = (
    (
        EVERYWHERE,
        """
        asm class union enum typedef template this goto inline noinline volatile public static extern external
        interface input output sizeof cast namespace using
        """,
    ),
    (EVERYWHERE, _FOREIGN_TYPES),
    ("100 110 120 130", "packed"),
    ("100 110 120", "switch default"),
    ("100 300 130-", "superp"),
    ("100 110 120", "sampler2DRect sampler2DRectShadow"),
    ("130", "sampler2DRect sampler2DRectShadow"),
    ("100", "flat sampler1D sampler3D sampler1DShadow sampler2DShadow"),
    ("300 130-", "common partition active filter"),
    ("300 130-", _IMAGES),
    ("130-", "image1DShadow image2DShadow image1DArrayShadow image2DArrayShadow"),
    ("130", "row_major"),
    (
        "300",
        """
        attribute varying coherent restrict readonly writeonly resource atomic_uint noperspective patch sample
        subroutine
        sampler1D sampler1DShadow sampler1DArray sampler1DArrayShadow isampler1D isampler1DArray usampler1D
        usampler1DArray sampler2DRect sampler2DRectShadow isampler2DRect usampler2DRect
        samplerBuffer isamplerBuffer usamplerBuffer
        sampler2DMS isampler2DMS usampler2DMS sampler2DMSArray isampler2DMSArray usampler2DMSArray
        """,
    ),
    ("150-", "sampler2DMS isampler2DMS usampler2DMS sampler2DMSArray isampler2DMSArray usampler2DMSArray"),
)


@cache
def word_kinds(version: int) -> dict[str, TokenKind]:
    """Kind of every word that is no ordinary identifier in a version."""
    kinds: dict[str, TokenKind] = {}
    for which, words in _RESERVED:
        if version in versions(which):
            kinds.update(dict.fromkeys(words.split(), "reserved"))
    for which, words in _KEYWORDS:
        if version in versions(which):
            kinds.update(dict.fromkeys(words.split(), "keyword"))
    return kinds
