"""Warnings about a correct shader that need the ways which control can take: what is read before it is written, which
function may end without a result, which output is never written.

Only functions that `main` reaches are looked at.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.frontends.glsl import builtins
from glslc_multi.frontends.glsl.ast import Block, FunctionDeclaration, Jump, Name, VariableDeclaration
from glslc_multi.frontends.glsl.check import CheckedShader
from glslc_multi.frontends.glsl.flow.expressions import Expressions
from glslc_multi.frontends.glsl.flow.loops import writes_of_loops
from glslc_multi.frontends.glsl.flow.parts import Parts
from glslc_multi.frontends.glsl.flow.reports import Reports
from glslc_multi.frontends.glsl.flow.statements import Statements
from glslc_multi.frontends.glsl.symbols import FunctionSymbol, Stage, VariableSymbol
from glslc_multi.frontends.glsl.types import VOID
from glslc_multi.frontends.glsl.walk import walk

__all__ = ["warn_of_flow"]

#: Of each stage, how the output that every shader writes is called, and the built-in variables that are one.
_RESULTS: dict[Stage, tuple[str, frozenset[str]]] = {
    "vertex": ("gl_Position", frozenset({"position"})),
    "geometry": ("gl_Position", frozenset({"position"})),
    "fragment": ("gl_FragColor", frozenset({"frag_color", "frag_data", "frag_depth"})),
}


def warn_of_flow(checked: CheckedShader, sink: DiagnosticSink) -> None:
    """Report to `sink`; the shader is complete and has no errors."""
    for function in checked.functions:
        definition = checked.definitions.get(function)
        if definition is not None and definition.body is not None:
            _warn_of_function(function, definition, definition.body, sink)
    _warn_of_globals(checked, sink)
    # Sections 7.1 and 7.2: what a stage is run for.
    name, roles = _RESULTS[checked.stage]
    own = [symbol for symbol in checked.globals if symbol.storage == "output"]
    results = [*own, *(symbol for symbol in checked.builtin_variables if symbol.role in roles)]
    if checked.main is None or any(symbol.written for symbol in results):
        return
    if own:
        name = own[0].name
    elif builtins.find(name, checked.language) is None:
        return
    sink.report(messages.UNWRITTEN_OUTPUT, checked.main.span, help=f"assign {name} in main", name=name)


def _warn_of_globals(checked: CheckedShader, sink: DiagnosticSink) -> None:
    """Global variables without a value that nothing in the shader writes: every read is one too early."""
    declarations = [each for each in checked.unit.declarations if isinstance(each, VariableDeclaration)]
    declarators = [declarator for declaration in declarations for declarator in declaration.declarators]
    unset = {each.symbol for each in declarators if each.initializer is None and _is_never_written(each.symbol)}
    if not unset:
        return
    reports = Reports(sink)
    for function in checked.functions:
        for node in walk(checked.definitions[function]) if function in checked.definitions else ():
            if isinstance(node, Name) and node.symbol is not None and node.symbol in unset:
                reports.read(node.symbol, node.span, is_certain=True, is_whole=True)


def _is_never_written(symbol: VariableSymbol | None) -> bool:
    return symbol is not None and symbol.storage == "local" and symbol.used and not symbol.written


def _warn_of_function(
    function: FunctionSymbol, definition: FunctionDeclaration, body: Block, sink: DiagnosticSink
) -> None:
    """Most functions give each variable a value and end in a `return`: they need no walk."""
    unset = [*function.unset, *(parameter for parameter in function.parameters if parameter.storage == "out")]
    may_end = function.returns and function.return_type is not VOID and not _ends_in_jump(body)
    if not unset and not may_end:
        return
    parts = Parts()
    for symbol in unset:
        parts.follow(symbol)
    statements = Statements(Expressions(parts, Reports(sink)), writes_of_loops(body, parts))
    statements.block(body)
    if may_end and statements.state is not None:
        help_ = "write a 'return' at the end of the function"
        expected = function.return_type
        sink.report(messages.MAY_NOT_RETURN, definition.name_span, help=help_, name=function.name, expected=expected)


def _ends_in_jump(body: Block) -> bool:
    return bool(body.statements) and isinstance(body.statements[-1], Jump)
