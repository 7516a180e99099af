"""The page of railroad diagrams shows the grammar as it is, in names that people can read."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from functools import cache

from tests.frontends.glsl.reference.diagram import PAGE
from tests.shared_data import PROJECT_ROOT

_RULE = re.compile(r'<h1 class="railroad-heading" id="([^"]*)">([^<]*)</h1>(.*?)</svg>', re.DOTALL)


@cache
def _drawn() -> str:
    """The page of a new process, since drawing names the rules and counts the diagrams."""
    command = [sys.executable, "-m", "tests.frontends.glsl.reference.diagram", "--print"]
    return subprocess.run(command, cwd=PROJECT_ROOT, check=True, capture_output=True, text=True).stdout


def _rules(page: str) -> dict[str, list[str]]:
    """Name of each rule -> the texts in its diagram, wherever this version of the library puts them."""
    return {name: [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)<", drawing)]
            for _, name, drawing in _RULE.findall(page)}  # fmt: skip


def test_page_is_current() -> None:
    assert _rules(PAGE.read_text(encoding="utf-8")) == _rules(_drawn()), "run `make docs`"


def test_rules_are_called_as_in_the_specification() -> None:
    names = _rules(_drawn()).keys()
    # GLSL 3.30, chapter 9.
    assert names >= {
        *("translation_unit", "external_declaration", "declaration", "init_declarator", "type_qualifier"),
        *("type_specifier", "struct_specifier", "struct_declaration", "struct_declarator", "parameter_declaration"),
        *("array_size", "declaration_statement", "compound_statement", "statement", "expression_statement"),
        *("selection_statement", "iteration_statement", "jump_statement", "condition", "expression"),
        *("assignment_expression", "conditional_expression", "logical_or_expression", "multiplicative_expression"),
        *("unary_expression", "postfix_expression", "primary_expression", "function_call"),
    }


def test_a_rule_shows_its_parts() -> None:
    rules = _rules(_drawn())
    assert rules["while_statement"] == ["while", "(", "condition", ")", "statement"]
    assert rules["relational_expression"] == ["shift_expression", "<", ">", "<=", ">=", "shift_expression"]
    assert rules["struct_specifier"] == ["struct", "IDENTIFIER", "{", "struct_declaration_list", "}"]
    assert rules["array_size"] == ["[", "assignment_expression", "]"]


def test_no_text_is_an_accident_of_python() -> None:
    texts = {text for texts in _rules(_drawn()).values() for text in texts}
    for text in texts:
        assert re.fullmatch(r"[a-z_]+|[A-Z |]+|[a-z |]+|[^\w\s]+", text), text
    assert "0x" not in _drawn()
    assert "Unnamed" not in _drawn()


def test_links_lead_to_rules() -> None:
    page = _drawn()
    anchors = {anchor for anchor, _, _ in _RULE.findall(page)}
    assert len(anchors) > 40
    assert set(re.findall(r'href="#([^"]*)"', page)) <= anchors
