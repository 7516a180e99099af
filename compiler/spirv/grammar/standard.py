"""The instructions of the extended set GLSL.std.450, by their numbers."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.shading.recipes.bits import BIT_RECIPES
from glslc_multi.compiler.shading.recipes.floats import FLOAT_RECIPES
from glslc_multi.compiler.shading.recipes.integers import INTEGER_RECIPES
from glslc_multi.compiler.shading.recipes.maker import Columns, Maker, Recipe, Value, opcode
from glslc_multi.compiler.shading.recipes.matrices import MATRIX_RECIPES
from glslc_multi.compiler.shading.recipes.numbers import FREXP, NUMBER_RECIPES
from glslc_multi.compiler.shading.recipes.packing import PACKING_RECIPES
from glslc_multi.compiler.spirv.grammar.model import Row, row

NAME = "GLSL.std.450"


def _modf(m: Maker, x: Columns) -> Columns:
    """The fraction, then the whole part."""
    whole = m.op(ops.FTRUNC, x[0])
    return [m.op(ops.FSUB, x[0], whole), whole]


def _length(m: Maker, x: Value) -> Value:
    return m.op(ops.FABS, x) if m.width(x) == 1 else m.op(ops.LENGTH, x)


def _distance(m: Maker, x: Value, y: Value) -> Value:
    return _length(m, m.op(ops.FSUB, x, y))


def _multiply_add(m: Maker, x: Value, y: Value, z: Value) -> Value:
    """Two operations, as the sources of optimisers had it: targets join them where that is shorter."""
    return m.op(ops.FADD, m.op(ops.FMUL, x, y), z)


def _normalize(m: Maker, x: Value) -> Value:
    return m.op(ops.FSIGN, x) if m.width(x) == 1 else m.op(ops.NORMALIZE, x)


_F = FLOAT_RECIPES
_PACKED = PACKING_RECIPES | NUMBER_RECIPES
_SIGNED = {name: recipe for (base, name), recipe in INTEGER_RECIPES.items() if base == "int"}
_UNSIGNED = {name: recipe for (base, name), recipe in INTEGER_RECIPES.items() if base == "uint"}
#: Number, name, count of operands, meaning.
_ROWS: tuple[tuple[int, str, int, Recipe], ...] = (
    (1, "Round", 1, _F["round"]),
    (2, "RoundEven", 1, _F["roundEven"]),
    (3, "Trunc", 1, _F["trunc"]),
    (4, "FAbs", 1, _F["abs"]),
    (5, "SAbs", 1, _SIGNED["abs"]),
    (6, "FSign", 1, _F["sign"]),
    (7, "SSign", 1, _SIGNED["sign"]),
    (8, "Floor", 1, _F["floor"]),
    (9, "Ceil", 1, _F["ceil"]),
    (10, "Fract", 1, _F["fract"]),
    (11, "Radians", 1, _F["radians"]),
    (12, "Degrees", 1, _F["degrees"]),
    (13, "Sin", 1, _F["sin"]),
    (14, "Cos", 1, _F["cos"]),
    (15, "Tan", 1, _F["tan"]),
    (16, "Asin", 1, _F["asin"]),
    (17, "Acos", 1, _F["acos"]),
    (18, "Atan", 1, _F["atan"]),
    (19, "Sinh", 1, _F["sinh"]),
    (20, "Cosh", 1, _F["cosh"]),
    (21, "Tanh", 1, _F["tanh"]),
    (22, "Asinh", 1, _F["asinh"]),
    (23, "Acosh", 1, _F["acosh"]),
    (24, "Atanh", 1, _F["atanh"]),
    (25, "Atan2", 2, opcode(ops.FATAN2)),
    (26, "Pow", 2, _F["pow"]),
    (27, "Exp", 1, _F["exp"]),
    (28, "Log", 1, _F["log"]),
    (29, "Exp2", 1, _F["exp2"]),
    (30, "Log2", 1, _F["log2"]),
    (31, "Sqrt", 1, _F["sqrt"]),
    (32, "InverseSqrt", 1, _F["inversesqrt"]),
    (37, "FMin", 2, _F["min"]),
    (38, "UMin", 2, _UNSIGNED["min"]),
    (39, "SMin", 2, _SIGNED["min"]),
    (40, "FMax", 2, _F["max"]),
    (41, "UMax", 2, _UNSIGNED["max"]),
    (42, "SMax", 2, _SIGNED["max"]),
    (43, "FClamp", 3, _F["clamp"]),
    (44, "UClamp", 3, _UNSIGNED["clamp"]),
    (45, "SClamp", 3, _SIGNED["clamp"]),
    (46, "FMix", 3, _F["mix"]),
    (48, "Step", 2, _F["step"]),
    (49, "SmoothStep", 3, _F["smoothstep"]),
    (50, "Fma", 3, _multiply_add),
    (53, "Ldexp", 2, _PACKED["ldexp"]),
    (54, "PackSnorm4x8", 1, _PACKED["packSnorm4x8"]),
    (55, "PackUnorm4x8", 1, _PACKED["packUnorm4x8"]),
    (56, "PackSnorm2x16", 1, _PACKED["packSnorm2x16"]),
    (57, "PackUnorm2x16", 1, _PACKED["packUnorm2x16"]),
    (58, "PackHalf2x16", 1, _PACKED["packHalf2x16"]),
    (60, "UnpackSnorm2x16", 1, _PACKED["unpackSnorm2x16"]),
    (61, "UnpackUnorm2x16", 1, _PACKED["unpackUnorm2x16"]),
    (62, "UnpackHalf2x16", 1, _PACKED["unpackHalf2x16"]),
    (63, "UnpackSnorm4x8", 1, _PACKED["unpackSnorm4x8"]),
    (64, "UnpackUnorm4x8", 1, _PACKED["unpackUnorm4x8"]),
    (66, "Length", 1, _length),
    (67, "Distance", 2, _distance),
    (68, "Cross", 2, _F["cross"]),
    (69, "Normalize", 1, _normalize),
    (70, "FaceForward", 3, _F["faceforward"]),
    (71, "Reflect", 2, _F["reflect"]),
    (72, "Refract", 3, _F["refract"]),
    (73, "FindILsb", 1, BIT_RECIPES["findLSB"]),
    (74, "FindSMsb", 1, BIT_RECIPES["findMSBSigned"]),
    (75, "FindUMsb", 1, BIT_RECIPES["findMSB"]),
    (79, "NMin", 2, _PACKED["nmin"]),
    (80, "NMax", 2, _PACKED["nmax"]),
    (81, "NClamp", 3, _PACKED["nclamp"]),
)
#: The same of functions of whole columns.
_WHOLE: tuple[tuple[int, str, int, Recipe], ...] = (
    (33, "Determinant", 1, MATRIX_RECIPES["determinant"]),
    (34, "MatrixInverse", 1, MATRIX_RECIPES["inverse"]),
    (36, "ModfStruct", 1, _modf),
    (52, "FrexpStruct", 1, FREXP),
)
#: Halves go either way, or to the even number.
ROUND, ROUND_EVEN = 1, 2
#: Functions whose second result goes through a pointer: `lower/body.py` stores it. Number -> the one with a struct.
THROUGH_POINTER = {35: 36, 51: 52}
_POINTER = ((35, "Modf"), (51, "Frexp"))

STANDARD: dict[int, Row] = {
    **{number: row(number, name, "id " * count, meaning) for number, name, count, meaning in _ROWS},
    **{number: row(number, name, "id " * count, meaning, whole=True) for number, name, count, meaning in _WHOLE},
    **{number: row(number, name, "id id") for number, name in _POINTER},
}
#: What is not supported, for messages and the text form.
REFUSED: dict[int, str] = {
    47: "IMix",
    59: "PackDouble2x32",
    65: "UnpackDouble2x32",
    76: "InterpolateAtCentroid",
    77: "InterpolateAtSample",
    78: "InterpolateAtOffset",
}
NAMES: dict[int, str] = {**{number: each.name for number, each in STANDARD.items()}, **REFUSED}
NUMBERS: dict[str, int] = {name: number for number, name in NAMES.items()}
