"""The peripherals at the addresses above 31: uniforms, varyings, VPM, TMUs and tile buffer.

Textures and buffers are found by the slots of the uniform stream, not in a memory image.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.fixed_function import vpm_setup_of
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.backends.vc4.isa.uniforms import (
    BUFFER_ADDRESS,
    BUFFER_SPACING,
    STREAM_ADDRESS,
    Slot,
    TextureKind,
    Uniform,
    word_of,
)
from glslc_multi.backends.vc4.machine.arithmetic import QpuArithmetic
from glslc_multi.backends.vc4.machine.packing import word_of_colour
from glslc_multi.backends.vc4.machine.place import Rows, Streams, Unit
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes

#: First parts of the keys of inputs and outputs.
PAYLOAD, VPM, VARYING, COLOUR, TILE, TILE_LANES = "payload", "vpm", "varying", "colour", "tile", "tile lanes"
#: What a lane says of a write to the tile buffer, if its group came there.
PASSED, WRITTEN = 1, 2
#: (file, number) of registers beside the files that hold values, and the attributes of `Inputs` that they begin with.
PAYLOADS: Mapping[tuple[int, int], str] = {
    (0, 41): "x_coord",
    (1, 41): "y_coord",
    (0, 42): "ms_mask",
    (1, 42): "rev_flag",
}
_ELEMENT_NUMBER = (0, 38)
#: Coordinates in the order of a TMU's registers.
_LETTERS = "strb"


def texture_sources(stream: Sequence[Uniform | None]) -> list[int]:
    """The sources of textures in the order of the table of textures."""
    return list(dict.fromkeys(slot.source for slot in stream if isinstance(slot, Slot) and slot.kind == "texture"))


def buffer_sources(stream: Sequence[Uniform | None]) -> list[int]:
    """The sources of buffers in their order.

    The words of constants are those of the stream; then of each buffer its first word's number and its length; then
    those of the buffers.
    """
    return sorted({slot.source for slot in stream if isinstance(slot, Slot) and slot.kind == "buffer"})


class Peripherals:
    """All peripherals of the QPUs that run a program; `uniform` and `streams` move on with reads and writes."""

    def __init__(
        self,
        lanes: Lanes,
        a: QpuArithmetic,
        stream: Sequence[Uniform | None],
        resets: Callable[[], Sequence[int]],
    ) -> None:
        self._lanes = lanes
        self._a = a
        #: Slots and words; None for words that are known at run time only.
        self._stream = stream
        #: Makes a list: by address the word of the stream that follows a reset there, by the rules of the driver.
        self._resets = resets
        self._textures = texture_sources(stream)
        self._buffers = buffer_sources(stream)
        #: Words of the stream that were read already.
        self._known: dict[int, Number] = {}
        self.pc = self.uniform = 0
        self.streams = Streams()
        #: Rows and tile buffer's registers that were written: the latter with the how manieth write it was.
        self.rows: set[int] = set()
        self.tile: set[tuple[int, int]] = set()

    # --- Reads --------------------------------------------------------------------------------------------------------

    def read(self, file: int, number: int) -> Number:
        """A register beside the files; each port is read once an instruction."""
        if number == registers.UNIFORM_READ:
            index = self.uniform
            if index in self._known:
                self.uniform = index + 1
                return self._known[index]
            slot = self._uniform()
            if slot is None:
                return self._lanes.constant(index, "i32")
            word = word_of(slot)
            if word is None:
                self._lanes.fault(f"uniform {index}, a parameter of a texture, is read as a number")
            self._known[index] = self._a.literal(word)
            return self._known[index]
        if number == registers.VARYING_READ:
            self.streams = self.streams._replace(varying=self.streams.varying + 1)
            return self._varying(0)
        if number == registers.VPM_READ:
            rows = self.streams.reads
            if rows is None:
                self._lanes.fault("the VPM is read without a setup")
            if not rows.left:
                self._lanes.fault("the VPM is read for more rows than were set up")
            self.streams = self.streams._replace(reads=rows.rest)
            return self._a.looked_at(self._row(rows.row))
        if (file, number) == _ELEMENT_NUMBER:
            return self._lanes.lane_numbers()
        return self._payload(PAYLOADS[file, number]) if (file, number) in PAYLOADS else self._a.iconst(0)

    def varying_constant(self) -> Number:
        """The other part of the varying that was read last."""
        return self._varying(1)

    def _varying(self, part: int) -> Number:
        return self._a.looked_at(self._lanes.input((VARYING, self.streams.varying - 1, part), "i32"))

    def _payload(self, name: str) -> Number:
        return self._lanes.read(name, "i32", (PAYLOAD, name))

    def _uniform(self) -> Uniform | None:
        index = self.uniform
        if index >= len(self._stream):
            self._lanes.fault(f"uniform {index} of {len(self._stream)} is read")
        self.uniform = index + 1
        return self._stream[index]

    def _row(self, number: int) -> Number:
        return self._lanes.read(f"{VPM}{number}", "i32", (VPM, number))

    def _row_that_is_written(self) -> int:
        rows = self.streams.writes
        if rows is None:
            self._lanes.fault("the VPM is written without a setup")
        self.streams = self.streams._replace(writes=rows.rest)
        return rows.row

    # --- Writes -------------------------------------------------------------------------------------------------------

    def write(self, file: int, number: int, value: Number, where: Number | None) -> None:
        """A register beside the files and accumulators, in some lanes (None: in all)."""
        if number in registers.TMU:
            self._texture(number, value)
        elif number in registers.TLB:
            self._write_tile(number, value, where)
        elif number == registers.VPM:
            row = self._row_that_is_written()
            self.rows.add(row)
            self._row(row)
            self._lanes.write(f"{VPM}{row}", value, where)
        elif number == registers.VPM_SETUP:
            word = self._lanes.known(value)
            if word is None:
                self._lanes.fault("the VPM setup is not the same in all lanes, or not known beforehand")
            setup = vpm_setup_of(word & 0xFFFFFFFF)
            if setup is None:
                self._lanes.fault(f"VPM setup 0x{word & 0xFFFFFFFF:08x} is not of horizontal rows of 32-bit words")
            if file == 0:
                self.streams = self.streams._replace(reads=Rows(*setup))
            else:
                self.streams = self.streams._replace(writes=Rows(setup.row, setup.stride))
        elif number == registers.UNIFORM_ADDRESS:
            self._move_uniforms(file, value)
        elif number == registers.VPM_ADDRESS:
            self._lanes.fault("transfers between VPM and memory are not simulated")
        elif (file, number) in PAYLOADS:
            # Lanes that keep what they have find it there.
            self._payload(PAYLOADS[file, number])
            self._lanes.write(PAYLOADS[file, number], value, where)

    def _write_tile(self, number: int, value: Number, where: Number | None) -> None:
        count = self.streams.tile
        self.tile.add((count, number))
        self._lanes.write(f"{TILE}{count}.{number}", value)
        written, passed = self._a.iconst(WRITTEN), self._a.iconst(PASSED)
        chosen = written if where is None else self._a.select(where, written, passed)
        self._lanes.write(f"{TILE_LANES}{count}.{number}", chosen)
        self.streams = self.streams._replace(tile=count + 1)

    def _move_uniforms(self, file: int, value: Number) -> None:
        """Where the address is not known, the stream goes on with what the program reads next, as the driver wants."""
        if file:
            self._lanes.fault("relative addresses of uniforms are not simulated")
        address = self._lanes.known(value)
        resets = self._resets() if address is None else ()
        if address is None and not resets:
            self._lanes.fault("the address of uniforms is not the same in all lanes, or not known beforehand")
        distance = 4 * resets[self.pc] if address is None else (address & 0xFFFFFFFF) - STREAM_ADDRESS
        if distance % 4 or not 0 <= distance <= 4 * len(self._stream):
            self._lanes.fault(f"the address of uniforms is {distance} bytes after the stream's start")
        self.uniform = distance // 4

    def finish(self) -> None:
        """Hand out what was written."""
        for row in sorted(self.rows):
            self._lanes.output((VPM, row), self._row(row), "i32")
        for count, number in sorted(self.tile):
            for space in (TILE, TILE_LANES):
                self._lanes.output((space, count, number), self._lanes.read(f"{space}{count}.{number}", "i32"), "i32")

    # --- TMU and tile buffer ------------------------------------------------------------------------------------------

    def _texture(self, number: int, value: Number) -> None:
        index, letter = divmod(number - registers.TMU.start, len(_LETTERS))
        unit = self.streams.units[index]
        if letter == 0 and not unit.letters:
            self._answer(index, unit, self._load(value))
            return
        self._lanes.write(f"t{index}{_LETTERS[letter]}", value)
        unit = Unit(unit.letters + _LETTERS[letter], (*unit.parameters, self._uniform()), unit.results)
        if letter == 0:
            self._answer(index, unit, self._sample(index, unit))
        else:
            self._set_unit(index, unit)

    def _answer(self, index: int, unit: Unit, value: Number) -> None:
        """The result of a request waits in the first variable that is free."""
        free = min(set(range(len(unit.results) + 1)) - set(unit.results))
        self._lanes.write(_result(index, free), value)
        self._set_unit(index, Unit(results=(*unit.results, free)))

    def _set_unit(self, index: int, unit: Unit) -> None:
        first, second = self.streams.units
        self.streams = self.streams._replace(units=(first, unit) if index else (unit, second))

    def load_r4(self, signal: int) -> Number:
        """What a signal puts into r4."""
        if signal in (Signal.LOADC, Signal.LDCEND):
            return self._lanes.input((COLOUR,), "i32")
        if signal not in (Signal.LDTMU0, Signal.LDTMU1):
            self._lanes.fault(f"the signal {Signal(signal).name.lower()} is not simulated")
        index = signal - Signal.LDTMU0
        unit = self.streams.units[index]
        if not unit.results:
            self._lanes.fault(f"TMU {index} has no result: the program would wait forever")
        self._set_unit(index, unit._replace(results=unit.results[1:]))
        return self._lanes.read(_result(index, unit.results[0]), "i32")

    def _load(self, address: Number) -> Number:
        """Words of buffers; outside of them the nearest word, where nobody looks at it."""
        a, lanes = self._a, self._lanes
        offset = a.isub(address, a.iconst(BUFFER_ADDRESS))
        number, place = a.udiv(offset, a.iconst(BUFFER_SPACING)), a.bits_and(offset, a.iconst(BUFFER_SPACING - 1))
        first = length = a.iconst(0)
        for at, source in enumerate(self._buffers):
            here, entry = a.ieq(number, a.iconst(source)), len(self._stream) + 2 * at
            first = a.select(here, lanes.constant(entry, "i32"), first)
            length = a.select(here, lanes.constant(entry + 1, "i32"), length)
        word = a.shr(place, a.iconst(2))
        lanes.require(a.ult(word, length), "a load is outside of all buffers")
        last = a.isub(a.umax(length, a.iconst(1)), a.iconst(1))
        return lanes.constant_at(a.extended(a.iadd(first, a.umin(word, last))), "i32")

    def _sample(self, index: int, unit: Unit) -> Number:
        first = unit.parameters[0]
        if not isinstance(first, Slot) or first.kind != "texture":
            self._lanes.fault(f"there is no texture for the parameter {first}")
        kind, is_cube = TextureKind.of(first.source), "r" in unit.letters
        coordinate = [self._coordinate(index, letter) for letter in ("str" if is_cube else "st")]
        level = self._coordinate(index, "b") if "b" in unit.letters else self._a.dconst(0.0)
        number, by_steps = self._textures.index(first.source), not kind.has_level
        colour = self._lanes.sample(number, coordinate, level, by_steps=by_steps, is_cube=is_cube)
        if kind.channel is None:
            return word_of_colour(self._a, colour)
        return self._a.bits(self._a.narrowed(colour[kind.channel]))

    def _coordinate(self, index: int, letter: str) -> Number:
        return self._a.widened(self._a.number(self._lanes.read(f"t{index}{letter}", "i32")))


def _result(index: int, number: int) -> str:
    """The variable of a result that waits."""
    return f"t{index} result {number}"
