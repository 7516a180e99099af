"""Names of other shading languages, and what to write in GLSL: HLSL and Cg, other versions of GLSL, ShaderToy.

One table for each place where a name can stand.  What is in quotes is GLSL ES 1.00; tests compile it.  Later versions
have texture functions of other names (`language/renames.py`), and where they have more, tables of their own.
"""

from __future__ import annotations

from glslc_multi.frontends.glsl import fixed_function
from glslc_multi.frontends.glsl.language import renames
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.symbols import Stage

_LOD = (
    "'texture2DLod(s, uv, lod)' in vertex shaders, 'texture2DLodEXT' with GL_EXT_shader_texture_lod in fragment shaders"
)
_GRAD = (
    "use 'texture2DGradEXT(s, uv, dFdx(uv), dFdy(uv))' with GL_EXT_shader_texture_lod and GL_OES_standard_derivatives"
)
_OUTSIDE = "compute it outside of the shader, and pass it as a uniform"

#: Functions.  The names in the code: numbers x, y, z and a; vec2 uv, vec3 d, vec4 p, mat3 m; samplers s and c.
_FUNCTIONS: dict[str, str] = {
    # HLSL and Cg
    "lerp": "write 'mix(x, y, a)'",
    "saturate": "write 'clamp(x, 0.0, 1.0)'",
    "frac": "write 'fract(x)'",
    "fmod": "write 'mod(x, y)', which differs where x is negative",
    "rsqrt": "write 'inversesqrt(x)'",
    "rcp": "write '1.0 / x'",
    "atan2": "write 'atan(y, x)'",
    "mul": "write 'm * d', or 'd * m' for rows; '*' multiplies matrices",
    "mad": "write 'x * y + z'",
    "ddx": "write 'dFdx(x)', with GL_OES_standard_derivatives",
    "ddy": "write 'dFdy(x)', with GL_OES_standard_derivatives",
    "clip": "write 'if (x < 0.0) discard;'",
    "log10": "write 'log2(x) * 0.30103'",
    "sincos": "write 'sin(x)' and 'cos(x)'",
    "tex2D": "write 'texture2D(s, uv)'",
    "tex2Dproj": "write 'texture2DProj(s, p)'",
    "tex2Dbias": "write 'texture2D(s, uv, x)'",
    "tex2Dlod": _LOD,
    "tex2Dgrad": _GRAD,
    "texCUBE": "write 'textureCube(c, d)'",
    # Newer GLSL
    "texture": "write 'texture2D(s, uv)', or 'textureCube(c, d)'",
    "textureProj": "write 'texture2DProj(s, p)'",
    "textureLod": _LOD,
    "textureGrad": _GRAD,
    "textureOffset": "add the offset, divided by the size of the texture, to the coordinates",
    "texelFetch": "write 'texture2D(s, (uv + 0.5) / size)', with a uniform for the size of the texture",
    "textureSize": "pass the size of the texture as a uniform",
    "fma": "write 'x * y + z'",
    "trunc": "write 'sign(x) * floor(abs(x))'",
    "round": "write 'floor(x + 0.5)'",
    "roundEven": "write 'floor(x + 0.5)'",
    "modf": "write 'fract(x)' and 'floor(x)'",
    "sinh": "write '0.5 * (exp(x) - exp(-x))'",
    "cosh": "write '0.5 * (exp(x) + exp(-x))'",
    "tanh": "write '1.0 - 2.0 / (exp(2.0 * x) + 1.0)'",
    "asinh": "write 'log(x + sqrt(x * x + 1.0))'",
    "acosh": "write 'log(x + sqrt(x * x - 1.0))'",
    "atanh": "write '0.5 * log((1.0 + x) / (1.0 - x))'",
    "inverse": f"{_OUTSIDE}; a rotation is undone by 'd * m'",
    "transpose": "write 'd * m' for the product of the transposed matrix and a vector",
    "determinant": "write 'dot(m[0], cross(m[1], m[2]))' for a mat3",
    "outerProduct": "write 'mat3(d * x, d * y, d * z)'",
    "isnan": "there is no such test; keep operands where results are defined",
    "isinf": "there is no such test; keep operands where results are defined",
    # Desktop GLSL
    "texture1D": "write 'texture2D(s, vec2(x, 0.5))', with a texture one row high",
    "texture3D": "there are no textures of three dimensions; put slices side by side into one of two",
    "shadow2D": "write 'step(z, texture2D(s, uv).x)'",
    "ftransform": "multiply a uniform matrix by an attribute, both of your own",
    "noise1": "use a texture, or a function of your own",
}

#: Functions in versions with `texture` and its kin.
_MODERN_FUNCTIONS: dict[str, str] = {
    "tex2Dlod": "write 'textureLod(s, uv, lod)'",
    "tex2Dgrad": "write 'textureGrad(s, uv, dFdx(uv), dFdy(uv))'",
    "ddx": "write 'dFdx(x)'",
    "ddy": "write 'dFdy(x)'",
    "texture3D": "write 'texture(v, d)', where v is a sampler3D",
    "shadow2D": "declare the sampler as 'sampler2DShadow', and write 'texture(shadow, d)'",
}

_VECTORS = {
    "float": "vec",
    "half": "vec",
    "fixed": "vec",
    "int": "ivec",
    "uint": "ivec",
    "bool": "bvec",
    "double": "vec",
}
_HELPS = {"half": "mediump ", "fixed": "lowp "}
_TYPES: dict[str, str] = {
    **{
        f"{kind}{size}": f"write '{_HELPS.get(kind, '')}{vector}{size}'"
        for kind, vector in _VECTORS.items()
        for size in (2, 3, 4)
    },
    **{f"{kind}{size}x{size}": f"write 'mat{size}'" for kind in ("float", "half", "mat") for size in (2, 3, 4)},
    **{f"uvec{size}": f"write 'ivec{size}'" for size in (2, 3, 4)},
    **dict.fromkeys(("uint", "dword"), "write 'int'"),
    **dict.fromkeys(("Texture2D", "sampler", "SamplerState", "isampler2D", "usampler2D"), "write 'sampler2D'"),
    **dict.fromkeys(("TextureCube", "samplerCUBE", "isamplerCube", "usamplerCube"), "write 'samplerCube'"),
    "matrix": "write 'mat4'",
    **dict.fromkeys(("let", "var", "auto", "val"), "write the type of the value, such as 'float' or 'vec3'"),
    **{f"vec{size}f": f"write 'vec{size}'" for size in (2, 3, 4)},
    "f32": "write 'float'",
    "f16": "write 'mediump float'",
    "i32": "write 'int'",
    "fn": "write the type that the function returns in its place",
    "sampler2DArray": "use a 'sampler2D' with the layers side by side",
    "samplerCubeShadow": "use a 'samplerCube', and compare in the shader",
}

_MATRIX = "declare a uniform matrix of your own"
_ATTRIBUTE = "declare an attribute of your own"
_VARYING = "declare a varying of your own"
_TOY = "declare it as a uniform of your own"
#: What ShaderToy declares.
TOY_TYPES: dict[str, str] = {
    **dict.fromkeys(("iTime", "iGlobalTime", "iTimeDelta", "iFrameRate"), "float"),
    "iResolution": "vec3",
    "iMouse": "vec4",
    "iDate": "vec4",
    "iFrame": "int",
    **{f"iChannel{number}": "sampler2D" for number in range(4)},
}
#: These in versions with `in` and `out`.
_MODERN_VARIABLES = {
    _ATTRIBUTE: "declare an input of your own",
    _VARYING: "declare an input or output of your own",
}
_COLOUR = f"declare '{renames.COLOUR_DECLARATION}', and write that"
_VARIABLES: dict[str, str] = {
    **dict.fromkeys(("gl_ModelViewMatrix", "gl_ProjectionMatrix", "gl_ModelViewProjectionMatrix"), _MATRIX),
    **dict.fromkeys(("gl_NormalMatrix", "gl_TextureMatrix"), _MATRIX),
    **dict.fromkeys(("gl_Vertex", "gl_Normal", "gl_MultiTexCoord0", "gl_MultiTexCoord1", "gl_VertexID"), _ATTRIBUTE),
    **dict.fromkeys(("gl_TexCoord", "gl_FrontColor", "gl_BackColor", "gl_FogFragCoord"), _VARYING),
    **dict.fromkeys(TOY_TYPES, _TOY),
    "gl_Color": "declare an attribute of your own, and a varying for the fragment shader",
    "gl_FragDepth": "write 'gl_FragDepthEXT', with GL_EXT_frag_depth",
    "gl_InstanceID": "write 'gl_InstanceIDEXT', with GL_EXT_draw_instanced",
    "M_PI": "write '3.14159265'",
    "PI": "write '3.14159265'",
}

_FIXED_FUNCTION = fixed_function.names("vertex") | fixed_function.names("fragment")

#: Words that begin declarations elsewhere.
WORDS: dict[str, str] = {
    **dict.fromkeys(
        ("smooth", "centroid", "noperspective"), "leave it out: varyings are interpolated with perspective"
    ),
    **dict.fromkeys(("cbuffer", "buffer", "tbuffer"), "declare each member as a uniform"),
    **dict.fromkeys(("groupshared", "shared", "nointerpolation", "row_major", "column_major"), "leave it out"),
    "subroutine": "use 'if' and 'else'",
}

#: Qualifiers at global scope, by stage.
_QUALIFIERS: dict[tuple[Stage, str], str] = {
    ("vertex", "in"): "inputs of vertex shaders are 'attribute'",
    ("vertex", "out"): "outputs of vertex shaders are 'varying'",
    ("fragment", "in"): "inputs of fragment shaders are 'varying'",
    ("fragment", "out"): "fragment shaders write 'gl_FragColor'",
}


def function_help(name: str, language: Language) -> str | None:
    """What to write instead of a call of `name`, which may be a constructor."""
    new = renames.renamed(name, language)
    if new is not None:
        return f"write '{new}'"
    help = _MODERN_FUNCTIONS.get(name) if language.has("in and out") else None
    help = help or _FUNCTIONS.get(name)
    return type_help(name, language) if help is None else renames.modernised(help, language)


def type_help(name: str, language: Language) -> str | None:
    help = _TYPES.get(name)
    if help is not None and name.startswith("uint") and language.has("uint"):
        return help.replace("ivec", "uvec")
    return help


def variable_help(name: str, language: Language) -> str | None:
    if not language.is_es and not language.compat and name in _FIXED_FUNCTION:
        return "compile with --compat, or declare it under a name of your own"
    new = renames.renamed(name, language)
    if new is not None:
        return f"write '{new}'"
    if name in ("gl_FragColor", "gl_FragData"):
        return _COLOUR
    help = _VARIABLES.get(name)
    return _MODERN_VARIABLES.get(help or "", help) if language.has("in and out") else help


def qualifier_help(stage: Stage, word: str) -> str | None:
    """What a global variable is declared with instead of `word`."""
    return _QUALIFIERS.get((stage, word))
