"""Types and constant values of expressions (GLSL ES 3.00 chapter 5).

`check_expression` annotates a tree bottom-up with one rule for each kind of node.  An expression
with a mistake keeps the type ERROR, which every rule accepts silently.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from glslc_multi.compiler.diagnostics import Fix
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.compiler.diagnostics.suggest import suggestion
from glslc_multi.frontends.glsl import builtins, fixed_function
from glslc_multi.frontends.glsl.ast import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expression,
    Field,
    Index,
    Invalid,
    Length,
    LiteralValue,
    Name,
    Postfix,
    Unary,
)
from glslc_multi.frontends.glsl.check import fold
from glslc_multi.frontends.glsl.check.calls import check_call
from glslc_multi.frontends.glsl.check.context import Context, declared_at, describe
from glslc_multi.frontends.glsl.check.conversions import (
    convert,
    float_fixes,
    operand_fixes,
    require,
    require_value,
    to_float,
)
from glslc_multi.frontends.glsl.check.lvalues import require_assignable
from glslc_multi.frontends.glsl.check.naming import renaming
from glslc_multi.frontends.glsl.check.portability import check_index
from glslc_multi.frontends.glsl.check.scopes import Symbol
from glslc_multi.frontends.glsl.check.type_names import check_element, require_size
from glslc_multi.frontends.glsl.foreign import TOY_TYPES, variable_help
from glslc_multi.frontends.glsl.operators import OF_INTEGERS, RESERVED_OPERATORS, SHIFTS
from glslc_multi.frontends.glsl.symbols import VariableSymbol
from glslc_multi.frontends.glsl.types import (
    BOOL,
    ERROR,
    FLOAT,
    INT,
    UINT,
    ArrayType,
    BlockType,
    GlslType,
    NumericType,
    StructType,
    numeric,
)
from glslc_multi.frontends.glsl.walk import is_effect, walk

#: The letters of a swizzle; a swizzle keeps to one set (section 5.5).
COMPONENT_SETS = ("xyzw", "rgba", "stpq")
_LITERAL_TYPES: dict[type, GlslType] = {bool: BOOL, int: INT, float: FLOAT}


def check_expression(ctx: Context, expression: Expression) -> GlslType:
    """Annotate the tree under `expression`; the result is its type, which may be void.

    Long chains (sums, field accesses) lean to the left, so the walk goes down the left spine in a loop
    and the rules of the nodes on it find their first operand checked.
    """
    spine: list[Expression] = []
    node = expression
    while (first := _FIRST_OPERAND.get(type(node))) is not None:
        spine.append(node)
        node = getattr(node, first)
    _RULES[type(node)](ctx, node)
    for node in reversed(spine):
        _RULES[type(node)](ctx, node)
    return expression.type


def check_value(ctx: Context, expression: Expression) -> GlslType:
    """As `check_expression`, for a place that needs a value."""
    check_expression(ctx, expression)
    require_value(ctx, expression)
    return expression.type


def check_condition(ctx: Context, condition: Expression) -> Expression:
    check_expression(ctx, condition)
    if isinstance(condition, Assign) and condition.op == "=" and condition.type not in (BOOL, ERROR):
        operator = ctx.span(condition.op_token)
        ctx.sink.report(
            messages.TYPE_MISMATCH,
            condition.span,
            help="'=' assigns, '==' compares",
            fixes=[Fix(operator, "==")],
            expected=BOOL,
            found=condition.type,
        )
        return condition
    return require(ctx, condition, BOOL)


# ---------------------------------------------------------------------------------------- leaves
def _literal(ctx: Context, e: LiteralValue) -> None:
    e.type = UINT if e.unsigned else _LITERAL_TYPES[type(e.value)]
    e.constant = fold.literal(e.value, unsigned=e.unsigned)
    if e.constant[0] == e.value or isinstance(e.value, bool):
        return
    if isinstance(e.value, int):
        # Up to 32 bits the literal is a bit pattern, as in 0xFFFFFFFF.
        if e.value >= 2**32:
            entry = messages.INT_OVERFLOW if ctx.has("exact integers") else messages.INT_TOO_LARGE
            ctx.sink.report(entry, e.span, wrapped=e.constant[0])
    elif e.constant[0] == float("inf"):
        ctx.sink.report(messages.FLOAT_OVERFLOW, e.span, value=e.value)


def _name(ctx: Context, e: Name) -> None:
    symbol = ctx.scopes.find(e.name) or ctx.builtin_variable(e.name)
    if not isinstance(symbol, VariableSymbol):
        _report_no_variable(ctx, e, symbol)
        return
    if symbol.span is None and not _builtin_is_available(ctx, e):
        return
    symbol.used = True
    e.symbol = symbol
    e.type = symbol.type
    e.constant = symbol.constant


def _builtin_is_available(ctx: Context, e: Name) -> bool:
    row = builtins.find(e.name, ctx.language, ctx.stage)
    if row is None:
        return True
    if ctx.stage not in row.stages:
        ctx.sink.report(names.NOT_IN_STAGE, e.span, name=e.name, stage=ctx.stage)
        return False
    return not row.extension or ctx.require_extension(e.name, row.extension, e.span)


def _report_no_variable(ctx: Context, e: Name, symbol: Symbol | None) -> None:
    if ctx.may_be_lost(e.span) or not ctx.first_report(e.name):
        return
    if symbol is None and not ctx.builtin_functions(e.name):
        variables = [name for name, s in ctx.scopes.visible() if isinstance(s, VariableSymbol)]
        candidates = [*variables, *builtins.names(ctx.language, ctx.stage)]
        help_, fixes = variable_help(e.name, ctx.language), renaming(ctx, e.name)
        if e.name in TOY_TYPES:
            precision = "highp " if ctx.has("precision") else ""
            fixes = (Fix(ctx.top, f"uniform {precision}{TOY_TYPES[e.name]} {e.name};\n"),)
        if help_ is None:
            help_, fixes = suggestion(e.name, candidates, e.span)
        ctx.sink.report(names.UNDECLARED_NAME, e.span, help=help_, fixes=fixes, name=e.name)
        return
    what = "function" if symbol is None else describe(symbol)
    labels = () if symbol is None else declared_at(symbol.span)
    ctx.sink.report(names.NOT_A_VARIABLE, e.span, labels=labels, name=e.name, what=what)


# ------------------------------------------------------------------------------------- operators
def _unary(ctx: Context, e: Unary) -> None:
    check_expression(ctx, e.operand)
    _step(ctx, e)
    operand = e.operand
    if e.op not in ("++", "--") and operand.constant is not None and isinstance(e.type, NumericType):
        e.constant = fold.unary(e.op, e.type, operand.constant)


def _step(ctx: Context, e: Unary | Postfix) -> None:
    """Annotate an operation on one operand, which is checked."""
    if not require_value(ctx, e.operand) or e.operand.type is ERROR or _is_reserved(ctx, e.op):
        return
    operand = e.operand.type
    if not _takes_unary(e.op, operand):
        ctx.sink.report(messages.UNARY_OPERAND, e.span, op=e.op, type=operand)
        return
    if e.op not in ("++", "--") or require_assignable(ctx, e.operand):
        e.type = operand


def _takes_unary(op: str, operand: GlslType) -> bool:
    if op == "!":
        return operand is BOOL
    if op == "~":
        return isinstance(operand, NumericType) and operand.is_integer
    return isinstance(operand, NumericType) and operand.base != "bool"


def _is_reserved(ctx: Context, op: str) -> bool:
    """Whether the parser has refused the operator."""
    return op in RESERVED_OPERATORS and not ctx.has("integer bits")


def _binary(ctx: Context, e: Binary) -> None:
    check_expression(ctx, e.right)
    if e.op == ",":
        require_size(ctx, e.left)
        require_size(ctx, e.right)
    else:
        require_value(ctx, e.left)
        require_value(ctx, e.right)
    if ERROR in (e.left.type, e.right.type) or _is_reserved(ctx, e.op):
        return
    e.left, e.right = _promoted(ctx, e.op, e.left, e.right)
    result = _operation_result(ctx, e.op, e.left.type, e.right.type)
    if result is None:
        _report_operands(ctx, e)
        return
    e.type = result
    _warn_of_division_by_zero(ctx, e.op, e.right)
    if e.op == "," and not ctx.has("constant sequences"):
        return
    if e.left.constant is not None and e.right.constant is not None:
        e.constant = fold.binary(e.op, e.left.type, e.left.constant, e.right.type, e.right.constant)


def _promoted(ctx: Context, op: str, left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """Desktop GLSL: where one operand is float and the other int or uint, that becomes float."""
    if left.type is right.type or op == "," or not ctx.has("implicit conversions"):
        return left, right
    bases = [t.base for t in (left.type, right.type) if isinstance(t, NumericType)]
    return (to_float(left), to_float(right)) if "float" in bases else (left, right)


def _warn_of_division_by_zero(ctx: Context, op: str, divisor: Expression) -> None:
    if op in ("/", "/=", "%", "%=") and divisor.constant is not None and 0 in divisor.constant:
        ctx.sink.report(messages.DIVISION_BY_ZERO, divisor.span)


def _report_operands(ctx: Context, e: Binary) -> None:
    left, right = e.left.type, e.right.type
    if e.op in ("==", "!=") and left == right:
        ctx.sink.report(messages.NOT_COMPARABLE, ctx.span(e.op_token), op=e.op, type=left)
        return
    help_ = None
    if isinstance(left, NumericType) and isinstance(right, NumericType):
        help_ = _operand_hint(e.op, left, right)
    span, fixes = ctx.span(e.op_token), operand_fixes(e.left, e.right)
    ctx.sink.report(messages.BINARY_OPERANDS, span, help=help_, fixes=fixes, op=e.op, left=left, right=right)


def _operand_hint(op: str, left: NumericType, right: NumericType) -> str | None:
    if {left.base, right.base} == {"int", "float"}:
        side, other = ("left", left) if left.base == "int" else ("right", right)
        return f"there are no implicit conversions: make the {side} operand {numeric('float', other.rows)}"
    if op == "*" and {left.base, right.base} == {"float"} and left.is_matrix != right.is_matrix:
        return _product_hint(left, right)
    if op in ("<", ">", "<=", ">=") and left is right and left.is_vector:
        word = {"<": "lessThan", ">": "greaterThan", "<=": "lessThanEqual", ">=": "greaterThanEqual"}[op]
        return f"compare vectors component by component with {word}(...)"
    return None


def _product_hint(left: NumericType, right: NumericType) -> str | None:
    """What makes a vector as long as a matrix needs it."""
    matrix, vector = (left, right) if left.is_matrix else (right, left)
    size = matrix.columns if left.is_matrix else matrix.rows
    if vector.rows + 1 == size == 4:
        return "write 'vec4(v, 1.0)' for a point, 'vec4(v, 0.0)' for a direction"
    if vector.rows + 1 == size:
        return f"the vector needs {size} components: 'vec{size}(v, 1.0)'"
    return f"take {size} components of the vector: '.{'xyzw'[:size]}'" if vector.rows > size else None


def _operation_result(ctx: Context, op: str, left: GlslType, right: GlslType) -> GlslType | None:
    """The type of `left op right` (section 5.9), None where the operator does not take these types."""
    if op == ",":
        return right if _is_operand(ctx, left) and _is_operand(ctx, right) else None
    if op in ("==", "!="):
        return BOOL if left == right and _is_copyable(ctx, left) else None
    if isinstance(left, NumericType) and isinstance(right, NumericType):
        return _numeric_result(op, left, right)
    return None


@cache
def _numeric_result(op: str, left: NumericType, right: NumericType) -> GlslType | None:
    if op in ("&&", "||", "^^"):
        return BOOL if left is BOOL and right is BOOL else None
    if op in SHIFTS:
        return left if left.is_integer and right.is_integer and (right.is_scalar or right.rows == left.rows) else None
    if left.base != right.base or left.base == "bool" or (op in OF_INTEGERS and not left.is_integer):
        return None
    if op in ("<", ">", "<=", ">="):
        return BOOL if left is right and left.is_scalar else None
    if left.is_scalar or right.is_scalar:
        return right if left.is_scalar else left
    if op == "*" and (left.is_matrix or right.is_matrix):
        # matrix * matrix, matrix * vector or vector * matrix: rows of the left operand by columns of the right one.
        if left.is_vector:
            return numeric("float", right.columns) if left.rows == right.rows else None
        if left.columns != right.rows:
            return None
        return numeric("float", left.rows, right.columns)
    return left if left is right else None


def _is_operand(ctx: Context, type_: GlslType) -> bool:
    """Whether the comma operator takes such a value (sections 4.1.7 and 5.9)."""
    if type_.contains_sampler:
        return False
    if not ctx.has("array values"):
        return not isinstance(type_, ArrayType)
    return _is_selectable(ctx, type_)


def _is_selectable(ctx: Context, type_: GlslType) -> bool:
    """Whether `?:` takes such a value: WebGL 2 takes arrays neither there nor beside commas (its section 4.3)."""
    return _is_copyable(ctx, type_) and not (type_.contains_array and ctx.dialect == "webgl")


def _is_copyable(ctx: Context, type_: GlslType) -> bool:
    """Whether values can be assigned and compared (sections 4.1.7, 5.7 to 5.9)."""
    if type_.contains_sampler:
        return False
    feature = "array values" if isinstance(type_, ArrayType) else "structures with arrays"
    return not type_.contains_array or ctx.has(feature)


def _assign(ctx: Context, e: Assign) -> None:
    target = check_value(ctx, e.target)
    check_value(ctx, e.value)
    if not _is_copyable(ctx, target):
        ctx.sink.report(messages.NOT_COPYABLE, ctx.span(e.op_token), type=target)
        return
    if ERROR in (target, e.value.type) or _is_reserved(ctx, e.op):
        return
    e.type = target
    if e.op == "=":
        e.value = require(ctx, e.value, target)
    else:
        _combine_and_assign(ctx, e, target)
    require_assignable(ctx, e.target)


def _combine_and_assign(ctx: Context, e: Assign, target: GlslType) -> None:
    """`a op= b`: the result of `a op b` has the type of `a` (section 5.8)."""
    if isinstance(target, NumericType) and target.base == "float" and ctx.has("implicit conversions"):
        e.value = to_float(e.value)
    if _operation_result(ctx, e.op[:-1], target, e.value.type) != target:
        hint = None
        if isinstance(target, NumericType) and isinstance(e.value.type, NumericType):
            hint = _operand_hint(e.op[:-1], target, e.value.type)
        is_float = isinstance(target, NumericType) and target.base == "float"
        ctx.sink.report(
            messages.BINARY_OPERANDS,
            ctx.span(e.op_token),
            help=hint,
            fixes=float_fixes(e.value) if is_float else [],
            op=e.op,
            left=target,
            right=e.value.type,
        )
    _warn_of_division_by_zero(ctx, e.op, e.value)


def _conditional(ctx: Context, e: Conditional) -> None:
    e.condition = check_condition(ctx, e.condition)
    check_expression(ctx, e.if_true)
    check_expression(ctx, e.if_false)
    if not (require_size(ctx, e.if_true) and require_size(ctx, e.if_false)):
        return
    left, right = e.if_true.type, e.if_false.type
    if ERROR in (left, right):
        return
    e.if_true = convert(ctx, e.if_true, right) or e.if_true
    e.if_false = convert(ctx, e.if_false, left) or e.if_false
    if e.if_true.type != e.if_false.type:
        ctx.sink.report(messages.BRANCH_TYPES, e.span, left=left, right=right)
        return
    if not _is_selectable(ctx, left):
        ctx.sink.report(messages.BRANCH_TYPE, e.span, type=left)
        return
    e.type = e.if_true.type
    if None not in (e.condition.constant, e.if_true.constant, e.if_false.constant):
        e.constant = e.if_true.constant if e.condition.constant == (True,) else e.if_false.constant


# ------------------------------------------------------------------------- calls, fields, indices
def _call(ctx: Context, e: Call) -> None:
    if e.callee == "ftransform" and ctx.has_fixed_functions and ctx.scopes.find(e.callee) is None and not e.arguments:
        fixed_function.expand(e)
    for argument in e.arguments:
        check_expression(ctx, argument)
    if e.array is not None and e.array.array_size is not None:
        check_value(ctx, e.array.array_size)
    check_call(ctx, e)


def _field(ctx: Context, e: Field) -> None:
    require_value(ctx, e.base)
    base = e.base.type
    if base is ERROR:
        return
    if isinstance(base, StructType):
        _member(ctx, e, base)
    elif isinstance(base, NumericType) and base.is_vector:
        _swizzle(ctx, e, base)
    else:
        ctx.sink.report(messages.NO_FIELDS, ctx.span(e.name_token), type=base)


def _member(ctx: Context, e: Field, base: StructType) -> None:
    member = base.field(e.name)
    if member is None:
        span, labels = ctx.span(e.name_token), declared_at(base.span)
        help_, fixes = suggestion(e.name, [f.name for f in base.fields], span)
        ctx.sink.report(messages.NO_SUCH_FIELD, span, labels=labels, help=help_, fixes=fixes, type=base, name=e.name)
        return
    e.type = member.type
    if e.base.constant is not None:
        e.constant = fold.field(base, e.name, e.base.constant)


def _swizzle(ctx: Context, e: Field, base: NumericType) -> None:
    components, problem = read_swizzle(e.name, base.rows)
    if problem:
        ctx.sink.report(messages.BAD_SWIZZLE, ctx.span(e.name_token), name=e.name, type=base, reason=problem)
        return
    e.swizzle = components
    e.type = numeric(base.base, len(components))
    if e.base.constant is not None:
        e.constant = tuple(e.base.constant[c] for c in components)


@lru_cache(maxsize=1024)
def read_swizzle(name: str, width: int) -> tuple[tuple[int, ...], str]:
    """The component numbers that `name` selects of a vector of `width`, or what is wrong with it."""
    letters = next((s for s in COMPONENT_SETS if name[0] in s), None)
    if letters is None:
        return (), f"'{name[0]}' is no component"
    for letter in name:
        if letter not in letters:
            mixed = any(letter in s for s in COMPONENT_SETS)
            return (), f"'{letter}' is not of the set {letters}" if mixed else f"'{letter}' is no component"
        if letters.index(letter) >= width:
            return (), f"there is no component '{letter}'"
    if len(name) > 4:
        return (), "it has more than four letters"
    return tuple(map(letters.index, name)), ""


def _index(ctx: Context, e: Index) -> None:
    if e.base.type.is_unsized:
        check_value(ctx, e.index)
        check_element(ctx, e)
        return
    require_value(ctx, e.base)
    base, index = e.base.type, check_value(ctx, e.index)
    if base is ERROR:
        return
    count = _element_count(base)
    if count is None:
        ctx.sink.report(messages.NOT_INDEXABLE, e.base.span, type=base)
        return
    if index is ERROR:
        return
    if index not in (INT, UINT):
        ctx.sink.report(messages.INDEX_TYPE, e.index.span, found=index)
        return
    e.type = _element_type(base)
    if e.index.constant is not None:
        _constant_index(ctx, e, base, count)
    else:
        check_index(ctx, e)
        if e.type.contains_sampler and not ctx.has("indexed samplers"):
            ctx.sink.report(messages.SAMPLER_INDEX, e.index.span)
        if isinstance(e.type, BlockType) and _is_uniform(e.base):
            ctx.sink.report(names.BLOCK_INDEX, e.index.span)
        if isinstance(e.base, Name) and e.base.symbol is not None and isinstance(e.base.type, ArrayType):
            e.base.symbol.is_indexed = True


def _element_count(base: GlslType) -> int | None:
    if isinstance(base, ArrayType):
        return base.length
    if isinstance(base, NumericType) and not base.is_scalar:
        return base.columns if base.is_matrix else base.rows
    return None


def _element_type(base: GlslType) -> GlslType:
    if isinstance(base, ArrayType):
        return base.element
    assert isinstance(base, NumericType)
    return numeric(base.base, base.rows) if base.is_matrix else numeric(base.base)


def _constant_index(ctx: Context, e: Index, base: GlslType, count: int) -> None:
    assert e.index.constant is not None
    number = int(e.index.constant[0])
    if not 0 <= number < count:
        ctx.sink.report(messages.INDEX_RANGE, e.index.span, index=number, type=base, last=count - 1)
        e.type = ERROR
    elif e.base.constant is not None and isinstance(base, NumericType | ArrayType):
        e.constant = fold.element(base, number, e.base.constant)


def _is_uniform(e: Expression) -> bool:
    return isinstance(e, Name) and e.symbol is not None and e.symbol.storage == "uniform"


def _length(ctx: Context, e: Length) -> None:
    require_value(ctx, e.base)
    if e.base.type is ERROR:
        return
    if not isinstance(e.base.type, ArrayType):
        ctx.sink.report(messages.NO_LENGTH, e.span, type=e.base.type)
        return
    if isinstance(e.base, Name) and e.base.symbol is not None and e.base.symbol.awaits_size:
        ctx.sink.report(messages.UNSIZED_ARRAY, e.span)
        return
    e.type = INT
    if not any(is_effect(node) for node in walk(e.base)):
        e.constant = (e.base.type.length,)


_RULES: dict[type[Expression], Callable[[Context, Any], None]] = {
    LiteralValue: _literal,
    Invalid: lambda ctx, e: None,
    Name: _name,
    Unary: _unary,
    Postfix: _step,
    Binary: _binary,
    Assign: _assign,
    Conditional: _conditional,
    Call: _call,
    Field: _field,
    Index: _index,
    Length: _length,
}
#: Nodes that long chains are made of, with their first operand: `check_expression` checks it before them.
_FIRST_OPERAND: dict[type[Expression], str] = {
    Binary: "left",
    Postfix: "operand",
    Index: "base",
    Field: "base",
    Length: "base",
}
