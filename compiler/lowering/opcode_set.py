"""A set of opcodes as an option of a pass: `keep=fmad.dot.frcp`."""

from __future__ import annotations

from typing import Self

from glslc_multi.compiler.ir.ops import OPCODES, Opcode


class OpcodeSet(frozenset[Opcode]):
    """Opcodes, made from their names joined by dots; ValueError for a name that is none."""

    def __new__(cls, names: str = "") -> Self:
        words = [word for word in names.split(".") if word]
        unknown = next((word for word in words if word not in OPCODES), None)
        if unknown is not None:
            raise ValueError(f"there is no opcode '{unknown}'")
        return super().__new__(cls, (OPCODES[word] for word in words))

    def __str__(self) -> str:
        return ".".join(sorted(opcode.name for opcode in self))


NO_OPCODES = OpcodeSet()
