"""What the lines of assembly text say: the records that `grammar.py` makes."""

from __future__ import annotations

from typing import NamedTuple

from glslc_multi.compiler.isa.fields import Format
from glslc_multi.compiler.isa.mistakes import Word

_Columns = tuple[int, int]

# --- Operands ---------------------------------------------------------------------------------------------------------


class Register(NamedTuple):
    """`R12`, or `C[a0 + 1]` with its bank alone in the first word."""

    word: Word
    base: Word | None
    number: Word | None
    place: _Columns

    @property
    def bank(self) -> str:
        bank: str = self.word["bank"]
        return bank


class Destination(NamedTuple):
    """`R1.xy__`"""

    register: Register
    mask: Word | None


class Source(NamedTuple):
    """`-|R1.xyzw|`"""

    minus: Word | None
    bar: Word | None
    register: Register
    swizzle: Word | None
    place: _Columns


# --- Lines ------------------------------------------------------------------------------------------------------------


class Raw(NamedTuple):
    """`WORDS(1, 2, 3)` or `CLAUSE(1)`: all bits of a word."""

    name: Word
    numbers: list[Word]


class Half(NamedTuple):
    """`MULADDvEQ R1.xy__ = R2, -C3, |R4| CLAMP`"""

    name: Word
    destination: Destination
    sources: list[Source]
    clamp: Word | None


class OptionUse(NamedTuple):
    """`CONST(20, 1)`"""

    name: Word
    arguments: list[Word]


class Fetch(NamedTuple):
    """`SAMPLE R1.xyzw = R0.xyx CONST(3)`"""

    layout: Format
    name: Word
    destination: Register
    components: Word
    source: Register
    coordinates: Word
    options: list[OptionUse]


class Clause(NamedTuple):
    """`EXEC ADDR(0x2) CNT(0x1)`"""

    name: Word
    options: list[OptionUse]
    #: Of an allocation.
    buffer: Word | None = None


class Instruction(NamedTuple):
    """`(S)ALU: MAXv R0 = R1, R2`"""

    prefix: Word
    operation: Raw | Half | Fetch
