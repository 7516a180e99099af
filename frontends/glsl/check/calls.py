"""Calls: which function, built-in function or constructor a call means (GLSL ES 1.00 sections 5.4 and 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.compiler.diagnostics import Fix, Label
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.compiler.diagnostics.suggest import suggestion
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.frontends.glsl.ast import Call, Expression
from glslc_multi.frontends.glsl.check import fold
from glslc_multi.frontends.glsl.check.constructors import check_constructor, count_of
from glslc_multi.frontends.glsl.check.context import Context, declared_at, spell, spell_signature
from glslc_multi.frontends.glsl.check.conversions import (
    conversion_hint,
    convert,
    float_fixes,
    is_widening,
    require_value,
)
from glslc_multi.frontends.glsl.check.lvalues import require_assignable
from glslc_multi.frontends.glsl.check.naming import renaming
from glslc_multi.frontends.glsl.check.type_names import array_of, named_type
from glslc_multi.frontends.glsl.foreign import function_help
from glslc_multi.frontends.glsl.library.functions import function_names
from glslc_multi.frontends.glsl.library.textures import OFFSETS, lookup_of, offset_argument
from glslc_multi.frontends.glsl.symbols import BuiltinFunction, FunctionGroup, FunctionSymbol, VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR, GlslType, SamplerType, StructType

Candidate = FunctionSymbol | BuiltinFunction

#: The most candidates a message lists.
_SHOWN_CANDIDATES = 6


def check_call(ctx: Context, call: Call) -> None:
    """Annotate `call`, whose arguments have been checked."""
    for argument in call.arguments:
        require_value(ctx, argument)
    if call.array is not None:
        element = named_type(ctx, call.array)
        check_constructor(ctx, call, array_of(ctx, element, call.array.array_size, call.array.span))
        return
    symbol = ctx.scopes.find(call.callee)
    type_ = symbol if isinstance(symbol, StructType) else ctx.keyword_types.get(call.callee)
    if type_ is not None:
        check_constructor(ctx, call, type_)
        return
    if isinstance(symbol, VariableSymbol):
        if ctx.first_report(call.callee):
            labels = declared_at(symbol.span)
            ctx.sink.report(
                names.NOT_A_FUNCTION, ctx.span(call.callee_token), labels=labels, name=call.callee, what="variable"
            )
        return
    # A shader's functions are more overloads of a built-in one (section 8); in desktop GLSL they hide it.
    own: list[Candidate] = list(symbol.overloads.values()) if isinstance(symbol, FunctionGroup) else []
    candidates = own if own and ctx.has("redefined built-ins") else own + list(ctx.builtin_functions(call.callee))
    if not candidates:
        _report_undeclared(ctx, call)
        return
    chosen = _choose(ctx, call, candidates)
    if chosen is not None:
        _accept(ctx, call, chosen)


def _report_undeclared(ctx: Context, call: Call) -> None:
    if ctx.may_be_lost(ctx.span(call.callee_token)):
        return
    # Calls with other argument types miss another function.
    if not ctx.first_report(spell_signature(call.callee, [argument.type for argument in call.arguments])):
        return
    functions = [name for name, symbol in ctx.scopes.visible() if not isinstance(symbol, VariableSymbol)]
    candidates = [*functions, *_functions_of_stage(ctx), *ctx.keyword_types]
    span, fixes = ctx.span(call.callee_token), renaming(ctx, call.callee)
    help_ = function_help(call.callee, ctx.language)
    if help_ is None:
        help_, fixes = suggestion(call.callee, candidates, span)
    ctx.sink.report(names.UNDECLARED_NAME, span, help=help_, fixes=fixes, name=call.callee)


def _functions_of_stage(ctx: Context) -> Iterator[str]:
    for name in function_names(ctx.language.number):
        if any(ctx.stage in function.stages for function in ctx.builtin_functions(name)):
            yield name


def parameter_types(candidate: Candidate) -> tuple[GlslType, ...]:
    if isinstance(candidate, BuiltinFunction):
        return candidate.parameters
    return tuple(parameter.type for parameter in candidate.parameters)


# ------------------------------------------------------------------------------------- resolution
def _choose(ctx: Context, call: Call, candidates: Sequence[Candidate]) -> Candidate | None:
    """The one candidate that fits, or None after reporting why there is none."""
    types = tuple(argument.type for argument in call.arguments)
    available = [c for c in candidates if isinstance(c, FunctionSymbol) or ctx.provides(c)]
    if ERROR in types:
        return None
    exact = next((c for c in available if parameter_types(c) == types), None)
    if exact is not None:
        return exact
    viable = [c for c in available if _is_viable(ctx, call, c)] if ctx.has("implicit conversions") else []
    if len(viable) == 1:
        return viable[0]
    if viable:
        ctx.sink.report(messages.AMBIGUOUS_CALL, ctx.span(call.callee_token), name=call.callee, types=spell(types))
        return None
    # What would fit in another stage or under an extension; rather one that lacks only the extension.
    fitting = [c for c in candidates if parameter_types(c) == types]
    here = [c for c in fitting if isinstance(c, BuiltinFunction) and ctx.stage in c.stages]
    elsewhere = next(iter([*here, *fitting]), None)
    if elsewhere is None and not available:
        elsewhere = candidates[0]
    if isinstance(elsewhere, BuiltinFunction):
        _report_unavailable(ctx, call, elsewhere)
    else:
        _report_no_match(ctx, call, available, types)
    return None


def _is_viable(ctx: Context, call: Call, candidate: Candidate) -> bool:
    """Whether every argument converts implicitly: to the parameter, or from it where that is `out` (section 6.1)."""
    wanted = parameter_types(candidate)
    if len(wanted) != len(call.arguments):
        return False
    return all(
        argument.type == type_ or _converts(ctx, argument, type_, _direction(candidate, i))
        for i, (argument, type_) in enumerate(zip(call.arguments, wanted, strict=True))
    )


def _converts(ctx: Context, argument: Expression, type_: GlslType, direction: str) -> bool:
    if direction == "out":
        return is_widening(type_, argument.type)
    return direction == "in" and convert(ctx, argument, type_) is not None


def _direction(candidate: Candidate, index: int) -> str:
    if isinstance(candidate, FunctionSymbol):
        return candidate.parameters[index].storage
    return "out" if index in candidate.out_parameters else "in"


def _accept(ctx: Context, call: Call, chosen: Candidate) -> None:
    call.type = chosen.return_type
    wanted = parameter_types(chosen)
    call.arguments = [convert(ctx, a, type_) or a for a, type_ in zip(call.arguments, wanted, strict=True)]
    if isinstance(chosen, BuiltinFunction):
        _accept_builtin(ctx, call, chosen)
        outputs: Sequence[int] = chosen.out_parameters
    else:
        call.function = chosen
        ctx.record_call(chosen, call.span)
        outputs = [i for i, parameter in enumerate(chosen.parameters) if parameter.storage in ("out", "inout")]
    for index in outputs:
        require_assignable(ctx, call.arguments[index])


def _accept_builtin(ctx: Context, call: Call, chosen: BuiltinFunction) -> None:
    if chosen.extension:
        ctx.require_extension(call.callee, chosen.extension, ctx.span(call.callee_token))
    call.builtin = chosen
    values = [argument.constant for argument in call.arguments]
    if values and None not in values and ctx.has("constant functions"):
        call.constant = fold.builtin(chosen, [value for value in values if value is not None])
    sampler = chosen.parameters[0] if chosen.parameters else None
    if not isinstance(sampler, SamplerType):
        return
    lookup = lookup_of(chosen.name)
    if lookup is not None and lookup.has_offset:
        # The offset of a lookup is a constant in the range that all implementations have (ES 3.00 section 8.8).
        offset = call.arguments[offset_argument(lookup, SAMPLER_KINDS[sampler.kind])]
        if offset.constant is None:
            ctx.sink.report(messages.OFFSET_NOT_CONSTANT, offset.span)
        elif any(number not in OFFSETS for number in offset.constant):
            ctx.sink.report(messages.OFFSET_RANGE, offset.span, first=OFFSETS[0], last=OFFSETS[-1])


# --------------------------------------------------------------------------------------- messages
def _report_unavailable(ctx: Context, call: Call, function: BuiltinFunction) -> None:
    if ctx.stage not in function.stages:
        name = spell_signature(function.name, function.parameters) if _exists_here(ctx, function) else function.name
        ctx.sink.report(names.NOT_IN_STAGE, ctx.span(call.callee_token), name=name, stage=ctx.stage)
        return
    ctx.require_extension(function.name, function.extension, ctx.span(call.callee_token))


def _exists_here(ctx: Context, function: BuiltinFunction) -> bool:
    """Whether an overload of the function exists in this stage."""
    return any(ctx.stage in other.stages for other in ctx.builtin_functions(function.name))


def _report_no_match(ctx: Context, call: Call, candidates: Sequence[Candidate], types: tuple[GlslType, ...]) -> None:
    if isinstance(candidates[0], FunctionSymbol) and ctx.may_be_lost(ctx.span(call.callee_token)):
        return
    if len({len(parameter_types(c)) for c in candidates}) == 1 and len(types) != len(parameter_types(candidates[0])):
        candidate = candidates[0]
        ctx.sink.report(
            messages.ARGUMENT_COUNT,
            call.span,
            labels=_declaration_labels(candidate),
            name=call.callee,
            expected=count_of(len(parameter_types(candidate)), "argument"),
            found=len(call.arguments),
        )
    elif len(candidates) == 1:
        _report_argument(ctx, call, candidates[0])
    else:
        shown = [spell_signature(call.callee, parameter_types(c)) for c in candidates[:_SHOWN_CANDIDATES]]
        more = ", ..." if len(candidates) > _SHOWN_CANDIDATES else ""
        ctx.sink.report(
            messages.NO_OVERLOAD,
            ctx.span(call.callee_token),
            help=f"the overloads are {', '.join(shown)}{more}",
            fixes=_floated(call, candidates),
            name=call.callee,
            types=spell(types),
        )


def _report_argument(ctx: Context, call: Call, candidate: Candidate) -> None:
    wanted = parameter_types(candidate)
    index = next(i for i, a in enumerate(call.arguments) if a.type != wanted[i])
    argument = call.arguments[index]
    help_, fixes = conversion_hint(argument, wanted[index])
    ctx.sink.report(
        messages.ARGUMENT_TYPE,
        argument.span,
        labels=_declaration_labels(candidate),
        help=help_,
        fixes=fixes,
        index=index + 1,
        name=call.callee,
        expected=wanted[index],
        found=argument.type,
    )


def _floated(call: Call, candidates: Sequence[Candidate]) -> list[Fix]:
    """The edits that make ints of the arguments floats, where some overload then fits."""
    types = [argument.type for argument in call.arguments]
    for candidate in candidates:
        wanted = parameter_types(candidate)
        if len(wanted) == len(types) and all(a == b or is_widening(a, b) for a, b in zip(types, wanted, strict=True)):
            pairs = zip(call.arguments, wanted, strict=True)
            return [fix for argument, type_ in pairs if argument.type != type_ for fix in float_fixes(argument)]
    return []


def _declaration_labels(candidate: Candidate) -> tuple[Label, ...]:
    return declared_at(candidate.span) if isinstance(candidate, FunctionSymbol) else ()
