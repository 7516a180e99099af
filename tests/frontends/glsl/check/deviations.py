"""Records of the shared corpora whose verdict is not that of GLSL ES 1.00, with the section that says so."""

from __future__ import annotations

_NOT_IN_ES = (
    "section 7.3: gl_Vertex, gl_Normal, gl_Color, gl_MultiTexCoord0 are not in GLSL ES. Mesa takes them in texts "
    "without #version, glslang does not; webgl.misc.shader-with-glcolor.vert asks for the rejection"
)
_ARRAY_TYPE = "chapter 9: a type specifier has no array size (`float[2] x`); glslang rejects it"
_EXTENSION_FIRST = "section 3.4: #extension comes before all text that is not a directive; Mesa rejects it"

#: Record -> why its verdict is not ours.
KNOWN_DEVIATIONS: dict[str, str] = {
    "glslopt.vertex.MF-GodRays": _NOT_IN_ES,
    "glslopt.vertex.loops-forvarious": _NOT_IN_ES,
    "glslopt.vertex.types": _NOT_IN_ES,
    "glslopt.vertex.z-particle": _NOT_IN_ES,
    "glslopt.vertex.z-treeleaf": _NOT_IN_ES,
    "piglit.glsl-es-1.00.compiler.qualifiers.fn-inout-array-allowed-cstyle.vert": _ARRAY_TYPE,
    "piglit.glsl-es-1.00.compiler.qualifiers.fn-out-array-allowed-cstyle.frag": _ARRAY_TYPE,
    "piglit.glsl-es-1.00.compiler.qualifiers.fn-out-array-allowed-cstyle.vert": _ARRAY_TYPE,
    "webgl.misc.extension-enable-and-disable#2": _EXTENSION_FIRST,
    "webgl.misc.extension-enable-and-disable#3": _EXTENSION_FIRST,
    "webgl.misc.extension-enable-and-disable#4": _EXTENSION_FIRST,
    "webgl.misc.shader-with-version-120.vert#1": "desktop GLSL 1.10 and 1.20 are accepted in their common subset",
}
