"""Lists whose items survive each other's errors: where parsing goes on after a mistake."""

from __future__ import annotations

from typing import Any

from pyparsing import ParserElement, ZeroOrMore

from compiler.diagnostics.catalogue import syntax as messages
from frontends.glsl.grammar.alphabet import END, LETTERS, ShaderText
from frontends.glsl.grammar.elements import Element, Match, Terminal, parser_of
from frontends.glsl.grammar.failure import (
    FatalRefusal,
    MissingBrace,
    Refusal,
    SyntaxFailure,
    begins_declaration,
    begins_item,
    begins_line,
    open_bracket,
)

_FOR, _ELSE = LETTERS["for"], LETTERS["else"]


class Items(Element, ZeroOrMore):
    """Statements or members up to a "}"; one that does not parse is reported and left out.

    `blocks` says that items may be blocks, so that parsing can go on at a "{".
    """

    closers = "}" + END

    def __init__(self, item: ParserElement, *, blocks: bool = False) -> None:
        super().__init__(item)
        self.parse = parser_of(item)
        self.blocks = blocks

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        position = loc
        values: list[Any] = []
        failed = False
        while instring[position] not in self.closers:
            if failed and instring[position] == _ELSE:
                # The `if` before it may be what was left out.
                position += 1
                continue
            try:
                position, parts = self.parse(instring, position)
                values.extend(parts)
            except SyntaxFailure as failure:
                position = self.recover(failure, position)
                failed = True
        return position, [values]

    def recover(self, failure: SyntaxFailure, start: int) -> int:
        """Report the failure of the item at `start`; where the next one begins."""
        if failure.escapes or failure.text[failure.loc] == END:
            raise failure
        failure.report()
        _note_damage(failure)
        return _next_item(failure, start, self.blocks)


class Externals(Items):
    """The global declarations, where every failure ends that no list inside has mended."""

    closers = END

    def recover(self, failure: SyntaxFailure, start: int) -> int:
        text = failure.text
        # After a mistake, statements and braces at global scope say nothing new.
        if not text.adrift or failure.loc > start:
            failure.report()
        text.adrift = True
        _note_damage(failure)
        if isinstance(failure, FatalRefusal):
            return len(text) - 1
        return failure.loc if isinstance(failure, MissingBrace) else _next_declaration(failure, start)


def _note_damage(failure: SyntaxFailure) -> None:
    failure.text.damage.append(failure.text.tokens.span(failure.loc))


def _next_item(failure: SyntaxFailure, start: int, blocks: bool) -> int:
    """Where to go on in a block or structure whose item began at `start`.

    That is after the next ';', or before a '}' that closes the list, a '{' where `blocks` are items, or a token that
    surely begins the next item.  A ';' in the head of a `for` or in braces is none of these.
    """
    text, position, braces = failure.text, failure.loc, 0
    if failure.semicolon_is_missing and position > start:
        return position
    # A '{' that was refused by name opens a list of values, not a block.
    refused = failure.loc if isinstance(failure, Refusal) else None
    opener = open_bracket(text, position, ")")
    parentheses = int(opener is not None and opener > start and text[opener - 1] == _FOR)
    while (letter := text[position]) != END:
        at_item = begins_item(text, position) or (letter == "{" and blocks and position != refused)
        if at_item and position > start and not braces:
            break
        if letter == "(" and (parentheses or text[position - 1] == _FOR):
            parentheses += 1
        elif letter == ")" and parentheses:
            parentheses -= 1
        braces += (letter == "{") - (letter == "}")
        position += 1
        if letter == ";" and not parentheses and not braces:
            break
    return position


def _next_declaration(failure: SyntaxFailure, start: int) -> int:
    """Where to go on at global scope: before a token that surely begins a declaration, outside of braces.

    Everything else, such as the statements after a '}' too many, says nothing new.
    """
    text, position, braces = failure.text, failure.loc, 0
    while (letter := text[position]) != END:
        at_boundary = begins_line(text, position) or text[position - 1] in ";}"
        if position > start and braces == 0 and at_boundary and begins_declaration(text, position):
            break
        braces = max(0, braces + (letter == "{") - (letter == "}"))
        position += 1
    return position


class Guard(Terminal):
    """Stands before what cannot be inside of braces: at the left margin, it means that a "}" is missing."""

    def __init__(self, letter: str, expected: str) -> None:
        super().__init__(letter, expected)
        self.show_in_diagram = False

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        if instring.nesting:
            start = max(instring.rfind(letter, 0, loc) for letter in "{};") + 1
            if instring.tokens.columns[start] == 1:
                raise MissingBrace(instring, start)
        return loc, []


class StraySemicolon(Terminal):
    """A ";" outside of all functions: tolerated, with a warning."""

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        end, values = super().parseImpl(instring, loc)
        instring.sink.report(messages.EXTRA_SEMICOLON, instring.tokens.span(loc))
        return end, values
