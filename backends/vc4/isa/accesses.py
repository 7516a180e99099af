"""What an instruction reads and writes, in the form that rules need.

Sets are ints with a bit for each member.  A set of *numbers* has the numbers 0 to 63, of whatever file; a set of
*addresses* has those of file B above those of file A.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.encoding import Alu, Branch, Half, Instruction, Load
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import R4_LOADS, ROTATE_BY_R5, Condition, LoadMode, Operation, Signal

_R4, _R5 = 4, 5
_NUMBERS = 64
_ALL_NUMBERS = (1 << _NUMBERS) - 1
#: Where the addresses of each file begin.
_FIRST_ADDRESSES = {"A": 0, "B": _NUMBERS}


def numbers_of(members: Iterable[int]) -> int:
    """Numbers as a set."""
    bits = 0
    for number in members:
        bits |= 1 << number
    return bits


def address(file: str, number: int) -> int:
    """The set of one address."""
    return 1 << _FIRST_ADDRESSES[file] + number


def both_files(numbers: int) -> int:
    """The addresses of these numbers."""
    return numbers << _NUMBERS | numbers


def numbers(addresses: int) -> int:
    """The numbers of these addresses."""
    return (addresses >> _NUMBERS | addresses) & _ALL_NUMBERS


SFU, TMU, TLB, TLB_LOCKING = map(numbers_of, (registers.SFU, registers.TMU, registers.TLB, registers.TLB_LOCKING))
_ONE_AT_ONCE = TMU | TLB | SFU
VPM_SETUPS = numbers_of((registers.VPM_SETUP, registers.VPM_ADDRESS))
_VPM, _MUTEX = 1 << registers.VPM, 1 << registers.MUTEX
_UNIFORM_READ, _VARYING_READ, _VPM_READ = (
    1 << number for number in (registers.UNIFORM_READ, registers.VARYING_READ, registers.VPM_READ)
)
#: The registers of both files, as addresses.
REGISTERS = both_files(numbers_of(range(registers.FILE_SIZE)))
_WRITABLE_ACCUMULATORS = numbers_of((*registers.ACCUMULATORS, registers.R5)) >> registers.R0
_ALL_ACCUMULATORS = (1 << _R5 + 1) - 1
_ALWAYS = int(Condition.ALWAYS)
_TILE_SIGNALS = (Signal.LOADC, Signal.LOADCV, Signal.LDCEND)


class Access:
    """An instruction, seen from its effects."""

    __slots__ = ("instruction", "numbers_read", "numbers_written", "reads", "signal", "written")

    def __init__(self, instruction: Instruction) -> None:
        self.instruction = instruction
        self.signal: int = instruction.signal
        #: The addresses that ports read, used or not.
        self.reads = addresses_read(instruction)
        self.numbers_read = numbers(self.reads)
        #: The addresses that are written, ever.
        self.written = addresses_written(instruction)
        self.numbers_written = numbers(self.written)

    @property
    def writes(self) -> tuple[tuple[str, int, int], ...]:
        """Addresses that are written, ever: (file, number, condition), ADD's first."""
        return tuple(
            ("AB"[index ^ self.instruction.ws], half.waddr, half.cond)
            for index, half in enumerate((self.instruction.add, self.instruction.mul))
            if half.writes
        )

    @property
    def write_numbers(self) -> tuple[int, ...]:
        """The numbers that are written, ADD's first."""
        return tuple(number for _, number, _ in self.writes)

    @property
    def registers_written(self) -> int:
        """Registers of the files that are written, as addresses."""
        return self.written & REGISTERS

    @property
    def accumulators_read(self) -> int:
        """r0 to r5 that operations read; r5 is also the distance of some rotations."""
        instruction = self.instruction
        if not isinstance(instruction, Alu):
            return 0
        add, mul = instruction.operations
        bits = (_operands(instruction.add, add) | _operands(instruction.mul, mul)) & _ALL_ACCUMULATORS
        return bits | 1 << _R5 if instruction.raddr_b == ROTATE_BY_R5 and instruction.rotates else bits

    @property
    def accumulators_written(self) -> int:
        """r0 to r5 that get a value at once or one instruction later."""
        bits = self.numbers_written >> registers.R0 & _WRITABLE_ACCUMULATORS
        if self.numbers_read & _VARYING_READ:
            bits |= 1 << _R5
        return bits | 1 << _R4 if self.loads_r4 or self.writes_sfu else bits

    @property
    def loads_r4(self) -> bool:
        """Whether the signal loads r4."""
        return self.signal in R4_LOADS

    @property
    def writes_sfu(self) -> bool:
        return bool(self.numbers_written & SFU)

    @property
    def tmu_writes(self) -> tuple[int, ...]:
        return tuple(number for number in self.write_numbers if number in registers.TMU)

    @property
    def touches_uniforms(self) -> bool:
        """Whether it takes a word of the uniform stream."""
        return bool(self.numbers_read & _UNIFORM_READ or self.numbers_written & TMU)

    @property
    def touches_tlb(self) -> bool:
        """Whether it waits for the scoreboard."""
        return bool(self.numbers_written & TLB_LOCKING) or self.signal in _TILE_SIGNALS

    @property
    def vpm_accesses(self) -> int:
        """How often data of the VPM are accessed: one read for both ports, and writes."""
        return bool(self.numbers_read & _VPM_READ) + self.write_numbers.count(registers.VPM)

    @property
    def vpm_setups(self) -> int:
        """How many setups of the VPM are written."""
        return sum(1 for number in self.write_numbers if VPM_SETUPS >> number & 1)

    @property
    def uses_vpm(self) -> bool:
        return bool(self.numbers_read & _VPM_READ or self.numbers_written & (_VPM | VPM_SETUPS))

    @property
    def uses_flags(self) -> bool:
        """Whether a condition depends on flags."""
        instruction = self.instruction
        if isinstance(instruction, Branch):
            return instruction.cond != 15
        return any(condition > _ALWAYS for _, _, condition in self.writes)

    @property
    def special_accesses(self) -> int:
        """Accesses to TMU, TLB, SFU, mutex and semaphores, of which an instruction has one."""
        count = self.loads_r4 + bool(self.numbers_read & _MUTEX)
        if self.numbers_written & _ONE_AT_ONCE:
            count += sum(1 for number in self.write_numbers if _ONE_AT_ONCE >> number & 1)
        is_semaphore = isinstance(self.instruction, Load) and self.instruction.mode == LoadMode.SEMAPHORE
        return count + is_semaphore


def addresses_read(instruction: Instruction) -> int:
    """The addresses that ports read, used or not."""
    bits = 0
    if isinstance(instruction, Alu):
        bits = 1 << instruction.raddr_a
        if not instruction.has_small_immediate:
            bits |= 1 << _NUMBERS + instruction.raddr_b
    elif isinstance(instruction, Branch) and instruction.use_register:
        bits = 1 << instruction.raddr_a
    return bits & ~_NO_ADDRESSES


_NO_ADDRESSES = both_files(1 << NOWHERE)


def addresses_written(instruction: Instruction) -> int:
    """The addresses that are written, ever."""
    addresses, swap = 0, instruction.ws * _NUMBERS
    add, mul = instruction.add, instruction.mul
    if add.writes:
        addresses = 1 << swap + add.waddr
    if mul.writes:
        addresses |= 1 << _NUMBERS - swap + mul.waddr
    return addresses


def _operands(half: Half, row: Operation | None) -> int:
    """The values of those operand fields that an operation reads, as a set."""
    count = 2 if row is None else row.operands
    return (0, 1 << half.a, 1 << half.a | 1 << half.b)[count]
