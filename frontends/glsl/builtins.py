"""The built-in functions of GLSL (chapter 8) as tables; variables and constants are in `builtin_variables.py`.

A signature is written as in the specification.  A letter in it stands for a family of types and
makes one function for each member: `float length(G)` is four functions.  Signatures are
expanded when their name is first asked for, so that a compile pays only for what it uses.
"""

from __future__ import annotations

import re
from functools import cache

from compiler.records import dataclass
from frontends.glsl.language.versions import EVERYWHERE
from frontends.glsl.symbols import BuiltinFunction, Stage
from frontends.glsl.types import KEYWORD_TYPES, SAMPLER_EXTERNAL, VOID, GlslType, numeric

ALL_STAGES: frozenset[Stage] = frozenset({"vertex", "geometry", "fragment"})
VERTEX: frozenset[Stage] = frozenset({"vertex"})
FRAGMENT: frozenset[Stage] = frozenset({"fragment"})
GEOMETRY: frozenset[Stage] = frozenset({"geometry"})
BEFORE_FRAGMENT: frozenset[Stage] = frozenset({"vertex", "geometry"})

#: What names of geometry shaders ask for, as others ask for an extension (see `compiler/primitive.py`).
GEOMETRY_PRAGMA = "#pragma geometry"

#: Family letter -> its members; all letters of one signature advance together.
FAMILIES: dict[str, tuple[GlslType, ...]] = {
    "G": tuple(numeric("float", n) for n in (1, 2, 3, 4)),
    "V": tuple(numeric("float", n) for n in (2, 3, 4)),
    "I": tuple(numeric("int", n) for n in (2, 3, 4)),
    "B": tuple(numeric("bool", n) for n in (2, 3, 4)),
    "M": tuple(numeric("float", n, n) for n in (2, 3, 4)),
}


@dataclass(frozen=True, slots=True)
class Section:
    """Signatures that exist in the same stages and under the same extension."""

    signatures: str
    stages: frozenset[Stage] = ALL_STAGES
    #: "" for the core language.
    extension: str = ""
    #: The versions that have it (see `language/versions.py`).
    versions: str = EVERYWHERE


SECTIONS = (
    # 8.1 angle and trigonometry, 8.2 exponential, 8.3 common
    Section("""
        G radians(G)    G degrees(G)
        G sin(G)        G cos(G)        G tan(G)
        G asin(G)       G acos(G)       G atan(G, G)    G atan(G)
        G pow(G, G)     G exp(G)        G log(G)        G exp2(G)       G log2(G)
        G sqrt(G)       G inversesqrt(G)
        G abs(G)        G sign(G)       G floor(G)      G ceil(G)       G fract(G)
        G mod(G, G)     V mod(V, float)
        G min(G, G)     V min(V, float)
        G max(G, G)     V max(V, float)
        G clamp(G, G, G)                V clamp(V, float, float)
        G mix(G, G, G)                  V mix(V, V, float)
        G step(G, G)                    V step(float, V)
        G smoothstep(G, G, G)           V smoothstep(float, float, V)
    """),
    # 8.4 geometric, 8.5 matrix, 8.6 vector relational
    Section("""
        float length(G)                 float distance(G, G)            float dot(G, G)
        vec3 cross(vec3, vec3)          G normalize(G)
        G faceforward(G, G, G)          G reflect(G, G)                 G refract(G, G, float)
        M matrixCompMult(M, M)
        B lessThan(V, V)                B lessThan(I, I)
        B lessThanEqual(V, V)           B lessThanEqual(I, I)
        B greaterThan(V, V)             B greaterThan(I, I)
        B greaterThanEqual(V, V)        B greaterThanEqual(I, I)
        B equal(V, V)                   B equal(I, I)                   B equal(B, B)
        B notEqual(V, V)                B notEqual(I, I)                B notEqual(B, B)
        bool any(B)                     bool all(B)                     B not(B)
    """),
    # 8.7 texture lookup; the bias exists in fragment shaders, an explicit level in vertex shaders
    Section("""
        vec4 texture2D(sampler2D, vec2)         vec4 texture2DProj(sampler2D, vec3)
        vec4 texture2DProj(sampler2D, vec4)     vec4 textureCube(samplerCube, vec3)
    """),
    Section(
        """
        vec4 texture2D(sampler2D, vec2, float)          vec4 texture2DProj(sampler2D, vec3, float)
        vec4 texture2DProj(sampler2D, vec4, float)      vec4 textureCube(samplerCube, vec3, float)
        """,
        FRAGMENT,
    ),
    Section(
        """
        vec4 texture2DLod(sampler2D, vec2, float)       vec4 texture2DProjLod(sampler2D, vec3, float)
        vec4 texture2DProjLod(sampler2D, vec4, float)   vec4 textureCubeLod(samplerCube, vec3, float)
        """,
        BEFORE_FRAGMENT,
    ),
    Section("void EmitVertex()    void EndPrimitive()", GEOMETRY, GEOMETRY_PRAGMA),
    Section("G dFdx(G)    G dFdy(G)    G fwidth(G)", FRAGMENT, "GL_OES_standard_derivatives"),
    Section(
        """
        vec4 texture2DLodEXT(sampler2D, vec2, float)            vec4 texture2DProjLodEXT(sampler2D, vec3, float)
        vec4 texture2DProjLodEXT(sampler2D, vec4, float)        vec4 textureCubeLodEXT(samplerCube, vec3, float)
        vec4 texture2DGradEXT(sampler2D, vec2, vec2, vec2)      vec4 texture2DProjGradEXT(sampler2D, vec3, vec2, vec2)
        vec4 texture2DProjGradEXT(sampler2D, vec4, vec2, vec2)  vec4 textureCubeGradEXT(samplerCube, vec3, vec3, vec3)
        """,
        FRAGMENT,
        "GL_EXT_shader_texture_lod",
    ),
    Section(
        """
        vec4 texture2D(samplerExternalOES, vec2)
        vec4 texture2DProj(samplerExternalOES, vec3)    vec4 texture2DProj(samplerExternalOES, vec4)
        """,
        ALL_STAGES,
        "GL_OES_EGL_image_external",
    ),
)

_TYPES: dict[str, GlslType] = {**KEYWORD_TYPES, str(SAMPLER_EXTERNAL): SAMPLER_EXTERNAL, "void": VOID}
_SIGNATURE = re.compile(r"(\w+) (\w+)\(([^)]*)\)")

#: Name -> (result, parameters, section) as written; the order is that of the tables.
_ROWS: dict[str, list[tuple[str, str, Section]]] = {}
for _section in SECTIONS:
    for _result, _name, _parameters in _SIGNATURE.findall(_section.signatures):
        _ROWS.setdefault(_name, []).append((_result, _parameters, _section))

FUNCTION_NAMES = tuple(_ROWS)


@cache
def functions(name: str) -> tuple[BuiltinFunction, ...]:
    """Every overload of the built-in function `name` in any stage; empty when there is none."""
    return tuple(function for row in _ROWS.get(name, ()) for function in _expand(name, *row))


def _expand(name: str, result: str, parameters: str, section: Section) -> list[BuiltinFunction]:
    words = [result, *filter(None, parameters.split(", "))]
    count = max(len(FAMILIES.get(word, (None,))) for word in words)
    return [
        BuiltinFunction(name, types[0], types[1:], section.stages, section.extension, section.versions)
        for types in (tuple(_member(word, i) for word in words) for i in range(count))
    ]


def _member(word: str, index: int) -> GlslType:
    return FAMILIES[word][index] if word in FAMILIES else _TYPES[word]
