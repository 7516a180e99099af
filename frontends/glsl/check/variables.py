"""Declarations of variables, in functions and outside (GLSL ES 1.00 sections 4.3 to 4.6)."""

from __future__ import annotations

from typing import cast

from compiler.diagnostics.catalogue import names
from frontends.glsl.ast import (
    Assign,
    Call,
    Declarator,
    Expression,
    InvariantDeclaration,
    Name,
    Postfix,
    Unary,
    VariableDeclaration,
)
from frontends.glsl.check.context import Context, declared_at
from frontends.glsl.check.conversions import require
from frontends.glsl.check.expressions import check_expression
from frontends.glsl.check.naming import declare
from frontends.glsl.check.precision import PRECISIONS, declared_precision
from frontends.glsl.check.qualifiers import check_qualifiers, read_location
from frontends.glsl.check.specifiers import declared_type, resolve_type
from frontends.glsl.check.type_names import is_unsized
from frontends.glsl.symbols import Storage, VariableSymbol
from frontends.glsl.types import ERROR, ArrayType, GlslType, NumericType
from frontends.glsl.walk import Node, walk

_INTERFACE = ("attribute", "uniform", "varying")
_LOCAL = (frozenset({"const", *PRECISIONS}), "local variables")
#: Storage of a global variable -> the qualifiers it takes, and its name in messages.
_GLOBAL: dict[Storage, tuple[frozenset[str], str]] = {
    "attribute": (frozenset({"layout", "attribute", *PRECISIONS}), "attributes"),
    "uniform": (frozenset({"layout", "uniform", *PRECISIONS}), "uniforms"),
    "varying": (frozenset({"layout", "invariant", "varying", *PRECISIONS}), "varyings"),
    "const": (frozenset({"const", *PRECISIONS}), "constants"),
    "local": (frozenset(PRECISIONS), "global variables"),
}


def check_variables(ctx: Context, declaration: VariableDeclaration) -> None:
    """Declare every variable of `declaration` in the innermost scope, and its structure if it has one."""
    type_ = resolve_type(ctx, declaration.specifier)
    storage = _storage(ctx, declaration)
    location = read_location(ctx, declaration.qualifiers)
    for declarator in declaration.declarators:
        symbol = _declare(ctx, declaration, declarator, storage)
        symbol.location = location
    if not declaration.declarators:
        # `lowp struct S { ... };` declares no variable that could report the precision.
        declared_precision(ctx, declaration.qualifiers, type_, str(type_), declaration.specifier.span)


def _storage(ctx: Context, declaration: VariableDeclaration) -> Storage:
    """The storage class; reports qualifiers that cannot be used together or here."""
    qualifiers = declaration.qualifiers
    word = qualifiers.find(*_INTERFACE) or qualifiers.find("const")
    storage = cast(Storage, word[0]) if word is not None else "local"
    allowed, what = _GLOBAL[storage] if ctx.scopes.is_global else _LOCAL
    if storage == "attribute" and ctx.stage != "vertex" and ctx.primitive is None:
        allowed, what = allowed - {"attribute"}, f"variables of {ctx.stage} shaders"
    check_qualifiers(ctx, qualifiers, allowed, what)
    return storage


def _declare(
    ctx: Context, declaration: VariableDeclaration, declarator: Declarator, storage: Storage
) -> VariableSymbol:
    name, span = declarator.name, declarator.name_span
    type_ = declared_type(ctx, declaration.specifier, declarator)
    precision = declared_precision(ctx, declaration.qualifiers, type_, name, span)
    symbol = VariableSymbol(name, type_, storage, precision, span, ctx.scopes.is_global)
    symbol.writable = is_writable(ctx, storage)
    symbol.invariant = declaration.qualifiers.find("invariant") is not None
    declarator.symbol = symbol
    _check_storage_type(ctx, symbol)
    # The scope of a name begins after its initializer (section 4.2.2).
    _check_initializer(ctx, declarator, symbol)
    if is_unsized(symbol.type):
        symbol.type = ERROR
    if (parameter := ctx.scopes.hidden_parameter(name)) is not None:
        ctx.sink.report(names.PARAMETER_HIDDEN, span, labels=declared_at(parameter.span), name=name)
    declare(ctx, name, span, symbol)
    if symbol.is_global:
        ctx.globals.append(symbol)
    elif declarator.initializer is None and ctx.function is not None:
        ctx.function.unset.append(symbol)
    return symbol


def is_writable(ctx: Context, storage: Storage) -> bool:
    if storage == "varying":
        return ctx.stage != "fragment"
    return storage not in ("const", "attribute", "uniform")


def _check_storage_type(ctx: Context, symbol: VariableSymbol) -> None:
    if symbol.type is ERROR:
        return
    if symbol.storage == "attribute" and ctx.primitive is not None:
        _check_primitive_input(ctx, symbol, ctx.primitive.vertices)
        return
    if _storage_takes(symbol.storage, symbol.type):
        return
    ctx.sink.report(
        names.STORAGE_TYPE,
        symbol.span,
        storage="variable" if symbol.storage == "local" else symbol.storage,
        name=symbol.name,
        type=symbol.type,
    )
    symbol.type = ERROR


def _check_primitive_input(ctx: Context, symbol: VariableSymbol, vertices: int) -> None:
    """What a geometry shader gets has an element for each vertex of the primitive."""
    type_ = symbol.type
    if isinstance(type_, ArrayType) and type_.length == vertices and _storage_takes("attribute", type_.element):
        return
    ctx.sink.report(names.PRIMITIVE_INPUT, symbol.span, name=symbol.name, expected=vertices, found=type_)
    symbol.type = ERROR


def _storage_takes(storage: Storage, type_: GlslType) -> bool:
    if storage == "uniform":
        return True
    if type_.contains_sampler:
        return False
    if storage == "varying" and isinstance(type_, ArrayType):
        type_ = type_.element
    if storage in ("attribute", "varying"):
        return isinstance(type_, NumericType) and type_.base == "float"
    return True


# ------------------------------------------------------------------------------------ initializers
def _check_initializer(ctx: Context, declarator: Declarator, symbol: VariableSymbol) -> None:
    value = declarator.initializer
    if value is None:
        if symbol.storage == "const":
            ctx.sink.report(names.CONST_WITHOUT_VALUE, symbol.span, name=symbol.name)
        return
    check_expression(ctx, value)
    if symbol.storage in _INTERFACE:
        ctx.sink.report(names.INITIALIZER_NOT_ALLOWED, value.span, what=symbol.storage, name=symbol.name)
        return
    if symbol.type is ERROR:
        return
    if is_unsized(symbol.type) and isinstance(value.type, ArrayType):
        symbol.type = value.type
    if symbol.type.contains_array and not ctx.has("array values"):
        what = "the array" if isinstance(symbol.type, ArrayType) else "the structure with an array"
        ctx.sink.report(names.INITIALIZER_NOT_ALLOWED, value.span, what=what, name=symbol.name)
        return
    if value.type != symbol.type:
        labels = declared_at(symbol.span, f"'{symbol.name}' is {symbol.type}")
        declarator.initializer = value = require(ctx, value, symbol.type, labels)
    if value.type == symbol.type:
        _check_constant(ctx, declarator, symbol)


def _check_constant(ctx: Context, declarator: Declarator, symbol: VariableSymbol) -> None:
    """A const needs a constant value (section 4.3.2); in ES 1.00 every global does (section 4.3)."""
    value = declarator.initializer
    assert value is not None
    if symbol.storage == "const" and value.constant is not None:
        symbol.constant = value.constant
    if value.constant is not None or (symbol.storage != "const" and not symbol.is_global):
        return
    is_relaxed = ctx.dialect == "webgl" and ctx.has("relaxed global initializers")
    if symbol.storage == "const" or (
        not ctx.has("any global initializer") and not (is_relaxed and _is_relaxed_constant(value))
    ):
        if ctx.may_be_lost(value.span):
            return
        what = "const" if symbol.storage == "const" else "global variable"
        ctx.sink.report(names.NOT_CONSTANT, value.span, what=what, name=symbol.name)
    elif not ctx.has("any global initializer"):
        ctx.sink.report(names.GLOBAL_INITIALIZER, value.span, name=symbol.name)


def _is_relaxed_constant(value: Expression) -> bool:
    """Whether WebGL takes `value` for a global: other globals and uniforms in operators and built-in functions,
    without side effects, calls of the shader's functions, lookups, or what differs between lanes."""
    return not any(_differs_or_acts(node) for node in walk(value))


def _differs_or_acts(node: Node) -> bool:
    if isinstance(node, Assign | Postfix):
        return True
    if isinstance(node, Unary):
        return node.op in ("++", "--")
    if isinstance(node, Call):
        looks_up = node.builtin is not None and any(p.contains_sampler for p in node.builtin.parameters)
        return node.function is not None or looks_up
    symbol = node.symbol if isinstance(node, Name) else None
    if symbol is None:
        return False
    return symbol.storage in ("attribute", "varying") or (symbol.storage == "builtin" and symbol.constant is None)


# --------------------------------------------------------------------------------------- invariant
_INVARIANT_ROLES = frozenset({"position", "point_size", "frag_coord", "point_coord", "frag_color", "frag_data"})


def check_invariant(ctx: Context, declaration: InvariantDeclaration) -> None:
    """`invariant a, b;` (section 4.6.1)."""
    if not ctx.scopes.is_global:
        ctx.sink.report(names.INVARIANT_SCOPE, declaration.span)
        return
    for name, span in declaration.names:
        symbol = ctx.scopes.find(name) or ctx.builtin_variable(name)
        if symbol is None:
            ctx.sink.report(names.UNDECLARED_NAME, span, name=name)
        elif not isinstance(symbol, VariableSymbol) or not _can_be_invariant(symbol):
            ctx.sink.report(names.INVARIANT_TARGET, span, labels=declared_at(symbol.span), name=name)
        elif symbol.used:
            ctx.sink.report(names.INVARIANT_AFTER_USE, span, labels=declared_at(symbol.span), name=name)
        else:
            symbol.invariant = True
            declaration.symbols.append(symbol)


def _can_be_invariant(symbol: VariableSymbol) -> bool:
    return symbol.storage == "varying" or symbol.role in _INVARIANT_ROLES
