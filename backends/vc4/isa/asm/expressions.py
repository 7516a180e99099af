"""Constant expressions: their operators, and the values of names and numbers."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from glslc_multi.backends.vc4.isa.asm.syntax import Expression, Parenthesised, Term
from glslc_multi.backends.vc4.isa.instructions import word_of_float
from glslc_multi.compiler.isa.mistakes import Word, out_of_range, undefined, unexpected

_INTEGER = re.compile(r"0[xX][0-9A-Fa-f]+|0[bB][01]+|\d+", re.ASCII)
#: Longer numbers are out of every range; reading them would take long.
_MAX_DIGITS = 70
#: Values of expressions stay below this; larger ones are of no use.
_LIMIT = 1 << 64

Number = int | float
Symbols = Mapping[str, Number]


def word_of(expression: Expression, symbols: Symbols) -> int:
    """The pattern of an expression: of an integer of 32 bits, or of a float."""
    value = number_of(expression, symbols)
    if isinstance(value, float):
        return word_of_float(value)
    return _checked(value, expression, "the value", -(1 << 31), (1 << 32) - 1) & 0xFFFFFFFF


def integer_of(expression: Expression, symbols: Symbols, what: str, low: int, high: int) -> int:
    """An integer in a range."""
    return _checked(number_of(expression, symbols), expression, what, low, high)


def _checked(value: Number, expression: Expression, what: str, low: int, high: int) -> int:
    if isinstance(value, float):
        raise unexpected(expression.place, "an integer", f"{value!r}")
    if not low <= value <= high:
        raise out_of_range(expression.place, what, low, high, value)
    return value


def number_of(expression: Expression, symbols: Symbols) -> Number:
    """The value: operators wait for their right operand until one follows that binds no stronger."""
    values = [_term(expression.first, symbols)]
    waiting: list[Word] = []
    for mark, term in expression.rest:
        _compute(values, waiting, _OPERATORS[mark[0]][0])
        waiting.append(mark)
        values.append(_term(term, symbols))
    _compute(values, waiting, 0)
    return values[0]


def _compute(values: list[Number], waiting: list[Word], level: int) -> None:
    """Apply the operators at the end that bind at least as `level` says."""
    while waiting and _OPERATORS[waiting[-1][0]][0] >= level:
        mark = waiting.pop()
        right = values.pop()
        values[-1] = _computed(mark, _OPERATORS[mark[0]][1], values[-1], right)


def _term(term: Term, symbols: Symbols) -> Number:
    if isinstance(term.value, Parenthesised):
        value = number_of(term.value.expression, symbols)
    else:
        value = _literal(term.value) if term.value["name"] is None else _symbol(term.value, symbols)
    for sign in reversed(term.signs):
        if sign[0] == "~":
            value = _computed(sign, lambda x, _: ~x, value, 0)
        elif sign[0] == "-":
            value = -value
    return value


def _symbol(name: Word, symbols: Symbols) -> Number:
    if name[0] not in symbols:
        raise undefined("constant", name, name[0], symbols)
    return symbols[name[0]]


def _literal(number: Word) -> Number:
    text = number[0]
    if len(text) > _MAX_DIGITS:
        raise unexpected(number, "a number", "a longer one than any field has")
    if not _INTEGER.fullmatch(text):
        return float(text)
    is_octal = len(text) > 1 and text.isdigit() and text[0] == "0"
    if is_octal and set(text) & set("89"):
        raise unexpected(number, "octal digits after a zero", f"'{text}'")
    return int(text, 8 if is_octal else 0)


def _computed(mark: Word, compute: Callable[[Any, Any], Any], left: Number, right: Number) -> Number:
    try:
        value: Number = compute(left, right)
    except (TypeError, ZeroDivisionError, OverflowError, ValueError):
        raise unexpected(mark, "operands that the operator has", f"{left} and {right}") from None
    if isinstance(value, int) and abs(value) >= _LIMIT:
        raise out_of_range(mark, "the value", -_LIMIT, _LIMIT, f"{left} and {right}")
    return value


def _shift_left(left: int, right: int) -> int:
    return left << min(right, 64)


def _quotient(left: Number, right: Number) -> Number:
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


#: Operator -> how strongly it binds, and what it computes.
_OPERATORS: Mapping[str, tuple[int, Callable[[Any, Any], Any]]] = {
    "|": (1, operator.or_),
    "^": (2, operator.xor),
    "&": (3, operator.and_),
    "<<": (4, _shift_left),
    ">>": (4, operator.rshift),
    "+": (5, operator.add),
    "-": (5, operator.sub),
    "*": (6, operator.mul),
    "/": (6, _quotient),
    "%": (6, operator.mod),
}
