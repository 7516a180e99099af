"""What a program does to pixels, instruction by instruction; both engines run it.

A place is an address, the address that was executed before it (whose result it may read ahead of its register), and
where RET would go.  What would hang the hardware is a fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.instructions import Decoded, Row
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import is_written, physical
from glslc_multi.backends.theia.machine.arithmetic import UNITS
from glslc_multi.backends.theia.machine.constants import LANES, REGISTERS, immediate_word, lane_word
from glslc_multi.backends.theia.machine.issue import FORWARDED, ZEROS, Issue, issue
from glslc_multi.backends.theia.machine.texture_memory import texel
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Edge, Element, Key, LaneProgram, Lanes, Word

#: Keys of the words that leave at the first addresses (red, green, blue), and of whether any do.
OUTPUT, WRITES = "output", "writes"
_ADDRESSES = 3
_NONE = -1
_ADDRESS_MASK = 0xFFFF

#: Variables of a result that no register holds, and of the words that leave.
_FORWARDED = [f"forwarded.{lane}" for lane in range(LANES)]
_WORDS = [f"{OUTPUT}.{address}" for address in range(_ADDRESSES)]


class Point(NamedTuple):
    """Where pixels are, from where they came, and where RET would go."""

    address: int
    previous: int = _NONE
    returns: int = _NONE


Edges = Sequence[Edge[Point]]


class TheiaProgram(LaneProgram[Point]):
    """A program from an address on.

    It takes the registers `varying` from each pixel, all others from the constants, as `Machine.state` has them, and
    hands out the lanes of registers in `kept`.
    """

    #: What a lane of a register is.
    word: Element = "i32"

    def __init__(
        self, program: Program, start: int, kept: Collection[Key], varying: Collection[int], lanes: Lanes
    ) -> None:
        self.program = program
        self.lanes = lanes
        self.unit = UNITS[program.variant](lanes.operations)
        self._start = Point(start)
        self._kept = kept
        self._varying = varying

    @property
    def start(self) -> Point:
        return self._start

    def step(self, place: Point) -> Edges:
        issued = self._issue(place)
        if isinstance(issued, str):
            return self.stop(issued.format(address=place.address & _ADDRESS_MASK))
        if issued.decoded.instruction.role == "end":
            return self.end(issued.decoded)
        # Lanes x and y of MULP's result are those of the next instruction's first source, or its immediate value.
        if issued.settles is not None:
            if issued.settled_by is None:
                self._put(issued.settles, (self._immediate(place.address), self.unit.iconst(0)))
            else:
                self._put(issued.settles, self._read(issued.settled_by)[:2])
        operands = self._operands(issued, place.address)
        self.count(issued.decoded, operands)
        value = self._value(issued.decoded, place.address, operands)
        if issued.destination is not None:
            self._put(issued.destination, value)
        if issued.is_forwarded:
            for name, lane in zip(_FORWARDED, value, strict=True):
                self.lanes.write(name, lane)
        return self._edges(issued.decoded, place, operands)

    def finish(self) -> None:
        self.hand_out_registers()
        for address, name in enumerate(_WORDS):
            self.lanes.output((OUTPUT, address), self.lanes.read(name, self.word), self.word)
        a = self.lanes.operations
        self.lanes.output(WRITES, a.select(self.lanes.read(WRITES, "i1"), a.iconst(1), a.iconst(0)), "i32")

    def hand_out_registers(self) -> None:
        for register, lane in self._kept:
            name, given = self._cells(register)[lane]
            self.lanes.output((register, lane), self.lanes.read(name, self.word, given), self.word)

    # --- What becomes of pixels ---------------------------------------------------------------------------------------

    def stop(self, reason: str) -> Edges:
        """Pixels do not complete."""
        self.lanes.fault(reason)

    def end(self, decoded: Decoded) -> Edges:
        """Pixels complete."""
        return ()

    def count(self, decoded: Decoded, operands: Sequence[Any]) -> None:
        """An instruction is executed with these operands."""

    def jump(self, taken: Number) -> None:
        """A conditional jump is taken, or not."""

    def leave(self, addresses: Row, words: Row) -> None:
        """Words leave."""
        lanes, a = self.lanes, self.unit
        lanes.write(WRITES, a.bconst(True))
        for wanted, word in zip(addresses, words, strict=True):
            for address, name in enumerate(_WORDS):
                lanes.write(name, word, a.ieq(wanted, a.iconst(address)))

    def texels(self, addresses: Row) -> Row:
        """The words of texture memory at these addresses."""
        return tuple([texel(self.lanes, address) for address in addresses])

    # --- Control flow -------------------------------------------------------------------------------------------------

    def _issue(self, place: Point) -> Issue | str:
        """The instruction at a place, or why it does not complete."""
        index, previous = self.program.index_of(place.address), self.program.index_of(place.previous)
        if index is None:
            return "runs to address {address:04x}, outside of the program"
        words = self.program.words
        return issue(words[index], None if previous is None else words[previous], self.program.variant)

    def _edges(self, decoded: Decoded, place: Point, operands: Sequence[Row]) -> Edges:
        instruction = decoded.instruction
        onward = Point(place.address + 1, place.address, place.returns)
        match instruction.role:
            case "branch":
                assert instruction.relation is not None
                taken = instruction.relation(self.unit, *[row[instruction.lane] for row in operands])
                self.jump(taken)
                return (onward._replace(address=decoded.target), taken), (onward, None)
            case "jump":
                return ((onward._replace(address=decoded.target), None),)
            case "call":
                return ((Point(decoded.target, place.address, returns=onward.address), None),)
            case "return":
                return ((onward._replace(address=place.returns), None),)
        return ((onward, None),)

    # --- Results ------------------------------------------------------------------------------------------------------

    def _value(self, decoded: Decoded, address: int, operands: Sequence[Any]) -> Row:
        """What an instruction makes for its destination."""
        a, instruction = self.unit, decoded.instruction
        if instruction.compute is not None:
            return instruction.compute(a, *operands)
        match instruction.role:
            case "address":
                return (a.iconst(address + 1),) * LANES
            case "read":
                return self.texels(operands[0])
            case "write":
                self.leave(*operands)
        return (a.iconst(0),) * LANES

    def _put(self, register: int, value: Sequence[Number]) -> None:
        """Write the first lanes of a register."""
        for (name, given), lane in zip(self._cells(register), value, strict=False):
            self.lanes.write(name, lane, given=given)

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _operands(self, found: Issue, address: int) -> list[Any]:
        """The sources; of an instruction with an immediate, the old destination and this."""
        operands: list[Any] = [self._read(source) for source in found.sources]
        if found.decoded.instruction.format is instructions.IMMEDIATE:
            is_swizzle = found.decoded.instruction.shape == "DW"
            operands.append(found.decoded.immediate if is_swizzle else self._immediate(address))
        return operands

    def _immediate(self, address: int) -> Number:
        index = self.program.index_of(address)
        assert index is not None
        return self.lanes.constant(immediate_word(index), self.word)

    def _read(self, source: int) -> Row:
        read, word = self.lanes.read, self.word
        if source == FORWARDED:
            return tuple([read(name, word) for name in _FORWARDED])
        if source == ZEROS:
            return (self.unit.iconst(0),) * LANES
        return tuple([read(name, word, given) for name, given in self._cells(source)])

    def _cells(self, register: int) -> Sequence[tuple[str, Key]]:
        return _cells(register, register in self._varying)


@lru_cache(maxsize=2 * REGISTERS)
def _cells(register: int, is_varying: bool) -> tuple[tuple[str, Key], ...]:
    """The variables of a register's lanes, and what they begin with."""
    keys = [(register, lane) if is_varying else Word(lane_word(register, lane)) for lane in range(LANES)]
    return tuple((f"R{register}.{lane}", key) for lane, key in enumerate(keys))


def written_registers(program: Program) -> list[int]:
    """The registers that a program may write."""
    decoded = [found for word in program.words if (found := instructions.decode(word)) is not None]
    addresses = {found.destination for found in decoded if found.instruction.has_destination}
    return sorted({physical(address, program.variant) for address in addresses if is_written(address, program.variant)})


def lanes_of(registers: Iterable[int]) -> list[Key]:
    """Their lanes, as `kept` takes them."""
    return [(register, lane) for register in registers for lane in range(LANES)]
