"""The reader of expressions accepts what the same rules in stock pyparsing elements accept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pyparsing import Literal, ParseBaseException, ParserElement

from compiler.diagnostics import DiagnosticSink
from frontends.glsl.grammar import expression_rules, rules
from frontends.glsl.grammar.alphabet import stand_in
from frontends.glsl.language.versions import Language
from tests.frontends.glsl.grammar.sources import tokenise

_NAMES = st.sampled_from(
    ["a", "b", "1", "2.0", "true", "vec2(a)", "f()", "f(void)", "a.x", "a[1]", "a++", "S[2](a, b)", "vec2[](a)"]
)
_OPERATORS = st.sampled_from("+ - * / % == < && || ^^ & | ^ << , = += ?".split())


def _combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, _OPERATORS, inner).map(" ".join),
        st.tuples(st.sampled_from("- ! ~ ++ --".split()), inner).map(" ".join),
        st.tuples(inner, inner, inner).map(lambda parts: f"{parts[0]} ? {parts[1]} : {parts[2]}"),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"f({text})"),
        st.tuples(inner, st.sampled_from([".x", "[0]", "++", " .length()"])).map("".join),
    )


EXPRESSIONS = st.recursive(_NAMES, _combine, max_leaves=8)
#: Mostly nonsense.
_TOKENS = st.lists(st.sampled_from("a vec2 void 1 ( ) [ ] . length , ? : + - ++ = ! %".split()), max_size=10).map(
    " ".join
)


def _accepts(rule: ParserElement, source: str) -> bool:
    try:
        (rule + Literal("$")).parse_string(stand_in(tokenise(source), DiagnosticSink(), language=Language(300)))
    except ParseBaseException:
        return False
    return True


@given(EXPRESSIONS)
def test_expressions_are_accepted_by_both(source: str) -> None:
    ours = _accepts(rules.expression, source)
    assert ours == _accepts(expression_rules.expression, source)
    assert ours or "?" in source


@given(_TOKENS)
def test_any_tokens(source: str) -> None:
    assert _accepts(rules.expression, source) == _accepts(expression_rules.expression, source)
    ours = _accepts(rules.assignment_expression, source)
    assert ours == _accepts(expression_rules.assignment_expression, source)
