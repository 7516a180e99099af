"""A program translated for this computer, on what `compiler/native/translation.py` offers.

In: a program and where it begins.  Out: `TranslatedProgram`, which does to a machine of `state.py` what the
interpreter does, but leaves only what becomes of the pixels, and counts no cycles.

A program point is an address, the address that was executed before it (whose result it may read ahead of its
register), and where RET would go.  What would hang the hardware is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from backends.theia.isa import instructions
from backends.theia.isa.instructions import Decoded
from backends.theia.isa.numbers import WORD_MASK
from backends.theia.isa.program import Program
from backends.theia.isa.registers import is_written, physical
from backends.theia.machine.state import Machine
from backends.theia.machine.translate_alu import HostUnit, Lane, Row
from compiler.arithmetic.lanes import Array
from compiler.native import machine as host
from compiler.native.emitter import Value
from compiler.native.translation import Key, LaneState, TranslatedCode, Translator, refuse

#: Keys of the texture, of the words that leave at the first addresses, and of whether any do.
_TEXTURE, _OUTPUT, _WRITES = "texture", "output", "writes"
#: Addresses of the output that a pixel has: red, green, blue.
_ADDRESSES = 3
#: Textures larger than this are not turned into arrays.
_LARGEST_TEXTURE = 1 << 24
_WORD_BYTES = 4
_NONE = -1

_MULP, _TMREAD = (instructions.BY_NAME[name].code for name in ("MULP", "TMREAD"))


class TranslatedProgram:
    """A program as a function of this computer; of the registers it leaves the lanes that are `kept`.

    Immediate values, and registers that are not `varying`, are the same for all pixels; they are read when it runs.
    """

    def __init__(self, program: Program, start: int, kept: Sequence[Key], varying: Collection[int]) -> None:
        translator = _Translator(program, start, kept, varying)
        self._code = TranslatedCode(translator)
        self._kept = kept
        self._shared = translator.shared

    def __call__(self, machine: Machine, max_steps: int) -> tuple[Array, Array]:
        """The words of each pixel at the first addresses, and which pixels wrote any."""
        lanes = machine.count
        rows = {key: self._row(key, machine) for key in self._code.inputs}
        found = self._code.run(LaneState(lanes, rows, self._words(machine), max_steps=max_steps))
        for register, lane in self._kept:
            row = np.broadcast_to(machine.row_of(register), (3, lanes)).copy()
            row[lane] = found[register, lane]
            machine.set_row(register, row)
        output, writes = np.zeros((lanes, 4), np.int64), np.zeros(lanes, np.bool_)
        if _WRITES in found:
            writes = found[_WRITES] != 0
            for address in range(_ADDRESSES):
                output[:, address] = found[_OUTPUT, address]
        return output, writes

    def _words(self, machine: Machine) -> Array:
        """The low halves of the program's words, then the registers that all pixels share."""
        words = list(machine.program.words)
        words += [int(machine.row_of(register)[lane].item()) for register, lane in self._shared]
        return np.array([word & WORD_MASK for word in words], np.uint32).view(np.int32)

    @staticmethod
    def _row(key: Key, machine: Machine) -> Array | bytes:
        if key != _TEXTURE:
            register, lane = key
            row: Array = machine.row_of(register)
            return np.broadcast_to(row[lane], (machine.count,))
        size = max(machine.texture, default=-1) + 1
        if size > _LARGEST_TEXTURE:
            refuse(f"a texture of {size} words")
        # Behind the texture's end words are 0.
        words = np.zeros(size + 1, np.uint32)
        words[list(machine.texture)] = list(machine.texture.values())
        return words.tobytes()


class _Point(NamedTuple):
    address: int
    previous: int = _NONE
    returns: int = _NONE


class _Translator(Translator[_Point]):
    def __init__(self, program: Program, start: int, kept: Sequence[Key], varying: Collection[int]) -> None:
        super().__init__(host.host().width)
        #: Lanes of registers that all pixels share, with the word of the constants that holds each.
        self.shared: dict[Key, int] = {}
        self._varying = varying
        self._program = program
        self._first = start
        self._kept = kept
        self._unit = HostUnit(self.emitter, program.variant)
        self._has_output = False

    @property
    def start(self) -> _Point:
        return _Point(self._first)

    def followers(self, point: _Point) -> Sequence[_Point]:
        decoded = self._decoded(point.address)
        onward = _Point(point.address + 1, point.address, point.returns)
        there = onward._replace(address=decoded.target)
        match decoded.instruction.role:
            case "end":
                return ()
            case "branch":
                return there, onward
            case "jump":
                return (there,)
            case "call":
                return (there._replace(returns=point.address + 1),)
            case "return":
                return (onward._replace(address=point.returns),)
        return (onward,)

    def _decoded(self, address: int) -> Decoded:
        index = self._program.index_of(address)
        if index is None:
            refuse(f"address {address & 0xFFFF:04x}, outside of the program")
        decoded = instructions.decode(self._program.words[index])
        if decoded is None or decoded.instruction.cycles(self._program.variant) is None:
            refuse(f"the instruction at {address:04x}, which never completes")
        return decoded

    # --- Emission -----------------------------------------------------------------------------------------------------

    def emit(self, point: _Point) -> Sequence[Value]:
        decoded = self._decoded(point.address)
        before = None if point.previous == _NONE else self._decoded(point.previous)
        instruction = decoded.instruction
        if instruction.role == "end":
            if before is None:
                refuse("RETURN as the first instruction, which never completes")
            return ()
        if instruction.code == _TMREAD and before is not None and before.instruction.code == _TMREAD:
            refuse(f"TMREAD directly after TMREAD at {point.address:04x}, which never completes")
        self._settle_mulp(decoded, before, point.address)
        first, second = self._operands(decoded, before, point.address)
        value, conditions = self._executed(decoded, point, first, second)
        keeps = instruction.role == "return" and self._program.variant != "icarus"
        if instruction.has_destination and not keeps:
            self._write(decoded.destination, value)
        for lane, number in enumerate(value):
            self.write(_forwarded(lane), number)
        return conditions

    def finish(self) -> None:
        for register, lane in self._kept:
            self.output((register, lane), self._stored(register, lane), "i32")
        if self._has_output:
            for address in range(_ADDRESSES):
                self.output((_OUTPUT, address), self.read(_word(address), self.emitter.i32), "i32")
            self.output(
                _WRITES, self.emitter.convert("zext", self.read(_WRITES, self.emitter.mask), self.emitter.i32), "i32"
            )

    def input(self, key: Key, element: str = "float") -> Value:
        """A register's lane as the program finds it."""
        register, _ = key
        if register in self._varying:
            return super().input(key, element)
        return self.constant(self.shared.setdefault(key, len(self._program.words) + len(self.shared)), element)

    def _executed(
        self, decoded: Decoded, point: _Point, first: Row, second: Row | Lane | int
    ) -> tuple[Row, Sequence[Value]]:
        """What an instruction makes for its destination, and whether it jumps."""
        unit, instruction = self._unit, decoded.instruction
        zeros = self._splat(unit.iconst(0))
        if instruction.relation is not None:
            assert isinstance(second, Row)
            return zeros, [instruction.relation(unit, first[instruction.lane], second[instruction.lane])]
        match instruction.role:
            case "compute":
                assert instruction.compute is not None
                return Row(instruction.compute(unit, first, second)), ()
            case "return":
                return (first if instruction.compute is None else Row(instruction.compute(unit, first, second))), ()
            case "address":
                return self._splat(unit.iconst(point.address + 1)), ()
            case "read":
                return Row(self._texel(address) for address in first), ()
            case "write":
                assert isinstance(second, Row)
                self._leave(first, second)
        return zeros, ()

    def _splat(self, lane: Lane) -> Row:
        return Row((lane, lane, lane))

    def _texel(self, address: Lane) -> Lane:
        """The texture's word at an address; 0 after its end."""
        emitter = self.emitter
        base, size = self.memory(_TEXTURE)
        last = emitter.broadcast(emitter.value("i64", f"sub {emitter.value('i64', f'udiv {size}, {_WORD_BYTES}')}, 1"))
        index = emitter.convert("zext", address, emitter.i64)
        index = emitter.intrinsic("umin", index.type, index, last)
        return emitter.gather(emitter.i32, emitter.element(base, index, "i32"))

    def _leave(self, addresses: Row, words: Row) -> None:
        """Words that leave at the first addresses."""
        emitter = self.emitter
        self._has_output = True
        self.write(_WRITES, emitter.splat("i1", "true"))
        for wanted, word in zip(addresses, words, strict=True):
            for address in range(_ADDRESSES):
                here = emitter.compare("icmp eq", wanted, emitter.ints(address))
                self.write(_word(address), word, here)

    # --- Registers ----------------------------------------------------------------------------------------------------

    def _operands(self, decoded: Decoded, before: Decoded | None, address: int) -> tuple[Row, Row | Lane | int]:
        """Both sources; of an instruction with an immediate, the old destination and this."""
        if decoded.instruction.format is not instructions.IMMEDIATE:
            return self._read(decoded.first, before), self._read(decoded.second, before)
        is_swizzle = decoded.instruction.shape == "DW"
        return self._read(decoded.destination, before), decoded.immediate if is_swizzle else self._immediate(address)

    def _immediate(self, address: int) -> Lane:
        index = self._program.index_of(address)
        assert index is not None
        return self.constant(index, "i32")

    def _read(self, address: int, before: Decoded | None) -> Row:
        """A register's row, or what the instruction before has just made for it."""
        if before is not None and address == (before.target if before.instruction.is_jump else before.destination):
            return Row(self._get(_forwarded(lane)) for lane in range(3))
        register = physical(address, self._program.variant)
        return Row(self._stored(register, lane) for lane in range(3))

    def _stored(self, register: int, lane: int) -> Lane:
        return self._get(_name(register, lane), (register, lane))

    def _get(self, name: str, given: Key = None) -> Lane:
        return self.read(name, self.emitter.i32, given)

    def _write(self, address: int, value: Sequence[Lane]) -> None:
        """The first lanes of a register."""
        if is_written(address, self._program.variant):
            for lane, number in enumerate(value):
                self.write(_name(physical(address, self._program.variant), lane), number)

    def _settle_mulp(self, decoded: Decoded, before: Decoded | None, address: int) -> None:
        """Lanes x and y of MULP's result are those of the next instruction's first source, or its immediate value."""
        if before is None or before.instruction.code != _MULP:
            return
        if decoded.instruction.format is instructions.IMMEDIATE:
            own = [self._immediate(address), self._unit.iconst(0)]
        else:
            register = physical(decoded.first, self._program.variant)
            own = [self._stored(register, lane) for lane in range(2)]
        self._write(before.destination, own)


def _name(register: int, lane: int) -> str:
    return f"R{register}.{lane}"


def _forwarded(lane: int) -> str:
    """The variable with a lane of the result of the instruction before."""
    return f"forwarded{lane}"


def _word(address: int) -> str:
    return f"{_OUTPUT}{address}"
