"""Folding of constant expressions (GLSL ES 3.00 section 4.3.3) in float32 and 32-bit integers.

Every number comes out of the IR's opcode table or the built-ins' recipes, so a constant equals what
the same expression computes at run time.  Constants are flat tuples of components (see
`glslc_multi.frontends.glsl.types.Constant`); those of uint are never negative, while the IR's integers are int32.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.arithmetic.protocol import PYTHON, round_to_float32, wrap_to_int32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.conversions import CONVERSIONS
from glslc_multi.frontends.glsl.library.recipes import recipe
from glslc_multi.frontends.glsl.opcodes import ARITHMETIC, LOGIC, PREFIX, RELATIONS
from glslc_multi.frontends.glsl.symbols import BuiltinFunction
from glslc_multi.frontends.glsl.types import ArrayType, Base, Constant, GlslType, NumericType, StructType

Components = list[bool | int | float]


class _NumberMaker:
    """Recipes' maker over lists of Python numbers."""

    __slots__ = ()

    def op(self, opcode: Opcode, *operands: Components, attribute: object = None) -> Components:
        return ops.evaluate(opcode, PYTHON, attribute, operands)

    def number(self, value: float, like: Components) -> Components:
        return [round_to_float32(value)] * len(like)

    def integer(self, value: int, like: Components) -> Components:
        return [wrap_to_int32(value)] * len(like)

    def width(self, value: Components) -> int:
        return len(value)

    def widen(self, value: Components, like: Components) -> Components:
        return value * len(like) if len(value) == 1 else value


_MAKER = _NumberMaker()
_DERIVATIVES = frozenset({"dFdx", "dFdy", "fwidth"})


def literal(value: bool | int | float, *, unsigned: bool = False) -> Constant:
    """The value of a literal in 32 bits."""
    if isinstance(value, bool):
        return (value,)
    if unsigned:
        return _unsigned(int(value))
    return (wrap_to_int32(value),) if isinstance(value, int) else (round_to_float32(value),)


def _unsigned(*components: bool | int | float) -> Constant:
    return tuple(int(component) % 2**32 for component in components)


def _operand(value: Constant) -> Components:
    """A constant as an operand of the IR's opcodes, whose integers are int32."""
    return [wrap_to_int32(component) if type(component) is int else component for component in value]


def _evaluate(opcode: Opcode, base: Base, *values: Constant) -> Constant:
    """Return the value of an opcode whose result has the basic type `base`; scalars go with vectors (section 5.9)."""
    width = max(map(len, values))
    operands = [_operand(value * width if len(value) == 1 else value) for value in values]
    result = ops.evaluate(opcode, PYTHON, None, operands)
    return _unsigned(*result) if base == "uint" else tuple(result)


def convert(value: Constant, source: Base, target: Base) -> Constant:
    """Each component converted as by a constructor (section 5.4.1)."""
    if source == target:
        return value
    if source == "int" and target == "uint":
        return _unsigned(*value)
    if source == "uint" and target == "int":
        return tuple(wrap_to_int32(int(component)) for component in value)
    return _evaluate(CONVERSIONS[source, target], target, value)


def unary(op: str, type_: NumericType, value: Constant) -> Constant:
    if op == "+":
        return value
    return _evaluate(PREFIX[op, type_.base], type_.base, value)


def binary(op: str, left_type: GlslType, left: Constant, right_type: GlslType, right: Constant) -> Constant:
    """The value of `left op right`, whose types were checked; the comma operator yields its right side."""
    if op == ",":
        return right
    if op in ("==", "!="):
        return (equal(left, right) == (op == "=="),)
    assert isinstance(left_type, NumericType) and isinstance(right_type, NumericType)
    if op in LOGIC:
        return _evaluate(LOGIC[op], "bool", left, right)
    if op in RELATIONS:
        opcodes, swapped = RELATIONS[op]
        operands = (right, left) if swapped else (left, right)
        return _evaluate(opcodes[left_type.base], "bool", *operands)
    if (
        op == "*"
        and (left_type.is_matrix or right_type.is_matrix)
        and not (left_type.is_scalar or right_type.is_scalar)
    ):
        if left_type.is_vector:
            return tuple(ops.evaluate(ops.VEC_MAT, PYTHON, None, [list(left), *_columns(right_type, right)]))
        columns = _columns(left_type, left)
        products = [ops.evaluate(ops.MAT_VEC, PYTHON, None, [*columns, v]) for v in _columns(right_type, right)]
        return tuple(component for column in products for component in column)
    return _evaluate(ARITHMETIC[op, left_type.base], left_type.base, left, right)


def equal(left: Constant, right: Constant) -> bool:
    return all(x == y for x, y in zip(left, right, strict=True))


def _columns(type_: NumericType, value: Constant) -> list[Components]:
    return [list(value[i : i + type_.rows]) for i in range(0, len(value), type_.rows)]


def construct(type_: NumericType, arguments: Sequence[tuple[GlslType, Constant]]) -> Constant:
    """A scalar, vector or matrix from checked arguments (section 5.4)."""
    parts: Components = []
    for argument_type, value in arguments:
        assert isinstance(argument_type, NumericType)
        parts.extend(convert(value, argument_type.base, type_.base))
    if len(parts) == 1 and type_.is_matrix:
        zero = literal(0.0)[0]
        return tuple(parts[0] if row == column else zero for column, row in _cells(type_))
    if len(parts) == 1:
        return tuple(parts * type_.component_count)
    source = arguments[0][0]
    if type_.is_matrix and isinstance(source, NumericType) and source.is_matrix:
        # A matrix from a matrix (section 5.4.2): missing entries are the identity's.
        inside = {(c, r): parts[i] for i, (c, r) in enumerate(_cells(source))}
        return tuple(inside.get((c, r), 1.0 if c == r else 0.0) for c, r in _cells(type_))
    return tuple(parts[: type_.component_count])


def _cells(matrix: NumericType) -> list[tuple[int, int]]:
    """(column, row) in constructor order."""
    return [(column, row) for column in range(matrix.columns) for row in range(matrix.rows)]


def builtin(function: BuiltinFunction, arguments: Sequence[Constant]) -> Constant | None:
    """The value of a built-in call, or None for what is no constant.

    Derivatives of constants are 0 where the core language has them (GLSL 3.30 section 4.3.3).
    """
    apply = recipe(function)
    if apply is None:
        is_zero = function.name in _DERIVATIVES and not function.extension
        return (0.0,) * size(function.return_type) if is_zero else None
    columns = [_argument(type_, value) for type_, value in zip(function.parameters, arguments, strict=True)]
    parts = [part for column in apply(_MAKER, *columns) for part in column]
    is_unsigned = isinstance(function.return_type, NumericType) and function.return_type.base == "uint"
    return _unsigned(*parts) if is_unsigned else tuple(parts)


def _argument(type_: GlslType, value: Constant) -> list[Components]:
    """The columns of an argument."""
    assert isinstance(type_, NumericType)
    return _columns(type_, tuple(_operand(value)))


def size(type_: GlslType) -> int:
    """Number of components of a constant of this type."""
    if isinstance(type_, ArrayType):
        return type_.length * size(type_.element)
    if isinstance(type_, StructType):
        return sum(size(field.type) for field in type_.fields)
    return type_.component_count if isinstance(type_, NumericType) else 0


def field(type_: StructType, name: str, value: Constant) -> Constant:
    """The part of a structure's value that belongs to one field."""
    start = 0
    for member in type_.fields:
        width = size(member.type)
        if member.name == name:
            return value[start : start + width]
        start += width
    raise KeyError(name)


def element(type_: NumericType | ArrayType, index: int, value: Constant) -> Constant:
    """A vector's component, a matrix's column or an array's element."""
    width = size(type_.element) if isinstance(type_, ArrayType) else type_.rows if type_.is_matrix else 1
    return value[index * width : (index + 1) * width]
