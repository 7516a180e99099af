"""Operands and results as numbers, and what they need of the two register ports.

The scheduler computes these very often, so that they are numbers and masks.  A *location* is what an operand reads: a
register of a file, an accumulator, a small immediate, or one of the queues (uniforms, varyings, rows of the VPM).  A
*target* is the address that a result is written to, with the files that have it.

A word reads one address of each file; a small immediate takes the port of file B; a queue takes either port.  Each half
writes one file.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple

from glslc_multi.backends.vc4.codegen.machine_ops import ACCUMULATORS, IMM, IN_B, OUT, PORT, R4, R5, A, B
from glslc_multi.backends.vc4.codegen.schedule.resources import FIRST_PORT_BIT, STREAM_WORDS
from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import ROTATE_BY_R5
from glslc_multi.backends.vc4.isa.registers import R0
from glslc_multi.compiler.codegen.machine import MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register

# --- Locations: what is read ------------------------------------------------------------------------------------------

#: The port in the upper bits, the address in the lower ones: file A, file B, accumulators, small immediates.
PORT_SHIFT = 6
ADDRESS_MASK = (1 << PORT_SHIFT) - 1
FIRST_A, FIRST_B, FIRST_ACCUMULATOR, FIRST_IMMEDIATE = (port << PORT_SHIFT for port in range(4))
#: Above these, what either port can read; of words of the stream also which one.
FIRST_QUEUE = 1 << 8
_WORD_SHIFT = 9
_READS_OF_BOTH = (registers.VARYING_READ, registers.VPM)
_FIRST_LOCATIONS = {
    A.name: FIRST_A,
    B.name: FIRST_B,
    ACCUMULATORS.name: FIRST_ACCUMULATOR,
    R4.file.name: FIRST_ACCUMULATOR + 4,
    R5.file.name: FIRST_ACCUMULATOR + 5,
    IMM.name: FIRST_IMMEDIATE,
}
#: Words of the uniform stream -> number; equal words have one.
StreamNumbers = dict[Hashable, int]


def location_of(use: Use, stream: StreamNumbers) -> int:
    """The location of an operand that is no virtual register; words of the stream that are new get a number."""
    source = use.register
    if isinstance(source, STREAM_WORDS):
        return _queue(registers.UNIFORM_READ, stream.setdefault((source, use.lanes), len(stream)))
    assert isinstance(source, Register)
    if source.file is not PORT:
        return location_of_register(source)
    if source.index in _READS_OF_BOTH:
        return _queue(source.index, 0)
    return FIRST_B + source.index - IN_B if source.index >= IN_B else source.index


def location_of_register(register: Register) -> int:
    """The location of a register, or of a small immediate."""
    return _FIRST_LOCATIONS[register.file.name] + register.index


def port_of(location: int) -> int | None:
    """The port that a location needs: 0 for file A, 1 for file B; None if any will do, or none."""
    if location < FIRST_B:
        return 0
    return 1 if location < FIRST_ACCUMULATOR or FIRST_IMMEDIATE <= location < FIRST_QUEUE else None


def register_at(location: int) -> Register:
    """The register of a file, or the accumulator, at a location."""
    return (A, B, ACCUMULATORS)[location >> PORT_SHIFT][location & ADDRESS_MASK]


def _queue(address: int, word: int) -> int:
    return address | FIRST_QUEUE | word << _WORD_SHIFT


# --- Targets: what is written -----------------------------------------------------------------------------------------

#: The address, and above it the files that have it.
IN_FILE_A, IN_FILE_B = 1 << PORT_SHIFT, 2 << PORT_SHIFT
NO_TARGET = NOWHERE | IN_FILE_A | IN_FILE_B
#: Peripherals that only file A has, or that are others in file B.
_WRITES_OF_A = (40, 41, 42, 49, 50)


def target_of(instruction: MachineInstruction) -> int:
    """The target of an instruction that writes no virtual register."""
    waddr: int | None = instruction.attributes.get("waddr")
    if waddr is not None:
        return waddr | IN_FILE_A | IN_FILE_B
    if not instruction.defs or "signal" in instruction.attributes:
        return NO_TARGET
    target = instruction.defs[0].register
    assert isinstance(target, Register)
    if target.file is not OUT:
        return target_of_location(location_of_register(target))
    if target.index >= IN_B:
        return target.index - IN_B | IN_FILE_B
    return target.index | IN_FILE_A | (0 if target.index in _WRITES_OF_A else IN_FILE_B)


def target_of_location(location: int) -> int:
    """The target that writes a register."""
    if location < FIRST_B:
        return location | IN_FILE_A
    if location < FIRST_ACCUMULATOR:
        return location - FIRST_B | IN_FILE_B
    return R0 + location - FIRST_ACCUMULATOR | IN_FILE_A | IN_FILE_B


def is_in_file(target: int) -> bool:
    """Whether a register of a file is written."""
    return target & ADDRESS_MASK < registers.FILE_SIZE


def register_written(target: int) -> Register:
    """The register of a file, or the accumulator, that a target writes."""
    number = target & ADDRESS_MASK
    if number >= R0:
        return ACCUMULATORS[number - R0]
    return A[number] if target & IN_FILE_A else B[number]


# --- Ports ------------------------------------------------------------------------------------------------------------

#: What takes a port: an address of file A, one of file B (or a small immediate), and queues, which either port reads.
_TAKES_A, _TAKES_B, _TAKES_UNIFORM, _TAKES_VARYING, _TAKES_ROW = (1 << FIRST_PORT_BIT + n for n in range(5))
PORTS_TAKEN = 31 << FIRST_PORT_BIT
PORT_COUNT = 2
_QUEUES = {
    registers.UNIFORM_READ: _TAKES_UNIFORM,
    registers.VARYING_READ: _TAKES_VARYING,
    registers.VPM: _TAKES_ROW,
}
#: The first bit of addresses of file A, of file B and its immediates, and of words of the stream, and the size of these
#: numbers, which take twice as many bits: see `_address`.
_ADDRESSES_OF_A = FIRST_PORT_BIT + 5, 6
_ADDRESSES_OF_B = FIRST_PORT_BIT + 17, 8
_ADDRESSES_OF_STREAM = FIRST_PORT_BIT + 33, 24


class Ports(NamedTuple):
    """What the operands of an instruction, at these locations, need of the ports."""

    reads: tuple[int, ...]
    #: Ports taken with their addresses, and what that conflicts with.
    mask: int = 0
    conflicts: int = 0
    #: The registers that the word before must not have written, as a set of locations.
    hazards: int = 0


@lru_cache(maxsize=4096)
def ports_of(reads: tuple[int, ...], rotation: int | None) -> Ports | None:
    """What an instruction needs of the ports; None if no word can read all its operands."""
    hazards = 0
    if rotation is not None:
        hazards = sum(1 << location for location in set(reads) if location < FIRST_IMMEDIATE)
        reads = (*reads, FIRST_IMMEDIATE + ROTATE_BY_R5 + rotation)
    mask = conflicts = 0
    for location in reads:
        needed, excluded = _port_masks(location)
        if mask & excluded:
            return None
        mask, conflicts = mask | needed, conflicts | excluded
        if location < FIRST_ACCUMULATOR:
            hazards |= 1 << location
    return Ports(reads, mask, conflicts, hazards) if (mask & PORTS_TAKEN).bit_count() <= PORT_COUNT else None


@lru_cache(maxsize=4096)
def _port_masks(location: int) -> tuple[int, int]:
    """What a location needs of the ports, and what that conflicts with."""
    if location >= FIRST_QUEUE:
        queue = _QUEUES[location & ADDRESS_MASK]
        if queue != _TAKES_UNIFORM:
            return queue, 0
        return _address(queue, location >> _WORD_SHIFT, *_ADDRESSES_OF_STREAM)
    port = port_of(location)
    if port is None:
        return 0, 0
    return _address(_TAKES_B, location, *_ADDRESSES_OF_B) if port else _address(_TAKES_A, location, *_ADDRESSES_OF_A)


def _address(takes: int, number: int, first: int, size: int) -> tuple[int, int]:
    """A port with an address on it: the bits of the number and their complement; it conflicts with the reverse, since
    two numbers differ where a bit of one is the complement of the other's."""
    complement = number ^ (1 << size) - 1
    return takes | (number << size | complement) << first, (complement << size | number) << first
