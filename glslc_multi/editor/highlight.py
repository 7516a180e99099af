"""A text of GLSL in pieces, each of one class, for colours and for whatever works on a text as it is written.

In: any text.  Out: its pieces in order, without the blanks between them.  The scan knows no preprocessor and no
grammar, and never fails; tests compare it with the tokens of the compiler's own lexer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Literal, cast

from glslc_multi.compiler.records import dataclass
from glslc_multi.editor.words import WordClass, word_classes
from glslc_multi.frontends.glsl.language.versions import language_of

#: "directive" is the `#` and the name after it; "name" is one that no table knows.
PieceClass = WordClass | Literal["comment", "directive", "number", "operator", "name", "other"]

_UNCOLOURED = ("name", "operator", "other")

_PIECE = re.compile(
    r"""
    (?P<comment>//(?:\\\n|[^\n])*|/\*(?s:.*?)(?:\*/|\Z))
    | ^[ \t]*(?P<directive>\#[ \t]*[A-Za-z]*)
    | (?P<word>[A-Za-z_]\w*)
    | (?P<number>\.?\d(?:[eE][+-]\d|[\w.])*)
    | (?P<operator><<=|>>=|\+\+|--|&&|\|\||\^\^|<<|>>|[-+*/%<>=!&|^]=|[-+*/%<>=!&|^~?:;,.(){}\[\]])
    | (?P<other>\#\#|"[^"\n]*"|[^\s])
    """,
    re.VERBOSE | re.ASCII | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters `start` to `end` of the text."""

    start: int
    end: int
    text: str
    kind: PieceClass


def pieces(text: str, version: int | None = None) -> Iterator[Piece]:
    """The pieces of a text in the words of a version, by default the one that its `#version` line names."""
    words = word_classes(language_of(text).number if version is None else version)
    for match in _PIECE.finditer(text):
        kind = cast("PieceClass", match.lastgroup)
        piece = match[kind]
        yield Piece(*match.span(kind), piece, words.get(piece, "name") if match["word"] else kind)


def html_lines(text: str, version: int | None = None) -> list[str]:
    """The lines of a text as HTML: a `<span class="g-…">` around each piece that has a colour."""
    return "".join(_marked(text, pieces(text, version))).split("\n")


def _marked(text: str, found: Iterable[Piece]) -> Iterator[str]:
    position = 0
    for piece in found:
        yield escape(text[position : piece.start])
        position = piece.end
        if piece.kind in _UNCOLOURED:
            yield escape(piece.text)
        else:
            # A comment may go over several lines: each has its own element.
            opening = f'<span class="g-{piece.kind}">'
            yield "\n".join(f"{opening}{escape(line)}</span>" for line in piece.text.split("\n"))
    yield escape(text[position:])
