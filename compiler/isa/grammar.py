"""What grammars of assembly text have besides `compiler/parsing.py`: rules that keep marks, and reading a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from pyparsing import Group, ParseBaseException, ParserElement, ParseResults, Regex, ZeroOrMore

from compiler.isa.assembly import END_OF_LINE, Line, Mistake, Word
from compiler.parsing import expected


def rule(name: str, element: ParserElement, record: Callable[..., Any]) -> ParserElement:
    """What is read becomes a record of the tokens, in order."""
    return element.set_name(name).set_parse_action(lambda _line, _start, tokens: record(*tokens))


def any_of(words: Iterable[str], end: str = r"\b") -> str:
    """The pattern of one of the words, with the pattern of what ends a word."""
    return rf"(?:{'|'.join(map(re.escape, words))}){end}"


def refused(element: ParserElement, mistake: Callable[[Word], Mistake]) -> ParserElement:
    """A word that cannot be right, as `mistake` says."""

    def refuse(tokens: ParseResults) -> NoReturn:
        raise mistake(tokens[0])

    return element.add_parse_action(refuse)


def many(element: ParserElement) -> ParserElement:
    """A list of as many as there are."""
    return Group(ZeroOrMore(element), aslist=True)


#: Nothing but blanks may follow.
end_of_line = Regex("$").suppress().set_name(END_OF_LINE)


def parse(line: Line, grammar: ParserElement) -> Any:
    """What the grammar makes of a line; raises `Mistake`."""
    try:
        return grammar.parse_with_tabs().parse_string(line.text)[0]
    except ParseBaseException as failure:
        raise line.unexpected(expected(failure), failure.loc) from None
