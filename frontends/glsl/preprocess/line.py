"""One directive line, as the functions that carry out directives see it."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.frontends.glsl.preprocess.lexer import Directive, LexedFile
from glslc_multi.frontends.glsl.preprocess.macros import Token, tokens_of


class Line:
    """The name of a directive (absent in the null directive `#`) and the operands after it."""

    __slots__ = ("directive", "lexed", "name", "name_token", "operands")

    def __init__(self, lexed: LexedFile, directive: Directive) -> None:
        self.lexed = lexed
        self.directive = directive
        tokens = tokens_of(lexed, directive.first, directive.end)
        self.name_token: Token | None = tokens[0] if tokens else None
        self.name = tokens[0].text if tokens else ""
        self.operands = tokens[1:]

    @property
    def span(self) -> Span:
        """From "#" to the end of the name."""
        start = self.lexed.span_at(self.directive.start_offset)
        return start if self.name_token is None else start.to(self.name_token.span)

    @property
    def span_of_all(self) -> Span:
        """From "#" to the last operand."""
        return self.span.to(self.operands[-1].span) if self.operands else self.span

    @property
    def end_span(self) -> Span:
        """The position after the last token."""
        return self.lexed.span_at(self.lexed.end_of(self.directive.end - 1))

    def span_of(self, position: int) -> Span:
        """The operand at `position`, or the end of the line."""
        return self.operands[position].span if position < len(self.operands) else self.end_span

    def describe(self, position: int) -> str:
        """The operand at `position` for a message that says what was found."""
        return f"'{self.operands[position].text}'" if position < len(self.operands) else "the end of the line"

    @property
    def operand_text(self) -> str:
        """The operands as they are written."""
        if not self.operands:
            return ""
        first, last = self.directive.first + 1, self.directive.end - 1
        return self.lexed.text[self.lexed.starts[first] : self.lexed.end_of(last)]

    @property
    def next_line(self) -> int:
        """The physical line after the directive."""
        return self.lexed.line_at(self.directive.end_offset) + 1
