"""The registers of a stage in a version, as the shared code generator sees them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property

from glslc_multi.backends.agal.isa.registers import BANKS, CONSTANT, TEMPORARY, Stage
from glslc_multi.compiler.codegen.registers import Register, RegisterClass, RegisterFile
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True)
class RegisterFiles:
    """The files of one stage in one version, by register type."""

    stage: Stage
    version: int

    @cached_property
    def by_type(self) -> Mapping[int, RegisterFile]:
        return {bank.type: _file(bank.names[0], bank.size(self.version)) for bank in BANKS if bank.stage == self.stage}

    @cached_property
    def types(self) -> Mapping[str, int]:
        """Register type by the name of its file."""
        return {file.name: type for type, file in self.by_type.items()}

    @cached_property
    def temporaries(self) -> RegisterClass:
        return RegisterClass.of("temporary", self[TEMPORARY])

    def __getitem__(self, type: int) -> RegisterFile:
        return self.by_type[type]

    def type_of(self, register: Register) -> int:
        return self.types[register.file.name]

    def is_constant(self, register: object) -> bool:
        return isinstance(register, Register) and self.type_of(register) == CONSTANT


@cache
def _file(name: str, count: int) -> RegisterFile:
    return RegisterFile(name, count)


@cache
def register_files(stage: Stage, version: int) -> RegisterFiles:
    return RegisterFiles(stage, version)
