"""Declarations of variables, in functions and outside (GLSL ES 1.00 sections 4.3 to 4.6)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import (
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
from glslc_multi.frontends.glsl.check.context import Context, declared_at
from glslc_multi.frontends.glsl.check.conversions import require, require_value
from glslc_multi.frontends.glsl.check.expressions import check_expression
from glslc_multi.frontends.glsl.check.interface import (
    check_interface_type,
    interpolation_of,
    is_writable,
    qualifiers_of,
    storage_of,
    storage_word,
)
from glslc_multi.frontends.glsl.check.interface.layouts import read_location
from glslc_multi.frontends.glsl.check.interface.redeclared import redeclared
from glslc_multi.frontends.glsl.check.naming import declare
from glslc_multi.frontends.glsl.check.precision import PRECISIONS, declared_precision
from glslc_multi.frontends.glsl.check.qualifiers import check_qualifiers
from glslc_multi.frontends.glsl.check.specifiers import declared_type, resolve_type, sized
from glslc_multi.frontends.glsl.check.type_names import resized
from glslc_multi.frontends.glsl.symbols import Storage, VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR, UNSIZED, ArrayType
from glslc_multi.frontends.glsl.walk import Node, walk

_INTERFACE = ("attribute", "uniform", "varying", "output")
_LOCAL = (frozenset({"const", *PRECISIONS}), "local variables")


def check_variables(ctx: Context, declaration: VariableDeclaration) -> None:
    """Declare every variable of `declaration` in the innermost scope, and its structure if it has one."""
    type_ = resolve_type(ctx, declaration.specifier)
    storage = _storage(ctx, declaration)
    location = read_location(ctx, declaration, storage)
    for declarator in declaration.declarators:
        symbol = _declare(ctx, declaration, declarator, storage)
        symbol.location = location
    if not declaration.declarators and type_.is_unsized:
        ctx.sink.report(names.ARRAY_SIZE_MISSING, declaration.specifier.span, name=type_)
    elif not declaration.declarators:
        # `lowp struct S { ... };` declares no variable that could report the precision.
        declared_precision(ctx, declaration.qualifiers, type_, str(type_), declaration.specifier.span)


def _storage(ctx: Context, declaration: VariableDeclaration) -> Storage:
    """The storage class; reports qualifiers that cannot be used together or here."""
    storage = storage_of(ctx, declaration.qualifiers)
    allowed, what = qualifiers_of(ctx, storage, declaration.qualifiers) if ctx.scopes.is_global else _LOCAL
    check_qualifiers(ctx, declaration.qualifiers, allowed, what)
    return storage


def _declare(
    ctx: Context, declaration: VariableDeclaration, declarator: Declarator, storage: Storage
) -> VariableSymbol:
    name, span = declarator.name, declarator.name_span
    type_ = declared_type(ctx, declaration.specifier, declarator)
    if type_.is_unsized and not _gets_size(ctx, declarator):
        type_ = sized(ctx, type_, name, span)
    if name.startswith("gl_") and (builtin := redeclared(ctx, declaration, declarator, type_, storage)) is not None:
        return builtin
    if isinstance(type_, ArrayType) and (symbol := _resized(ctx, declarator, type_, storage)) is not None:
        return symbol
    precision = declared_precision(ctx, declaration.qualifiers, type_, name, span)
    symbol = VariableSymbol(name, type_, storage, precision, span, ctx.scopes.is_global)
    symbol.writable = is_writable(ctx, storage)
    symbol.invariant = declaration.qualifiers.find("invariant") is not None
    declarator.symbol = symbol
    if storage == "varying":
        symbol.interpolation, symbol.centroid = interpolation_of(declaration.qualifiers)
    if storage in _INTERFACE or type_.contains_sampler:
        check_interface_type(ctx, symbol)
    # The scope of a name begins after its initializer (section 4.2.2).
    _check_initializer(ctx, declarator, symbol)
    if symbol.type.is_unsized:
        _begin_unsized(ctx, declarator, symbol)
    if (parameter := ctx.scopes.hidden_parameter(name)) is not None:
        ctx.sink.report(names.PARAMETER_HIDDEN, span, labels=declared_at(parameter.span), name=name)
    declare(ctx, name, span, symbol)
    if symbol.is_global:
        ctx.globals.append(symbol)
    elif declarator.initializer is None and ctx.function is not None:
        ctx.function.unset.append(symbol)
    return symbol


def _gets_size(ctx: Context, declarator: Declarator) -> bool:
    """Whether an array without a size has one by its initializer, or may get it later."""
    is_builtin = declarator.name.startswith("gl_")
    return declarator.initializer is not None or is_builtin or ctx.has("arrays without a size")


def _resized(ctx: Context, declarator: Declarator, type_: ArrayType, storage: Storage) -> VariableSymbol | None:
    """The array without a size that is declared again."""
    if declarator.initializer is None:
        declarator.symbol = resized(ctx, declarator.name, type_, storage, declarator.name_span)
    return declarator.symbol


def _begin_unsized(ctx: Context, declarator: Declarator, symbol: VariableSymbol) -> None:
    """An array that gets its size later; where an initializer gave it none, that was reported."""
    if declarator.initializer is None and symbol.storage != "const":
        ctx.unsized[symbol] = []
    else:
        symbol.type = ERROR


# ------------------------------------------------------------------------------------ initializers
def _check_initializer(ctx: Context, declarator: Declarator, symbol: VariableSymbol) -> None:
    value = declarator.initializer
    if value is None:
        if symbol.storage == "const":
            ctx.sink.report(names.CONST_WITHOUT_VALUE, symbol.span, name=symbol.name)
        return
    check_expression(ctx, value)
    if symbol.storage in _INTERFACE and not (symbol.storage == "uniform" and ctx.has("uniform initializers")):
        what = storage_word(ctx, symbol.storage)
        ctx.sink.report(names.INITIALIZER_NOT_ALLOWED, value.span, what=what, name=symbol.name)
        return
    if symbol.type is ERROR:
        return
    if isinstance(symbol.type, ArrayType) and symbol.type.is_unsized and require_value(ctx, value):
        length = value.type.length if isinstance(value.type, ArrayType) else UNSIZED
        symbol.type = ArrayType(symbol.type.element, length)
    is_array = isinstance(symbol.type, ArrayType)
    if symbol.type.contains_array and not ctx.has("array values" if is_array else "structures with arrays"):
        what = "the array" if is_array else "the structure with an array"
        ctx.sink.report(names.INITIALIZER_NOT_ALLOWED, value.span, what=what, name=symbol.name)
        return
    if value.type != symbol.type:
        labels = declared_at(symbol.span, f"'{symbol.name}' is {symbol.type}")
        declarator.initializer = value = require(ctx, value, symbol.type, labels)
    if value.type == symbol.type:
        _check_constant(ctx, declarator, symbol)


def _check_constant(ctx: Context, declarator: Declarator, symbol: VariableSymbol) -> None:
    """Consts and uniforms need constant values (section 4.3.2); in ES 1.00 every global does (section 4.3)."""
    value = declarator.initializer
    assert value is not None
    if symbol.storage == "const" and value.constant is not None:
        symbol.constant = value.constant
    elif symbol.storage == "uniform":
        symbol.default = value.constant
    needs_constant = symbol.storage in ("const", "uniform")
    if value.constant is not None or not (needs_constant or symbol.is_global):
        return
    is_relaxed = ctx.dialect == "webgl" and ctx.has("relaxed global initializers")
    if needs_constant or (not ctx.has("any global initializer") and not (is_relaxed and _is_relaxed_constant(value))):
        if ctx.may_be_lost(value.span):
            return
        what = symbol.storage if needs_constant else "global variable"
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
        elif not isinstance(symbol, VariableSymbol) or not _can_be_invariant(ctx, symbol):
            ctx.sink.report(names.INVARIANT_TARGET, span, labels=declared_at(symbol.span), name=name)
        elif symbol.used:
            ctx.sink.report(names.INVARIANT_AFTER_USE, span, labels=declared_at(symbol.span), name=name)
        else:
            symbol.invariant = True
            declaration.symbols.append(symbol)


def _can_be_invariant(ctx: Context, symbol: VariableSymbol) -> bool:
    if not (symbol.writable or ctx.has("invariant inputs")):
        return False
    return symbol.storage in ("varying", "output") or symbol.role in _INVARIANT_ROLES
