"""What recipes are written in: a maker of values, and ways to say a recipe in a row of a table.

The constant folder's maker evaluates opcodes on numbers, lowering's maker emits them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode

#: A value of some maker: opaque to recipes.
Value = Any
#: The result of a function of scalars and vectors; a matrix is worked on column by column.
Recipe = Callable[..., Value]
#: The columns of the result, from the columns of each argument.
Columns = list[Value]
ColumnsRecipe = Callable[..., Columns]


class Maker(Protocol):
    """Makes results of opcodes."""

    def op(self, opcode: Opcode, *operands: Value, attribute: object = None) -> Value: ...
    def number(self, value: float, like: Value) -> Value:
        """The float `value` in each component of a value as wide as `like`."""

    def integer(self, value: int, like: Value) -> Value:
        """The int `value`, of 32 bits without a sign, in each component of a value as wide as `like`."""

    def width(self, value: Value) -> int:
        """How many components a value has."""

    def widen(self, value: Value, like: Value) -> Value:
        """`value` as wide as `like`: a scalar is repeated."""


def component(m: Maker, vector: Value, *numbers: int) -> Value:
    """Some components of a vector."""
    return m.op(ops.SWIZZLE, vector, attribute=numbers)


def join(m: Maker, *parts: Value) -> Value:
    """A vector of the components of all parts."""
    return m.op(ops.CONSTRUCT, *parts)


def opcode(row: Opcode) -> Recipe:
    """One opcode on the arguments as they are."""

    def apply(m: Maker, *arguments: Value) -> Value:
        return m.op(row, *arguments)

    return apply


def widened(recipe: Opcode | Recipe, like: int) -> Recipe:
    """A component-wise meaning; scalar arguments become as wide as argument number `like`."""
    meaning = opcode(recipe) if isinstance(recipe, Opcode) else recipe

    def apply(m: Maker, *arguments: Value) -> Value:
        return meaning(m, *[m.widen(argument, arguments[like]) for argument in arguments])

    return apply


def swapped(row: Opcode) -> Recipe:
    return lambda m, x, y: m.op(row, y, x)


def scaled(factor: float) -> Recipe:
    return lambda m, x: m.op(ops.FMUL, x, m.number(factor, x))
