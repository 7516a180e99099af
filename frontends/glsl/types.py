"""The types of GLSL (section 4.1) as the parser, checker and lowering share them.

What other languages have, too, stands in `compiler/shading/types.py`.  `ERROR` is the type of anything that was
already reported; every rule accepts it silently, so that one mistake gives one message.
"""

from __future__ import annotations

from glslc_multi.compiler.shading.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    UNSIZED,
    VOID,
    ArrayType,
    Base,
    Constant,
    Leaf,
    NamedType,
    NumericType,
    Precision,
    SamplerType,
    StructField,
    StructType,
    leaves,
    numeric,
)
from glslc_multi.compiler.shading.types import ShaderType as GlslType

__all__ = [
    "BOOL",
    "BVEC2",
    "BVEC3",
    "BVEC4",
    "ERROR",
    "FLOAT",
    "INT",
    "IVEC2",
    "IVEC3",
    "IVEC4",
    "KEYWORD_TYPES",
    "MAT2",
    "MAT3",
    "MAT4",
    "SAMPLERS",
    "SAMPLER_EXTERNAL",
    "UINT",
    "UNSIZED",
    "UVEC2",
    "UVEC3",
    "UVEC4",
    "VEC2",
    "VEC3",
    "VEC4",
    "VOID",
    "ArrayType",
    "Base",
    "BlockType",
    "Constant",
    "GlslType",
    "Leaf",
    "NumericType",
    "Precision",
    "SamplerType",
    "StructField",
    "StructType",
    "leaves",
    "numeric",
]


class BlockType(StructType):
    """What the instance of an interface block seems to be: it has members, and is no value itself."""

    __slots__ = ()

    @property
    def leaf_count(self) -> int:
        return sum(field.type.leaf_count for field in self.fields)


ERROR = NamedType("<error>")
SAMPLER_EXTERNAL = SamplerType("samplerExternalOES", "samplerExternal")
#: The samplers that are keywords of some version, without the prefix of what a lookup yields.
_FLOAT_SAMPLERS = "1D 2D 3D Cube 1DArray 2DArray 2DRect Buffer".split()
_SHADOW_SAMPLERS = "1DShadow 2DShadow CubeShadow 1DArrayShadow 2DArrayShadow 2DRectShadow".split()
SAMPLERS: dict[str, SamplerType] = {
    name: SamplerType(name)
    for name in (
        *(f"{prefix}sampler{shape}" for prefix in ("", "i", "u") for shape in _FLOAT_SAMPLERS),
        *(f"sampler{shape}" for shape in _SHADOW_SAMPLERS),
    )
}

VEC2, VEC3, VEC4 = numeric("float", 2), numeric("float", 3), numeric("float", 4)
IVEC2, IVEC3, IVEC4 = numeric("int", 2), numeric("int", 3), numeric("int", 4)
UVEC2, UVEC3, UVEC4 = numeric("uint", 2), numeric("uint", 3), numeric("uint", 4)
BVEC2, BVEC3, BVEC4 = numeric("bool", 2), numeric("bool", 3), numeric("bool", 4)
_MATRICES = {f"mat{c}x{r}": numeric("float", r, c) for c in (2, 3, 4) for r in (2, 3, 4)}
MAT2, MAT3, MAT4 = _MATRICES["mat2x2"], _MATRICES["mat3x3"], _MATRICES["mat4x4"]

#: Every type with a keyword of its own in some version, by spelling.
KEYWORD_TYPES: dict[str, GlslType] = {
    **{
        str(t): t
        for t in (
            *(VOID, BOOL, INT, UINT, FLOAT, VEC2, VEC3, VEC4, IVEC2, IVEC3, IVEC4, UVEC2, UVEC3, UVEC4),
            *(BVEC2, BVEC3, BVEC4, MAT2, MAT3, MAT4),
        )
    },
    **_MATRICES,
    **SAMPLERS,
}
