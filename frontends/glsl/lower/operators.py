"""Operators on values: arithmetic, comparison, logic and selection (GLSL ES 3.00 sections 5.7 to 5.9)."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant, int_constant
from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.operand import Operand, higher
from glslc_multi.frontends.glsl.opcodes import ARITHMETIC, LOGIC, PREFIX, RELATIONS
from glslc_multi.frontends.glsl.operators import SHIFTS
from glslc_multi.frontends.glsl.types import BOOL, NumericType, numeric

_ARITHMETIC_OPERATORS = frozenset(operator for operator, _ in ARITHMETIC)
_COMPARE: dict[tuple[str, str], Opcode] = {
    ("==", "float"): ops.FEQ,
    ("==", "int"): ops.IEQ,
    ("!=", "float"): ops.FNE,
    ("!=", "int"): ops.INE,
    ("!=", "bool"): ops.XOR,
}
#: Operator -> how the verdicts on components combine within a column, and those on columns with each other.
_COMBINE: dict[str, tuple[Opcode, Opcode]] = {"==": (ops.ALL, ops.AND), "!=": (ops.ANY, ops.OR)}


def binary(emitter: Emitter, operator: str, left: Operand, right: Operand) -> Operand:
    """Any binary operator whose operands are both evaluated."""
    if operator in _ARITHMETIC_OPERATORS:
        return arithmetic(emitter, operator, left, right)
    emitter.at_precision(higher(left.precision, right.precision))
    if operator in LOGIC:
        verdict = emitter.op(LOGIC[operator], left.value, right.value)
    elif operator in RELATIONS:
        assert isinstance(left.type, NumericType)
        opcodes, swapped = RELATIONS[operator]
        first, second = (right, left) if swapped else (left, right)
        verdict = emitter.op(opcodes[left.type.base], first.value, second.value)
    else:
        verdict = _equality(emitter, operator, left, right)
    return Operand(BOOL, (verdict,))


def arithmetic(emitter: Emitter, operator: str, left: Operand, right: Operand) -> Operand:
    """+ - * / % << >> & ^ | on scalars, vectors and matrices (section 5.9)."""
    assert isinstance(left.type, NumericType) and isinstance(right.type, NumericType)
    precision = higher(left.precision, right.precision)
    emitter.at_precision(precision)
    result = left.type if operator in SHIFTS else (right.type if left.type.is_scalar else left.type)
    opcode, rows = ARITHMETIC[operator, result.base], result.rows
    if left.type.is_matrix or right.type.is_matrix:
        if operator == "*" and not left.type.is_scalar and not right.type.is_scalar:
            assert isinstance(left.type, NumericType) and isinstance(right.type, NumericType)
            if left.type.is_matrix:
                columns = tuple(emitter.op(ops.MAT_VEC, *left.columns, column) for column in right.columns)
                return Operand(numeric("float", left.type.rows, right.type.columns), columns, precision)
            product = emitter.op(ops.VEC_MAT, left.value, *right.columns)
            return Operand(numeric("float", right.type.columns), (product,), precision)
        pairs = zip(_spread(left, result), _spread(right, result), strict=True)
        columns = tuple([emitter.op(opcode, emitter.widen(x, rows), emitter.widen(y, rows)) for x, y in pairs])
        return Operand(result, columns, precision)
    value = emitter.op(opcode, emitter.widen(left.value, rows), emitter.widen(right.value, rows))
    return Operand(result, (value,), precision)


def unary(emitter: Emitter, operator: str, operand: Operand) -> Operand:
    """Prefix + - ! ~ on a value."""
    if operator == "+":
        return operand
    assert isinstance(operand.type, NumericType)
    opcode = PREFIX[operator, operand.type.base]
    return each_column(emitter, operand, lambda column: emitter.op(opcode, column))


def stepped(emitter: Emitter, operator: str, operand: Operand) -> Operand:
    """The value after ++ or --: every component changed by one (section 5.3)."""
    assert isinstance(operand.type, NumericType)
    one = int_constant(1) if operand.type.is_integer else float_constant(1.0)
    return arithmetic(emitter, operator[0], operand, Operand(numeric(operand.type.base), (one,)))


def select(emitter: Emitter, condition: Value, if_true: Operand, if_false: Operand) -> Operand:
    """`condition ? if_true : if_false`, both evaluated."""
    precision = higher(if_true.precision, if_false.precision)
    emitter.at_precision(precision)
    pairs = zip(if_true.columns, if_false.columns, strict=True)
    return Operand(if_true.type, tuple(emitter.op(ops.SELECT, condition, x, y) for x, y in pairs), precision)


def each_column(emitter: Emitter, operand: Operand, change: Callable[[Value], Value]) -> Operand:
    emitter.at_precision(operand.precision)
    return Operand(operand.type, tuple(change(column) for column in operand.columns), operand.precision)


def _equality(emitter: Emitter, operator: str, left: Operand, right: Operand) -> Value:
    """Whether all components are equal, or any differs; structs compare field by field (section 5.7)."""
    within, across = _COMBINE[operator]
    verdicts = []
    for x, y in zip(left.columns, right.columns, strict=True):
        if operator == "==" and x.type.kind == "bool":
            verdict = emitter.op(ops.NOT, emitter.op(ops.XOR, x, y))
        else:
            verdict = emitter.op(_COMPARE[operator, x.type.kind], x, y)
        verdicts.append(verdict if x.type.is_scalar else emitter.op(within, verdict))
    return reduce(lambda first, second: emitter.op(across, first, second), verdicts)


def _spread(operand: Operand, result: NumericType) -> tuple[Value, ...]:
    """The operand's columns; a scalar meets every column of a matrix."""
    if operand.type is result:
        return operand.columns
    return operand.columns * result.columns
