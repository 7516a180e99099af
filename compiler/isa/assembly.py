"""Assembly text: what the assemblers of all machines share.

A target's grammar of a line (`grammar.py` has what it is made of) makes records of `Word`s, matches of regular
expressions, so that every piece of a line keeps its place.  What does not fit is a `Mistake`: it ends the line that it
is found in, so that one mistake gives one message; whoever reads the lines reports it and goes on with the next one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from typing import Any

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
        """What follows a column is not what is expected there."""
        blanks = _BLANKS.match(self.text, start)
        found = self._piece.match(self.text, start if blanks is None else blanks.end())
        if found is None:
            return unexpected((len(self.text), len(self.text) + 1), expected, END_OF_LINE)
        return unexpected(found, expected, f"'{found[0]}'")


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
