"""The token stream between preprocessor and parser: parallel lists, spans made only when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from compiler.diagnostics import Origin, SourceFile, Span

#: "keyword" includes type keywords and `true`/`false`; "reserved" are the words section 3.6 keeps for the future.
TokenKind = Literal["identifier", "keyword", "reserved", "int", "float", "operator", "end"]


@dataclass(slots=True)
class TokenStream:
    """Preprocessed tokens; the last one has kind "end" and an empty text.

    Token i stands at (`lines[i]`, `columns[i]`) of `files[i]`; `origins` holds the few tokens that came
    out of a macro expansion.  A multi-character operator is one token, and a token never spans lines.
    """

    kinds: list[TokenKind] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    #: Width in the file: the token's own, or that of the macro's name for an expansion.
    widths: list[int] = field(default_factory=list)
    origins: dict[int, Origin] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.kinds)

    def span(self, index: int) -> Span:
        line, column = self.lines[index], self.columns[index]
        return Span(self.files[index], line, column, line, column + self.widths[index], self.origins.get(index))

    def span_from(self, first: int, last: int) -> Span:
        """From the start of token `first` to the end of token `last`."""
        return self.span(first).to(self.span(last))


@dataclass(slots=True)
class PreprocessedShader:
    """What the preprocessor hands to the parser."""

    tokens: TokenStream
    #: 100, or 110/120 for desktop GLSL.
    version: int = 100
    #: Extension name -> behaviour ("enable", "require", "warn"); disabled ones are absent.
    extensions: dict[str, str] = field(default_factory=dict)
    #: `#pragma` texts that are not the standard ones, in order, for the driver and the targets.
    pragmas: list[tuple[str, Span]] = field(default_factory=list)
    #: `#pragma STDGL invariant(all)` was seen.
    all_invariant: bool = False
    #: Paths of all included files, for depfiles.
    dependencies: list[str] = field(default_factory=list)
