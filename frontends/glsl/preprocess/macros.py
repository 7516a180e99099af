"""Macros and the tokens they are made of.

Tokens are objects only here, while they pass through a macro or a directive; all other text stays in the
lexer's lists.
"""

from __future__ import annotations

from typing import Literal

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.preprocess.lexer import LexedFile, RawKind
from glslc_multi.frontends.glsl.tokens import Expansion

NO_NAMES: frozenset[str] = frozenset()
#: The operator that joins two tokens.
PASTE = "##"


class Token:
    """A token during expansion.

    It stands where the user wrote it, or, for text of a macro, where the user wrote the (outermost) macro's
    name; `expansion` then tells where in the definitions the text stands.
    """

    __slots__ = ("column", "expansion", "file", "hidden", "kind", "line", "line_number", "spaced", "text", "width")

    def __init__(
        self,
        kind: RawKind,
        text: str,
        spaced: bool,
        file: SourceFile,
        line: int,
        column: int,
        width: int,
        expansion: Expansion | None = None,
        hidden: frozenset[str] = NO_NAMES,
        line_number: int = 0,
    ) -> None:
        self.kind = kind
        self.text = text
        #: White space stands before the token.
        self.spaced = spaced
        self.file = file
        self.line = line
        self.column = column
        self.width = width
        self.expansion = expansion
        #: The macros whose expansion this token came from: it is not expanded by them again.
        self.hidden = hidden
        #: The physical line that `__LINE__` stands for here.
        self.line_number = line_number or line

    @property
    def span(self) -> Span:
        origin = None if self.expansion is None else self.expansion.origin()
        return Span(self.file, self.line, self.column, self.line, self.column + self.width, origin)

    @property
    def is_word(self) -> bool:
        return self.kind in ("identifier", "keyword", "reserved")

    def hidden_from(self, names: frozenset[str]) -> Token:
        """The same token, hidden from some more macros."""
        if names <= self.hidden:
            return self
        return Token(
            self.kind,
            self.text,
            self.spaced,
            self.file,
            self.line,
            self.column,
            self.width,
            self.expansion,
            self.hidden | names,
            self.line_number,
        )


def unknown(name: Token) -> Token:
    """What stands for the use of a macro whose text is not known: the parser takes it for an invalid literal."""
    return Token("int", name.text, name.spaced, name.file, name.line, name.column, name.width, name.expansion)


def tokens_of(lexed: LexedFile, first: int, end: int) -> list[Token]:
    """Tokens `first` to `end` (exclusive) of a file as objects."""
    return [
        Token(
            lexed.kinds[index],
            lexed.texts[index],
            lexed.is_spaced(index),
            lexed.file,
            lexed.lines[index],
            lexed.columns[index],
            lexed.widths[index],
        )
        for index in range(first, end)
    ]


@dataclass(slots=True, eq=False)
class Macro:
    """A macro: object-like where `parameters` is None."""

    name: str
    span: Span
    body: list[Token]
    parameters: tuple[str, ...] | None = None
    #: Set for `__LINE__` and `__FILE__`, which stand for another number at each use.
    computed: Literal["line", "file"] | None = None
    #: The language's own macro, which a shader may neither define nor undefine.
    is_predefined: bool = False
    #: The definition has a mistake: a use stands for something that is not known.
    is_broken: bool = False
    #: The text has the operator `##`.
    pastes: bool = False

    def same_as(self, other: Macro) -> bool:
        """Equal definitions (GLSL ES 1.00 section 3.4): white space counts only as there or not there."""
        return self.parameters == other.parameters and _spelling(self.body) == _spelling(other.body)


def _spelling(body: list[Token]) -> list[tuple[str, bool]]:
    return [(token.text, token.spaced and index > 0) for index, token in enumerate(body)]


def predefined_macro(name: str, text: str) -> Macro:
    """A macro of the language itself, as if some file defined it."""
    prefix = f"#define {name} "
    file = SourceFile("<predefined>", prefix + text)
    body = Token("int", text, True, file, 1, len(prefix) + 1, len(text))
    return Macro(name, Span(file, 1, 9, 1, 9 + len(name)), [body], is_predefined=True)
