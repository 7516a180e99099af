"""Records of the shared corpora whose verdict is not that of their version of GLSL, with the section that says so."""

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

_REPORTED_ONCE = (
    "the text repeats a mistake: an unknown name, a missing default precision or an array without size is reported at "
    "its first place, or at the member rather than the block (GLSL ES 3.00 sections 4.1.9 and 4.5.4)"
)
_LABEL_LAST = (
    "GLSL ES 3.00 section 6.2: the error of line 21 is that of the label in line 23, where we report it; of line 128 "
    "none: a declaration is a statement (chapter 9), as the text itself remarks"
)
_UNSUPPORTED = "section 3.3 (GLSL ES 3.00: 3.4): the text needs an extension that we do not support"
_MACRO = (
    "GLSL ES 3.00 section 3.4: which extensions there are is up to the GL; here the macro of one is defined where the "
    "text itself names it in #extension"
)
_EMPTY = "chapter 9: `#if 0` leaves no text; Mesa wants a declaration, as the grammar does, glslang and we do not"
_UNDECLARED_INPUT = (
    "GLSL 3.30 section 4.3.4: an input that is read is declared by the stage before; the stand-in for the vertex "
    "shader does not declare it, or the geometry shader that does is missing"
)
_NO_SUCH_BLOCK = "GLSL 1.50 section 4.3.7: a block that is read is declared by the stage before; Mesa agrees"
_DRAW_BUFFERS = "GLSL ES 3.00 section 4.3.8.2: locations end before gl_MaxDrawBuffers, 8 here; these are 9 and 10"
_POSITION = "GLSL 1.10 section 7.1: without a write gl_Position is undefined, of which a compiler may warn, as we do"

_BEYOND_THE_ARRAY = (
    "GLSL 3.30 section 4.1.9: an index beyond the array is undefined; the recorded index is that of a texel, up to "
    "255, and the array has 8 elements"
)
_NEGATIVE_REMAINDER = (
    "GLSL ES 3.00 section 5.9: `%` of a negative number is undefined; the recorded bones have numbers below 0"
)
_NEGATIVE_BASE = (
    "GLSL ES 3.00 section 8.2: pow(x, y) is undefined for x below 0; the recorded driver, and some passes, square "
    "where y is the constant 2"
)
_INFINITIES = "an infinity less another one, of which GLSL says nothing (GLSL ES 3.00 section 4.5.1)"

#: Record -> why its verdict is not ours, or its values.
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
    "glslang.300.vert": _REPORTED_ONCE,
    "glslang.Operations.frag": _REPORTED_ONCE,
    "glslang.precision.vert": _REPORTED_ONCE,
    "glslang.300samplerExternal.frag": _REPORTED_ONCE,
    "glslang.300samplerExternalYUV.frag": _UNSUPPORTED,
    "glslang.300link2.frag": _DRAW_BUFFERS,
    "glslang.BestMatchFunction.vert": _UNSUPPORTED,
    "glslang.GL_ARB_gpu_shader5.u2i.vert": _UNSUPPORTED,
    "glslang.floatBitsToInt.vert": _UNSUPPORTED,
    "glslang.GL_ARB_texture_multisample.vert": _UNSUPPORTED,
    "glslang.cppRelaxSkipTokensErrors.vert": _EMPTY,
    "glslang.switch.frag": _LABEL_LAST,
    "piglit.spec.glsl-1.50.compiler.interface-blocks-basic.frag": _NO_SUCH_BLOCK,
    "piglit.spec.glsl-1.10.linker.gl_Position-not-written-check.shader_test": _POSITION,
    "webgl2.conformance2.extensions.nv-shader-noperspective-interpolation#2": _MACRO,
    "webgl2.conformance2.extensions.nv-shader-noperspective-interpolation#3": _MACRO,
    "webgl2.conformance2.extensions.oes-sample-variables#2": _MACRO,
    "webgl2.conformance2.extensions.oes-shader-multisample-interpolation#8": _UNSUPPORTED,
    "raylib__fog_330.frag": _UNDECLARED_INPUT,
    "sfml__billboard.vert": _UNDECLARED_INPUT,
    "sfml__billboard.frag": _UNDECLARED_INPUT,
    "raylib__palette_switch_330.frag#0": _BEYOND_THE_ARRAY,
    "three.js__meshlambert_skin.vert#0": _NEGATIVE_REMAINDER,
    "supertuxkart__tonemap_frag.frag#0": _NEGATIVE_BASE,
    "ogre__gaussianblurxfp.frag#0": _NEGATIVE_BASE,
    "cocos2d-objc__example_monjori_fsh.frag#0": _NEGATIVE_BASE,
    "kodi-visualization-shadertoy__revision2015_frag_glsl.frag#0": _NEGATIVE_BASE,
    "kodi-screensaver-shadertoy__juliatrap_frag_glsl.frag#0": _INFINITIES,
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
    "GLSL leaves the precision of sin open"
)
_LARGE_ANGLE = (
    "a hash, fract((sin(2166.01) + ...) * 13.545317): the angle in turns, rounded to float32, is off by 2.1e-5, the "
    "sine by 1.3e-4, and what is made of it by more than the tolerance; GLSL leaves the precision of sin open"
)
_SMALL_DIFFERENCES = (
    "normals are differences of distances at places 0.001 apart, which magnify roundings of float32 a thousand times: "
    "-O0 and -O2 err to different sides"
)

_FRACTAL_TILING = "kodi-screensaver-shadertoy__fractaltiling_frag_glsl.frag#0"

#: Target -> record -> why its number format, or its arithmetic, cannot give the recorded value.
ENGINE_DEVIATIONS: dict[str, dict[str, str]] = {
    "theia": {
        "builtin/mod/vec3_float_fragment": _ROUNDED_INPUT,
        "raylib__eratosthenes.frag#0": _OUT_OF_RANGE,
        "raylib__eratosthenes_120.frag#0": _OUT_OF_RANGE,
        "raylib__eratosthenes.frag#1": _OUT_OF_RANGE,
    },
    "vc4": {
        "gl-transitions__gridflip.frag#1": _HASH,
        "gl-transitions__puzzleright.frag#0": _HASH,
        "gl-transitions__stripdatamoshglitch.frag#0": _HASH,
        "gl-transitions__stripdatamoshglitch.frag#1": _HASH,
        "luma.gl__tiltshift.frag#0": _HASH,
        "luma.gl__triangleblur.frag#0": _HASH,
        "luma.gl__zoomblur.frag#0": _HASH,
        _FRACTAL_TILING: _LARGE_ANGLE,
    },
    **{
        key: {
            "luma.gl__tiltshift.frag#0": _HASH,
            "luma.gl__zoomblur.frag#0": _HASH,
            _FRACTAL_TILING: _LARGE_ANGLE,
            "kodi-visualization-shadertoy__cubescape_frag_glsl.frag#0": _SMALL_DIFFERENCES,
        }
        for key in ("adreno", "xenos")
    },
}
