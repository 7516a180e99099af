"""Lines of assembly text: their words with places, and what is said of those that do not fit."""

from __future__ import annotations

import re

import pytest
from pyparsing import Suppress

from compiler.diagnostics import DiagnosticSink, SourceFile
from compiler.diagnostics.catalogue.machine import THEIA_UNKNOWN_OPCODE
from compiler.isa.assembly import END_OF_LINE, Line, Mistake, lines_of, unexpected, unknown, whole_number
from compiler.isa.grammar import end_of_line, parse, rule
from compiler.parsing import listed, maybe, word

COMMENT = re.compile("#.*")
NAME = word("a name", "[a-z]+")
NUMBER = word("a number", r"\d+")
GRAMMAR = rule("a line", NAME + maybe(listed(NUMBER, Suppress(","))), lambda *words: tuple(words)) - end_of_line


def lines(text: str, sink: DiagnosticSink | None = None) -> list[Line]:
    return list(lines_of(SourceFile("a", text), sink or DiagnosticSink(), COMMENT))


def test_lines_without_code_are_left_out() -> None:
    found = lines("one\n\n  # nothing\n two # more\n")
    assert [(line.number, line.text) for line in found] == [(1, "one"), (4, " two")]
    assert (found[1].whole.column, found[1].whole.end_column) == (2, 5)


def test_words_keep_their_places() -> None:
    (line,) = lines("\tadd 12,  3")
    name, first, second = parse(line, GRAMMAR)
    spans = [line.span(word) for word in (name, first, second)]
    assert [(span.column, span.end_column) for span in spans] == [(2, 5), (6, 8), (11, 12)]
    assert parse(lines("add")[0], GRAMMAR)[1] is None


@pytest.mark.parametrize(
    ("text", "expected", "found", "place"),
    [
        ("12", "a name", "'12'", (0, 2)),
        ("add x", END_OF_LINE, "'x'", (4, 5)),
        ("add 1,  é2", "a number", "'é2'", (8, 10)),
        ("add 1, # 2", "a number", END_OF_LINE, (6, 7)),
        ("add 1 ?", END_OF_LINE, "'?'", (6, 7)),
    ],
)
def test_what_does_not_fit_is_a_mistake(text: str, expected: str, found: str, place: tuple[int, int]) -> None:
    with pytest.raises(Mistake) as caught:
        parse(lines(text)[0], GRAMMAR)
    assert (caught.value.values, caught.value.place) == ({"expected": expected, "found": found}, place)


def test_mistakes_are_reported_in_their_line() -> None:
    sink = DiagnosticSink()
    line = lines("one\n  ad 1", sink)[1]
    name, _ = parse(line, GRAMMAR)
    line.report(unknown(THEIA_UNKNOWN_OPCODE, name, name[0], ["add", "mul"]))
    line.report(unexpected((5, 6), "a register", "'1'"))
    assert [(found.span and found.span.location, found.help) for found in sink.diagnostics] == [
        ("a:2:3", "did you mean 'add'?"),
        ("a:2:6", None),
    ]


def test_numbers_of_any_length() -> None:
    assert whole_number("017") == 17
    assert whole_number("fF", 16) == 255
    assert whole_number("9" * 100_000) > 1 << 128
