"""All pairs of operators in `#if`, against trees that the specification's table builds (GLSL ES 1.00 section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import pytest

from tests.frontends.glsl.preprocess.support import text

#: From the strongest binding to the weakest, as the specification lists them; all of these associate to the left.
_TABLE = ("* / %", "+ -", "<< >>", "< > <= >=", "== !=", "&", "^", "|", "&&", "||")
_STRENGTH = {operator: -number for number, row in enumerate(_TABLE) for operator in row.split()}
#: In C, on ints; none where there is no value.
_MEANINGS: dict[str, Callable[[int, int], int | None]] = {
    "*": lambda x, y: x * y,
    "/": lambda x, y: int(x / y) if y else None,
    "%": lambda x, y: x - int(x / y) * y if y else None,
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "<<": lambda x, y: x << y if 0 <= y < 64 else None,
    ">>": lambda x, y: x >> y if 0 <= y < 64 else None,
    "<": lambda x, y: x < y,
    ">": lambda x, y: x > y,
    "<=": lambda x, y: x <= y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "&": lambda x, y: x & y,
    "^": lambda x, y: x ^ y,
    "|": lambda x, y: x | y,
}
_UNARY: dict[str, Callable[[int], int]] = {"+": lambda x: x, "-": lambda x: -x, "~": lambda x: ~x, "!": lambda x: not x}
#: Of each pair of operators, so many conditions in which the other tree has another value, and as many in any case.
_COUNT = 8

Value = int | None


def _of_two(operator: str, x: Value, y: Value) -> Value:
    """The value of two operands, of which the second one need not have one where it is skipped."""
    if x is None:
        return None
    if operator in ("&&", "||"):
        return int(operator == "||") if bool(x) == (operator == "||") else None if y is None else int(y != 0)
    found = None if y is None else _MEANINGS[operator](x, y)
    return None if found is None else int(found)


def _trees(first: str, second: str, a: int, b: int, c: int) -> tuple[Value, Value]:
    """The value of `a first b second c` as the table groups it, and as it does not."""
    left = _of_two(second, _of_two(first, a, b), c)
    right = _of_two(first, a, _of_two(second, b, c))
    return (left, right) if _STRENGTH[first] >= _STRENGTH[second] else (right, left)


def _conditions(first: str, second: str) -> Iterator[tuple[str, int]]:
    triples = list(product(range(8), repeat=3))
    Random(first + second).shuffle(triples)
    values = [(f"{a} {first} {b} {second} {c}", *_trees(first, second, a, b, c)) for a, b, c in triples]
    has_value = [(words, value, other) for words, value, other in values if value is not None]
    telling = [(words, value) for words, value, other in has_value if value != other]
    yield from telling[:_COUNT]
    yield from ((words, value) for words, value, _ in has_value[:_COUNT])


def _with_unary(unary: str, operator: str) -> Iterator[tuple[str, int]]:
    for a, b in product(range(8), repeat=2):
        value = _of_two(operator, int(_UNARY[unary](a)), b)
        if value is not None:
            yield f"{unary}{a} {operator} {b}", value


def _wrong(conditions: Iterator[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those that have another value; each says so by its number."""
    listed = list(conditions)
    assert listed
    lines = [f"#if ({words}) != {value}\nwrong{number}\n#endif" for number, (words, value) in enumerate(listed)]
    return [listed[int(word.removeprefix("wrong"))] for word in text("\n".join(lines)).split()]


@pytest.mark.parametrize("first", _STRENGTH)
def test_two_operators(first: str) -> None:
    assert _wrong(pair for second in _STRENGTH for pair in _conditions(first, second)) == []


@pytest.mark.parametrize("unary", _UNARY)
def test_a_sign_before_an_operator(unary: str) -> None:
    assert _wrong(pair for operator in _STRENGTH for pair in _with_unary(unary, operator)) == []
