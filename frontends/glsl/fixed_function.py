"""The names of the fixed-function pipeline (GLSL 1.20 chapter 7), which desktop GLSL has under `--compat`.

Each is an ordinary attribute, uniform, varying or constant under its name, which the host sets like any other; nothing
is tracked behind its back.  A colour of the fragment shader is the varying that the vertex shader writes: `gl_Color` is
linked with `gl_FrontColor`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.frontends.glsl.ast import Binary, Call, Name
from glslc_multi.frontends.glsl.symbols import Stage, Storage, VariableSymbol
from glslc_multi.frontends.glsl.types import INT, KEYWORD_TYPES, ArrayType, GlslType, StructField, StructType

#: Sections 7.4; the specification's minima.
CONSTANTS: dict[str, int] = {
    "gl_MaxLights": 8,
    "gl_MaxClipPlanes": 8,
    "gl_MaxTextureUnits": 2,
    "gl_MaxTextureCoords": 8,
}

MOST_TEXTURE_COORDINATES = CONSTANTS["gl_MaxTextureCoords"]

#: Name -> fields of the structures of section 7.5.
_STRUCTURES: dict[str, str] = {
    "gl_PointParameters": """
        float size, float sizeMin, float sizeMax, float fadeThresholdSize, float distanceConstantAttenuation,
        float distanceLinearAttenuation, float distanceQuadraticAttenuation
    """,
    "gl_MaterialParameters": "vec4 emission, vec4 ambient, vec4 diffuse, vec4 specular, float shininess",
    "gl_LightSourceParameters": """
        vec4 ambient, vec4 diffuse, vec4 specular, vec4 position, vec4 halfVector, vec3 spotDirection,
        float spotExponent, float spotCutoff, float spotCosCutoff, float constantAttenuation,
        float linearAttenuation, float quadraticAttenuation
    """,
    "gl_LightModelParameters": "vec4 ambient",
    "gl_LightModelProducts": "vec4 sceneColor",
    "gl_LightProducts": "vec4 ambient, vec4 diffuse, vec4 specular",
    "gl_FogParameters": "vec4 color, float density, float start, float end, float scale",
}

#: Section 7.5.  A star: the matrix also has inverse and transposed forms.
_UNIFORMS = """
    mat3 gl_NormalMatrix
    float gl_NormalScale
    vec4 gl_ClipPlane[gl_MaxClipPlanes]
    gl_PointParameters gl_Point
    gl_MaterialParameters gl_FrontMaterial
    gl_MaterialParameters gl_BackMaterial
    gl_LightSourceParameters gl_LightSource[gl_MaxLights]
    gl_LightModelParameters gl_LightModel
    gl_LightModelProducts gl_FrontLightModelProduct
    gl_LightModelProducts gl_BackLightModelProduct
    gl_LightProducts gl_FrontLightProduct[gl_MaxLights]
    gl_LightProducts gl_BackLightProduct[gl_MaxLights]
    vec4 gl_TextureEnvColor[gl_MaxTextureUnits]
    gl_FogParameters gl_Fog
    mat4 gl_ModelViewMatrix*
    mat4 gl_ProjectionMatrix*
    mat4 gl_ModelViewProjectionMatrix*
    mat4 gl_TextureMatrix*[gl_MaxTextureCoords]
    vec4 gl_EyePlaneS[gl_MaxTextureCoords]      vec4 gl_EyePlaneT[gl_MaxTextureCoords]
    vec4 gl_EyePlaneR[gl_MaxTextureCoords]      vec4 gl_EyePlaneQ[gl_MaxTextureCoords]
    vec4 gl_ObjectPlaneS[gl_MaxTextureCoords]   vec4 gl_ObjectPlaneT[gl_MaxTextureCoords]
    vec4 gl_ObjectPlaneR[gl_MaxTextureCoords]   vec4 gl_ObjectPlaneQ[gl_MaxTextureCoords]
"""
#: What stands for the star of a matrix.
_FORMS = ("", "Inverse", "Transpose", "InverseTranspose")
#: Section 7.3.
_ATTRIBUTES = """
    vec4 gl_Color  vec4 gl_SecondaryColor  vec3 gl_Normal  vec4 gl_Vertex  float gl_FogCoord
""" + "".join(f"    vec4 gl_MultiTexCoord{unit}\n" for unit in range(8))
#: Section 7.6.
_OF_BOTH_STAGES = "vec4 gl_TexCoord[gl_MaxTextureCoords]  float gl_FogFragCoord"
_VERTEX_OUTPUTS = f"""
    vec4 gl_FrontColor  vec4 gl_BackColor  vec4 gl_FrontSecondaryColor  vec4 gl_BackSecondaryColor
    vec4 gl_ClipVertex  {_OF_BOTH_STAGES}
"""
_FRAGMENT_INPUTS = f"vec4 gl_Color  vec4 gl_SecondaryColor  {_OF_BOTH_STAGES}"

_TABLES: tuple[tuple[Storage, str, tuple[Stage, ...]], ...] = (
    ("uniform", _UNIFORMS, ("vertex", "fragment")),
    ("attribute", _ATTRIBUTES, ("vertex",)),
    ("varying", _VERTEX_OUTPUTS, ("vertex",)),
    ("varying", _FRAGMENT_INPUTS, ("fragment",)),
)
#: Input of the fragment stage -> the output of the vertex stage that it gets: always the colour of front faces.
_LINKED = {"gl_Color": "gl_FrontColor", "gl_SecondaryColor": "gl_FrontSecondaryColor"}
#: Arrays that are as long as their largest index asks, unless the text declares them (section 7.6).
_SIZED_BY_USE = ("gl_TexCoord",)

_DECLARATION = re.compile(r"(\w+) (\w+)(\*?)(?:\[(\w+)\])?")
_NOWHERE = Span(SourceFile("<built-in>"), 1, 1, 1, 1)


@cache
def structure(name: str) -> StructType | None:
    """The structure type of that name."""
    if name not in _STRUCTURES:
        return None
    fields = (field.split() for field in _STRUCTURES[name].split(","))
    return StructType(name, tuple(StructField(n, KEYWORD_TYPES[t], "highp", _NOWHERE) for t, n in fields), _NOWHERE)


@cache
def _rows(stage: Stage) -> dict[str, tuple[Storage, GlslType]]:
    """Every name of a stage."""
    rows: dict[str, tuple[Storage, GlslType]] = {}
    for storage, text, stages in _TABLES:
        if stage not in stages:
            continue
        for type_name, name, star, length in _DECLARATION.findall(text):
            type_ = structure(type_name) or KEYWORD_TYPES[type_name]
            declared = storage, ArrayType(type_, CONSTANTS[length]) if length else type_
            rows.update((name + form, declared) for form in (_FORMS if star else ("",)))
    return rows


@cache
def names(stage: Stage) -> frozenset[str]:
    """What no other version has."""
    return frozenset((*_rows(stage), *CONSTANTS, "ftransform"))


def variable(name: str, stage: Stage, words: Sequence[str]) -> VariableSymbol | None:
    """A fresh symbol for `name`, or None where the stage has none; `words` are the shader's tokens."""
    if name in CONSTANTS:
        return VariableSymbol(name, INT, "const", "highp", None, True, constant=(CONSTANTS[name],), writable=False)
    row = _rows(stage).get(name)
    if row is None:
        return None
    storage, type_ = row
    if name in _SIZED_BY_USE and isinstance(type_, ArrayType):
        type_ = ArrayType(type_.element, _length(name, words, type_.length))
    symbol = VariableSymbol(name, type_, storage, None if isinstance(type_, StructType) else "highp", None, True)
    symbol.writable = storage == "varying" and stage == "vertex"
    symbol.sized_by_use = symbol.awaits_size = name in _SIZED_BY_USE
    if stage == "fragment":
        symbol.linked_name = _LINKED.get(name, "")
    return symbol


def _length(name: str, words: Sequence[str], most: int) -> int:
    """How long an array must be for its uses; `most` where an index is no plain number."""
    length = 1
    for position, word in enumerate(words):
        if word != name:
            continue
        bracket, index, end = (*words[position + 1 : position + 4], "", "", "")[:3]
        if bracket != "[" or end != "]" or not index.isdecimal() or int(index) >= most:
            return most
        length = max(length, int(index) + 1)
    return length


def expand(call: Call) -> None:
    """Put in place of `ftransform()` the product that it stands for (GLSL 1.20 section 8.4)."""
    token = call.callee_token
    matrix, vertex = (Name(call.span, name, token) for name in ("gl_ModelViewProjectionMatrix", "gl_Vertex"))
    call.callee, call.arguments = "vec4", [Binary(call.span, "*", matrix, vertex, token)]
