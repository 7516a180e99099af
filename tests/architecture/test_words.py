"""Names that say nothing, and helpers without a name worth a place of their own: there are never more of them.

A number stands for what the product has today.  Who brings one down records the smaller number here.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import pytest

from tests.architecture.imports import modules

#: Variables that are assigned to, or that a loop goes through.
VARIABLES = {"asked": 12, "found": 238, "known": 61, "lent": 3, "made": 64, "place": 174}
#: Functions whose name begins with `settle`.
SETTLING = 0
#: Private functions of up to `SHORT` lines without a docstring that are called in one place of their file.
HELPERS = 613
SHORT = 8


def test_nothing_is_named_by_a_word_that_says_nothing() -> None:
    names = Counter(name for nodes in _files() for name in assigned(nodes))
    compare_with_recorded({name: names[name] for name in VARIABLES}, VARIABLES)


def test_no_function_settles() -> None:
    names = [name for nodes in _files() for name in functions(nodes) if name.lstrip("_").startswith("settle")]
    compare_with_recorded({"settle": len(names)}, {"settle": SETTLING})


def test_short_helpers_are_read_where_they_act() -> None:
    count = sum(len(list(helpers(nodes))) for nodes in _files())
    compare_with_recorded({"helpers": count}, {"helpers": HELPERS})


@cache
def _files() -> list[list[ast.AST]]:
    return [nodes_of(path.read_text(encoding="utf-8")) for path in modules().values()]


def nodes_of(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


def compare_with_recorded(counts: dict[str, int], recorded: dict[str, int]) -> None:
    more = {name: count for name, count in counts.items() if count > recorded[name]}
    assert more == {}, f"more than the {recorded} recorded: name it in the field's words, read it where it acts"
    fewer = {name: count for name, count in counts.items() if count < recorded[name]}
    assert fewer == {}, "record the smaller number"


def assigned(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """List the variables that a file assigns to, as often as it does."""
    return (node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def functions(nodes: Iterable[ast.AST]) -> Iterator[str]:
    return (node.name for node in nodes if isinstance(node, ast.FunctionDef))


def helpers(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """List the private functions of a file that are short, without a docstring, and called in one place."""
    uses = Counter(_name(node) for node in nodes)
    called = {_name(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_") and not node.name.startswith("__"):
            lines = (node.body[-1].end_lineno or 0) - node.body[0].lineno + 1
            is_short = lines <= SHORT and not node.decorator_list and ast.get_docstring(node) is None
            if is_short and uses[node.name] == 1 and node.name in called:
                yield node.name


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


SOURCE = (
    '''
def caller(values):
    found = [_twice(value) for value in values]
    return _once(found), map(_handed_on, found), _twice(0), _explained(1), _long(2)

def _once(numbers):
    return sum(numbers)

def _twice(number):
    return 2 * number

def _handed_on(number):
    return -number

def _explained(number):
    """Return the next number."""
    return number + 1

def _long(number):
'''
    + "    number += 1\n" * (SHORT + 1)
)


def test_a_short_helper_is_one_that_is_called_once_and_says_nothing() -> None:
    assert list(helpers(nodes_of(SOURCE))) == ["_once"]


def test_assignments_and_loops_are_counted() -> None:
    assert Counter(assigned(nodes_of(SOURCE)))["found"] == 1
    assert list(assigned(nodes_of("for place, (a, b) in pairs:\n    a.place = place\n"))) == ["place", "a", "b"]


@pytest.mark.parametrize(("count", "message"), [(4, "more than"), (2, "record the smaller number")])
def test_a_number_other_than_the_recorded_one_fails(count: int, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        compare_with_recorded({"found": count}, {"found": 3})
