"""Renaming, where it surely changes no meaning.

In: an analysis, a place and a new name.  Out: edits, or the reason why there are none.  The edits are tried: the
changed text must give the same tokens but for the name, the same diagnostics, and every name in it must mean what it
meant; so a new name that would be captured by a declaration in between, or collide with one, is refused whatever the
way it would happen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from lsprotocol import types as lsp

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.editor.highlight import Piece, pieces
from glslc_multi.editor.words import word_classes
from glslc_multi.frontends.glsl.symbols import BlockSymbol, BuiltinFunction
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.hover import piece_at
from glslc_multi.lsp.occurrences import Symbol


class Refused(Exception):
    """Why a name cannot be changed."""


def prepare(analysis: Analysis, line: int, column: int) -> tuple[Piece, list[tuple[int, int]]]:
    """The name at a place, and where it stands, by offsets; raises `Refused`."""
    piece = piece_at(analysis, line, column)
    if piece is None or not piece.text.isidentifier():
        raise Refused("there is no name here")
    occurrence = analysis.occurrences.at(analysis.file, line, column)
    if occurrence is None or occurrence.is_expanded:
        if piece.text not in analysis.macros.by_name:
            raise Refused(f"what '{piece.text}' means here is not known")
        return piece, _places_of_macro(analysis, piece.text)
    symbol = occurrence.symbol
    if isinstance(symbol, BuiltinFunction) or symbol.span is None or piece.text.startswith("gl_"):
        raise Refused(f"'{piece.text}' is part of the language")
    if piece.text == "main":
        raise Refused("a shader begins with 'main'")
    if symbol.name != piece.text:
        raise Refused(f"'{piece.text}' is not written here")
    return piece, _places_of_symbol(analysis, occurrence.symbol, piece.text)


def rename(
    analysis: Analysis, line: int, column: int, new: str, analyse: Callable[[str], Analysis]
) -> list[lsp.TextEdit]:
    """The edits; raises `Refused`."""
    piece, places = prepare(analysis, line, column)
    if not (new.isascii() and new.isidentifier()):
        raise Refused(f"'{new}' is not a name")
    if new in word_classes(analysis.language.number) or new.startswith("gl_") or "__" in new:
        raise Refused(f"'{new}' is a word of the language or reserved")
    if new in analysis.macros.by_name:
        raise Refused(f"'{new}' is a macro")
    if new == piece.text:
        return []
    parts, position = [], 0
    for start, end in places:
        parts += [analysis.text[position:start], new]
        position = end
    changed = analyse("".join([*parts, analysis.text[position:]]))
    if not _has_same_tokens(analysis, changed, piece.text, new) or not _means_the_same(analysis, changed):
        raise Refused(f"'{new}' would collide with another name or change what a name means")
    return [lsp.TextEdit(analysis.lines.range_at(start, end), new) for start, end in places]


# --------------------------------------------------------------------------------- what can change


def _places_of_symbol(analysis: Analysis, symbol: Symbol, name: str) -> list[tuple[int, int]]:
    """Where a symbol stands.  Text that is not compiled counts as well where the name has no other meaning."""
    spans = [each.span for each in analysis.occurrences.of(symbol)]
    _check_files(spans, analysis, name)
    places = {_offsets(span, analysis) for span in spans}
    written = {(piece.start, piece.end) for piece in analysis.pieces if piece.text == name}
    if not places <= written:
        raise Refused(f"'{name}' is put together by a macro")
    known = {_offsets(each.span, analysis) for each in analysis.occurrences.all if each.span.file is analysis.file}
    unknown = written - known - places
    if unknown:
        if _has_namesakes(analysis, symbol, name) or isinstance(symbol, BlockSymbol):
            line, _ = analysis.lines.place_at(min(unknown)[0])
            raise Refused(f"'{name}' also stands in line {line}, where it is not known what it means")
        places |= unknown
    return sorted(places)


def _has_namesakes(analysis: Analysis, symbol: Symbol, name: str) -> bool:
    return any(
        each.symbol is not symbol and getattr(each.symbol, "name", None) == name for each in analysis.occurrences.all
    )


def _check_files(spans: list[Span], analysis: Analysis, name: str) -> None:
    elsewhere = next((span for span in spans if span.file is not analysis.file), None)
    if elsewhere is not None:
        raise Refused(f"'{name}' stands in '{elsewhere.file.name}', which other shaders may include")
    if any(piece.text == name for file in analysis.included_files for piece in pieces(file.text)):
        raise Refused(f"'{name}' also stands in a file that is included, which other shaders may include")


def _places_of_macro(analysis: Analysis, name: str) -> list[tuple[int, int]]:
    definitions = [each.span for each in analysis.macros.by_name[name]]
    _check_files(definitions, analysis, name)
    return [(piece.start, piece.end) for piece in analysis.pieces if piece.text == name]


def _offsets(span: Span, analysis: Analysis) -> tuple[int, int]:
    return analysis.lines.offset_of(span.line, span.column), analysis.lines.offset_of(span.end_line, span.end_column)


# ------------------------------------------------------------------------------- what must not change
def _has_same_tokens(before: Analysis, after: Analysis, name: str, new: str) -> bool:
    """Whether the texts are made of the same tokens but for the name."""
    old_texts, new_texts = before.shader.tokens.texts, after.shader.tokens.texts
    return len(old_texts) == len(new_texts) and all(
        old == now or (old == name and now == new) for old, now in zip(old_texts, new_texts, strict=True)
    )


def _means_the_same(before: Analysis, after: Analysis) -> bool:
    """Whether the same is said of both texts, and their names stand for the same, one by one."""
    said = Counter(diagnostic.code for diagnostic in before.diagnostics) == Counter(
        each.code for each in after.diagnostics
    )
    return said and _meanings(before) == _meanings(after)


def _meanings(analysis: Analysis) -> list[tuple[bool, object]]:
    """For each name in order, what it stands for: its first place in this list, or the built-in name."""
    numbers: dict[object, int] = {}
    meanings: list[tuple[bool, object]] = []
    for each in analysis.occurrences.all:
        symbol = each.symbol
        is_builtin = isinstance(symbol, BuiltinFunction) or symbol.span is None
        meaning: object = symbol if isinstance(symbol, BuiltinFunction) else symbol.name
        meanings.append((each.declares, meaning if is_builtin else numbers.setdefault(symbol, len(numbers))))
    return meanings
