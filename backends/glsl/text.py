"""Pieces of GLSL: expressions with how tightly they bind, numbers, and constructors."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from glslc_multi.compiler.ir.module import Constant, Scalar
from glslc_multi.compiler.ir.text import print_float
from glslc_multi.compiler.ir.types import Type

#: How tightly expressions bind (GLSL ES 3.00 section 5.1), from names to choices.
PRIMARY, POSTFIX, UNARY, PRODUCT, SUM, SHIFT, RELATION, EQUALITY = range(1, 9)
BITS_AND, BITS_XOR, BITS_OR, AND, XOR, OR, CHOICE = range(9, 16)
_LEAST_INT = -(2**31)


class Text(NamedTuple):
    """An expression."""

    text: str
    level: int = PRIMARY

    def within(self, level: int) -> str:
        """Return it as an operand of what binds like `level`, in parentheses if need be."""
        return self.text if self.level <= level else f"({self.text})"


def call(name: str, *arguments: Text | str) -> Text:
    """Return a call of a function or constructor."""
    return Text(f"{name}({', '.join(a if isinstance(a, str) else a.text for a in arguments)})", POSTFIX)


def binary(operator: str, level: int, first: Text, second: Text) -> Text:
    """Return an operation of two operands, grouped as they are."""
    return Text(f"{first.within(level)} {operator} {second.within(level - 1)}", level)


def plus(first: Text, second: Text) -> Text:
    """Return a sum; of a negative number, the difference."""
    if second.level == UNARY and second.text.startswith("-"):
        return binary("-", SUM, first, Text(second.text[1:]))
    return binary("+", SUM, first, second)


def scalar(value: Scalar) -> Text:
    """Return a number; what is undefined is 0."""
    if isinstance(value, bool):
        return Text("true" if value else "false")
    if isinstance(value, int):
        if value == _LEAST_INT:
            return Text(f"{value + 1} - 1", SUM)
        return Text(str(value), UNARY if value < 0 else PRIMARY)
    if value is None:
        return Text("0.0")
    if isfinite(value):
        text = print_float(value)
        return Text(text, UNARY if text.startswith("-") else PRIMARY)
    if value != value:
        return Text("0.0 / 0.0", PRODUCT)
    return Text("1.0 / 0.0" if value > 0 else "-1.0 / 0.0", PRODUCT)


def constant(value: Constant) -> Text:
    """Return a number, or the constructor of a vector."""
    value = value.defined()
    parts = [scalar(part) for part in value.components]
    if value.type.is_scalar:
        return parts[0]
    is_splat = len({part.text for part in parts}) == 1
    return call(type_name(value.type), *(parts[:1] if is_splat else parts))


def type_name(type: Type) -> str:
    """Return the name of the type of values."""
    return type.name
