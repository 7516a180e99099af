"""Registers as the shared code generator sees them: files of a machine, single registers, and classes.

A register file is data of a target (`RegisterFile`); a physical register is one of its members and has one
to four components.  A class says where a virtual register may live, best places first.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.records import dataclass, field

#: The most components that a register has.
COMPONENTS = 4


@dataclass(frozen=True, slots=True)
class RegisterFile:
    """Registers of one kind: `count` of them, `components` wide each (1 where a register is one whole)."""

    name: str
    count: int
    components: int = 4
    readable: bool = True
    writable: bool = True
    #: The members asked for so far: one object each.
    _members: dict[int, Register] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __getitem__(self, index: int) -> Register:
        register = self._members.get(index)
        if register is None:
            register = self._members[index] = Register(self, index)
        return register

    def registers(self) -> tuple[Register, ...]:
        return tuple(self[index] for index in range(self.count))


@dataclass(frozen=True, slots=True, eq=False)
class Register:
    """One physical register.  Its file makes it, once, so that registers are compared as objects: they are keys
    everywhere."""

    file: RegisterFile
    index: int

    @property
    def components(self) -> int:
        return self.file.components

    def __str__(self) -> str:
        return f"{self.file.name}{self.index}"

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, eq=False)
class RegisterClass:
    """Where a virtual register may live: `members` in order of preference."""

    name: str
    members: tuple[Register, ...]

    @staticmethod
    def of(name: str, *parts: RegisterFile | Iterable[Register]) -> RegisterClass:
        """A class of whole files and single registers."""
        members: list[Register] = []
        for part in parts:
            members.extend(part.registers() if isinstance(part, RegisterFile) else part)
        return RegisterClass(name, tuple(members))

    def __str__(self) -> str:
        return self.name
