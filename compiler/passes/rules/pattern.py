"""The language of rewrite rules: patterns over opcodes, as text and as trees.

    fsub(x, fneg(y)) -> fadd(x, y)

=============  ==============================================================================
text           matches
=============  ==============================================================================
``x``          any value; the same name twice is the same value twice
``x:3``        any value of three components, ``x:1`` any scalar
``#c``         a constant without undefined components
``0.0 0 true`` the float, int or bool constant with this number in every component, bit for bit
``splat(s)``   a scalar in every component of a vector
``op(a, b)``   an instruction; commutative operands in either order, constants on the right
``once(op())`` an instruction that only one operand reads; in patterns alone
=============  ==============================================================================

In a replacement the same text makes the value: operations whose operands are all constants are folded,
and equal parts are made once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import OPCODES, Opcode
from glslc_multi.compiler.ir.types import Kind
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Hole:
    """Any value."""

    name: str
    #: Components that it must have; None where any number will do.
    width: int | None = None

    def __str__(self) -> str:
        return self.name if self.width is None else f"{self.name}:{self.width}"


@dataclass(frozen=True, slots=True)
class AnyConstant:
    """Any fully defined constant."""

    name: str

    def __str__(self) -> str:
        return f"#{self.name}"


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant with one number in every component; `text` tells 0.0 from -0.0."""

    kind: Kind
    text: str

    @property
    def value(self) -> bool | int | float:
        if self.kind == "bool":
            return self.text == "True"
        return float(self.text) if self.kind == "float" else int(self.text)

    def __str__(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Operation:
    """An instruction on operands; without opcode the splat of a scalar."""

    op: Opcode | None
    operands: tuple[Pattern, ...]
    #: Nothing else reads the result.
    is_once: bool = False

    def __str__(self) -> str:
        text = f"{self.op.name if self.op else 'splat'}({', '.join(map(str, self.operands))})"
        return f"once({text})" if self.is_once else text


Pattern = Hole | AnyConstant | Literal | Operation

_TOKEN = re.compile(r"\s*(?:(?P<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<name>#?[a-z]\w*(?::[1-4])?)|(?P<mark>[(),]))")


class PatternError(Exception):
    """A rule of the table is not written in the language."""


def parse(text: str) -> Pattern:
    """The pattern that `text` shows."""
    tokens: list[str] = []
    position = 0
    while position < len(text.rstrip()):
        token = _TOKEN.match(text, position)
        if token is None:
            raise PatternError(f"cannot read {text[position:]!r} in {text!r}")
        tokens.append(token.group().strip())
        position = token.end()
    tokens.reverse()
    pattern = _expression(tokens)
    if tokens:
        raise PatternError(f"{text!r} goes on after its end")
    return pattern


def _expression(tokens: list[str]) -> Pattern:
    """Read one pattern off the end of `tokens`."""
    token = tokens.pop()
    if tokens and tokens[-1] == "(":
        return _operation(token, tokens)
    if token[0] in "-0123456789":
        is_float = "." in token or "e" in token
        return Literal("float", repr(round_to_float32(float(token)))) if is_float else Literal("int", token)
    if token in ("true", "false"):
        return Literal("bool", token.capitalize())
    name, _, width = token.partition(":")
    return AnyConstant(name[1:]) if name.startswith("#") else Hole(name, int(width) if width else None)


def _operation(name: str, tokens: list[str]) -> Operation:
    operands: list[Pattern] = []
    while tokens and tokens.pop() != ")":
        operands.append(_expression(tokens))
    if name == "once":
        (inner,) = operands
        if not isinstance(inner, Operation):
            raise PatternError(f"{inner} is no operation")
        return Operation(inner.op, inner.operands, is_once=True)
    if name != "splat" and name not in OPCODES:
        raise PatternError(f"there is no operation {name!r}")
    return Operation(OPCODES.get(name), tuple(operands))


# ----------------------------------------------------------------------------------- facts about patterns
def operations(pattern: Pattern) -> Iterator[Operation]:
    """Every operation in the pattern, outer ones first."""
    if isinstance(pattern, Operation):
        yield pattern
        for operand in pattern.operands:
            yield from operations(operand)


def leaves(pattern: Pattern) -> Iterator[Hole | AnyConstant | Literal]:
    """What stands for values and constants, from left to right."""
    if not isinstance(pattern, Operation):
        yield pattern
        return
    for operand in pattern.operands:
        yield from leaves(operand)


def is_constant(pattern: Pattern) -> bool:
    """Whether only constants take part, so that the replacement needs no instruction."""
    return not any(isinstance(leaf, Hole) for leaf in leaves(pattern))


#: Operations whose first two operands may change places without changing a bit.  Those of `fmin` and `fmax` may not: of
#: two zeros, or a number and NaN, the first one wins.
SWAPPING = frozenset(
    op for op in OPCODES.values() if op is ops.FMAD or (op.commutative and op not in ops.NEARLY_COMMUTATIVE)
)


def orders(pattern: Operation, *, is_canonical: bool = True) -> list[Operation]:
    """The pattern with the operands of its commutative operations in each order they may be found in.

    Constants stand on the right in canonical IR, so their places are known there.
    """
    variants: dict[Operation, None] = {}
    choices = [orders(o, is_canonical=is_canonical) if isinstance(o, Operation) else [o] for o in pattern.operands]
    for operands in product(*choices):
        variants[Operation(pattern.op, operands, pattern.is_once)] = None
        if pattern.op in SWAPPING and not (is_canonical and any(map(is_constant, operands[:2]))):
            variants[Operation(pattern.op, (operands[1], operands[0], *operands[2:]), pattern.is_once)] = None
    return list(variants)
