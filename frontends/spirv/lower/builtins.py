"""Built-in variables: which role of the IR a decoration BuiltIn means, in which stage."""

from __future__ import annotations

from glslc_multi.compiler.ir.variables import Storage
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.shading.types import BOOL, FLOAT, INT, ArrayType, NumericType, ShaderType, numeric
from glslc_multi.compiler.spirv.built_ins import DECORATIONS

_VEC2, _VEC4 = numeric("float", 2), numeric("float", 4)


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A built-in variable: its name in GLSL, by which hosts know it, its role, its storage, its type."""

    name: str
    role: str
    storage: Storage
    #: None of clip distances, of which the shader says how many there are.
    type: NumericType | None


_ROWS = (
    ("vertex", "Output", BuiltIn("gl_Position", "position", "output", _VEC4)),
    ("vertex", "Output", BuiltIn("gl_PointSize", "point_size", "output", FLOAT)),
    ("vertex", "Output", BuiltIn("gl_ClipDistance", "clip_distance", "output", None)),
    ("vertex", "Input", BuiltIn("gl_VertexID", "vertex_id", "input", INT)),
    ("vertex", "Input", BuiltIn("gl_InstanceID", "instance_id", "input", INT)),
    ("fragment", "Input", BuiltIn("gl_FragCoord", "frag_coord", "input", _VEC4)),
    ("fragment", "Input", BuiltIn("gl_FrontFacing", "front_facing", "input", BOOL)),
    ("fragment", "Input", BuiltIn("gl_PointCoord", "point_coord", "input", _VEC2)),
    ("fragment", "Input", BuiltIn("gl_PrimitiveID", "primitive_id", "input", INT)),
    ("fragment", "Input", BuiltIn("gl_ClipDistance", "clip_distance_in", "input", None)),
    ("fragment", "Output", BuiltIn("gl_FragDepth", "frag_depth", "output", FLOAT)),
)
#: (stage, storage class, decoration) -> what it is.
BUILT_INS: dict[tuple[str, str, str], BuiltIn] = {
    (stage, storage, decoration): built_in
    for stage, storage, built_in in _ROWS
    for decoration in DECORATIONS[built_in.role]
}


def has_type(built_in: BuiltIn, type_: ShaderType) -> bool:
    """Whether a variable is declared as the built-in one is; languages differ in the signs of its ints."""
    if built_in.type is None:
        return isinstance(type_, ArrayType) and type_.element is FLOAT
    if built_in.type is INT:
        return isinstance(type_, NumericType) and type_.is_scalar and type_.is_integer
    return type_ is built_in.type
