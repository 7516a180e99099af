"""Lines of assembly text: tokens with their places, and what the cursor says of those that do not fit."""

from __future__ import annotations

import re

import pytest

from compiler.diagnostics import DiagnosticSink, SourceFile
from compiler.isa.lines import END_OF_LINE, Rejected, TokenLine, tokens_of

PATTERN = re.compile(r"\s*(?:(?P<name>[a-z]+)|(?P<number>\d+)|(?P<mark>[,+])|(?P<other>\S))")


def line_of(text: str) -> tuple[TokenLine, DiagnosticSink]:
    sink = DiagnosticSink()
    return TokenLine(list(tokens_of(PATTERN, SourceFile("a", text), 1, text)), sink), sink


def test_tokens_have_kinds_and_places() -> None:
    line, _ = line_of("  add 12,?")
    assert [(token.kind, token.text, token.span.column, token.span.end_column) for token in line.tokens] == [
        ("name", "add", 3, 6),
        ("number", "12", 7, 9),
        ("mark", ",", 9, 10),
        ("other", "?", 10, 11),
    ]


def test_a_cursor_takes_one_after_the_other() -> None:
    line, _ = line_of("a + 1")
    assert line.is_followed_by("+") and not line.is_at("+")
    assert line.need("name", "a name").text == "a"
    assert line.accept(",") is None and line.expect("+").text == "+"
    assert line.take().text == "1"
    assert (line.token.kind, line.token.text, line.token.span.column) == ("end", END_OF_LINE, 6)


@pytest.mark.parametrize(("text", "found"), [("a", "'a'"), ("1", END_OF_LINE)])
def test_what_does_not_fit_is_reported(text: str, found: str) -> None:
    line, sink = line_of(text)
    line.accept(",")
    if text == "1":
        line.take()
    with pytest.raises(Rejected):
        line.expect(",")
    (report,) = sink.diagnostics
    assert "','" in report.message and found in report.message
