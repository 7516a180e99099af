"""Where names stand, and what each means: the answer to "go to definition", "find references" and hovering.

In: the tree that the checker has annotated.  Out: an occurrence for every name whose meaning is known, at the place
where it is written, which for text that came out of a macro is the macro's definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.symbols import BlockSymbol, BuiltinFunction, FunctionSymbol, VariableSymbol
from glslc_multi.frontends.glsl.tokens import TokenStream
from glslc_multi.frontends.glsl.types import ArrayType, GlslType, StructField, StructType
from glslc_multi.frontends.glsl.walk import Node, walk

#: What a name can mean.
Symbol = VariableSymbol | FunctionSymbol | StructType | StructField | BlockSymbol | BuiltinFunction


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """One name in the text."""

    symbol: Symbol
    #: Where the name is written.
    span: Span
    declares: bool
    #: The expression, declaration or the like that has the name.
    node: Node
    #: Whether the name came out of a macro's text: then `span` is there.
    is_expanded: bool = False

    def contains(self, file: SourceFile, line: int, column: int) -> bool:
        """Whether a cursor at this place touches the name."""
        return self.span.file is file and self.span.line == line and self.span.column <= column <= self.span.end_column


class Occurrences:
    """All of them, in the order of the tree."""

    def __init__(self, unit: ast.TranslationUnit | None, tokens: TokenStream) -> None:
        self._tokens = tokens
        self.all: list[Occurrence] = []
        if unit is None:
            return
        # Of a declaration in pieces, such as a prototype's parameters, each says for itself what it declares.
        seen: set[tuple[str, int, int, int]] = set()
        for node in walk(unit):
            find = _FINDERS.get(type(node))
            for symbol, span, declares in find(self._tokens, node) if find is not None else ():
                if symbol is None:
                    continue
                origins = list(span.origins())
                found = Occurrence(symbol, origins[-1].span if origins else span, declares, node, bool(origins))
                key = (found.span.file.name, found.span.line, found.span.column, id(found.symbol))
                if found.is_expanded or key not in seen:
                    seen.add(key)
                    self.all.append(found)

    def at(self, file: SourceFile, line: int, column: int) -> Occurrence | None:
        """The name that the cursor touches; where two names meet, the one that begins there."""
        touched = [each for each in self.all if each.contains(file, line, column)]
        return max(touched, key=lambda each: each.span.column, default=None)

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """The places of one symbol, each once."""
        by_place = {each.span.place: each for each in self.all if each.symbol is symbol}
        return list(by_place.values())

    def declarations(self, symbol: Symbol) -> list[Span]:
        """Where a symbol is declared: a function also where its body is; nothing for built-in names."""
        spans = [each.span for each in self.of(symbol) if each.declares]
        if not spans and not isinstance(symbol, BuiltinFunction) and symbol.span is not None:
            return [symbol.span] if symbol.span.file.text else []
        return spans


_Found = Iterator[tuple[Symbol | None, Span, bool]]
_AnyNode = TypeVar("_AnyNode")
_FINDERS: dict[type, Callable[[TokenStream, object], _Found]] = {}


def _finder(
    kind: type[_AnyNode],
) -> Callable[[Callable[[TokenStream, _AnyNode], _Found]], Callable[[TokenStream, _AnyNode], _Found]]:
    """Registers a function that says which names stand in a node of its kind."""

    def register(function: Callable[[TokenStream, _AnyNode], _Found]) -> Callable[[TokenStream, _AnyNode], _Found]:
        _FINDERS[kind] = function  # type: ignore[assignment]
        return function

    return register


def struct_of(type_: GlslType | None) -> StructType | None:
    """The structure that a type is or has as elements."""
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return type_ if isinstance(type_, StructType) else None


@_finder(ast.Name)
def _name(tokens: TokenStream, node: ast.Name) -> _Found:
    yield node.symbol, tokens.span(node.token), False


@_finder(ast.Call)
def _call(tokens: TokenStream, node: ast.Call) -> _Found:
    if node.array is None:
        yield node.function or node.builtin or struct_of(node.constructed), tokens.span(node.callee_token), False


@_finder(ast.Field)
def _field(tokens: TokenStream, node: ast.Field) -> _Found:
    struct = struct_of(node.base.type)
    if struct is not None:
        yield struct.field(node.name), tokens.span(node.name_token), False


@_finder(ast.Declarator)
def _declarator(tokens: TokenStream, node: ast.Declarator) -> _Found:
    yield node.symbol, node.name_span, True


@_finder(ast.Parameter)
def _parameter(tokens: TokenStream, node: ast.Parameter) -> _Found:
    if node.name:
        yield node.symbol, node.name_span, True


@_finder(ast.FunctionDeclaration)
def _function(tokens: TokenStream, node: ast.FunctionDeclaration) -> _Found:
    yield node.symbol, node.name_span, True


@_finder(ast.TypeSpecifier)
def _specifier(tokens: TokenStream, node: ast.TypeSpecifier) -> _Found:
    struct = struct_of(node.type)
    if node.struct is None and struct is not None and struct.name == node.name:
        yield struct, _first_word(node.span, node.name), False


def _first_word(span: Span, name: str) -> Span:
    """Of `Light[3]` the name alone."""
    return Span(span.file, span.line, span.column, span.line, span.column + len(name), span.origin)


@_finder(ast.StructDeclaration)
def _struct(tokens: TokenStream, node: ast.StructDeclaration) -> _Found:
    if node.type is not None and node.name:
        yield node.type, node.name_span, True
    fields = node.type.fields if node.type is not None else ()
    for field in fields:
        yield field, field.span, True


@_finder(ast.InvariantDeclaration)
def _invariant(tokens: TokenStream, node: ast.InvariantDeclaration) -> _Found:
    symbols = {symbol.name: symbol for symbol in node.symbols}
    for name, span in node.names:
        yield symbols.get(name), span, False


@_finder(ast.BlockDeclaration)
def _block(tokens: TokenStream, node: ast.BlockDeclaration) -> _Found:
    block = next((symbol.block for symbol in node.symbols if symbol.block is not None), None)
    if block is None:
        return
    yield block, node.name_span, True
    for symbol in node.symbols:
        if symbol.span is not None:
            yield symbol, symbol.span, True
    if node.instances:
        for field in block.type.fields:
            yield field, field.span, True
