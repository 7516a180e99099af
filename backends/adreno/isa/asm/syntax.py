"""What the lines of assembly text say: the records that `grammar.py` makes."""

from __future__ import annotations

from compiler.isa.assembly import Word
from compiler.isa.fields import Format
from compiler.records import dataclass

# --- Operands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Register:
    """`R12`, or `C[a0 + 1]` with its bank alone in the first word."""

    word: Word
    base: Word | None = None
    number: Word | None = None
    closing: Word | None = None

    @property
    def bank(self) -> str:
        bank: str = self.word["bank"]
        return bank

    @property
    def place(self) -> tuple[int, int]:
        return self.word.start(), (self.closing or self.word).end()


@dataclass(frozen=True, slots=True)
class Destination:
    """`R1.xy__`"""

    register: Register
    mask: Word | None


@dataclass(frozen=True, slots=True)
class Source:
    """`-|R1.xyzw|`"""

    minus: Word | None
    bar: Word | None
    register: Register
    swizzle: Word | None

    @property
    def place(self) -> tuple[int, int]:
        """From the sign to the last letter."""
        start, end = self.register.place
        first = self.minus or self.bar
        last = self.swizzle
        return start if first is None else first.start(), end if last is None else last.end()


# --- Lines ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Raw:
    """`WORDS(1, 2, 3)` or `CLAUSE(1)`: all bits of a word."""

    name: Word
    numbers: list[Word]


@dataclass(frozen=True, slots=True)
class Half:
    """`MULADDvEQ R1.xy__ = R2, -C3, |R4| CLAMP`"""

    name: Word
    destination: Destination
    sources: list[Source]
    clamp: Word | None


@dataclass(frozen=True, slots=True)
class OptionUse:
    """`CONST(20, 1)`"""

    name: Word
    arguments: list[Word]


@dataclass(frozen=True, slots=True)
class Fetch:
    """`SAMPLE R1.xyzw = R0.xyx CONST(3)`"""

    layout: Format
    name: Word
    destination: Register
    components: Word
    source: Register
    coordinates: Word
    options: list[OptionUse]


@dataclass(frozen=True, slots=True)
class Clause:
    """`EXEC ADDR(0x2) CNT(0x1)`"""

    name: Word
    options: list[OptionUse]
    #: Of an allocation.
    buffer: Word | None = None


@dataclass(frozen=True, slots=True)
class Instruction:
    """`(S)ALU: MAXv R0 = R1, R2`"""

    prefix: Word
    operation: Raw | Half | Fetch
