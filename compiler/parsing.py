"""What grammars of texts are written with, besides pyparsing itself.

Words (`word`) are tokens that know their place: matches of a regular expression, whose groups are the parts that are
used.  Marks, such as ":", are tokens that are strings.  A `rule` makes a record of its words and leaves marks out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pyparsing import Group, Opt, ParseBaseException, ParserElement, ParseResults, Regex, ZeroOrMore

Word = re.Match[str]


def word(name: str, pattern: str) -> ParserElement:
    """A word that is kept with its place; messages and diagrams call it `name`."""
    return Regex(pattern, re.ASCII, as_match=True).set_name(name)


def mark(text: str) -> ParserElement:
    """A keyword that says nothing more when it is there."""
    return Regex(rf"{text}(?![\w.-])").set_name(f"'{text}'")


def rule(name: str, element: ParserElement, record: Callable[..., Any]) -> ParserElement:
    """What is read becomes a record of the tokens, in order, without marks."""
    return element.set_name(name).set_parse_action(lambda _text, _start, tokens: record(*_without_marks(tokens)))


def list_of(element: ParserElement) -> ParserElement:
    """What is read becomes a list, without marks."""
    return Group(element.set_parse_action(lambda _text, _start, tokens: _without_marks(tokens)), aslist=True)


def _without_marks(tokens: ParseResults) -> list[Any]:
    return [token for token in tokens if not isinstance(token, str)]


def listed(element: ParserElement, separator: str | ParserElement = ",") -> ParserElement:
    """One or more with separators between them; after a separator another one must follow."""
    return element + ZeroOrMore(separator - element)


def maybe(element: ParserElement) -> ParserElement:
    """The element or None."""
    return Opt(element, default=None)


def expected(failure: ParseBaseException) -> str:
    """The name of what belongs at `failure.loc`."""
    return str(failure.msg).removeprefix("Expected ")
