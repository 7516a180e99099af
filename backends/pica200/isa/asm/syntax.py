"""What the lines of assembly text say, before names are resolved: the records that `grammar.py` makes."""

from __future__ import annotations

from typing import Any

from compiler.isa.assembly import Place, Word
from compiler.records import dataclass

# --- Operands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """`-12`, `0x1f`, `1.5`, `inf`"""

    sign: Word | None
    word: Word


@dataclass(frozen=True, slots=True)
class Address:
    """`a0.x + 2` in brackets; the component may be in the name."""

    name: Word
    component: Word | None
    offset: Number | None


@dataclass(frozen=True, slots=True)
class Index:
    """`[a0.x + 2]`"""

    value: Number | Address
    closing: Word


@dataclass(frozen=True, slots=True)
class Register:
    """`-name[index][index].letters`"""

    minus: Word | None
    name: Word
    indices: list[Index]
    letters: Word | None

    @property
    def place(self) -> Place:
        last = self.letters or (self.indices[-1].closing if self.indices else self.name)
        return (self.minus or self.name).start(), last.end()

    @property
    def register_place(self) -> Place:
        """Without the letters."""
        last = self.indices[-1].closing if self.indices else self.name
        return (self.minus or self.name).start(), last.end()


@dataclass(frozen=True, slots=True)
class AddressDestination:
    """`a0.xy`"""

    name: Word
    letters: Word | None


@dataclass(frozen=True, slots=True)
class Flag:
    """`!cmp.x`"""

    inverted: Word | None
    name: Word
    component: Word


@dataclass(frozen=True, slots=True)
class Condition:
    """`cmp.x && !cmp.y`"""

    first: Flag
    join: Word | None = None
    second: Flag | None = None


@dataclass(frozen=True, slots=True)
class BoolTest:
    """`!b3`"""

    inverted: Word | None
    register: Register


# --- Lines ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Array:
    """`uMvp[4]`; no size where there is none."""

    name: Word
    size: Number | None


@dataclass(frozen=True, slots=True)
class Statement:
    """`mad r0.xy, r1, -c2, r3` or `.alias name r3.wzyx`; the operands are those of the rule for the name."""

    name: Word
    operands: tuple[Any, ...]


class Instruction(Statement):
    """A mnemonic with its operands."""


class Directive(Statement):
    """What follows the dot."""


@dataclass(frozen=True, slots=True)
class Line:
    """`label: mov r0, r1`"""

    labels: list[Word]
    statement: Instruction | Directive | None
