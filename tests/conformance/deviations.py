"""Records of the shared corpora whose verdict is not that of GLSL ES 1.00, with the section that says so."""

from __future__ import annotations

_NOT_IN_ES = (
    "section 7.3: gl_Vertex, gl_Normal, gl_Color, gl_MultiTexCoord0 are not in GLSL ES. Mesa takes them in texts "
    "without #version, glslang does not; webgl.misc.shader-with-glcolor.vert requires the rejection"
)
_ARRAY_TYPE = "chapter 9: a type specifier has no array size (`float[2] x`); glslang rejects it"

_ONE_MISTAKE = (
    "sections 3.4 and 4.1.9: the text has a line with no mistake of its own but the consequence of an earlier one (an "
    "#extension after code, an array without size), which is reported once"
)

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
    "glslang.100samplerExternal.frag": _ONE_MISTAKE,
    "glslang.array100.frag": _ONE_MISTAKE,
}

_ROUNDED_INPUT = (
    "inputs have 17 fraction bits: rounding the divisor alone, 0.5550341 to 72749 / 2^17, turns the quotient of lane 4 "
    "from 98.9999 to 99.0004, over the jump of mod"
)

_OUT_OF_RANGE = (
    "the shader counts with numbers up to 10^6, and the format ends at 16384: compiling warns of values that may leave "
    "the range (W0712)"
)
_HASH = (
    "a hash, fract(sin(x) * 43758.5453), asks for every bit of a sine, more than sums and products of float32 give; "
    "GLSL ES 1.00 leaves the precision of sin open"
)

#: Target -> record -> why its number format, or its arithmetic, cannot give the recorded value.
ENGINE_DEVIATIONS: dict[str, dict[str, str]] = {
    "theia": {
        "builtin/mod/vec3_float_fragment": _ROUNDED_INPUT,
        "raylib__eratosthenes.frag#0": _OUT_OF_RANGE,
        "raylib__eratosthenes.frag#1": _OUT_OF_RANGE,
    },
    "vc4": {
        "gl-transitions__gridflip.frag#1": _HASH,
        "gl-transitions__puzzleright.frag#0": _HASH,
        "gl-transitions__stripdatamoshglitch.frag#0": _HASH,
        "gl-transitions__stripdatamoshglitch.frag#1": _HASH,
    },
}
