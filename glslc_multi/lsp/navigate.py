"""From a name to where it is declared and used, in the text and in what it includes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.diagnose import is_on_disk, location, uri_of
from glslc_multi.lsp.hover import piece_at
from glslc_multi.lsp.occurrences import Occurrence

_INCLUDE = re.compile(r"[ \t]*#[ \t]*include[ \t]*([\"<])([^\">]+)")


def definition(analysis: Analysis, line: int, column: int, uri: str) -> list[lsp.Location]:
    """Where the name at a place is declared; of an `#include`, the file."""
    included = _INCLUDE.match(analysis.lines.line(line))
    if included is not None:
        path = analysis.find_include(included[2], included[1] == '"')
        start = lsp.Position(0, 0)
        return [] if path is None else [lsp.Location(uri_of(path), lsp.Range(start, start))]
    found = analysis.occurrences.at(analysis.file, line, column)
    if found is not None and not found.is_expanded:
        spans = analysis.occurrences.declarations(found.symbol)
    else:
        spans = list(_macro_definition(analysis, line, column))
    return [location(span, analysis, uri) for span in spans if is_on_disk(span.file, analysis)]


def references(analysis: Analysis, line: int, column: int, uri: str, with_declaration: bool) -> list[lsp.Location]:
    """Everywhere the name at a place stands, in all files of the shader."""
    spans = [use.span for use in uses(analysis, line, column) if with_declaration or not use.declares]
    if not spans:
        spans = list(_macro_uses(analysis, line, column, with_declaration))
    return [location(span, analysis, uri) for span in spans if is_on_disk(span.file, analysis)]


def highlights(analysis: Analysis, line: int, column: int) -> list[lsp.DocumentHighlight]:
    """The same name in this text."""
    spans = [use.span for use in uses(analysis, line, column)] or list(_macro_uses(analysis, line, column, True))
    return [lsp.DocumentHighlight(analysis.lines.range(span)) for span in spans if span.file is analysis.file]


def uses(analysis: Analysis, line: int, column: int) -> list[Occurrence]:
    """All places of the name at a place."""
    occurrence = analysis.occurrences.at(analysis.file, line, column)
    return [] if occurrence is None else analysis.occurrences.of(occurrence.symbol)


def _macro_definition(analysis: Analysis, line: int, column: int) -> Iterator[Span]:
    piece = piece_at(analysis, line, column)
    found = None if piece is None else analysis.macros.find(piece.text, analysis.file, line)
    if found is not None:
        yield found.span


def _macro_uses(analysis: Analysis, line: int, column: int, with_definition: bool) -> Iterator[Span]:
    """Every place of a macro's name in the text; comments apart, a name that is a macro's stands for nothing else."""
    piece = piece_at(analysis, line, column)
    known = [] if piece is None else analysis.macros.by_name.get(piece.text, [])
    if piece is None or not known:
        return
    definitions = {each.span.place for each in known}
    for other in analysis.pieces:
        if other.text == piece.text:
            start = analysis.lines.place_at(other.start)
            span = Span(analysis.file, *start, start[0], start[1] + len(other.text))
            if with_definition or span.place not in definitions:
                yield span
    if with_definition:
        yield from (each.span for each in known if each.span.file is not analysis.file)
