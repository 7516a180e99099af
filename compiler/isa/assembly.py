"""Assembly text: what the assemblers of all machines share.

A target says what its lines are like (`Language`), and its grammar (`grammar.py` has what it is made of) makes records
of `Word`s, matches of regular expressions, so that every piece of a line keeps its place.  What does not fit is a
`Mistake` (`mistakes.py`): it ends the line that it is found in, so that one mistake gives one message; whoever reads
the lines reports it and goes on with the next one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from typing import TypeVar

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.isa.mistakes import END_OF_LINE, Mistake, Place, Reported, place_of, unexpected
from glslc_multi.compiler.records import dataclass

_BLANKS = re.compile(r"\s*")
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Language:
    """What whoever reads the lines of an assembly language needs to know."""

    target: str
    comment: re.Pattern[str]
    #: What messages quote of a line.
    piece: re.Pattern[str] = re.compile(r"\w+|\S")
    #: What ends a line without a meaning.
    trailing: str = string.whitespace

    def lines(self, file: SourceFile, sink: DiagnosticSink) -> Iterator[Line]:
        """The lines that hold more than a comment."""
        for number, text in enumerate(file.lines, start=1):
            code = self.comment.sub("", text).rstrip(self.trailing)
            if code:
                yield Line(self, file, number, code, sink)

    def line(self, text: str) -> Line:
        """The only line of a text, whose mistakes nobody is told of; an empty one if there is none."""
        file = SourceFile("", text)
        sink = DiagnosticSink()
        return next(self.lines(file, sink), Line(self, file, 1, "", sink))


class Line:
    """One line of a text, without its comment."""

    __slots__ = ("_language", "_sink", "file", "number", "text")

    def __init__(self, language: Language, file: SourceFile, number: int, text: str, sink: DiagnosticSink) -> None:
        self.file = file
        self.number = number
        self.text = text
        self._language = language
        self._sink = sink

    def span(self, place: Place) -> Span:
        start, end = place_of(place)
        return Span(self.file, self.number, start + 1, self.number, end + 1)

    @property
    def indent(self) -> int:
        """How many blanks it begins with."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def place(self) -> tuple[int, int]:
        """From its first piece to its last."""
        return self.indent, len(self.text)

    @property
    def whole(self) -> Span:
        return self.span(self.place)

    def report(self, mistake: Mistake) -> None:
        target = self._language.target if mistake.is_of_target else None
        self._sink.report(
            mistake.entry,
            self.span(mistake.place),
            labels=mistake.labels,
            help=mistake.help,
            target=target,
            **mistake.values,
        )

    def attempt(self, read: Callable[[Line], _Read]) -> _Read | None:
        """What `read` makes of the line; None for one with a mistake, which is reported."""
        try:
            return read(self)
        except Mistake as mistake:
            self.report(mistake)
        except Reported:
            pass
        return None

    def unexpected(self, expected: str, start: int) -> Mistake:
        """What follows a column is not what is expected there."""
        blanks = _BLANKS.match(self.text, start)
        piece = self._language.piece.match(self.text, start if blanks is None else blanks.end())
        if piece is None:
            return unexpected((len(self.text), len(self.text) + 1), expected, END_OF_LINE)
        return unexpected(piece, expected, f"'{piece[0]}'")
