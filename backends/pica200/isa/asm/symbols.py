"""Names of a text and the registers that they get.

Uniforms take registers upward from the first, constants downward from the last, as the common assembler
allocates them; inputs and outputs take the lowest free one.
"""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.backends.pica200.isa.descriptors import IDENTITY, Selector
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.compiler.diagnostics.catalogue.machine import TOO_MANY
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.mistakes import Mistake, Place, Reported, Word, no_register, undefined, unexpected
from glslc_multi.compiler.isa.names import Names
from glslc_multi.compiler.isa.numbers import whole_number
from glslc_multi.compiler.records import dataclass, replace

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
    #: Where it stands in the line that is read.
    place: Place = (0, 0)

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
        self._after = {bank: BANKS[bank] for bank in UNIFORM_BANKS}

    def upward(self, bank: str, count: int) -> int | None:
        """The first of `count` registers for a uniform; None when there are not so many."""
        first = self._uniforms[bank]
        if first + count > self._after[bank]:
            return None
        self._uniforms[bank] += count
        return first

    def downward(self, bank: str, count: int) -> int | None:
        """The first of `count` registers for constants."""
        if self._after[bank] - count < self._uniforms[bank]:
            return None
        self._after[bank] -= count
        return self._after[bank]


class RegisterNames:
    """Names of registers."""

    def __init__(self, spoiled: set[str]) -> None:
        #: Names whose definition was not understood and has been reported.
        self._spoiled = spoiled
        self.names: Names[Operand] = Names("name")

    def claim(self, line: Line, name: Word) -> None:
        """Note that `name` is taken; a second definition is an error, and so is the name of a register."""
        text = name[0]
        if text[0] in BANKS and text[1:].isdecimal():
            raise unexpected(name, "a new name", f"register '{text}'")
        self.names.claim(line, text, name)

    def operand(self, name: Word) -> Operand:
        """The register that `name` is: defined, or a register's own name."""
        register = self.names.values.get(name[0]) or _register_named(name)
        if register is not None:
            return register
        if name[0] in self._spoiled:
            raise Reported
        self._spoiled.add(name[0])
        raise undefined("register", name, name[0], self.names.values)


def _register_named(name: Word) -> Operand | None:
    """`r0` and its like; None for a name that does not look like a register."""
    bank, digits = name[0][0], name[0][1:]
    if bank not in BANKS or not digits.isdecimal():
        return None
    return checked(Operand(bank, whole_number(digits)), name)


def checked(operand: Operand, place: Place) -> Operand:
    """An operand whose register must exist."""
    bank = operand.bank
    if operand.index >= BANKS[bank]:
        raise no_register(place, operand.text, bank, f"{bank}{BANKS[bank] - 1}")
    return operand


def allocate(take: Callable[[str, int], int | None], bank: str, count: int, name: Word) -> int:
    """The first of `count` registers that `take` hands out; too many are an error."""
    first = take(bank, count)
    if first is None:
        limit = f"{BANKS[bank]} in all"
        raise Mistake(TOO_MANY, name, need=f"{count} more", what=f"{bank} registers", limit=limit)
    return first
