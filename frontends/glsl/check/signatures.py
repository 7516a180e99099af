"""Signatures of functions: prototypes and the heads of definitions (GLSL ES 1.00 section 6.1)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import FunctionDeclaration, Parameter
from glslc_multi.frontends.glsl.check.context import Context, declared_at, spell_signature
from glslc_multi.frontends.glsl.check.naming import declare
from glslc_multi.frontends.glsl.check.precision import PRECISIONS, declared_precision
from glslc_multi.frontends.glsl.check.qualifiers import check_qualifiers
from glslc_multi.frontends.glsl.check.specifiers import declared_type, resolve_type, sized
from glslc_multi.frontends.glsl.symbols import FunctionGroup, FunctionSymbol, Storage, VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR, VOID, ArrayType, GlslType

_RETURN_QUALIFIERS = frozenset(PRECISIONS)
_PARAMETER_QUALIFIERS = frozenset({"const", "in", "out", "inout", *PRECISIONS})


def _check_result(ctx: Context, declaration: FunctionDeclaration, result: GlslType) -> GlslType:
    what = ""
    if result.is_unsized:
        what = "arrays without a size"
    elif isinstance(result, ArrayType) and not ctx.has("array values"):
        what = "arrays"
    elif result.contains_array and not ctx.has("array values"):
        what = "structures that contain arrays"
    elif result.contains_sampler:
        what = "samplers"
    if not what:
        return result
    ctx.sink.report(names.RESULT_TYPE, declaration.return_specifier.span, what=what)
    return ERROR


def _parameter(ctx: Context, parameter: Parameter) -> VariableSymbol:
    check_qualifiers(ctx, parameter.qualifiers, _PARAMETER_QUALIFIERS, "function parameters")
    if parameter.specifier.struct is not None:
        ctx.sink.report(names.STRUCT_IN_SIGNATURE, parameter.specifier.span, where="parameters")
    name = parameter.name or "parameter"
    type_ = sized(ctx, declared_type(ctx, parameter.specifier, parameter), name, parameter.name_span)
    precision = declared_precision(ctx, parameter.qualifiers, type_, name, parameter.name_span)
    direction = parameter.qualifiers.find("in", "out", "inout")
    storage: Storage = "in" if direction is None else direction[0]  # type: ignore[assignment]
    const = parameter.qualifiers.find("const")
    if const is not None and storage != "in":
        ctx.sink.report(names.QUALIFIER_CONFLICT, const[1], first=storage, second="const")
    is_readable = type_.contains_sampler or (isinstance(type_, ArrayType) and not ctx.has("out arrays"))
    if is_readable and storage != "in":
        ctx.sink.report(names.STORAGE_TYPE, parameter.name_span, storage=storage, name=name, type=type_)
    symbol = VariableSymbol(parameter.name, type_, storage, precision, parameter.name_span, False)
    symbol.writable = const is None and not type_.contains_sampler
    parameter.symbol = symbol
    return symbol


# ------------------------------------------------------------------------------------ declarations
def declare_function(ctx: Context, declaration: FunctionDeclaration) -> FunctionSymbol:
    """Annotate `declaration` with the symbol of its signature, which an earlier declaration may have made."""
    # The parser has refused a local function with a body.
    if not ctx.scopes.is_global and declaration.body is None:
        ctx.sink.report(names.LOCAL_FUNCTION, declaration.name_span)
    # The function as this declaration describes it.
    check_qualifiers(ctx, declaration.qualifiers, _RETURN_QUALIFIERS, "function results")
    result = resolve_type(ctx, declaration.return_specifier)
    if declaration.return_specifier.struct is not None:
        where = "result type"
        ctx.sink.report(names.STRUCT_IN_SIGNATURE, declaration.return_specifier.span, where=where)
    result = _check_result(ctx, declaration, result)
    precision = declared_precision(ctx, declaration.qualifiers, result, declaration.name, declaration.name_span)
    parameters = [_parameter(ctx, parameter) for parameter in declaration.parameters]
    declaration.symbol = _merge(
        ctx, declaration, FunctionSymbol(declaration.name, result, parameters, declaration.name_span, precision)
    )
    return declaration.symbol


def _merge(ctx: Context, declaration: FunctionDeclaration, new: FunctionSymbol) -> FunctionSymbol:
    """The symbol of this signature: an earlier one that agrees, or `new`."""
    types = tuple(parameter.type for parameter in new.parameters)
    signature = spell_signature(new.name, types)
    if new.name == "main":
        if new.parameters:
            ctx.sink.report(names.MAIN_SIGNATURE, declaration.parameters[0].span)
        elif new.return_type not in (VOID, ERROR):
            ctx.sink.report(names.MAIN_SIGNATURE, declaration.return_specifier.span)
    _check_builtin(ctx, new, types, signature)
    group = _group(ctx, new)
    old = group.overloads.get(types)
    if old is None or ERROR in types:
        group.overloads[types] = new
        ctx.functions.append(new)
        _record(ctx, new, declaration)
        return new
    if not _agrees(ctx, declaration, old, new, signature):
        return new
    _record(ctx, old, declaration)
    if declaration.body is not None:
        # The body names the parameters of the definition, not those of the prototype.
        old.parameters = new.parameters
    return old


def _record(ctx: Context, symbol: FunctionSymbol, declaration: FunctionDeclaration) -> None:
    if declaration.body is not None:
        ctx.definitions[symbol] = declaration
    else:
        symbol.has_prototype = True


def _group(ctx: Context, new: FunctionSymbol) -> FunctionGroup:
    symbol = ctx.scopes.find_here(new.name)
    if isinstance(symbol, FunctionGroup):
        return symbol
    group = FunctionGroup(new.name, new.span)
    declare(ctx, new.name, new.span, group)
    return group


def _check_builtin(ctx: Context, new: FunctionSymbol, types: tuple[GlslType, ...], signature: str) -> None:
    """A built-in function can be overloaded but not redefined (chapter 8); in GLSL ES 3.00 not even that."""
    builtins = ctx.builtin_functions(new.name)
    if not builtins or ctx.has("redefined built-ins"):
        return
    overloads = ctx.has("overloaded built-ins")
    if any((f.parameters == types or not overloads) and ctx.provides(f) for f in builtins):
        ctx.sink.report(names.BUILTIN_REDEFINED, new.span, signature=signature)


def _agrees(
    ctx: Context, declaration: FunctionDeclaration, old: FunctionSymbol, new: FunctionSymbol, signature: str
) -> bool:
    """Whether `declaration` may repeat `old`: section 4.2.7 allows one prototype and one definition."""
    difference = _difference(old, new)
    if difference:
        entry = names.FUNCTION_MISMATCH
    elif declaration.body is not None and old in ctx.definitions:
        entry = names.FUNCTION_REDEFINED
    elif declaration.body is None and old.has_prototype and not ctx.has("repeated prototypes"):
        entry = names.PROTOTYPE_REPEATED
    else:
        return True
    ctx.sink.report(entry, new.span, labels=declared_at(old.span), signature=signature, what=difference)
    return False


def _difference(old: FunctionSymbol, new: FunctionSymbol) -> str:
    """In which respect two declarations of one signature differ; "" where they agree."""
    if old.return_type != new.return_type:
        return f"result type, {old.return_type}"
    if old.return_precision != new.return_precision:
        return f"precision of the result, {old.return_precision}"
    for index, (was, is_) in enumerate(zip(old.parameters, new.parameters, strict=True), 1):
        if (was.storage, was.writable) != (is_.storage, is_.writable):
            return f"qualifier on parameter {index}"
        if was.precision != is_.precision:
            return f"precision of parameter {index}, {was.precision}"
    return ""
