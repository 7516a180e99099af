"""What can be written at the cursor: members after a dot, names and words elsewhere, directives after "#".

In: an analysis of the text as it is, the offset of the cursor, and a way to analyse the text without the statement
that is being written.  Out: items in order of nearness: the editor filters them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from lsprotocol import types as lsp

from glslc_multi.editor.words import WordClass, word_classes
from glslc_multi.frontends.glsl import ast, builtins
from glslc_multi.frontends.glsl.check.expressions import COMPONENT_SETS
from glslc_multi.frontends.glsl.language.extensions import extensions_of
from glslc_multi.frontends.glsl.language.versions import STANDARDS, Language
from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.preprocess.directives import DIRECTIVE_NAMES
from glslc_multi.frontends.glsl.preprocess.extensions import BEHAVIOURS
from glslc_multi.frontends.glsl.symbols import FunctionSymbol, Stage, VariableSymbol
from glslc_multi.frontends.glsl.types import ArrayType, GlslType, NumericType, StructType
from glslc_multi.frontends.glsl.walk import walk
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.describe import declaration, signature, typed
from glslc_multi.lsp.scope import visible_names
from glslc_multi.lsp.unfinished import Unfinished

Kind = lsp.CompletionItemKind
_KINDS: dict[WordClass, lsp.CompletionItemKind] = {
    "keyword": Kind.Keyword,
    "qualifier": Kind.Keyword,
    "type": Kind.Class,
    "constant": Kind.Constant,
    "function": Kind.Function,
    "variable": Kind.Variable,
}
#: Analyses another text as the same file.
Analyse = Callable[[str], Analysis]


def complete(analysis: Analysis, offset: int, analyse: Analyse) -> list[lsp.CompletionItem]:
    """Everything that fits at the cursor."""
    around = Unfinished(analysis.text, analysis.pieces, offset)
    if _is_in_comment(analysis, offset):
        return []
    if around.is_in_directive:
        if around.directive_word:
            return [lsp.CompletionItem(name, kind=Kind.Keyword) for name in DIRECTIVE_NAMES]
        line = around.text[around.text.rfind("\n", 0, around.offset) + 1 : around.offset].replace("#", " ").split()
        if line[:1] == ["version"]:
            versions = [
                f"{number} es" if number == 300 else str(number) for number in dict.fromkeys(STANDARDS.values())
            ]
            return [lsp.CompletionItem(version, kind=Kind.Value) for version in versions]
        if line[:1] == ["extension"]:
            names = BEHAVIOURS if ":" in "".join(line) else extensions_of(analysis.language.number)
            return [lsp.CompletionItem(name, kind=Kind.Module) for name in names]
        return []
    if around.is_member:
        return list(_members(_base_type(analysis, around, analyse)))
    if around.word is None and offset and analysis.text[offset - 1].isdigit():
        return []
    rest = analyse(around.without_statement())
    return [
        *_own_names(rest, analysis.lines.place_at(offset)),
        *_macros(analysis),
        *_language_items(analysis.language, analysis.stage),
    ]


def _is_in_comment(analysis: Analysis, offset: int) -> bool:
    return any(
        piece.start < offset and (offset < piece.end or (offset == piece.end and not piece.text.endswith("*/")))
        for piece in analysis.pieces
        if piece.kind == "comment"
    )


# ------------------------------------------------------------------------------------------ members
def _base_type(analysis: Analysis, around: Unfinished, analyse: Analyse) -> GlslType | None:
    """The type of the expression before the dot."""
    changed = around.only_base()
    if changed is None:
        return None
    text, (start, end) = changed
    lines = analysis.lines
    first, last = lines.place_at(start), lines.place_at(end)
    rest = analyse(text)
    for node in walk(rest.unit) if rest.unit is not None else ():
        span = node.span if isinstance(node, ast.Expression) else None
        if span is not None and span.file is rest.file and span.origin is None:
            start_and_end = (span.line, span.column), (span.end_line, span.end_column)
            if start_and_end == (first, last) and isinstance(node, ast.Expression):
                return node.type
    return _type_of_name(analyse(around.without_statement()), analysis.text[start:end], first)


def _type_of_name(analysis: Analysis, name: str, place: tuple[int, int]) -> GlslType | None:
    """The type of a plain variable, where no statement can stand."""
    found = [] if analysis.unit is None else visible_names(analysis.unit, analysis.file, *place).get(name, [])
    symbol = found[0] if found else builtins.variable(name, analysis.language, analysis.stage)
    return symbol.type if isinstance(symbol, VariableSymbol) else None


def _members(type_: GlslType | None) -> Iterator[lsp.CompletionItem]:
    if isinstance(type_, StructType):
        for field in type_.fields:
            yield lsp.CompletionItem(field.name, kind=Kind.Field, detail=typed(field.type, field.name))
    elif isinstance(type_, ArrayType):
        yield lsp.CompletionItem("length()", kind=Kind.Method, detail="int length()")
    elif isinstance(type_, NumericType) and type_.is_vector:
        for letters in COMPONENT_SETS:
            own = letters[: type_.rows]
            for swizzle in (*own, *(own[:count] for count in range(2, type_.rows + 1))):
                from glslc_multi.frontends.glsl.types import numeric

                yield lsp.CompletionItem(swizzle, kind=Kind.Field, detail=str(numeric(type_.base, len(swizzle))))


# -------------------------------------------------------------------------------------------- names
def _own_names(analysis: Analysis, place: tuple[int, int]) -> Iterator[lsp.CompletionItem]:
    if analysis.unit is None:
        return
    for name, symbols in visible_names(analysis.unit, analysis.file, *place).items():
        symbol = symbols[-1]
        count = len(symbols)
        detail = declaration(symbol, analysis.language, analysis.stage).partition("\n")[0]
        kind = Kind.Struct
        is_near = False
        if isinstance(symbol, VariableSymbol):
            kind = Kind.Constant if symbol.storage == "const" else Kind.Variable
            is_near = not symbol.is_global
        elif isinstance(symbol, FunctionSymbol):
            kind = Kind.Function
            detail += f"  (+{count - 1})" if count > 1 else ""
        yield lsp.CompletionItem(name, kind=kind, detail=detail, sort_text=f"{'0' if is_near else '1'}{name}")


def _macros(analysis: Analysis) -> Iterator[lsp.CompletionItem]:
    for name, definitions in analysis.macros.by_name.items():
        yield lsp.CompletionItem(name, kind=Kind.Constant, detail=definitions[0].line, sort_text=f"2{name}")


@cache
def _language_items(language: Language, stage: Stage) -> list[lsp.CompletionItem]:
    """Words of the language in a stage."""
    items = []
    for word, kind in word_classes(language.number).items():
        detail = _detail(word, kind, language, stage)
        if kind != "reserved" and detail is not None:
            items.append(lsp.CompletionItem(word, kind=_KINDS[kind], detail=detail, sort_text=f"3{word}"))
    return items


def _detail(word: str, kind: WordClass, language: Language, stage: Stage) -> str | None:
    """What a word of the language is; None where the stage does not have it."""
    if kind == "function":
        functions = [function for function in functions_of(word, language.number) if stage in function.stages]
        return signature(functions[0], language) if functions else None
    if kind in ("variable", "constant") and word.startswith("gl_"):
        row = builtins.find(word, language, stage)
        if row is not None and stage not in row.stages:
            return None
        symbol = builtins.variable(word, language, stage)
        return None if symbol is None else declaration(symbol, language, stage)
    return kind
