"""What an instruction reads and writes, as rules ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from backends.vc4 import registers
from backends.vc4.formats import NOWHERE
from backends.vc4.instruction import Alu, Branch, Instruction, Load
from backends.vc4.isa import R4_LOADS, Condition, LoadMode, Signal
from compiler.records import dataclass

_R4 = 4


@dataclass(frozen=True)
class Access:
    """An instruction, seen from its effects."""

    instruction: Instruction

    @cached_property
    def signal(self) -> int:
        return self.instruction.signal

    @cached_property
    def reads(self) -> frozenset[tuple[str, int]]:
        """Addresses that ports read, used or not: (file, number)."""
        found: set[tuple[str, int]] = set()
        instruction = self.instruction
        if isinstance(instruction, Alu):
            found.add(("A", instruction.raddr_a))
            if not instruction.has_small_immediate:
                found.add(("B", instruction.raddr_b))
        elif isinstance(instruction, Branch) and instruction.use_register:
            found.add(("A", instruction.raddr_a))
        return frozenset(place for place in found if place[1] != NOWHERE)

    @cached_property
    def writes(self) -> tuple[tuple[str, int, int], ...]:
        """Addresses that are written, ever: (file, number, condition), ADD's first."""
        return tuple(
            ("AB"[index ^ self.instruction.ws], half.waddr, half.cond)
            for index, half in enumerate((self.instruction.add, self.instruction.mul))
            if half.writes
        )

    @cached_property
    def write_numbers(self) -> tuple[int, ...]:
        return tuple(number for _, number, _ in self.writes)

    @cached_property
    def read_numbers(self) -> tuple[int, ...]:
        return tuple(number for _, number in self.reads)

    @cached_property
    def registers_read(self) -> frozenset[tuple[str, int]]:
        """Registers of the files that are read."""
        return frozenset(place for place in self.reads if place[1] < registers.FILE_SIZE)

    @cached_property
    def registers_written(self) -> frozenset[tuple[str, int]]:
        """Registers of the files that are written."""
        return frozenset((file, number) for file, number, _ in self.writes if number < registers.FILE_SIZE)

    @cached_property
    def accumulators_read(self) -> frozenset[int]:
        """r0 to r5 that operations read; r5 is also what some rotations go by."""
        instruction = self.instruction
        if not isinstance(instruction, Alu):
            return frozenset()
        found = {operand for operand in instruction.operands if operand < 6}
        return frozenset(found | {5}) if instruction.rotates and instruction.raddr_b == 48 else frozenset(found)

    @cached_property
    def accumulators_written(self) -> frozenset[int]:
        """r0 to r5 that get a value at once or one instruction later."""
        found = {number - registers.R0 for number in self.write_numbers if number in registers.ACCUMULATORS}
        if registers.R5 in self.write_numbers or registers.VARYING_READ in self.read_numbers:
            found.add(5)
        if self.loads_r4 or self.writes_sfu:
            found.add(_R4)
        return frozenset(found)

    @cached_property
    def loads_r4(self) -> bool:
        """Whether the signal loads r4."""
        return self.signal in R4_LOADS

    @cached_property
    def writes_sfu(self) -> bool:
        return any(number in registers.SFU for number in self.write_numbers)

    @cached_property
    def tmu_writes(self) -> tuple[int, ...]:
        return tuple(number for number in self.write_numbers if number in registers.TMU)

    @cached_property
    def touches_uniforms(self) -> bool:
        """Whether it takes a word of the uniform stream."""
        return registers.UNIFORM_READ in self.read_numbers or bool(self.tmu_writes)

    @cached_property
    def touches_tlb(self) -> bool:
        """Whether it waits for the scoreboard."""
        is_write = any(number in registers.TLB_LOCKING for number in self.write_numbers)
        return is_write or self.signal in (Signal.LOADC, Signal.LOADCV, Signal.LDCEND)

    @cached_property
    def vpm_data(self) -> tuple[int, ...]:
        """Accesses to data of the VPM."""
        found = [number for number in self.read_numbers if number == registers.VPM_READ][:1]
        return (*found, *(number for number in self.write_numbers if number == registers.VPM))

    @cached_property
    def vpm_setups(self) -> tuple[int, ...]:
        return tuple(number for number in self.write_numbers if number in (registers.VPM_SETUP, registers.VPM_ADDRESS))

    @cached_property
    def uses_flags(self) -> bool:
        """Whether a condition asks for flags."""
        instruction = self.instruction
        if isinstance(instruction, Branch):
            return instruction.cond != 15
        return any(condition > Condition.ALWAYS for _, _, condition in self.writes)

    @cached_property
    def special_accesses(self) -> int:
        """Accesses to TMU, TLB, SFU, mutex and semaphores, of which an instruction has one."""
        return sum(1 for _ in self._special())

    def _special(self) -> Iterator[int]:
        yield from (
            number
            for number in self.write_numbers
            if number in registers.TMU or number in registers.TLB or number in registers.SFU
        )
        if self.loads_r4:
            yield self.signal
        if registers.MUTEX in self.read_numbers:
            yield registers.MUTEX
        if isinstance(self.instruction, Load) and self.instruction.mode == LoadMode.SEMAPHORE:
            yield LoadMode.SEMAPHORE
