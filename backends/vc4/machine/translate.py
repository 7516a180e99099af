"""A program translated for this computer, on what `compiler/native/translation.py` offers.

In: the words of a program, and what kinds of things its uniform stream holds.  Out: `TranslatedProgram`, which gives
the result that the interpreter gives, of which registers and accumulators stay empty.

The 16 lanes of a group run together, here as on the machine, so branches are jumps.  A place is an address with all
that does not depend on values: how far streams were read, what waits in the TMUs, what happens in some words' time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from backends.vc4.isa import registers
from backends.vc4.isa.encoding import DELAY_SLOTS, Alu, Branch, Instruction, decode
from backends.vc4.isa.formats import NOWHERE, WORD_BYTES
from backends.vc4.isa.instructions import LANES, THREAD_ENDS, THREAD_SWITCHES, BranchCondition
from backends.vc4.isa.uniforms import Uniform, word_of
from backends.vc4.isa.validate_driver import check
from backends.vc4.machine.arithmetic import Words
from backends.vc4.machine.peripherals import Inputs, TlbWrite
from backends.vc4.machine.simulate import SIGNAL_SLOTS, Result
from backends.vc4.machine.state import Machine, SimulationFault, lanes_of
from backends.vc4.machine.translate_alu import UnitCode
from backends.vc4.machine.translate_arithmetic import HostQpu
from backends.vc4.machine.translate_peripherals import PAYLOAD, REGISTER, TLB, TLB_LANES, VARYING, VPM, Outside, Place
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.native.emitter import Value
from compiler.native.translation import Key, LaneState, TranslatedCode, Translator, refuse
from compiler.records import replace

_TAKEN = "taken"


class TranslatedProgram:
    """A program as a function of this computer.

    Of the uniform stream those words are known that are not None; `given` names the registers that hold values at the
    start.
    """

    def __init__(self, words: Sequence[int], stream: Sequence[Uniform | None], given: Collection[str] = ()) -> None:
        self._given = given
        self._translator = _Translator(words, stream, given)
        self._code = TranslatedCode(self._translator)

    def __call__(self, inputs: Inputs, max_steps: int) -> Result:
        """Run all groups."""
        if not inputs.registers.keys() <= set(self._given):
            refuse("registers that hold values at the start")
        rows = {key: self._row(key, inputs).ravel() for key in self._code.inputs}
        lanes = LANES * inputs.groups
        state = LaneState(lanes, rows, self._constants(inputs), self._textures(inputs), max_steps)
        return self._result(self._code.run(state), inputs.groups)

    def _constants(self, inputs: Inputs) -> Array:
        """The stream's words; whether there are quads; first and last word of each buffer, behind which they stand."""
        words = [word_of(slot) or 0 for slot in inputs.uniforms]
        buffers = [[int(word) for word in inputs.buffers.get(number, ())] for number in self._translator.buffers]
        quads = any(getattr(sampler, "quads", False) for sampler in inputs.textures.values())
        first = len(words) + 1 + 2 * len(buffers)
        data: list[int] = []
        directory: list[int] = []
        for buffer in buffers:
            directory += [first + len(data), max(len(buffer) - 1, 0)]
            data += buffer or [0]
        return np.array([*words, quads, *directory, *data], np.int64).astype(np.uint32).view(np.int32)

    def _textures(self, inputs: Inputs) -> list[Texture | None]:
        found: list[Texture | None] = []
        for number in self._translator.textures:
            if number not in inputs.textures:
                raise SimulationFault(f"there is no texture for the parameter {number}")
            texture = getattr(inputs.textures[number], "texture", None)
            if texture is None:
                refuse(f"texture {number}, which is a function of the interpreter's")
            found.append(texture)
        return found

    @staticmethod
    def _row(key: Key, inputs: Inputs) -> Array:
        match key:
            case (space, name) if space == REGISTER:
                value = inputs.registers.get(name, 0)
            case (space, name) if space == PAYLOAD:
                value = getattr(inputs, name)
            case (space, row) if space == VPM:
                value = inputs.vpm.get(row, 0)
            case (space, number, part) if space == VARYING:
                if number >= len(inputs.varyings):
                    raise SimulationFault(f"more than {len(inputs.varyings)} varyings are read")
                value = inputs.varyings[number][part]
            case _:
                value = inputs.colour
        return lanes_of(value, inputs.groups).view(np.int32)

    def _result(self, found: dict[Key, Array], groups: int) -> Result:
        shape = (groups, LANES)
        machine = Machine(np.arange(groups))
        for row in self._translator.vpm_rows:
            machine.vpm[row] = Words(found[VPM, row].view(np.uint32).reshape(shape))
        writes = [
            TlbWrite(number, found[TLB, pc].view(np.uint32).reshape(shape), found[TLB_LANES, pc].reshape(shape) != 0)
            for pc, number in sorted(self._translator.tlb.items())
        ]
        return Result(machine, tuple(writes), 0)


class _Translator(Translator[Place]):
    lanes_part = False

    def __init__(self, words: Sequence[int], stream: Sequence[Uniform | None], given: Collection[str]) -> None:
        super().__init__(LANES)
        self._program = [decode(word) for word in words]
        self._a = HostQpu(self.emitter)
        self._outside = Outside(self, self._a, stream, self._resets(words))
        self._unit = UnitCode(self, self._a, self._outside, given)
        self.textures, self.buffers = self._outside.textures, self._outside.buffers
        self.tlb, self.vpm_rows = self._outside.tlb, self._outside.vpm_rows

    def _resets(self, words: Sequence[int]) -> list[int]:
        """How many words of the stream the program has read up to each address, as the driver counts them; empty if
        the driver would refuse it."""
        if check(words).fault is not None:
            return []
        count, asked = 0, [False, False]
        counts = []
        for instruction in self._program:
            count += _reads_uniform(instruction)
            for number in (instruction.add.waddr, instruction.mul.waddr):
                if number in registers.TMU:
                    unit, letter = divmod(number - registers.TMU.start, 4)
                    count += letter > 0 or asked[unit]
                    asked[unit] = letter > 0
            counts.append(count)
        return counts

    @property
    def start(self) -> Place:
        return Place()

    def rank(self, place: Place) -> tuple[int, ...]:
        return place.pc, place.branch_in, place.uniform, hash(place)

    def followers(self, place: Place) -> Sequence[Place]:
        """Found by emitting code that is thrown away."""
        kept = len(self.emitter.lines)
        _, after = self._step(place)
        del self.emitter.lines[kept:]
        return after

    def emit(self, place: Place) -> Sequence[Value]:
        return self._step(place)[0]

    def finish(self) -> None:
        for row in sorted(self.vpm_rows):
            self.output((VPM, row), self.read(f"{VPM}{row}", self.emitter.i32), "i32")
        for pc in sorted(self.tlb):
            for space in (TLB, TLB_LANES):
                self.output((space, pc), self.read(f"{space}{pc}", self.emitter.i32), "i32")

    # --- Steps --------------------------------------------------------------------------------------------------------

    def _step(self, place: Place) -> tuple[Sequence[Value], Sequence[Place]]:
        """Emit an instruction; conditions, and the places that follow."""
        if place.pc >= len(self._program):
            refuse("a program that runs past its last word")
        instruction = self._program[place.pc]
        self._outside.place = place
        if isinstance(instruction, Branch):
            self._branch(place, instruction)
        elif isinstance(instruction, Alu):
            self._unit.run_alu(instruction)
        else:
            self._unit.run_load(instruction)
        return self._advance(self._outside.place, instruction)

    def _advance(self, place: Place, instruction: Instruction) -> tuple[Sequence[Value], Sequence[Place]]:
        """What comes behind an instruction."""
        if place.switch_in == 1:
            self._unit.lose()
        if place.end_in == 1:
            return (), ()
        after = replace(
            place,
            pc=place.pc + 1,
            branch_in=max(place.branch_in - 1, 0),
            switch_in=max(place.switch_in - 1, 0),
            end_in=max(place.end_in - 1, 0),
        )
        if instruction.signal in THREAD_SWITCHES:
            after = replace(after, switch_in=SIGNAL_SLOTS)
        elif instruction.signal in THREAD_ENDS and not after.end_in:
            after = replace(after, end_in=SIGNAL_SLOTS)
        if isinstance(instruction, Branch):
            target, always = self._target(place.pc, instruction), instruction.cond == BranchCondition.ALWAYS
            return (), (replace(after, branch_in=DELAY_SLOTS, target=target, always=always),)
        if place.branch_in != 1:
            return (), (after,)
        onward = replace(after, target=0, always=False)
        there = replace(onward, pc=place.target)
        if place.always:
            return (), (there,)
        return [self.read(_TAKEN, "i1")], (there, onward)

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _branch(self, place: Place, branch: Branch) -> None:
        """Find out whether the branch will be taken."""
        if place.branch_in:
            refuse(f"the branch at word {place.pc}, in the delay slots of another one")
        if branch.sf or branch.use_register or branch.waddr_add != NOWHERE or branch.waddr_mul != NOWHERE:
            refuse(f"the branch at word {place.pc}, which uses registers")
        if branch.cond == BranchCondition.ALWAYS:
            return
        if branch.cond not in BranchCondition.__members__.values():
            refuse(f"condition {branch.cond} of the branch at word {place.pc}")
        flag, false = self._unit.flags(branch.cond // 4), bool(branch.cond % 2)
        everywhere = self.emitter.splat("i1", "true")
        asks_any = bool(branch.cond & 2)
        # All are so if none is otherwise.
        if false == asks_any:
            flag = self.emitter.binary("xor", flag, everywhere)
        found = self.emitter.any(flag)
        self.write(_TAKEN, found if asks_any else self.emitter.value("i1", f"xor {found}, true"))

    def _target(self, pc: int, branch: Branch) -> int:
        address = branch.immediate + (pc + 1 + DELAY_SLOTS) * WORD_BYTES if branch.relative else branch.immediate
        word, rest = divmod(address & 0xFFFFFFFF, WORD_BYTES)
        if rest:
            refuse(f"the branch at word {pc}, which goes between instructions")
        if word <= pc and any(word <= write <= pc + DELAY_SLOTS for write in self._tile_writes()):
            refuse("a write to the tile buffer inside of a loop")
        return word

    def _tile_writes(self) -> list[int]:
        """Addresses of all writes to the tile buffer."""
        return [
            pc
            for pc, instruction in enumerate(self._program)
            if instruction.add.waddr in registers.TLB or instruction.mul.waddr in registers.TLB
        ]


def _reads_uniform(instruction: Instruction) -> bool:
    if not isinstance(instruction, Alu):
        return False
    in_b = instruction.raddr_b == registers.UNIFORM_READ and not instruction.has_small_immediate
    return instruction.raddr_a == registers.UNIFORM_READ or in_b
