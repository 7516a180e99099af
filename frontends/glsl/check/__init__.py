"""The checker: names, types, constant values and every rule of the language that is not grammar.

`check` annotates the syntax tree in place and returns what the whole shader consists of.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink, Fix, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.ir.primitive import primitive_of
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.ast import (
    BlockDeclaration,
    External,
    FunctionDeclaration,
    InvariantDeclaration,
    LayoutDeclaration,
    PrecisionDeclaration,
    TranslationUnit,
    VariableDeclaration,
)
from glslc_multi.frontends.glsl.check.callgraph import reachable, report_recursion, undefined_calls
from glslc_multi.frontends.glsl.check.context import Context, spell_signature
from glslc_multi.frontends.glsl.check.interface.blocks import check_block, check_block_sizes
from glslc_multi.frontends.glsl.check.interface.layouts import set_block_layout
from glslc_multi.frontends.glsl.check.interface.outputs import check_outputs
from glslc_multi.frontends.glsl.check.precision import set_default
from glslc_multi.frontends.glsl.check.specifiers import resolve_type
from glslc_multi.frontends.glsl.check.statements import check_function
from glslc_multi.frontends.glsl.check.type_names import give_sizes
from glslc_multi.frontends.glsl.check.variables import check_invariant, check_variables
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.symbols import BlockSymbol, FunctionGroup, FunctionSymbol, Stage, VariableSymbol
from glslc_multi.frontends.glsl.tokens import Dialect, PreprocessedShader

__all__ = ["CheckedShader", "check", "require_complete"]


@dataclass(slots=True)
class CheckedShader:
    """A shader whose syntax tree is typed; complete only where no error was reported."""

    unit: TranslationUnit
    stage: Stage
    language: Language
    extensions: dict[str, str]
    pragmas: list[tuple[str, Span]]
    #: Attributes, uniforms, varyings, constants and plain globals in the order of their declaration.
    globals: list[VariableSymbol]
    #: What `main` or an initializer may call, each after everything it calls itself; `main` is the last.
    functions: list[FunctionSymbol]
    #: The trees of all functions that have a body.
    definitions: dict[FunctionSymbol, FunctionDeclaration]
    #: None when the shader has none.
    main: FunctionSymbol | None
    #: Functions that are called but only declared, each with its first call.
    undefined: dict[FunctionSymbol, Span]
    #: Built-in variables and constants that the text uses.
    builtin_variables: list[VariableSymbol]
    #: `#pragma STDGL invariant(all)`: every output is invariant.
    all_invariant: bool
    blocks: list[BlockSymbol]


def check(
    unit: TranslationUnit,
    shader: PreprocessedShader,
    stage: Stage,
    sink: DiagnosticSink,
    dialect: Dialect = "essl100",
    *,
    annotates_damaged: bool = False,
) -> CheckedShader:
    """Annotate `unit`, the syntax tree of `shader`; mistakes go to `sink`.

    The tree may be damaged by syntax errors: then declarations that contain one are left alone, and names that
    may have been declared there stay quiet.  With `annotates_damaged`, for editors, what is left of these
    declarations is annotated at the end, without a word about it.

    The dialect "webgl" relaxes the initializers of globals.  What WebGL forbids beyond the language are the
    warnings of group "portability", which `DiagnosticSink.error_groups` turns into errors.
    """
    primitive = primitive_of(text for text, _ in shader.pragmas) if stage == "geometry" else None
    losses = shader.recovery.losses
    from_the_start = {name: how for name, how in shader.extensions.items() if name not in shader.late_extensions}
    ctx = Context(stage, shader.language, from_the_start, dialect, sink, shader.tokens, unit.damage, losses, primitive)
    for declaration in unit.declarations:
        if shader.late_extensions:
            _enable_extensions(ctx, shader, declaration.span)
        if not ctx.is_damaged(declaration.span):
            _check_external(ctx, declaration)
    check_outputs(ctx)
    give_sizes(ctx)
    check_block_sizes(ctx)
    report_recursion(ctx)
    group = ctx.scopes.find("main")
    main = group.overloads.get(()) if isinstance(group, FunctionGroup) else None
    functions = reachable(ctx, main)
    checked = CheckedShader(
        unit,
        stage,
        shader.language,
        shader.extensions,
        shader.pragmas,
        ctx.globals,
        functions,
        ctx.definitions,
        main,
        undefined_calls(ctx, functions),
        [symbol for symbol in ctx.builtin_variables.values() if symbol.used or symbol.invariant],
        shader.all_invariant,
        list(ctx.blocks.values()),
    )
    if annotates_damaged and unit.damage:
        _annotate_damaged(ctx, unit)
    return checked


def _main_for_toy(checked: CheckedShader) -> tuple[str | None, list[Fix]]:
    """The `main` that calls ShaderToy's `mainImage`, where there is one."""
    if not any(function.name == "mainImage" for function in checked.definitions):
        return None, []
    is_old = checked.language.has("gl_FragColor")
    head = "" if is_old else "out highp vec4 colour;\n"
    call = f"void main() {{ mainImage({'gl_FragColor' if is_old else 'colour'}, gl_FragCoord.xy); }}"
    span, lines = checked.unit.span, checked.unit.span.file.lines
    end = Span(span.file, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
    return f"add '{call}'", [Fix(end, f"\n{head}{call}\n")]


def require_complete(checked: CheckedShader, sink: DiagnosticSink) -> None:
    """Report what keeps a correct shader from running: no `main`, or calls of functions without a body.

    These are errors of linking, not of the shader's text (section 6.1), so `check` accepts them.
    """
    if checked.main not in checked.definitions:
        help, fixes = _main_for_toy(checked)
        sink.report(names.NO_MAIN, checked.unit.span, help=help, fixes=fixes)
    for function, call in checked.undefined.items():
        signature = spell_signature(function.name, [parameter.type for parameter in function.parameters])
        labels = (Label(function.span, "declared here"),)
        sink.report(names.UNDEFINED_FUNCTION, call, labels=labels, signature=signature)


def _annotate_damaged(ctx: Context, unit: TranslationUnit) -> None:
    kept = len(ctx.sink.diagnostics)
    for declaration in unit.declarations:
        if ctx.is_damaged(declaration.span):
            _check_external(ctx, declaration)
    ctx.sink.keep(kept)


def _enable_extensions(ctx: Context, shader: PreprocessedShader, declaration: Span) -> None:
    """What `#extension` enables in a line before the end of a declaration; in another file, from the start."""
    for name, line in shader.late_extensions.items():
        is_reached = line.file is not declaration.file or line.line < declaration.end_line
        if is_reached and name not in ctx.extensions:
            ctx.enable(name, shader.extensions[name])


def _check_external(ctx: Context, declaration: External) -> None:
    if isinstance(declaration, VariableDeclaration):
        check_variables(ctx, declaration)
    elif isinstance(declaration, FunctionDeclaration):
        check_function(ctx, declaration)
    elif isinstance(declaration, PrecisionDeclaration):
        set_default(ctx, declaration, resolve_type(ctx, declaration.specifier))
    elif isinstance(declaration, InvariantDeclaration):
        check_invariant(ctx, declaration)
    elif isinstance(declaration, BlockDeclaration):
        check_block(ctx, declaration)
    elif isinstance(declaration, LayoutDeclaration):
        set_block_layout(ctx, declaration)
