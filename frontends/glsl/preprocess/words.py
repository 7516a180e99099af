"""The keywords and reserved words of GLSL ES 1.00, section 3.6."""

from __future__ import annotations

from frontends.glsl.tokens import TokenKind

_KEYWORDS = """
    attribute const uniform varying break continue do for while if else in out inout float int void bool
    true false lowp mediump highp precision invariant discard return mat2 mat3 mat4 vec2 vec3 vec4
    ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 sampler2D samplerCube struct
"""
_RESERVED = """
    asm class union enum typedef template this packed goto switch default inline noinline volatile public
    static extern external interface flat long short double half fixed unsigned superp input output
    hvec2 hvec3 hvec4 dvec2 dvec3 dvec4 fvec2 fvec3 fvec4 sampler1D sampler3D sampler1DShadow
    sampler2DShadow sampler2DRect sampler3DRect sampler2DRectShadow sizeof cast namespace using
"""

#: Kind of every word that is not an ordinary identifier.
WORD_KINDS: dict[str, TokenKind] = {
    **dict.fromkeys(_KEYWORDS.split(), "keyword"),
    **dict.fromkeys(_RESERVED.split(), "reserved"),
}

#: Extension -> the keyword that it adds (OES_EGL_image_external, section 3.6).
EXTENSION_KEYWORDS = {"GL_OES_EGL_image_external": "samplerExternalOES"}
