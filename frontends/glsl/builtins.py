"""The built-in variables and constants of GLSL (chapter 7) as tables; the functions are in `library`."""

from __future__ import annotations

from functools import cache
from typing import Literal

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.ir.primitive import Primitive
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.language.versions import EVERYWHERE, Language, versions
from glslc_multi.frontends.glsl.library.sections import GEOMETRY_PRAGMA
from glslc_multi.frontends.glsl.symbols import (
    ALL_STAGES,
    BEFORE_FRAGMENT,
    FRAGMENT,
    GEOMETRY,
    VERTEX,
    Stage,
    VariableSymbol,
)
from glslc_multi.frontends.glsl.types import (
    BOOL,
    FLOAT,
    INT,
    VEC2,
    VEC4,
    ArrayType,
    GlslType,
    Precision,
    StructField,
    StructType,
)


@dataclass(frozen=True, slots=True)
class BuiltinVariable:
    """One row of chapter 7; `role` is the name by which the IR knows it."""

    name: str
    type: GlslType
    precision: Precision | None
    role: str
    stages: frozenset[Stage]
    access: Literal["read", "write"] = "read"
    extension: str = ""
    versions: str = EVERYWHERE


_NOWHERE = Span(SourceFile("<built-in>"), 1, 1, 1, 1)
#: Section 7.5.
DEPTH_RANGE = StructType(
    "gl_DepthRangeParameters",
    tuple(StructField(name, FLOAT, "highp", _NOWHERE) for name in ("near", "far", "diff")),
    _NOWHERE,
)

#: gl_MaxDrawBuffers where GL_EXT_draw_buffers is enabled.
DRAW_BUFFERS = 4
DRAW_BUFFERS_EXTENSION = "GL_EXT_draw_buffers"
_CLIP_DISTANCES = 8
_COLOURS = 8

#: Section 7.4 (GLSL ES 3.00: 7.3): (versions, name, value).  The specification gives minima; in GLSL ES 1.00 these are
#: the values of common hardware of the time.
_CONSTANTS: tuple[tuple[str, str, int], ...] = (
    (EVERYWHERE, "gl_MaxVertexAttribs", 16),
    ("100", "gl_MaxVertexUniformVectors", 256),
    ("100", "gl_MaxVaryingVectors", 8),
    ("100", "gl_MaxVertexTextureImageUnits", 8),
    ("100", "gl_MaxCombinedTextureImageUnits", 16),
    ("100", "gl_MaxTextureImageUnits", 8),
    ("100", "gl_MaxFragmentUniformVectors", 256),
    ("100", "gl_MaxDrawBuffers", 1),
    ("300", "gl_MaxVertexUniformVectors", 256),
    ("300", "gl_MaxVertexOutputVectors", 16),
    ("300", "gl_MaxFragmentInputVectors", 15),
    ("300", "gl_MaxFragmentUniformVectors", 224),
    ("300 110-", "gl_MaxVertexTextureImageUnits", 16),
    ("300 110-", "gl_MaxCombinedTextureImageUnits", 32),
    ("300 110-", "gl_MaxTextureImageUnits", 16),
    ("300 110-", "gl_MaxDrawBuffers", _COLOURS),
    ("300 130-", "gl_MinProgramTexelOffset", -8),
    ("300 130-", "gl_MaxProgramTexelOffset", 7),
    ("110-", "gl_MaxVertexUniformComponents", 1024),
    ("110-", "gl_MaxFragmentUniformComponents", 1024),
    ("110-", "gl_MaxVaryingFloats", 60),
    ("130-", "gl_MaxVaryingComponents", 60),
    ("130-", "gl_MaxClipDistances", _CLIP_DISTANCES),
    ("150-", "gl_MaxVertexOutputComponents", 64),
    ("150-", "gl_MaxFragmentInputComponents", 128),
)
VARIABLES = (
    BuiltinVariable("gl_Position", VEC4, "highp", "position", BEFORE_FRAGMENT, "write"),
    BuiltinVariable("gl_PointSize", FLOAT, "mediump", "point_size", BEFORE_FRAGMENT, "write", versions="100"),
    BuiltinVariable("gl_PointSize", FLOAT, "highp", "point_size", BEFORE_FRAGMENT, "write", versions="300 110-"),
    BuiltinVariable("gl_PositionIn", ArrayType(VEC4, 1), "highp", "position_in", GEOMETRY, extension=GEOMETRY_PRAGMA),
    BuiltinVariable("gl_VerticesIn", INT, "mediump", "vertices_in", GEOMETRY, extension=GEOMETRY_PRAGMA),
    BuiltinVariable(
        "gl_InstanceIDEXT", INT, "highp", "instance_id", VERTEX, extension="GL_EXT_draw_instanced", versions="100"
    ),
    BuiltinVariable("gl_InstanceID", INT, "highp", "instance_id", VERTEX, versions="300 140-"),
    BuiltinVariable("gl_VertexID", INT, "highp", "vertex_id", VERTEX, versions="300 130-"),
    BuiltinVariable(
        "gl_ClipDistance",
        ArrayType(FLOAT, _CLIP_DISTANCES),
        "highp",
        "clip_distance",
        VERTEX,
        "write",
        versions="130-",
    ),
    BuiltinVariable(
        "gl_ClipDistance", ArrayType(FLOAT, _CLIP_DISTANCES), "highp", "clip_distance_in", FRAGMENT, versions="130-"
    ),
    BuiltinVariable("gl_FragCoord", VEC4, "mediump", "frag_coord", FRAGMENT, versions="100"),
    BuiltinVariable("gl_FragCoord", VEC4, "highp", "frag_coord", FRAGMENT, versions="300 110-"),
    BuiltinVariable("gl_FrontFacing", BOOL, None, "front_facing", FRAGMENT),
    BuiltinVariable("gl_PointCoord", VEC2, "mediump", "point_coord", FRAGMENT, versions="100 300"),
    BuiltinVariable("gl_PointCoord", VEC2, "highp", "point_coord", FRAGMENT, versions="120-"),
    BuiltinVariable("gl_PrimitiveID", INT, "highp", "primitive_id", FRAGMENT, versions="150-"),
    BuiltinVariable("gl_FragColor", VEC4, "mediump", "frag_color", FRAGMENT, "write", versions="100"),
    BuiltinVariable("gl_FragColor", VEC4, "highp", "frag_color", FRAGMENT, "write", versions="110-"),
    BuiltinVariable("gl_FragData", ArrayType(VEC4, 1), "mediump", "frag_data", FRAGMENT, "write", versions="100"),
    BuiltinVariable("gl_FragData", ArrayType(VEC4, _COLOURS), "highp", "frag_data", FRAGMENT, "write", versions="110-"),
    BuiltinVariable(
        "gl_FragDepthEXT", FLOAT, "highp", "frag_depth", FRAGMENT, "write", "GL_EXT_frag_depth", versions="100"
    ),
    BuiltinVariable("gl_FragDepth", FLOAT, "highp", "frag_depth", FRAGMENT, "write", versions="300 110-"),
    BuiltinVariable("gl_DepthRange", DEPTH_RANGE, None, "depth_range", ALL_STAGES),
)


@cache
def _constants_of(version: int) -> dict[str, int]:
    return {name: value for which, name, value in _CONSTANTS if version in versions(which)}


@cache
def _rows_of(version: int) -> dict[str, list[BuiltinVariable]]:
    """Name -> the rows of a version, of which at most one is of a stage."""
    rows: dict[str, list[BuiltinVariable]] = {}
    for row in VARIABLES:
        if version in versions(row.versions):
            rows.setdefault(row.name, []).append(row)
    return rows


def constants(language: Language) -> dict[str, int]:
    """The built-in constants of a version."""
    return _constants_of(language.number)


def find(name: str, language: Language, stage: Stage | None = None) -> BuiltinVariable | None:
    """The built-in variable `name` of a version, in the stage if it has one of that name."""
    rows = _rows_of(language.number).get(name, ())
    return next((row for row in rows if stage in row.stages), rows[0] if rows else None)


def names(language: Language, stage: Stage | None = None) -> list[str]:
    """All built-in variables and constants of a version, and of a stage if one is given."""
    rows = _rows_of(language.number).items()
    return [name for name, of in rows if stage is None or any(stage in row.stages for row in of)] + [
        *constants(language)
    ]


def variable(
    name: str, language: Language, stage: Stage, draw_buffers: bool = False, primitive: Primitive | None = None
) -> VariableSymbol | None:
    """A fresh symbol for the built-in variable or constant `name`, or None when there is none.

    `draw_buffers` tells whether GL_EXT_draw_buffers is enabled: then there are several of them.  A geometry
    shader finds as many positions as its primitive has vertices, whose number is constant but of kind "variable".
    """
    if not name.startswith("gl_"):
        return None
    value = constants(language).get(name)
    if draw_buffers and name == "gl_MaxDrawBuffers":
        value = DRAW_BUFFERS
    elif name == "gl_VerticesIn" and primitive is not None and primitive.kind != "variable":
        value = primitive.vertices
    if value is not None:
        return VariableSymbol(name, INT, "const", "mediump", None, True, constant=(value,), writable=False)
    row = find(name, language, stage)
    if row is None:
        return None
    type_ = row.type
    if draw_buffers and name == "gl_FragData":
        type_ = ArrayType(VEC4, DRAW_BUFFERS)
    elif name == "gl_PositionIn" and primitive is not None:
        type_ = ArrayType(VEC4, primitive.positions)
    return VariableSymbol(
        name,
        type_,
        "builtin",
        row.precision,
        None,
        True,
        role=row.role,
        writable=row.access == "write",
        awaits_size=row.role.startswith("clip_distance"),
    )
