"""Lines of assembly text: their words with places, and what is said of those that do not fit."""

from __future__ import annotations

import re

import pytest
from pyparsing import Suppress

from glslc_multi.compiler.diagnostics import Diagnostic, DiagnosticSink, SourceFile
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.grammar import any_of, by_shape, end_of_line, many, one_of, parse, placed, rule
from glslc_multi.compiler.isa.mistakes import END_OF_LINE, Mistake, Reported, out_of_range, unexpected, unknown
from glslc_multi.compiler.parsing import listed, maybe, word

LANGUAGE = Language("toy", comment=re.compile("#.*"))
NAME = word("a name", "[a-z]+")
NUMBER = word("a number", r"\d+")
GRAMMAR = rule("a line", NAME + maybe(listed(NUMBER, Suppress(","))), lambda *words: tuple(words)) - end_of_line


def lines(text: str, sink: DiagnosticSink | None = None) -> list[Line]:
    return list(LANGUAGE.lines(SourceFile("a", text), sink or DiagnosticSink()))


def said(sink: DiagnosticSink) -> list[tuple[str, str, str | None]]:
    return [(found.message, found.span.location, found.help) for found in sink.diagnostics if found.span is not None]


def test_lines_without_code_are_left_out() -> None:
    found = lines("one\n\n  # nothing\n two # more\n")
    assert [(line.number, line.text) for line in found] == [(1, "one"), (4, " two")]
    assert (found[1].whole.column, found[1].whole.end_column) == (2, 5)


def test_what_ends_a_line_may_be_more_than_blanks() -> None:
    language = Language("toy", comment=re.compile("#.*"), trailing="; ")
    assert [line.text for line in language.lines(SourceFile("a", "one; ;\n;\n"), DiagnosticSink())] == ["one"]


def test_a_line_by_itself() -> None:
    assert LANGUAGE.line("add 1 # more").text == "add 1"
    assert LANGUAGE.line("add 1").attempt(lambda line: len(parse(line, GRAMMAR))) == 2
    assert LANGUAGE.line("1").attempt(lambda line: len(parse(line, GRAMMAR))) is None


def test_words_keep_their_places() -> None:
    (line,) = lines("\tadd 12,  3")
    name, first, second = parse(line, GRAMMAR)
    spans = [line.span(word) for word in (name, first, second)]
    assert [(span.column, span.end_column) for span in spans] == [(2, 5), (6, 8), (11, 12)]
    assert parse(lines("add")[0], GRAMMAR)[1] is None


def test_records_with_their_place() -> None:
    marked = placed("a list", Suppress("[") - many(NUMBER) - maybe(word("']'", "]")), lambda *tokens: tokens)
    (line,) = lines("  [ 1 23 ]  ")
    numbers, closing, place = parse(line, marked)
    assert ([number[0] for number in numbers], closing[0], place) == (["1", "23"], "]", (2, 10))
    assert parse(lines("[1 23  ")[0], marked)[-1] == (0, 5)


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


def test_what_follows_a_column() -> None:
    mistake = lines("add   12")[0].unexpected("a name", 3)
    assert (mistake.values["found"], mistake.place) == ("'12'", (6, 8))


def test_one_of_several_rules_and_names_that_no_rule_knows() -> None:
    shapes = {"add": 2, "mul": 2, "neg": 1}
    assert by_shape(shapes) == {2: ["add", "mul"], 1: ["neg"]}
    rules = [word("an operation", any_of(names)) - NUMBER * count for count, names in by_shape(shapes).items()]
    grammar = rule("an operation", one_of("operation", "an operation", rules, shapes, NAME), lambda *words: len(words))
    assert [parse(lines(text)[0], grammar) for text in ("mul 1 2", "neg 1")] == [3, 2]
    sink = DiagnosticSink()
    for line in lines("mull 1 2\nmul 1\n1", sink):
        line.attempt(lambda line: parse(line, grammar))
    assert said(sink) == [
        ("toy has no operation 'mull'", "a:1:1", "did you mean 'mul'?"),
        ("expected a number, found the end of the line", "a:2:6", None),
        ("expected an operation, found '1'", "a:3:1", None),
    ]
    assert len(parse(lines("mull 1")[0], GRAMMAR)) == 2, "elsewhere the name is one like any other"


def test_mistakes_are_reported_in_their_line_and_end_it() -> None:
    sink = DiagnosticSink()
    mistakes = [
        unknown("instruction", (2, 4), "ad", ["add", "mul"]),
        unknown("instruction", (2, 5), "MULL", ["mul"]),
        unexpected((5, 6), "a register", "'1'"),
        out_of_range((5, 6), "the number", 2, 3, "1"),
    ]

    def fail(line: Line) -> None:
        raise mistakes[line.number - 1]

    assert [line.attempt(fail) for line in lines("a\nb\nc\nd", sink)] == [None] * 4
    assert said(sink) == [
        ("toy has no instruction 'ad'", "a:1:3", "did you mean 'add'?"),
        ("toy has no instruction 'MULL'", "a:2:3", "did you mean 'mul'?"),
        ("expected a register, found '1'", "a:3:6", None),
        ("the number must be 2 to 3, found 1", "a:4:6", None),
    ]
    found: Diagnostic = sink.diagnostics[2]
    assert found.target is None, "what does not name the target is the same everywhere"


def test_what_has_been_reported_ends_a_line_without_another_message() -> None:
    def fail(line: Line) -> None:
        raise Reported

    sink = DiagnosticSink()
    assert lines("a", sink)[0].attempt(fail) is None
    assert sink.diagnostics == []
