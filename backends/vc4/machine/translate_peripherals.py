"""Code of the peripherals at the addresses above 31: `peripherals.py` again, emitted.

How far streams are read and what waits in which TMU is known beforehand: it is part of a `ProgramPoint`.  What the
interpreter finds out from values, and what a driver refuses anyway, is not translated: computed VPM setups, for
instance.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.vc4.isa import registers
from backends.vc4.isa.fixed_function import VPM_ROWS, vpm_setup_of
from backends.vc4.isa.instructions import Signal
from backends.vc4.isa.uniforms import BUFFER_ADDRESS, BUFFER_SPACING, Slot, TextureKind, Uniform, word_of
from backends.vc4.machine.peripherals import LETTERS
from backends.vc4.machine.translate_arithmetic import HostQpu, byte_of_share
from compiler.native.emitter import Value
from compiler.native.sampling import BY_LEVEL, BY_STEPS
from compiler.native.translation import Translator, refuse
from compiler.records import dataclass, replace

#: First parts of the keys of inputs and outputs.
REGISTER, PAYLOAD, VPM, VARYING, COLOUR = "register", "payload", "vpm", "varying", "colour"
TLB, TLB_LANES = "tlb", "lanes"
#: (file, number) of registers beside the files that hold values, and the attributes of `Inputs` that they begin with.
PAYLOADS = {(0, 41): "x_coord", (1, 41): "y_coord", (0, 42): "ms_mask", (1, 42): "rev_flag"}
_ELEMENT_NUMBER = (0, 38)


@dataclass(frozen=True, slots=True)
class Unit:
    """A TMU: the coordinates and parameters that it has got for the next request, and the results that wait, each
    by the address of its request."""

    letters: str = ""
    parameters: tuple[Uniform | None, ...] = ()
    results: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """A run of VPM rows."""

    row: int
    stride: int
    left: int


@dataclass(frozen=True, slots=True)
class ProgramPoint:
    """The state before an instruction, as far as it does not depend on values."""

    pc: int = 0
    #: How many words of the uniform stream, and varyings, were read.
    uniform: int = 0
    varying: int = 0
    reads: Rows | None = None
    writes: Rows | None = None
    units: tuple[Unit, Unit] = (Unit(), Unit())
    #: Instructions until something happens; 0 if nothing is to happen.
    branch_in: int = 0
    switch_in: int = 0
    end_in: int = 0
    #: Where the branch goes, and whether it is certain to go there.
    target: int = 0
    always: bool = False


class PeripheralCode:
    """Emits reads and writes; `point` moves on with them."""

    def __init__(
        self, translator: Translator[ProgramPoint], a: HostQpu, stream: Sequence[Uniform | None], resets: Sequence[int]
    ) -> None:
        self._translator = translator
        self._a = a
        #: Slots and words; None for words that are known at run time.
        self._stream = stream
        #: By address: the word of the stream that follows a reset there.
        self._resets = resets
        self.point = ProgramPoint()
        #: Numbers of sources of textures in the order of the table.
        self.textures: list[int] = []
        #: Numbers of buffers.
        self.buffers = sorted({slot.source for slot in stream if isinstance(slot, Slot) and slot.kind == "buffer"})
        #: Address -> TLB register of each write.
        self.tlb: dict[int, int] = {}
        self.vpm_rows: set[int] = set()

    # --- Words of the constants ---------------------------------------------------------------------------------------

    @property
    def quads_word(self) -> int:
        return len(self._stream)

    def buffer_words(self, number: int) -> tuple[int, int]:
        """The word with the position of a buffer, and that with the number of its last word."""
        first = self.quads_word + 1 + 2 * self.buffers.index(number)
        return first, first + 1

    # --- Reads --------------------------------------------------------------------------------------------------------

    def read(self, file: int, number: int) -> Value:
        """A register beside the files."""
        if number == registers.UNIFORM_READ:
            return self._uniform_word()
        if number == registers.VARYING_READ:
            self.point = replace(self.point, varying=self.point.varying + 1)
            return self._translator.input((VARYING, self.point.varying - 1, 0), "i32")
        if number == registers.VPM_READ:
            return self._vpm(self._take("reads"))
        if (file, number) == _ELEMENT_NUMBER:
            return self._a.emitter.lane_numbers()
        return self._payload(file, number) if (file, number) in PAYLOADS else self._a.iconst(0)

    def varying_constant(self) -> Value:
        """The other part of the varying that was read last."""
        return self._translator.input((VARYING, self.point.varying - 1, 1), "i32")

    def _payload(self, file: int, number: int) -> Value:
        name = PAYLOADS[file, number]
        return self._translator.read(name, self._a.emitter.i32, given=(PAYLOAD, name))

    def _uniform(self) -> Uniform | None:
        index = self.point.uniform
        if index >= len(self._stream):
            refuse(f"uniform {index} of {len(self._stream)}, which word {self.point.pc} reads")
        self.point = replace(self.point, uniform=index + 1)
        return self._stream[index]

    def _uniform_word(self) -> Value:
        index, slot = self.point.uniform, self._uniform()
        if isinstance(slot, Slot) and slot.kind == "texture":
            refuse(f"uniform {index}, a parameter of a texture that is read as a number")
        return self._translator.constant(index, "i32") if slot is None else self._a.iconst(word_of(slot) or 0)

    def _vpm(self, row: int) -> Value:
        return self._translator.read(_row(row), self._a.emitter.i32, given=(VPM, row))

    def _take(self, kind: str) -> int:
        """The next row of reads or writes."""
        rows: Rows | None = getattr(self.point, kind)
        if rows is None or not rows.left:
            refuse(f"word {self.point.pc}, for whose VPM access there is no setup")
        rest = Rows((rows.row + rows.stride) % VPM_ROWS, rows.stride, rows.left - 1)
        self.point = replace(self.point, reads=rest) if kind == "reads" else replace(self.point, writes=rest)
        return rows.row

    # --- Writes -------------------------------------------------------------------------------------------------------

    def write(self, file: int, number: int, values: Value, lanes: Value | None) -> None:
        """A register beside the files and accumulators, in some lanes (None: all)."""
        if number in registers.TMU:
            self._texture(number, values)
        elif number in registers.TLB:
            self._tile(number, values, lanes)
        elif number == registers.VPM:
            row = self._take("writes")
            self.vpm_rows.add(row)
            self._vpm(row)
            self._translator.write(_row(row), values, lanes)
        elif number == registers.VPM_SETUP:
            self._set_up(file, values)
        elif number == registers.UNIFORM_ADDRESS:
            self._reset(file)
        elif number == registers.VPM_ADDRESS:
            refuse("transfers between VPM and memory")
        elif (file, number) in PAYLOADS:
            self._payload(file, number)
            self._translator.write(PAYLOADS[file, number], values, lanes)

    def _reset(self, file: int) -> None:
        """By the rules of the driver the stream continues with what the program reads next."""
        if file or not self._resets:
            refuse("addresses of uniforms that the driver would refuse")
        self.point = replace(self.point, uniform=self._resets[self.point.pc])

    def _set_up(self, file: int, values: Value) -> None:
        word = constant_of(values)
        setup = None if word is None else vpm_setup_of(word)
        if setup is None:
            refuse(f"the VPM setup at word {self.point.pc}")
        if file == 0:
            self.point = replace(self.point, reads=Rows(*setup))
        else:
            self.point = replace(self.point, writes=Rows(setup.row, setup.stride, VPM_ROWS))

    def _tile(self, number: int, values: Value, lanes: Value | None) -> None:
        pc, a = self.point.pc, self._a
        self.tlb[pc] = number
        self._translator.write(f"{TLB}{pc}", values)
        everywhere = a.iconst(1)
        chosen = everywhere if lanes is None else a.select(lanes, everywhere, a.iconst(0))
        self._translator.write(f"{TLB_LANES}{pc}", chosen)

    # --- TMU ----------------------------------------------------------------------------------------------------------

    def _texture(self, number: int, values: Value) -> None:
        index, letter = divmod(number - registers.TMU.start, 4)
        unit = self.point.units[index]
        if letter == 0 and not unit.letters:
            self._finish_request(index, unit, self._load(values))
            return
        self._translator.write(f"tmu{index}{LETTERS[letter]}", values)
        parameters = (*unit.parameters, self._uniform())
        unit = replace(unit, letters=unit.letters + LETTERS[letter], parameters=parameters)
        if letter == 0:
            self._finish_request(index, replace(unit, letters="", parameters=()), self._sample(index, unit))
        else:
            self._set_unit(index, unit)

    def _finish_request(self, index: int, unit: Unit, value: Value) -> None:
        pc = self.point.pc
        if pc in unit.results:
            refuse(f"two results of the request at word {pc}, which wait together")
        self._translator.write(_result(pc), value)
        self._set_unit(index, replace(unit, results=(*unit.results, pc)))

    def _set_unit(self, index: int, unit: Unit) -> None:
        first, second = self.point.units
        self.point = replace(self.point, units=(first, unit) if index else (unit, second))

    def load_r4(self, signal: int) -> Value:
        """What a signal puts into r4."""
        if signal in (Signal.LOADC, Signal.LDCEND):
            return self._translator.input((COLOUR,), "i32")
        if signal not in (Signal.LDTMU0, Signal.LDTMU1):
            refuse(f"the signal {Signal(signal).name.lower()}")
        index = signal - Signal.LDTMU0
        unit = self.point.units[index]
        if not unit.results:
            refuse(f"word {self.point.pc}, which waits for a result that was never requested")
        self._set_unit(index, replace(unit, results=unit.results[1:]))
        return self._translator.read(_result(unit.results[0]), self._a.emitter.i32)

    def _load(self, address: Value) -> Value:
        """Words of buffers; a load outside of them, which the interpreter refuses, reads the nearest word."""
        a, emitter = self._a, self._a.emitter
        offset = a.isub(address, a.iconst(BUFFER_ADDRESS))
        number, byte = a.idiv(offset, a.iconst(BUFFER_SPACING)), a.bits_and(offset, a.iconst(BUFFER_SPACING - 1))
        first = last = a.iconst(0)
        for buffer in self.buffers:
            here = a.ieq(number, a.iconst(buffer))
            words = [self._translator.constant(word, "i32") for word in self.buffer_words(buffer)]
            first, last = (a.select(here, x, y) for x, y in zip(words, (first, last), strict=True))
        index = emitter.intrinsic("umin", byte.type, a.shr(byte, a.iconst(2)), last)
        return self._translator.constant_at(emitter.convert("zext", a.iadd(first, index), emitter.i64), "i32")

    def _sample(self, index: int, unit: Unit) -> Value:
        first = unit.parameters[0]
        if not isinstance(first, Slot) or first.kind != "texture":
            refuse(f"a texture's parameter that is a number, at word {self.point.pc}")
        if first.source not in self.textures:
            self.textures.append(first.source)
        kind = TextureKind.of(first.source)
        is_cube = "r" in unit.letters
        coordinates = [self._coordinate(index, letter) for letter in ("str" if is_cube else "st")]
        level = self._coordinate(index, "b") if "b" in unit.letters else self._a.emitter.doubles(0.0)
        arguments = [*coordinates, level, *self._translator.lookup.steps(coordinates)]
        number = self.textures.index(first.source)
        colour = self._translator.lookup.emit(number, self._mode(kind), arguments, is_cube=is_cube)
        return self._word(colour, kind)

    def _coordinate(self, index: int, letter: str) -> Value:
        word = self._translator.read(f"tmu{index}{letter}", self._a.emitter.i32)
        return self._translator.lookup.wide(self._a.floats(word))

    def _mode(self, kind: TextureKind) -> int | Value:
        """Whether the level depends on neighbours."""
        if kind.has_level:
            return BY_LEVEL
        emitter = self._a.emitter
        quads = emitter.value("i1", f"icmp ne {self._translator.scalar_constant(self.quads_word)}, 0")
        return emitter.select(quads, Value(str(BY_STEPS), "i64"), Value(str(BY_LEVEL), "i64"))

    def _word(self, colour: Sequence[Value], kind: TextureKind) -> Value:
        """One channel as a float, or four bytes."""
        a, emitter = self._a, self._a.emitter
        if kind.channel is not None:
            return a.words(emitter.convert("fptrunc", colour[kind.channel], emitter.float))
        word = a.iconst(0)
        for number, channel in enumerate(colour):
            word = a.bits_or(word, a.shl(byte_of_share(a, channel), a.iconst(8 * number)))
        return word


def constant_of(value: Value) -> int | None:
    """The word that a value is in all lanes, if that can be seen."""
    prefix = "splat (i32 "
    return int(value.text.removeprefix(prefix)[:-1]) & 0xFFFFFFFF if value.text.startswith(prefix) else None


def _row(number: int) -> str:
    return f"{VPM}{number}"


def _result(pc: int) -> str:
    """The variable with the result of the request at an address."""
    return f"result{pc}"
