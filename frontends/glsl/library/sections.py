"""Signatures of the built-in functions without textures (chapter 8), with the versions that have them.

A signature is written as in the specification.  A letter in it stands for a family of types and makes one function for
each member, all letters of one signature advancing together: `float length(G)` is four functions.
"""

from __future__ import annotations

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.language.versions import EVERYWHERE
from glslc_multi.frontends.glsl.symbols import ALL_STAGES, FRAGMENT, GEOMETRY, Stage
from glslc_multi.frontends.glsl.types import GlslType, Precision, numeric

#: What names of geometry shaders ask for, as others ask for an extension (see `compiler/ir/primitive.py`).
GEOMETRY_PRAGMA = "#pragma geometry"

_SHAPES = [(columns, rows) for columns in (2, 3, 4) for rows in (2, 3, 4)]

#: Family letter -> its members.
FAMILIES: dict[str, tuple[GlslType, ...]] = {
    # one to four components, as the specification's genType, genIType, genUType and genBType
    "G": tuple(numeric("float", n) for n in (1, 2, 3, 4)),
    "GI": tuple(numeric("int", n) for n in (1, 2, 3, 4)),
    "GU": tuple(numeric("uint", n) for n in (1, 2, 3, 4)),
    "GB": tuple(numeric("bool", n) for n in (1, 2, 3, 4)),
    # vectors
    "V": tuple(numeric("float", n) for n in (2, 3, 4)),
    "I": tuple(numeric("int", n) for n in (2, 3, 4)),
    "U": tuple(numeric("uint", n) for n in (2, 3, 4)),
    "B": tuple(numeric("bool", n) for n in (2, 3, 4)),
    # matrices: square ones, the others, and all with their transposes, columns and rows
    "M": tuple(numeric("float", n, n) for n in (2, 3, 4)),
    "N": tuple(numeric("float", rows, columns) for columns, rows in _SHAPES if rows != columns),
    "A": tuple(numeric("float", rows, columns) for columns, rows in _SHAPES),
    "T": tuple(numeric("float", columns, rows) for columns, rows in _SHAPES),
    "C": tuple(numeric("float", rows) for _, rows in _SHAPES),
    "R": tuple(numeric("float", columns) for columns, _ in _SHAPES),
}


@dataclass(frozen=True, slots=True)
class Section:
    """Signatures that exist in the same versions and stages, and under the same extension."""

    signatures: str
    stages: frozenset[Stage] = ALL_STAGES
    #: "" for the core language.
    extension: str = ""
    #: The versions that have it (see `language/versions.py`).
    versions: str = EVERYWHERE
    #: The precision of results; None where it is that of the arguments.
    precision: Precision | None = None


_BIT_CASTS = "GI floatBitsToInt(G)   GU floatBitsToUint(G)   G intBitsToFloat(GI)    G uintBitsToFloat(GU)"
_DERIVATIVES = "G dFdx(G)   G dFdy(G)   G fwidth(G)"

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
    # ES 3.00 sections 8.1, 8.3 and 8.7; GLSL 1.30
    Section(
        """
        G sinh(G)       G cosh(G)       G tanh(G)       G asinh(G)      G acosh(G)      G atanh(G)
        G trunc(G)      G round(G)      G roundEven(G)  G modf(G, out G)
        GB isnan(G)     GB isinf(G)     G mix(G, G, GB)
        GI abs(GI)      GI sign(GI)
        GI min(GI, GI)  I min(I, int)   GU min(GU, GU)  U min(U, uint)
        GI max(GI, GI)  I max(I, int)   GU max(GU, GU)  U max(U, uint)
        GI clamp(GI, GI, GI)            I clamp(I, int, int)
        GU clamp(GU, GU, GU)            U clamp(U, uint, uint)
        B lessThan(U, U)                B lessThanEqual(U, U)
        B greaterThan(U, U)             B greaterThanEqual(U, U)
        B equal(U, U)                   B notEqual(U, U)
        """,
        versions="300 130-",
    ),
    # ES 3.00 section 8.6; GLSL 1.20, 1.40 and 1.50
    Section("N matrixCompMult(N, N)     A outerProduct(C, R)        T transpose(A)", versions="300 120-"),
    Section("M inverse(M)", versions="300 140-"),
    Section("float determinant(M)", versions="300 150-"),
    # ES 3.00 sections 8.3 and 8.4; desktop GLSL has the bit casts since 3.30, the others since 4.20
    Section(_BIT_CASTS, versions="300 330-", precision="highp"),
    Section(_BIT_CASTS, extension="GL_ARB_shader_bit_encoding", versions="130 140 150"),
    Section(
        """
        uint packSnorm2x16(vec2)        uint packUnorm2x16(vec2)        uint packHalf2x16(vec2)
        vec2 unpackSnorm2x16(uint)      vec2 unpackUnorm2x16(uint)
        """,
        versions="300",
        precision="highp",
    ),
    Section("vec2 unpackHalf2x16(uint)", versions="300", precision="mediump"),
    Section(
        "GI mix(GI, GI, GB)     GU mix(GU, GU, GB)      GB mix(GB, GB, GB)",
        extension="GL_EXT_shader_integer_mix",
        versions="300 130-",
    ),
    # ES 3.00 section 8.9; GLSL 1.10 section 8.8, which needs no extension
    Section(_DERIVATIVES, FRAGMENT, "GL_OES_standard_derivatives", versions="100"),
    Section(_DERIVATIVES, FRAGMENT, versions="300 110-"),
    # GLSL 1.10 section 8.9
    Section("float noise1(G)    vec2 noise2(G)    vec3 noise3(G)    vec4 noise4(G)", versions="110-"),
    Section("void EmitVertex()    void EndPrimitive()", GEOMETRY, GEOMETRY_PRAGMA),
)
