"""Instructions that compute values of values (sections 3.52.11 to 3.52.15), each with its meaning."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.recipes.bits import BIT_RECIPES, PRODUCT_RECIPES
from glslc_multi.compiler.shading.recipes.floats import FLOAT_RECIPES
from glslc_multi.compiler.shading.recipes.maker import Columns, Maker, Recipe, Value, opcode, swapped
from glslc_multi.compiler.shading.recipes.matrices import MATRIX_RECIPES
from glslc_multi.compiler.spirv.grammar.model import Row, row


def _negated(meaning: Recipe) -> Recipe:
    return lambda m, *arguments: m.op(ops.NOT, meaning(m, *arguments))


def _ordered_not_equal(m: Maker, x: Value, y: Value) -> Value:
    """False where either is no number."""
    return m.op(ops.OR, m.op(ops.FLT, x, y), m.op(ops.FLT, y, x))


def _signed_modulo(m: Maker, x: Value, y: Value) -> Value:
    """The remainder with the sign of y: that with the sign of x, and y added where the signs differ."""
    zero = m.integer(0, x)
    remainder = m.op(ops.IREM, x, y)
    differs = m.op(ops.ILT, m.op(ops.IXOR, remainder, y), zero)
    is_off = m.op(ops.AND, differs, m.op(ops.INE, remainder, zero))
    return m.op(ops.SELECT, is_off, m.op(ops.IADD, remainder, y), remainder)


def _float_remainder(m: Maker, x: Value, y: Value) -> Value:
    """The remainder with the sign of x."""
    return m.op(ops.FSUB, x, m.op(ops.FMUL, y, m.op(ops.FTRUNC, m.op(ops.FDIV, x, y))))


def _scaled(m: Maker, columns: Columns, factor: Columns) -> Columns:
    return [m.op(ops.FMUL, column, m.widen(factor[0], column)) for column in columns]


def _matrix_times_vector(m: Maker, matrix: Columns, vector: Columns) -> Columns:
    return [m.op(ops.MAT_VEC, *matrix, vector[0])]


def _vector_times_matrix(m: Maker, vector: Columns, matrix: Columns) -> Columns:
    return [m.op(ops.VEC_MAT, vector[0], *matrix)]


def _matrix_times_matrix(m: Maker, left: Columns, right: Columns) -> Columns:
    return [m.op(ops.MAT_VEC, *left, column) for column in right]


def _dot(m: Maker, x: Value, y: Value) -> Value:
    return m.op(ops.FMUL, x, y) if m.width(x) == 1 else m.op(ops.DOT, x, y)


def _select(m: Maker, condition: Columns, x: Columns, y: Columns) -> Columns:
    """A scalar condition chooses whole composites (from 1.4 on)."""
    return [m.op(ops.SELECT, condition[0], *pair) for pair in zip(x, y, strict=True)]


def _carry(m: Maker, x: Columns, y: Columns) -> Columns:
    total = m.op(ops.IADD, x[0], y[0])
    return [total, m.op(ops.BTOI, m.op(ops.ULT, total, x[0]))]


def _borrow(m: Maker, x: Columns, y: Columns) -> Columns:
    return [m.op(ops.ISUB, x[0], y[0]), m.op(ops.BTOI, m.op(ops.ULT, x[0], y[0]))]


def _width_sum(m: Maker, x: Value) -> Value:
    """fwidth: the sizes of both differences."""
    return m.op(ops.FADD, *[m.op(ops.FABS, m.op(difference, x)) for difference in (ops.DDX, ops.DDY)])


def _same(m: Maker, x: Value) -> Value:
    return x


def _any_of_scalar(row_: Opcode) -> Recipe:
    return lambda m, x: x if m.width(x) == 1 else m.op(row_, x)


_TWO = "T R id id"
_ONE = "T R id"
_FLE, _FLT, _FEQ = opcode(ops.FLE), opcode(ops.FLT), opcode(ops.FEQ)

CONVERSIONS: tuple[Row, ...] = (
    row(109, "OpConvertFToU", _ONE, opcode(ops.FTOU)),
    row(110, "OpConvertFToS", _ONE, opcode(ops.FTOI)),
    row(111, "OpConvertSToF", _ONE, opcode(ops.ITOF)),
    row(112, "OpConvertUToF", _ONE, opcode(ops.UTOF)),
    # All numbers have 32 bits here, so that no width changes.
    row(113, "OpUConvert", _ONE, _same),
    row(114, "OpSConvert", _ONE, _same),
    row(115, "OpFConvert", _ONE, _same),
)
ARITHMETIC: tuple[Row, ...] = (
    row(84, "OpTranspose", _ONE, MATRIX_RECIPES["transpose"], whole=True),
    row(126, "OpSNegate", _ONE, opcode(ops.INEG)),
    row(127, "OpFNegate", _ONE, opcode(ops.FNEG)),
    row(128, "OpIAdd", _TWO, opcode(ops.IADD)),
    row(129, "OpFAdd", _TWO, opcode(ops.FADD)),
    row(130, "OpISub", _TWO, opcode(ops.ISUB)),
    row(131, "OpFSub", _TWO, opcode(ops.FSUB)),
    row(132, "OpIMul", _TWO, opcode(ops.IMUL)),
    row(133, "OpFMul", _TWO, opcode(ops.FMUL)),
    row(134, "OpUDiv", _TWO, opcode(ops.UDIV)),
    row(135, "OpSDiv", _TWO, opcode(ops.IDIV)),
    row(136, "OpFDiv", _TWO, opcode(ops.FDIV)),
    row(137, "OpUMod", _TWO, opcode(ops.UREM)),
    row(138, "OpSRem", _TWO, opcode(ops.IREM)),
    row(139, "OpSMod", _TWO, _signed_modulo),
    row(140, "OpFRem", _TWO, _float_remainder),
    row(141, "OpFMod", _TWO, opcode(ops.FMOD)),
    row(142, "OpVectorTimesScalar", _TWO, _scaled, whole=True),
    row(143, "OpMatrixTimesScalar", _TWO, _scaled, whole=True),
    row(144, "OpVectorTimesMatrix", _TWO, _vector_times_matrix, whole=True),
    row(145, "OpMatrixTimesVector", _TWO, _matrix_times_vector, whole=True),
    row(146, "OpMatrixTimesMatrix", _TWO, _matrix_times_matrix, whole=True),
    row(147, "OpOuterProduct", _TWO, MATRIX_RECIPES["outerProduct"], whole=True),
    row(148, "OpDot", _TWO, _dot),
    row(149, "OpIAddCarry", _TWO, _carry, whole=True),
    row(150, "OpISubBorrow", _TWO, _borrow, whole=True),
    row(151, "OpUMulExtended", _TWO, PRODUCT_RECIPES["umulExtended"], whole=True),
    row(152, "OpSMulExtended", _TWO, PRODUCT_RECIPES["imulExtended"], whole=True),
)
BITS: tuple[Row, ...] = (
    row(194, "OpShiftRightLogical", _TWO, opcode(ops.USHR)),
    row(195, "OpShiftRightArithmetic", _TWO, opcode(ops.ISHR)),
    row(196, "OpShiftLeftLogical", _TWO, opcode(ops.ISHL)),
    row(197, "OpBitwiseOr", _TWO, opcode(ops.IOR)),
    row(198, "OpBitwiseXor", _TWO, opcode(ops.IXOR)),
    row(199, "OpBitwiseAnd", _TWO, opcode(ops.IAND)),
    row(200, "OpNot", _ONE, opcode(ops.INOT)),
    row(201, "OpBitFieldInsert", "T R id id id id", BIT_RECIPES["bitfieldInsert"]),
    row(202, "OpBitFieldSExtract", "T R id id id", BIT_RECIPES["bitfieldExtractSigned"]),
    row(203, "OpBitFieldUExtract", "T R id id id", BIT_RECIPES["bitfieldExtract"]),
    row(204, "OpBitReverse", _ONE, BIT_RECIPES["bitfieldReverse"]),
    row(205, "OpBitCount", _ONE, BIT_RECIPES["bitCount"]),
)
RELATIONS: tuple[Row, ...] = (
    row(154, "OpAny", _ONE, _any_of_scalar(ops.ANY)),
    row(155, "OpAll", _ONE, _any_of_scalar(ops.ALL)),
    row(156, "OpIsNan", _ONE, opcode(ops.FISNAN)),
    row(157, "OpIsInf", _ONE, FLOAT_RECIPES["isinf"]),
    row(164, "OpLogicalEqual", _TWO, _negated(opcode(ops.XOR))),
    row(165, "OpLogicalNotEqual", _TWO, opcode(ops.XOR)),
    row(166, "OpLogicalOr", _TWO, opcode(ops.OR)),
    row(167, "OpLogicalAnd", _TWO, opcode(ops.AND)),
    row(168, "OpLogicalNot", _ONE, opcode(ops.NOT)),
    row(169, "OpSelect", "T R id id id", _select, whole=True),
    row(170, "OpIEqual", _TWO, opcode(ops.IEQ)),
    row(171, "OpINotEqual", _TWO, opcode(ops.INE)),
    row(172, "OpUGreaterThan", _TWO, swapped(ops.ULT)),
    row(173, "OpSGreaterThan", _TWO, swapped(ops.ILT)),
    row(174, "OpUGreaterThanEqual", _TWO, swapped(ops.ULE)),
    row(175, "OpSGreaterThanEqual", _TWO, swapped(ops.ILE)),
    row(176, "OpULessThan", _TWO, opcode(ops.ULT)),
    row(177, "OpSLessThan", _TWO, opcode(ops.ILT)),
    row(178, "OpULessThanEqual", _TWO, opcode(ops.ULE)),
    row(179, "OpSLessThanEqual", _TWO, opcode(ops.ILE)),
    row(180, "OpFOrdEqual", _TWO, _FEQ),
    row(181, "OpFUnordEqual", _TWO, _negated(_ordered_not_equal)),
    row(182, "OpFOrdNotEqual", _TWO, _ordered_not_equal),
    row(183, "OpFUnordNotEqual", _TWO, opcode(ops.FNE)),
    row(184, "OpFOrdLessThan", _TWO, _FLT),
    row(185, "OpFUnordLessThan", _TWO, _negated(swapped(ops.FLE))),
    row(186, "OpFOrdGreaterThan", _TWO, swapped(ops.FLT)),
    row(187, "OpFUnordGreaterThan", _TWO, _negated(_FLE)),
    row(188, "OpFOrdLessThanEqual", _TWO, _FLE),
    row(189, "OpFUnordLessThanEqual", _TWO, _negated(swapped(ops.FLT))),
    row(190, "OpFOrdGreaterThanEqual", _TWO, swapped(ops.FLE)),
    row(191, "OpFUnordGreaterThanEqual", _TWO, _negated(_FLT)),
)
#: Differences of a pixel and its neighbours; those along y are turned where y counts from the top (`lower/values.py`).
DERIVATIVES: tuple[Row, ...] = tuple(
    row(first + number, f"Op{name}{kind}", _ONE, meaning)
    for first, kind in ((207, ""), (210, "Fine"), (213, "Coarse"))
    for number, (name, meaning) in enumerate(
        (("DPdx", opcode(ops.DDX)), ("DPdy", opcode(ops.DDY)), ("Fwidth", _width_sum))
    )
)
