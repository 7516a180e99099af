"""What the lines of assembly text say, before names are resolved: the records that `grammar.py` makes."""

from __future__ import annotations

from typing import Any, NamedTuple

from glslc_multi.compiler.isa.mistakes import Word

# --- Operands ---------------------------------------------------------------------------------------------------------


class Address(NamedTuple):
    """`a0.x + 2` in brackets; the component may be in the name."""

    name: Word
    component: Word | None
    offset: Word | None


class Register(NamedTuple):
    """`-name[index][index].letters`"""

    minus: Word | None
    name: Word
    #: Numbers, or address registers; each with the bracket that closes it.
    indices: list[Word | Address]
    letters: Word | None
    place: tuple[int, int]


class AddressDestination(NamedTuple):
    """`a0.xy`"""

    name: Word
    letters: Word | None


class Condition(NamedTuple):
    """`cmp.x && !cmp.y`"""

    first: Word
    join: Word | None = None
    second: Word | None = None


# --- Lines ------------------------------------------------------------------------------------------------------------


class Array(NamedTuple):
    """`uMvp[4]`; no size where there is none."""

    name: Word
    size: Word | None


class Instruction(NamedTuple):
    """`mad r0.xy, r1, -c2, r3`; the operands are those of the rule for the name."""

    name: Word
    operands: tuple[Any, ...]


class Directive(NamedTuple):
    """`.alias name r3.wzyx`"""

    name: Word
    operands: tuple[Any, ...]


class Line(NamedTuple):
    """`label: mov r0, r1`"""

    labels: list[Word]
    statement: Instruction | Directive | None
