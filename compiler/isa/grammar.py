"""What grammars of assembly text have besides `compiler/parsing.py`: rules that keep marks, and reading a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from pyparsing import Empty, Group, MatchFirst, ParseBaseException, ParserElement, ParseResults, Regex, ZeroOrMore

from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.mistakes import END_OF_LINE, Mistake, Word, unknown
from glslc_multi.compiler.parsing import expected

_Shape = TypeVar("_Shape")


def rule(name: str, element: ParserElement, record: Callable[..., Any]) -> ParserElement:
    """What is read becomes a record of the tokens, in order."""
    return element.set_name(name).set_parse_action(lambda _line, _start, tokens: record(*tokens))


def placed(name: str, element: ParserElement, record: Callable[..., Any]) -> ParserElement:
    """A rule whose records end with their place, from the first character to the last word or record with a place."""
    return element.set_name(name).set_parse_action(
        lambda _line, start, tokens: record(*tokens, (start, _end_of(list(tokens))))
    )


def _end_of(tokens: list[Any]) -> int:
    last = next(token for token in reversed(tokens) if token)
    if isinstance(last, list):
        return _end_of(last)
    end: int = last.end() if isinstance(last, re.Match) else last.place[1]
    return end


#: A token that is the column where the element before it ends.
end_column = Empty().leave_whitespace().set_parse_action(lambda _line, column, _tokens: column)


def any_of(words: Iterable[str], end: str = r"\b") -> str:
    """The pattern of one of the words, with the pattern of what ends a word."""
    return rf"(?:{'|'.join(map(re.escape, words))}){end}"


def refused(element: ParserElement, mistake: Callable[[Word], Mistake]) -> ParserElement:
    """A word that cannot be right, as `mistake` says."""

    def refuse(tokens: ParseResults) -> NoReturn:
        raise mistake(tokens[0])

    return element.add_parse_action(refuse)


def one_of(
    kind: str, what: str, rules: Iterable[ParserElement], known: Iterable[str], name: ParserElement
) -> ParserElement:
    """One of the rules, each of which begins with some of the `known` names; another `name` is an unknown one."""
    other = refused(name.copy(), lambda found: unknown(kind, found, found[0], known))
    return MatchFirst([*rules, other]).set_name(what)


def by_shape(shapes: Mapping[str, _Shape]) -> dict[_Shape, list[str]]:
    """The names that have the same operands, for which one rule will do."""
    names: dict[_Shape, list[str]] = {}
    for name, shape in shapes.items():
        names.setdefault(shape, []).append(name)
    return names


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
