"""The pieces that grammars of texts are made of."""

from __future__ import annotations

import pytest
from pyparsing import ParseBaseException, ParserElement

from glslc_multi.compiler.parsing import expected, list_of, listed, mark, maybe, rule, word

number = word("a number", r"\d+")
name = word("a name", r"[a-z]+")
strong = word("'!'", "!")
#: let x = 1, 2!
line = rule("a line", mark("let") - name + "=" + list_of(listed(number)) + maybe(strong), lambda *parts: parts)


def test_a_rule_leaves_marks_out_and_says_where_words_are() -> None:
    ((variable, numbers, missing),) = line.parse_string("let  x = 1, 22")
    assert (variable[0], variable.span()) == ("x", (5, 6))
    assert [(one[0], one.start()) for one in numbers] == [("1", 9), ("22", 12)]
    assert missing is None


@pytest.mark.parametrize(
    ("element", "text", "place", "message"),
    [
        (line, "let 1", 4, "a name"),
        (line, "let x 1", 6, "'='"),
        (line, "let x = 1, y", 11, "a number"),
        (line, "letter", 0, "'let'"),
        (line, "let-x", 0, "'let'"),
        (number | name, "?", 0, "a number or a name"),
    ],
)
def test_a_failure_names_what_is_missing(element: ParserElement, text: str, place: int, message: str) -> None:
    with pytest.raises(ParseBaseException) as raised:
        element.set_name("a number or a name" if element is not line else "a line").parse_string(text)
    assert (raised.value.loc, expected(raised.value)) == (place, message)
