"""The machine as the shared code generator sees it: register files, and what operands do in each instruction.

All of it follows from the tables of `registers.py` and `instructions.py`; stated here is only how components of
results and sources belong together, which no field of a token says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property

from backends.agal.isa import instructions
from backends.agal.isa.registers import BANKS, CONSTANT, TEMPORARY, Stage
from compiler.codegen.machine import MachineOp, ResultMode, SourceMode
from compiler.codegen.registers import Register, RegisterClass, RegisterFile
from compiler.records import dataclass

_SLOTS: SourceMode = "slots"
_FIXED: SourceMode = "fixed"
#: Instructions that do not compute component by component; the rows of a matrix cannot be swizzled.
_MODES: Mapping[str, tuple[ResultMode, tuple[SourceMode, ...]]] = {
    "dp3": ("replicate", (_SLOTS, _SLOTS)),
    "dp4": ("replicate", (_SLOTS, _SLOTS)),
    "nrm": ("fixed", (_SLOTS,)),
    "crs": ("fixed", (_SLOTS, _SLOTS)),
    "m33": ("fixed", (_SLOTS, _FIXED)),
    "m44": ("fixed", (_SLOTS, _FIXED)),
    "m34": ("fixed", (_SLOTS, _FIXED)),
    "tex": ("fixed", (_SLOTS,)),
}


def _machine_op(row: instructions.Instruction) -> MachineOp:
    result: ResultMode = "each" if "D" in row.operands else "none"
    sources: tuple[SourceMode, ...] = (("each" if result == "each" else "slots"),) * row.source_count
    result, sources = _MODES.get(row.name, (result, sources))
    return MachineOp(
        row.name,
        result,
        sources,
        effect=row.role == "kill",
        terminator=row.role == "if",
        copy=row.name == "mov",
    )


#: Every instruction that a runtime executes, by name.
OPS: Mapping[str, MachineOp] = {row.name: _machine_op(row) for row in instructions.INSTRUCTIONS if row.executable}
MOV = OPS["mov"]
#: Control flow of blocks that no condition ends: both vanish when blocks are strung together.
GO = MachineOp("go", "none", terminator=True)
END = MachineOp("end", "none", terminator=True)


@dataclass(frozen=True)
class Machine:
    """The registers of a stage in a version."""

    stage: Stage
    version: int

    @cached_property
    def files(self) -> Mapping[int, RegisterFile]:
        """By register type."""
        return {bank.type: _file(bank.names[0], bank.size(self.version)) for bank in BANKS if bank.stage == self.stage}

    @cached_property
    def types(self) -> Mapping[str, int]:
        """Register type by the name of its file."""
        return {file.name: type for type, file in self.files.items()}

    @cached_property
    def temporaries(self) -> RegisterClass:
        return RegisterClass.of("temporary", self.files[TEMPORARY])

    def type_of(self, register: Register) -> int:
        return self.types[register.file.name]

    def is_constant(self, register: object) -> bool:
        return isinstance(register, Register) and self.type_of(register) == CONSTANT


@cache
def _file(name: str, count: int) -> RegisterFile:
    return RegisterFile(name, count)


@cache
def machine_of(stage: Stage, version: int) -> Machine:
    return Machine(stage, version)
