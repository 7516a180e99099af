"""The outline of a text: functions, structures with their members, variables, blocks, macros."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.frontends.glsl import ast
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.describe import declaration
from glslc_multi.lsp.occurrences import Symbol

Kind = lsp.SymbolKind


def outline(analysis: Analysis) -> list[lsp.DocumentSymbol]:
    """What the text itself declares, in its order."""
    symbols = list(_macros(analysis))
    for external in analysis.unit.declarations if analysis.unit is not None else ():
        symbols += _of_external(external, analysis)
    return sorted(symbols, key=lambda each: (each.range.start.line, each.range.start.character))


def _macros(analysis: Analysis) -> Iterator[lsp.DocumentSymbol]:
    for definitions in analysis.macros.by_name.values():
        for definition in definitions:
            yield from _symbol(
                definition.name, Kind.Constant, definition.span, definition.span, analysis, definition.line
            )


def _of_external(external: ast.External, analysis: Analysis) -> Iterator[lsp.DocumentSymbol]:
    if isinstance(external, ast.FunctionDeclaration):
        detail = _detail(external.symbol, analysis)
        yield from _symbol(external.name, Kind.Function, external.span, external.name_span, analysis, detail)
    elif isinstance(external, ast.VariableDeclaration):
        struct = external.specifier.struct
        if struct is not None and struct.name:
            members = _members(struct.members, analysis)
            yield from _symbol(struct.name, Kind.Struct, struct.span, struct.name_span, analysis, "", members)
        is_constant = external.qualifiers.find("const") is not None
        for declarator in external.declarators:
            detail = _detail(declarator.symbol, analysis)
            kind = Kind.Constant if is_constant else Kind.Variable
            yield from _symbol(declarator.name, kind, declarator.span, declarator.name_span, analysis, detail)
    elif isinstance(external, ast.BlockDeclaration):
        members = _members(external.members, analysis)
        yield from _symbol(external.name, Kind.Interface, external.span, external.name_span, analysis, "", members)


def _members(members: list[ast.StructMember], analysis: Analysis) -> list[lsp.DocumentSymbol]:
    return [
        symbol
        for member in members
        for symbol in _symbol(member.name, Kind.Field, member.span, member.name_span, analysis, member.specifier.name)
    ]


def _detail(symbol: Symbol | None, analysis: Analysis) -> str:
    return "" if symbol is None else declaration(symbol, analysis.language, analysis.stage).partition("\n")[0]


def _symbol(
    name: str,
    kind: lsp.SymbolKind,
    span: Span,
    name_span: Span,
    analysis: Analysis,
    detail: str,
    inside: list[lsp.DocumentSymbol] | None = None,
) -> Iterator[lsp.DocumentSymbol]:
    """One entry; what another file declares has none, and editors want names, and the name inside of the whole."""
    if span.file is not analysis.file or name_span.file is not analysis.file or not name:
        return
    own = analysis.lines.range(name_span)
    whole = analysis.lines.range(span)
    if not _holds(whole, own):
        whole = own
    yield lsp.DocumentSymbol(name, kind, whole, own, detail=detail, children=inside)


def _holds(outer: lsp.Range, inner: lsp.Range) -> bool:
    return _key(outer.start) <= _key(inner.start) and _key(inner.end) <= _key(outer.end)


def _key(place: lsp.Position) -> tuple[int, int]:
    return place.line, place.character
