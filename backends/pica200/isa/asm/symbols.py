"""Names of a text and the registers that they get.

Uniforms take registers upward from the first, constants downward from the last, as the common assembler
allocates them; inputs and outputs take the lowest free one.
"""

from __future__ import annotations

from collections.abc import Callable

from backends.pica200.isa.code import report_undefined
from backends.pica200.isa.descriptors import IDENTITY, Selector
from backends.pica200.isa.registers import BANKS
from compiler.diagnostics import DiagnosticSink, Label, Span
from compiler.diagnostics.catalogue.machine import (
    INVALID_ASSEMBLY,
    PICA200_NO_REGISTER,
    PICA200_REDEFINED,
    PICA200_TOO_MANY,
)
from compiler.isa.lines import Rejected, Token
from compiler.records import dataclass, field, replace

UNIFORM_BANKS = "cib"


@dataclass(frozen=True, slots=True)
class Operand:
    """A register as written: indexed, swizzled, negated."""

    bank: str
    index: int
    selector: Selector = IDENTITY
    negated: bool = False
    #: Value of the field `idx`: 0, or the address register that is added.
    relative: int = 0
    #: Letters of the swizzle as written; "" for none.
    letters: str = ""
    span: Span | None = None

    @property
    def text(self) -> str:
        return f"{self.bank}{self.index}"

    def moved(self, offset: int) -> Operand:
        return replace(self, index=self.index + offset)


class Registers:
    """Which registers of the banks c, i and b are taken, from both ends.

    The files of one program that share uniforms pass the same `uniforms`: bank -> first free register.
    """

    def __init__(self, uniforms: dict[str, int]) -> None:
        self._uniforms = uniforms
        self._behind = {bank: BANKS[bank] for bank in UNIFORM_BANKS}

    def upward(self, bank: str, count: int) -> int | None:
        """The first of `count` registers for a uniform; None when there are not so many."""
        first = self._uniforms[bank]
        if first + count > self._behind[bank]:
            return None
        self._uniforms[bank] += count
        return first

    def downward(self, bank: str, count: int) -> int | None:
        """The first of `count` registers for constants."""
        if self._behind[bank] - count < self._uniforms[bank]:
            return None
        self._behind[bank] -= count
        return self._behind[bank]


@dataclass(slots=True)
class Names:
    """Names with the spans that define them."""

    sink: DiagnosticSink
    #: Names whose definition was not understood and has been reported.
    spoiled: set[str]
    operands: dict[str, Operand] = field(default_factory=dict)
    _spans: dict[str, Span] = field(default_factory=dict)

    def define(self, name: Token, operand: Operand) -> None:
        self.claim(name)
        self.operands[name.text] = operand

    def claim(self, name: Token) -> None:
        """Note that `name` is taken; a second definition is an error, and so is the name of a register."""
        if name.text[0] in BANKS and name.text[1:].isdecimal():
            self.sink.report(INVALID_ASSEMBLY, name.span, expected="a new name", found=f"register '{name.text}'")
            raise Rejected
        earlier = self._spans.setdefault(name.text, name.span)
        if earlier is not name.span:
            labels = (Label(earlier, "first defined here"),)
            self.sink.report(PICA200_REDEFINED, name.span, labels=labels, name=name.text)
            raise Rejected

    def operand(self, name: Token) -> Operand:
        """The register that `name` is: defined, or a register's own name."""
        found = self.operands.get(name.text) or register_named(name, self.sink)
        if found is not None:
            return found
        if name.text in self.spoiled:
            raise Rejected
        self.spoiled.add(name.text)
        report_undefined(self.sink, "register", name, self.operands)
        raise Rejected


def register_named(name: Token, sink: DiagnosticSink) -> Operand | None:
    """`r0` and its like; None for a name that does not look like a register."""
    bank, digits = name.text[0], name.text[1:]
    if bank not in BANKS or not digits.isdecimal():
        return None
    if len(digits) > 4 or int(digits) >= BANKS[bank]:
        report_no_register(sink, name.span, bank, digits)
        raise Rejected
    return Operand(bank, int(digits))


def report_no_register(sink: DiagnosticSink, span: Span | None, bank: str, index: object) -> None:
    sink.report(PICA200_NO_REGISTER, span, name=f"{bank}{index}", bank=bank, last=f"{bank}{BANKS[bank] - 1}")


def allocate(take: Callable[[str, int], int | None], bank: str, count: int, span: Span, sink: DiagnosticSink) -> int:
    """The first of `count` registers that `take` hands out; too many are an error."""
    first = take(bank, count)
    if first is None:
        sink.report(
            PICA200_TOO_MANY, span, need=f"{count} more", what=f"{bank} registers", limit=f"{BANKS[bank]} in all"
        )
        raise Rejected
    return first
