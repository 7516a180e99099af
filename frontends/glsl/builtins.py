"""The built-in variables and constants of GLSL (chapter 7) as tables; the functions are in `library`."""

from __future__ import annotations

from typing import Literal

from compiler.diagnostics import SourceFile, Span
from compiler.primitive import Primitive
from compiler.records import dataclass
from frontends.glsl.language.versions import EVERYWHERE
from frontends.glsl.library.sections import GEOMETRY_PRAGMA
from frontends.glsl.symbols import ALL_STAGES, BEFORE_FRAGMENT, FRAGMENT, GEOMETRY, VERTEX, Stage, VariableSymbol
from frontends.glsl.types import (
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

#: Section 7.4. The specification gives minima; these are the values of common hardware of the time.
CONSTANTS: dict[str, int] = {
    "gl_MaxVertexAttribs": 16,
    "gl_MaxVertexUniformVectors": 256,
    "gl_MaxVaryingVectors": 8,
    "gl_MaxVertexTextureImageUnits": 8,
    "gl_MaxCombinedTextureImageUnits": 16,
    "gl_MaxTextureImageUnits": 8,
    "gl_MaxFragmentUniformVectors": 256,
    "gl_MaxDrawBuffers": 1,
}
#: gl_MaxDrawBuffers where GL_EXT_draw_buffers is enabled.
DRAW_BUFFERS = 4
DRAW_BUFFERS_EXTENSION = "GL_EXT_draw_buffers"

VARIABLES: dict[str, BuiltinVariable] = {
    row.name: row
    for row in (
        BuiltinVariable("gl_Position", VEC4, "highp", "position", BEFORE_FRAGMENT, "write"),
        BuiltinVariable("gl_PointSize", FLOAT, "mediump", "point_size", BEFORE_FRAGMENT, "write"),
        BuiltinVariable(
            "gl_PositionIn", ArrayType(VEC4, 1), "highp", "position_in", GEOMETRY, extension=GEOMETRY_PRAGMA
        ),
        BuiltinVariable("gl_VerticesIn", INT, "mediump", "vertices_in", GEOMETRY, extension=GEOMETRY_PRAGMA),
        BuiltinVariable("gl_InstanceIDEXT", INT, "highp", "instance_id", VERTEX, extension="GL_EXT_draw_instanced"),
        BuiltinVariable("gl_FragCoord", VEC4, "mediump", "frag_coord", FRAGMENT),
        BuiltinVariable("gl_FrontFacing", BOOL, None, "front_facing", FRAGMENT),
        BuiltinVariable("gl_PointCoord", VEC2, "mediump", "point_coord", FRAGMENT),
        BuiltinVariable("gl_FragColor", VEC4, "mediump", "frag_color", FRAGMENT, "write"),
        BuiltinVariable("gl_FragData", ArrayType(VEC4, 1), "mediump", "frag_data", FRAGMENT, "write"),
        BuiltinVariable("gl_FragDepthEXT", FLOAT, "highp", "frag_depth", FRAGMENT, "write", "GL_EXT_frag_depth"),
        BuiltinVariable("gl_DepthRange", DEPTH_RANGE, None, "depth_range", ALL_STAGES),
    )
}


def variable(name: str, draw_buffers: bool, primitive: Primitive | None = None) -> VariableSymbol | None:
    """A fresh symbol for the built-in variable or constant `name`, or None when there is none.

    `draw_buffers` tells whether GL_EXT_draw_buffers is enabled: then there are several of them.  A geometry
    shader finds as many positions as its primitive has vertices, whose number is constant but of kind "variable".
    """
    value = CONSTANTS.get(name)
    if draw_buffers and name == "gl_MaxDrawBuffers":
        value = DRAW_BUFFERS
    elif name == "gl_VerticesIn" and primitive is not None and primitive.kind != "variable":
        value = primitive.vertices
    if value is not None:
        return VariableSymbol(name, INT, "const", "mediump", None, True, constant=(value,), writable=False)
    row = VARIABLES.get(name)
    if row is None:
        return None
    type_ = row.type
    if draw_buffers and name == "gl_FragData":
        type_ = ArrayType(VEC4, DRAW_BUFFERS)
    elif name == "gl_PositionIn" and primitive is not None:
        type_ = ArrayType(VEC4, primitive.positions)
    return VariableSymbol(
        name, type_, "builtin", row.precision, None, True, role=row.role, writable=row.access == "write"
    )
