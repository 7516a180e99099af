"""Pieces of the grammar are pyparsing elements: they stand in stock ones, and stock ones in them."""

from __future__ import annotations

from typing import Any

import pytest
from pyparsing import DelimitedList, Forward, Group, Literal, Opt, ParseException, ParseFatalException, ParserElement

from compiler.diagnostics import DiagnosticSink
from frontends.glsl import ast
from frontends.glsl.grammar import rules
from frontends.glsl.grammar.alphabet import ShaderText, stand_in
from frontends.glsl.grammar.build import only
from frontends.glsl.grammar.elements import CommaList, Node, OptionIf
from frontends.glsl.limits import NESTING_LIMIT
from tests.frontends.glsl.grammar.shapes import shape
from tests.frontends.glsl.grammar.sources import tokenise


def _text(source: str) -> ShaderText:
    return stand_in(tokenise(source), DiagnosticSink())


def _read(element: ParserElement, source: str) -> list[Any]:
    """What an element makes of all of `source`."""
    found: list[Any] = (element + Literal("$").suppress()).parse_string(_text(source)).as_list()
    return found


def _names(found: list[Any]) -> list[str]:
    """Expressions as short texts, letters as they are, other nodes by their classes."""
    return [_name(one) for one in found]


def _name(found: Any) -> str:
    if isinstance(found, str):
        return found
    return shape(found) if isinstance(found, ast.Expression) else type(found).__name__


@pytest.mark.parametrize(
    ("element", "source", "names"),
    [
        (rules.declaration + rules.statement, "float a, b; { a = b; }", ["VariableDeclaration", "Block"]),
        (rules.expression + ":" + rules.expression, "a + b * c : d", ["(+ a (* b c))", ":", "d"]),
        (rules.jump_statement | rules.selection_statement, "if (a) b;", ["If"]),
        (rules.selection_statement | rules.jump_statement, "discard;", ["Jump"]),
        (rules.precision_declaration[...], "precision lowp int; precision lowp float;", ["PrecisionDeclaration"] * 2),
        (rules.precision_declaration[...], "", []),
        (Opt(rules.assignment_expression) + ";", "a ? b : c;", ["(? a b c)", ";"]),
        (Opt(rules.assignment_expression) + ";", ";", [";"]),
        (DelimitedList(rules.assignment_expression), "a, f(b, c), -d", ["a", "f(b c)", "(-_ d)"]),
        (DelimitedList(rules.init_declarator, delim=";"), "a = 1; b[2]", ["Declarator", "Declarator"]),
    ],
)
def test_stock_elements_hold_pieces_of_the_grammar(element: ParserElement, source: str, names: list[str]) -> None:
    assert _names(_read(element, source)) == names


def test_groups_and_recursion() -> None:
    pairs = Forward()
    pairs <<= Group(Literal("{").suppress() + (pairs | rules.assignment_expression)[1, ...] + Literal("}").suppress())
    ((first, (second, third)),) = _read(pairs, "{a {b.x 2}}")
    assert (shape(first), shape(second), shape(third)) == ("a", "(. b x)", "2")


def test_pieces_of_the_grammar_hold_stock_elements() -> None:
    sign = Literal("+") | Literal("-")
    assert _read(CommaList(sign), "+, -, +") == [["+", "-", "+"]]
    assert _read(Node(only, Literal("(").suppress(), sign, Literal(")").suppress()), "(-)") == ["-"]
    assert _read(OptionIf("+-", sign) + rules.NAME, "a") == [None, 0]


def test_parse_actions_and_names_of_results_hold() -> None:
    kept = rules.assignment_expression.copy().add_parse_action(lambda found: shape(found[0]))
    assert _read(CommaList(kept), "a + b, c") == [["(+ a b)", "c"]]
    both = rules.expression("left") + ";" + rules.expression("right")
    found = both.parse_string(_text("a == b; c"))
    assert (shape(found["left"]), shape(found["right"])) == ("(== a b)", "c")


def test_a_mistake_is_an_exception_of_pyparsing() -> None:
    with pytest.raises(ParseException) as caught:
        _read(rules.statement, "a = 1 }")
    assert caught.value.loc == 3
    with pytest.raises(ParseFatalException):
        _read(rules.jump_statement | rules.statement, "else a;")


def test_what_failed_leaves_no_nesting() -> None:
    text = _text("f(a[(b")
    with pytest.raises(ParseException):
        (rules.expression | rules.statement).parse_string(text)
    assert text.nesting == 0
    text = _text("(" * 2 * NESTING_LIMIT)
    with pytest.raises(ParseFatalException):
        rules.expression.parse_string(text)
    assert text.nesting == 0
