"""ALU instructions prepared for the simulator, once: numbers of its registers (see `state.py`) for addresses."""

from __future__ import annotations

from typing import NamedTuple

from backends.vc4.isa import registers
from backends.vc4.isa.encoding import FILE_A, FILE_B, Alu
from backends.vc4.isa.formats import NOWHERE
from backends.vc4.isa.instructions import R4_LOADS, Condition, Operation, small_immediate
from backends.vc4.isa.packing import UNPACKS, Unpack
from backends.vc4.machine.arithmetic import Words, constant
from backends.vc4.machine.state import (
    EMPTY_REGISTER,
    PORT_REGISTERS,
    R0_REGISTER,
    R4_REGISTER,
    UNPACKED_REGISTER,
    written_register,
)

#: Peripherals that both ports read together.
SHARED_READS = (registers.UNIFORM_READ, registers.VARYING_READ, registers.VPM_READ)
_ACCUMULATORS = range(FILE_A)


class Port(NamedTuple):
    """A peripheral that is read, and the register for its value."""

    register: int
    file: int
    number: int


class Unpacking(NamedTuple):
    """The part of a register that is unpacked."""

    mode: Unpack
    register: int
    to_float: bool


class Work(NamedTuple):
    """The visible work of one of the two ALUs: it writes its result, or the result sets the flags."""

    #: 0 ADD, 1 MUL.
    unit: int
    row: Operation
    #: The registers of the operands.
    a: int
    b: int
    #: None: always.
    condition: int | None
    sets_flags: bool
    #: The register of the result, if it is written whole.
    register: int | None


class Step(NamedTuple):
    """An instruction."""

    alu: Alu
    #: Read whether or not an operand names them.
    ports: tuple[Port, ...]
    #: What file B's port has instead of a register.
    immediate: Words | None
    unpacking: Unpacking | None
    #: None: an operation is undefined.
    works: tuple[Work, ...] | None
    #: Whether the last of these has rotated operands.
    rotates: bool
    loads_r4: bool
    reads_varying: bool


def step_of(alu: Alu) -> Step:
    """A prepared instruction."""
    operands = _operand_registers(alu)
    unpacking = None
    if alu.unpack:
        # File A is unpacked to floats if any operation that reads it takes floats; r4 always is.
        operand, to_float = (R4_REGISTER - R0_REGISTER, True) if alu.pm else (FILE_A, takes_file_a_as_float(alu))
        unpacking = Unpacking(UNPACKS[alu.unpack], operands[operand], to_float)
        operands[operand] = UNPACKED_REGISTER
    works = _works(alu, operands)
    return Step(
        alu,
        ports=_ports(alu),
        immediate=constant(small_immediate(alu.raddr_b)) if alu.has_small_immediate else None,
        unpacking=unpacking,
        works=works,
        rotates=bool(alu.rotates and works and works[-1].unit),
        loads_r4=alu.signal in R4_LOADS,
        reads_varying=reads(alu, registers.VARYING_READ),
    )


def reads(alu: Alu, number: int) -> bool:
    """Whether one of the ports has this address."""
    return alu.raddr_a == number or (alu.raddr_b == number and not alu.has_small_immediate)


def takes_file_a_as_float(alu: Alu) -> bool:
    """Whether an operation that takes floats reads file A."""
    for half, row in zip((alu.add, alu.mul), alu.operations, strict=True):
        if row is not None and row.takes_float and FILE_A in (half.a, half.b)[: row.operands]:
            return True
    return False


def _ports(alu: Alu) -> tuple[Port, ...]:
    found = [Port(PORT_REGISTERS[0], 0, alu.raddr_a)]
    if not alu.has_small_immediate and not _is_shared(alu):
        found.append(Port(PORT_REGISTERS[1], 1, alu.raddr_b))
    return tuple(port for port in found if port.number >= registers.FILE_SIZE and port.number != NOWHERE)


def _is_shared(alu: Alu) -> bool:
    """Whether both ports have the one value of a peripheral."""
    return alu.raddr_a == alu.raddr_b and alu.raddr_a in SHARED_READS


def _operand_registers(alu: Alu) -> dict[int, int]:
    """Operand -> register."""
    operands = {number: R0_REGISTER + number for number in _ACCUMULATORS}
    operands[FILE_A] = _port_register(0, alu.raddr_a)
    operands[FILE_B] = PORT_REGISTERS[1] if alu.has_small_immediate else _port_register(1, alu.raddr_b)
    if _is_shared(alu) and not alu.has_small_immediate:
        operands[FILE_B] = operands[FILE_A]
    return operands


def _port_register(file: int, number: int) -> int:
    if number < registers.FILE_SIZE:
        return file * registers.FILE_SIZE + number
    return EMPTY_REGISTER if number == NOWHERE else PORT_REGISTERS[file]


def _works(alu: Alu, operands: dict[int, int]) -> tuple[Work, ...] | None:
    found = []
    # MUL's result sets the flags if ADD has no operation.
    setting_flags = 0 if alu.add.op else 1
    for unit, (half, row) in enumerate(zip((alu.add, alu.mul), alu.operations, strict=True)):
        if row is None:
            return None
        sets_flags = bool(alu.sf) and unit == setting_flags
        if sets_flags or half.writes:
            condition = None if half.cond == Condition.ALWAYS else half.cond
            register = None if alu.pack or not half.writes else written_register(unit ^ alu.ws, half.waddr)
            found.append(Work(unit, row, operands[half.a], operands[half.b], condition, sets_flags, register))
    return tuple(found)
