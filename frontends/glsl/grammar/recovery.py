"""Lists whose items survive each other's errors, and what may stand between global declarations."""

from __future__ import annotations

from typing import Any

from pyparsing import ParserElement

from compiler.diagnostics.catalogue import syntax as messages
from frontends.glsl.grammar.alphabet import END, ShaderText
from frontends.glsl.grammar.elements import Element, Match
from frontends.glsl.grammar.failure import FatalRefusal, MissingBrace, SyntaxFailure, resume_after


class Items(Element):
    """Items up to `closer`; one that does not parse is reported and left out.

    `blocks` says that items may be blocks, so that parsing can go on at a "{".
    """

    def __init__(self, item: ParserElement, closer: str, *, blocks: bool = False) -> None:
        super().__init__(f"{item}...")
        self.item = item
        self.closers = closer + END
        self.blocks = blocks

    def match(self, text: ShaderText, position: int) -> Match:
        values: list[Any] = []
        nesting = text.nesting
        while text[position] not in self.closers:
            try:
                position, parts = self.item._parse(text, position)
                values.extend(parts)
            except SyntaxFailure as failure:
                position = self.recover(failure, position)
                text.nesting = nesting
        return position, [values]

    def recover(self, failure: SyntaxFailure, start: int) -> int:
        """Report the failure of the item at `start`; where the next one begins."""
        if failure.escapes or failure.text[failure.loc] == END:
            raise failure
        failure.report()
        return resume_after(failure, start, blocks=self.blocks)


class Externals(Items):
    """The global declarations, where every failure ends that no list inside has mended."""

    def __init__(self, item: ParserElement) -> None:
        super().__init__(item, closer="")

    def recover(self, failure: SyntaxFailure, start: int) -> int:
        text = failure.text
        failure.report()
        if isinstance(failure, FatalRefusal):
            return len(text) - 1
        if isinstance(failure, MissingBrace):
            return failure.loc
        position = resume_after(failure, start, blocks=False)
        # Braces behind a mistake say nothing new.
        while text[position] == "}":
            position += 1
        return position


class FunctionBody(Element):
    """The block of a function; `block` is set when the grammar is complete."""

    block: ParserElement

    def match(self, text: ShaderText, position: int) -> Match:
        start = max(text.rfind(letter, 0, position) for letter in "{};") + 1
        # Inside of a block, a definition at the left margin means that the block was not closed.
        if text.nesting and text.tokens.columns[start] == 1:
            raise MissingBrace(text, start)
        return self.block._parse(text, position)


class StraySemicolon(Element):
    """A ";" outside of all functions: tolerated, with a warning."""

    def match(self, text: ShaderText, position: int) -> Match:
        text.sink.report(messages.EXTRA_SEMICOLON, text.tokens.span(position))
        return position + 1, []
