"""Assembly text: what the assemblers of all machines share.

A target's grammar of a line is written with pyparsing; the helpers here make its elements.  A `Word` is what a regular
expression has matched, so that every piece of a line keeps its place; rules make records of words.  A `Line` runs the
grammar.  What does not fit is a `Mistake`: it ends the line that it is found in, so that one mistake gives one message,
and whoever reads the lines reports it and goes on with the next one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from pyparsing import Group, Opt, ParseBaseException, ParserElement, ParseResults, Regex, ZeroOrMore

from compiler.diagnostics import DiagnosticSink, Entry, Label, SourceFile, Span
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY
from compiler.diagnostics.suggest import did_you_mean

#: A piece of a line; its groups are the parts that are used.
Word = re.Match[str]
#: A word, or the columns (from 0) of something.
Place = Word | tuple[int, int]

END_OF_LINE = "the end of the line"
_BLANKS = re.compile(r"\s*")
#: What a message quotes where no target says otherwise.
_PIECE = re.compile(r"\w+|\S")
#: Longer numbers are out of every range, and int() takes quadratic time for them.
_MOST_DIGITS = 70


# --- Grammars ---------------------------------------------------------------------------------------------------------


def word(name: str, pattern: str) -> ParserElement:
    """A piece of a line that is kept with its place."""
    return Regex(pattern, re.ASCII, as_match=True).set_name(name)


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


def maybe(element: ParserElement) -> ParserElement:
    """The element or None."""
    return Opt(element, default=None)


def many(element: ParserElement) -> ParserElement:
    """A list of as many as there are."""
    return Group(ZeroOrMore(element), aslist=True)


def listed(element: ParserElement, separator: ParserElement) -> ParserElement:
    """One or more with separators between them; after a separator another one must follow."""
    return element + ZeroOrMore(separator - element)


#: Nothing but blanks may follow.
end_of_line = Regex("$").suppress().set_name(END_OF_LINE)


# --- Lines ------------------------------------------------------------------------------------------------------------


def place_of(place: Place) -> tuple[int, int]:
    return place if isinstance(place, tuple) else place.span()


class Mistake(Exception):
    """What is wrong at a place of a line, which is given up."""

    def __init__(
        self, entry: Entry, place: Place, help: str | None = None, labels: tuple[Label, ...] = (), **values: Any
    ) -> None:
        super().__init__(entry.code)
        self.entry = entry
        self.place = place_of(place)
        self.help = help
        self.labels = labels
        self.values = values


def unexpected(place: Place, expected: str, found: str, help: str | None = None) -> Mistake:
    """Something else belongs in this place."""
    return Mistake(INVALID_ASSEMBLY, place, help, expected=expected, found=found)


def unknown(entry: Entry, place: Place, name: str, known: Iterable[str], **values: Any) -> Mistake:
    """A name that is not among the known ones."""
    return Mistake(entry, place, did_you_mean(name, known), name=name, **values)


class Line:
    """One line of a text, without its comment."""

    __slots__ = ("_piece", "_sink", "file", "number", "text")

    def __init__(
        self, file: SourceFile, number: int, text: str, sink: DiagnosticSink, piece: re.Pattern[str] = _PIECE
    ) -> None:
        self.file = file
        self.number = number
        self.text = text
        self._sink = sink
        self._piece = piece

    def parse(self, grammar: ParserElement) -> Any:
        """What the grammar makes of the line; raises `Mistake`."""
        try:
            return grammar.parse_with_tabs().parse_string(self.text)[0]
        except ParseBaseException as failure:
            raise self._misfit(failure) from None

    def span(self, place: Place) -> Span:
        start, end = place_of(place)
        return Span(self.file, self.number, start + 1, self.number, end + 1)

    @property
    def indent(self) -> int:
        """How many blanks it begins with."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def whole(self) -> Span:
        return self.span((self.indent, len(self.text)))

    def report(self, mistake: Mistake) -> None:
        self._sink.report(
            mistake.entry, self.span(mistake.place), labels=mistake.labels, help=mistake.help, **mistake.values
        )

    def unexpected(self, expected: str, start: int) -> Mistake:
        """What begins at a column is not what is expected there."""
        found = self._piece.match(self.text, start)
        if found is None:
            return unexpected((len(self.text), len(self.text) + 1), expected, END_OF_LINE)
        return unexpected(found, expected, f"'{found[0]}'")

    def _misfit(self, failure: ParseBaseException) -> Mistake:
        """The message for what the grammar does not take."""
        blanks = _BLANKS.match(self.text, failure.loc)
        start = failure.loc if blanks is None else blanks.end()
        return self.unexpected(failure.msg.removeprefix("Expected "), start)


def lines_of(
    file: SourceFile,
    sink: DiagnosticSink,
    comment: re.Pattern[str],
    *,
    piece: re.Pattern[str] = _PIECE,
    trailing: str = string.whitespace,
) -> Iterator[Line]:
    """The lines that hold more than a comment and the `trailing` characters; messages quote a `piece` of them."""
    for number, text in enumerate(file.lines, start=1):
        code = comment.sub("", text).rstrip(trailing)
        if code:
            yield Line(file, number, code, sink, piece)


def whole_number(digits: str, base: int = 10) -> int:
    """The number; one of very many digits is only a large one."""
    return int(digits, base) if len(digits) <= _MOST_DIGITS else 1 << 2 * _MOST_DIGITS
