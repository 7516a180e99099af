"""Deep and long shaders end in a tree or a message, never in Python's own limits."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics.catalogue import syntax as messages
from glslc_multi.frontends.glsl.limits import CHAIN_LIMIT, NESTING_LIMIT
from tests.frontends.glsl.parser.sources import parse_text

#: Constructs that nest: what opens a level, and what closes it.
NESTS = {
    "parentheses": ("(", ")"),
    "calls": ("f(", ")"),
    "indices": ("a[", "]"),
    "negations": ("- ", ""),
    "not": ("!", ""),
    "conditional, second": ("a ? ", " : b"),
    "conditional, third": ("a ? b : ", ""),
    "assignments": ("a = ", ""),
}


def _messages(source: str) -> list[str]:
    return [diagnostic.message for diagnostic in parse_text(source)[1].diagnostics]


@pytest.mark.parametrize("name", NESTS)
def test_expressions_nest_to_the_limit(name: str) -> None:
    opener, closer = NESTS[name]
    # The statement itself is one level.
    depth = NESTING_LIMIT - 1
    assert _messages(f"void main() {{ x + {opener * depth}y{closer * depth}; }}") == []
    too_deep = [f"nesting deeper than {NESTING_LIMIT} levels"]
    assert _messages(f"void main() {{ x + {opener * 10_000}y{closer * 10_000}; }}") == too_deep


@pytest.mark.parametrize(
    ("opener", "closer"), [("{", "}"), ("if (a) ", "b;"), ("for (;;) ", "b;"), ("do ", "b; while (a);")]
)
def test_statements_nest_to_the_limit(opener: str, closer: str) -> None:
    depth = NESTING_LIMIT - 1
    tail = closer * depth if closer == "}" else "b;" + closer[2:] * depth
    assert _messages(f"void main() {{ {opener * depth} {tail} }}") == []
    assert _messages(f"void main() {{ {opener * 10_000}") == [f"nesting deeper than {NESTING_LIMIT} levels"]


def test_nested_structures_end_in_a_message() -> None:
    assert _messages("struct A { " * 10_000) == [f"nesting deeper than {NESTING_LIMIT} levels"]


def test_nested_initializers_and_brackets_end_in_a_message() -> None:
    assert _messages("float a[" + "(" * 10_000) == [f"nesting deeper than {NESTING_LIMIT} levels"]


def test_operator_chains_to_the_limit() -> None:
    assert _messages(f"void main() {{ {'a + ' * CHAIN_LIMIT} a; }}") == []
    too_long = [f"an expression with more than {CHAIN_LIMIT} operators"]
    assert _messages(f"void main() {{ {'a + ' * (CHAIN_LIMIT + 1)} a; }}") == too_long
    assert _messages(f"void main() {{ a{'.x' * (CHAIN_LIMIT + 1)}; }}") == too_long


def test_else_if_chains_to_the_limit() -> None:
    assert _messages(f"void main() {{ if (a) b; {'else if (c) d; ' * CHAIN_LIMIT} }}") == []
    too_long = [f"a function with more than {CHAIN_LIMIT} 'else if' branches"]
    assert _messages(f"void main() {{ if (a) b; {'else if (c) d; ' * 5000} }}") == too_long


def test_branches_are_counted_by_function() -> None:
    function = f"void f() {{ if (a) b; {'else if (c) d; ' * (CHAIN_LIMIT // 2)} }}\n"
    assert _messages(function * 3) == []


def test_the_limit_leaves_room_after_an_error() -> None:
    """A failure inside of nested blocks gives their levels back."""
    body = "{{{{ a = ; }}}} " * NESTING_LIMIT
    assert len(_messages(f"void main() {{ {body} }}"[: 16 * 18])) < 20


def test_explanations_name_the_limits() -> None:
    assert f" {NESTING_LIMIT} deep" in messages.NESTING_TOO_DEEP.explain
    assert f" {CHAIN_LIMIT} operators" in messages.CHAIN_TOO_LONG.explain
