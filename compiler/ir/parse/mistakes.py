"""Messages about a text: a `Mistake` ends the line that it is found in, so that one mistake gives one message."""

from __future__ import annotations

import re
from typing import Any

from glslc_multi.compiler.diagnostics.catalogue import ir as messages
from glslc_multi.compiler.diagnostics.model import Entry, Label
from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.diagnostics.span import SourceFile, Span
from glslc_multi.compiler.parsing import Word

#: A word, a text, a character, or nothing at the end of the line.
_FOUND = re.compile(r'[\w.]+|"[^"]*"?|.|$')


class Mistake(Exception):
    """A word that does not fit, with the message about it; `group` is the part of the word that is meant."""

    def __init__(
        self,
        entry: Entry,
        word: Word,
        help: str | None = None,
        label: Label | None = None,
        *,
        group: str | int = 0,
        **values: Any,
    ) -> None:
        super().__init__(entry.code)
        self.entry = entry
        self.start, self.end = word.span(group)
        self.help = help
        self.labels = [] if label is None else [label]
        self.values = values


class Reporter:
    """Reports mistakes in the line `line` of a file."""

    __slots__ = ("broken", "file", "line", "sink")

    def __init__(self, file: SourceFile, sink: DiagnosticSink) -> None:
        self.file = file
        self.sink = sink
        self.line = 1
        #: What lines with mistakes would have defined, with sigils: uses of it give no more messages.
        self.broken: set[str] = set()

    def span(self, word: Word) -> Span:
        return self._span(*word.span())

    def report(self, mistake: Mistake) -> None:
        # The end of a line is shown one column wide.
        span = self._span(mistake.start, max(mistake.end, mistake.start + 1))
        self.sink.report(mistake.entry, span, labels=mistake.labels, help=mistake.help, **mistake.values)

    def _span(self, start: int, end: int) -> Span:
        return Span(self.file, self.line, start + 1, self.line, end + 1)


def found_at(line: str, offset: int) -> Word:
    """What the line has at `offset`; nothing at its end."""
    match = _FOUND.match(line, offset)
    assert match is not None
    return match


def unexpected(
    word: Word, expected: str, help: str | None = None, *, found: str | None = None, group: str | int = 0
) -> Mistake:
    """The message that something else belongs in the word's place."""
    if found is None:
        found = f"'{word[group]}'" if word[group] else "the end of the line"
    return Mistake(messages.INVALID_IR_TEXT, word, help, group=group, expected=expected, found=found)


def misplaced(word: Word, what: str, where: str) -> Mistake:
    """The message that a line belongs elsewhere."""
    return Mistake(messages.MISPLACED_LINE, word, what=what, where=where)
