"""The token stream between preprocessor and parser: parallel lists, spans made only when asked for."""

from __future__ import annotations

from typing import Literal

from glslc_multi.compiler.diagnostics import Origin, SourceFile, Span
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl.language.versions import GLSL_ES_100, Language

#: "keyword" includes type keywords and `true`/`false`; "reserved" are the words section 3.6 keeps for the future.
TokenKind = Literal["identifier", "keyword", "reserved", "int", "float", "operator", "end"]
#: "webgl" adds the rules of the WebGL 1 specification to those of GLSL ES 1.00.
Dialect = Literal["essl100", "webgl"]


class Expansion:
    """Where in a macro's definition a token stands that came out of the macro.

    `outer` is the expansion that the macro's name came out of itself, when that was not written by the user.
    """

    __slots__ = ("column", "file", "line", "macro", "outer", "width")

    def __init__(
        self, macro: str, file: SourceFile, line: int, column: int, width: int, outer: Expansion | None
    ) -> None:
        self.macro = macro
        self.file = file
        self.line = line
        self.column = column
        self.width = width
        self.outer = outer

    def origin(self) -> Origin:
        """The chain of origins of a span, from the macro that the user wrote to the innermost."""
        expansion: Expansion | None = self
        origin: Origin | None = None
        while expansion is not None:
            end = expansion.column + expansion.width
            span = Span(expansion.file, expansion.line, expansion.column, expansion.line, end, origin)
            origin = Origin("macro", expansion.macro, span)
            expansion = expansion.outer
        assert origin is not None
        return origin


@dataclass(slots=True)
class TokenStream:
    """Preprocessed tokens; the last one has kind "end" and an empty text.

    Token i stands at (`lines[i]`, `columns[i]`) of `files[i]`: where the user wrote it, or wrote the name of
    the macro it came out of; `expansions` tells of the latter where in the definition they stand (a macro's
    arguments keep their own position).  A multi-character operator is one token, and a token never spans lines.
    """

    kinds: list[TokenKind] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    #: Width in the file: the token's own, or that of the macro's name for an expansion.
    widths: list[int] = field(default_factory=list)
    expansions: dict[int, Expansion] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.kinds)

    def append(self, kind: TokenKind, text: str, file: SourceFile, line: int, column: int, width: int) -> None:
        self.kinds.append(kind)
        self.texts.append(text)
        self.files.append(file)
        self.lines.append(line)
        self.columns.append(column)
        self.widths.append(width)

    def span(self, index: int) -> Span:
        line, column = self.lines[index], self.columns[index]
        expansion = self.expansions.get(index)
        origin = None if expansion is None else expansion.origin()
        return Span(self.files[index], line, column, line, column + self.widths[index], origin)

    def span_from(self, first: int, last: int) -> Span:
        """From the start of token `first` to the end of token `last`."""
        return self.extend(self.span(first), last)

    def extend(self, span: Span, last: int) -> Span:
        """From the start of `span` to the end of token `last`."""
        return span.until(self.files[last], self.lines[last], self.columns[last] + self.widths[last])


@dataclass(frozen=True, slots=True)
class Recovery:
    """What mistakes of the preprocessor mean for what comes after it."""

    #: Lines whose tokens are others than were meant: a syntax error there is no second mistake.
    lines: frozenset[tuple[SourceFile, int]] = frozenset()
    #: From each of these places on, names may be missing.
    losses: tuple[Span, ...] = ()
    #: The end of the text is missing.
    is_cut: bool = False
    #: The tokens are not worth parsing.
    is_hopeless: bool = False


#: Of a text without mistakes.
SOUND = Recovery()


@dataclass(slots=True)
class PreprocessedShader:
    """What the preprocessor hands to the parser."""

    tokens: TokenStream
    language: Language = GLSL_ES_100
    #: The main file, where neither it nor the caller says which version it is.
    unversioned: SourceFile | None = None
    #: Extension name -> behaviour ("enable", "require", "warn"); those disabled before the first token are absent.
    extensions: dict[str, str] = field(default_factory=dict)
    #: Those that the text enables after it has begun: from these lines on.
    late_extensions: dict[str, Span] = field(default_factory=dict)
    #: `#pragma` texts that are not the language's own, in order, for the driver and the targets.
    pragmas: list[tuple[str, Span]] = field(default_factory=list)
    #: `#pragma STDGL invariant(all)` was seen.
    all_invariant: bool = False
    #: Paths of all included files, for depfiles.
    dependencies: list[str] = field(default_factory=list)
    recovery: Recovery = SOUND
