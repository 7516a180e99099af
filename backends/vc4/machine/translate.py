"""A program translated for this computer, on what `compiler/native/translation.py` offers.

In: the words of a program, and what is known of its uniform stream.  Out: `TranslatedProgram`, whose result is
that of the interpreter, except that registers and accumulators stay empty.

The 16 lanes of a group run together, here as on the machine, so branches are jumps.  A program point is an address
with all that does not depend on values: how far streams were read, what waits in the TMUs, which branch or switch is
under way.
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
from backends.vc4.machine.translate_alu import AluCode
from backends.vc4.machine.translate_arithmetic import HostQpu
from backends.vc4.machine.translate_peripherals import (
    PAYLOAD,
    REGISTER,
    TLB,
    TLB_LANES,
    VARYING,
    VPM,
    PeripheralCode,
    ProgramPoint,
)
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.native.emitter import Value
from compiler.native.translation import Key, LaneState, TranslatedCode, Translator, refuse
from compiler.records import replace

_TAKEN = "taken"


class TranslatedProgram:
    """A program as a function of this computer.

    The words of the uniform stream that are None are known at run time only; `given` names the registers that hold
    values at the start.
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
        """The stream's words; whether there are quads; first and last word of each buffer; then the buffers."""
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


class _Translator(Translator[ProgramPoint]):
    lanes_part = False

    def __init__(self, words: Sequence[int], stream: Sequence[Uniform | None], given: Collection[str]) -> None:
        super().__init__(LANES)
        self._program = [decode(word) for word in words]
        self._a = HostQpu(self.emitter)
        self._peripherals = PeripheralCode(self, self._a, stream, self._resets(words))
        self._alu = AluCode(self, self._a, self._peripherals, given)
        self.textures, self.buffers = self._peripherals.textures, self._peripherals.buffers
        self.tlb, self.vpm_rows = self._peripherals.tlb, self._peripherals.vpm_rows

    def _resets(self, words: Sequence[int]) -> list[int]:
        """How many words of the stream the program has read up to each address, as the driver counts them; empty if
        the driver would refuse it."""
        if check(words).fault is not None:
            return []
        count, has_parameter = 0, [False, False]
        counts = []
        for instruction in self._program:
            count += _reads_uniform(instruction)
            for number in (instruction.add.waddr, instruction.mul.waddr):
                if number in registers.TMU:
                    unit, letter = divmod(number - registers.TMU.start, 4)
                    count += letter > 0 or has_parameter[unit]
                    has_parameter[unit] = letter > 0
            counts.append(count)
        return counts

    @property
    def start(self) -> ProgramPoint:
        return ProgramPoint()

    def rank(self, point: ProgramPoint) -> tuple[int, ...]:
        return point.pc, point.branch_in, point.uniform, hash(point)

    def followers(self, point: ProgramPoint) -> Sequence[ProgramPoint]:
        """Found by emitting code that is thrown away."""
        kept = len(self.emitter.lines)
        _, after = self._step(point)
        del self.emitter.lines[kept:]
        return after

    def emit(self, point: ProgramPoint) -> Sequence[Value]:
        return self._step(point)[0]

    def finish(self) -> None:
        for row in sorted(self.vpm_rows):
            self.output((VPM, row), self.read(f"{VPM}{row}", self.emitter.i32), "i32")
        for pc in sorted(self.tlb):
            for space in (TLB, TLB_LANES):
                self.output((space, pc), self.read(f"{space}{pc}", self.emitter.i32), "i32")

    # --- Steps --------------------------------------------------------------------------------------------------------

    def _step(self, point: ProgramPoint) -> tuple[Sequence[Value], Sequence[ProgramPoint]]:
        """Emit an instruction; conditions, and the points that follow."""
        if point.pc >= len(self._program):
            refuse("a program that runs past its last word")
        instruction = self._program[point.pc]
        self._peripherals.point = point
        if isinstance(instruction, Branch):
            self._branch(point, instruction)
        elif isinstance(instruction, Alu):
            self._alu.run_alu(instruction)
        else:
            self._alu.run_load(instruction)
        return self._advance(self._peripherals.point, instruction)

    def _advance(self, point: ProgramPoint, instruction: Instruction) -> tuple[Sequence[Value], Sequence[ProgramPoint]]:
        """What comes after an instruction."""
        if point.switch_in == 1:
            self._alu.lose()
        if point.end_in == 1:
            return (), ()
        after = replace(
            point,
            pc=point.pc + 1,
            branch_in=max(point.branch_in - 1, 0),
            switch_in=max(point.switch_in - 1, 0),
            end_in=max(point.end_in - 1, 0),
        )
        if instruction.signal in THREAD_SWITCHES:
            after = replace(after, switch_in=SIGNAL_SLOTS)
        elif instruction.signal in THREAD_ENDS and not after.end_in:
            after = replace(after, end_in=SIGNAL_SLOTS)
        if isinstance(instruction, Branch):
            target, always = self._target(point.pc, instruction), instruction.cond == BranchCondition.ALWAYS
            return (), (replace(after, branch_in=DELAY_SLOTS, target=target, always=always),)
        if point.branch_in != 1:
            return (), (after,)
        onward = replace(after, target=0, always=False)
        there = replace(onward, pc=point.target)
        if point.always:
            return (), (there,)
        return [self.read(_TAKEN, "i1")], (there, onward)

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _branch(self, point: ProgramPoint, branch: Branch) -> None:
        """Find out whether the branch will be taken."""
        if point.branch_in:
            refuse(f"the branch at word {point.pc}, in the delay slots of another one")
        if branch.sf or branch.use_register or branch.waddr_add != NOWHERE or branch.waddr_mul != NOWHERE:
            refuse(f"the branch at word {point.pc}, which uses registers")
        if branch.cond == BranchCondition.ALWAYS:
            return
        if branch.cond not in BranchCondition.__members__.values():
            refuse(f"condition {branch.cond} of the branch at word {point.pc}")
        flag, false = self._alu.flags(branch.cond // 4), bool(branch.cond % 2)
        everywhere = self.emitter.splat("i1", "true")
        is_any = bool(branch.cond & 2)
        # All are so if none is otherwise.
        if false == is_any:
            flag = self.emitter.binary("xor", flag, everywhere)
        found = self.emitter.any(flag)
        self.write(_TAKEN, found if is_any else self.emitter.value("i1", f"xor {found}, true"))

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
