"""The names that are visible at a place of a text, with what they mean.

In: the tree and a place.  Out: names, inner ones before outer ones of the same name (GLSL ES 3.00 section 4.2.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.symbols import FunctionSymbol, VariableSymbol
from glslc_multi.frontends.glsl.types import StructType
from glslc_multi.frontends.glsl.walk import Node, children

Visible = VariableSymbol | FunctionSymbol | StructType
#: What may hold declarations of its own.
_INSIDE = (ast.Block, ast.For, ast.While, ast.If, ast.DoWhile, ast.Switch)


def visible_names(unit: ast.TranslationUnit, file: SourceFile, line: int, column: int) -> dict[str, list[Visible]]:
    """Name -> what it stands for at a place of `file`: one thing, or the functions of that name."""
    visible: dict[str, list[Visible]] = {}
    cursor = (line, column)
    names = [each for external in unit.declarations for each in _of_external(external, file, cursor)]
    for name, symbol in names:
        before = visible.get(name, [])
        is_overload = isinstance(symbol, FunctionSymbol) and all(isinstance(each, FunctionSymbol) for each in before)
        visible[name] = [*(each for each in before if each is not symbol), symbol] if is_overload else [symbol]
    return visible


def _of_external(external: ast.External, file: SourceFile, place: tuple[int, int]) -> Iterator[tuple[str, Visible]]:
    """What a global declaration adds, outer names before inner ones."""
    if external.span.file is file and (external.span.line, external.span.column) >= place:
        return
    yield from _declared(external)
    if isinstance(external, ast.FunctionDeclaration) and external.body and _contains(external.span, file, place):
        for parameter in external.parameters:
            if parameter.symbol is not None and parameter.name:
                yield parameter.name, parameter.symbol
        yield from _inside(external.body, file, place)


def _declared(node: Node) -> Iterator[tuple[str, Visible]]:
    """The names that a declaration adds to the scope that it stands in."""
    if isinstance(node, ast.VariableDeclaration):
        struct = node.specifier.struct
        if struct is not None and struct.type is not None and struct.name:
            yield struct.name, struct.type
        for declarator in node.declarators:
            if declarator.symbol is not None:
                yield declarator.name, declarator.symbol
    elif isinstance(node, ast.FunctionDeclaration):
        if node.symbol is not None:
            yield node.name, node.symbol
    elif isinstance(node, ast.BlockDeclaration):
        yield from ((symbol.name, symbol) for symbol in node.symbols)


def _inside(node: Node, file: SourceFile, place: tuple[int, int]) -> Iterator[tuple[str, Visible]]:
    """The names declared before a place in the blocks around it, outer ones first."""
    for child in children(node):
        if isinstance(child, ast.DeclarationStatement | ast.ConditionDeclaration):
            if _begins_before(child.span, file, place):
                yield from _declared(child.declaration)
        elif isinstance(child, _INSIDE) and _contains(child.span, file, place):
            yield from _inside(child, file, place)


def _begins_before(span: Span, file: SourceFile, place: tuple[int, int]) -> bool:
    return span.file is file and (span.line, span.column) < place


def _contains(span: Span, file: SourceFile, place: tuple[int, int]) -> bool:
    """Whether a place is inside of a span, or at its end."""
    return _begins_before(span, file, place) and place <= (span.end_line, span.end_column)
