"""Runs a program's words over many vertices at once.

Lanes in the same control state (program counter, stacks, loop counter; see `flow.py`) run together.  A
condition may split them; those earlier in the program go first, so that they meet again.

Two number formats: `f32` computes like the known emulators, the default like the hardware (24 bits).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from backends.pica200.isa.actions import action_of
from backends.pica200.isa.flow import Control, LoopRange, advance
from backends.pica200.isa.instructions import Instruction, decode
from backends.pica200.isa.program import Executable, Program
from backends.pica200.isa.registers import BANKS
from backends.pica200.machine.arithmetic import F24, F32
from backends.pica200.machine.state import Lanes, Machine, Triangle
from compiler.arithmetic.lanes import Array, quiet
from compiler.records import dataclass
from compiler.target import MachineFault

DEFAULT_MAX_STEPS = 1 << 16
#: numpy copies a uniform for every lane where several rows of lanes fit its buffer.
_BUFFERED = 1 << 10


class SimulationFault(MachineFault):
    """The program did what no program may: left the code, met no instruction, ran without end."""

    def __init__(self, address: int, reason: str) -> None:
        super().__init__(f"word {address}: {reason}")
        self.address = address
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Uniforms:
    """Uniform registers by number; they override the program's own constants, the rest is 0."""

    floats: Mapping[int, Sequence[float]]
    integers: Mapping[int, Sequence[int]]
    bools: Mapping[int, bool]


NO_UNIFORMS = Uniforms({}, {}, {})
#: What runs a program on a machine, with integer and bool uniforms, and within a number of steps.
Execute = Callable[[Machine, Uniforms, int], None]


@dataclass(frozen=True, slots=True)
class Result:
    """What the vertices leave; the first axis of every array is the lane."""

    #: [lane][register][component]
    outputs: Array
    #: [lane][a0.x, a0.y]
    address: Array
    #: aL
    counter: Array
    #: [lane][cmp.x, cmp.y]
    flags: Array
    #: Instructions executed.
    steps: Array
    #: Triangles of a geometry shader, by lane.
    emitted: Mapping[int, list[Triangle]]


def simulate(
    program: Program,
    inputs: Mapping[int, Array],
    uniforms: Uniforms = NO_UNIFORMS,
    *,
    executable: int = 0,
    f32: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
    execute: Execute | None = None,
) -> Result:
    """Run an executable of `program`; `inputs` gives input registers as [lane][component].

    `execute` does the program's work in place of the interpreter, and leaves outputs only.  Raises `SimulationFault`
    where a program misbehaves, and when a lane needs more than `max_steps`.
    """
    lanes = max((len(values) for values in inputs.values()), default=1)
    machine = Machine(F32 if f32 else F24, lanes)
    shader = program.executables[executable]
    with quiet():
        np.setbufsize(_BUFFERED)
        for register, values in inputs.items():
            machine.set_input(register, values)
        registers = _with_constants(shader, uniforms, machine)
        run = _Run(program, machine, registers, max_steps)
        if execute is None:
            run.run(shader.entry)
        else:
            execute(machine, registers, max_steps)
    return run.result()


def _with_constants(shader: Executable, uniforms: Uniforms, machine: Machine) -> Uniforms:
    """Load float uniforms into the machine; the others, constants included, are returned."""
    floats: dict[int, Sequence[float]] = {}
    integers: dict[int, Sequence[int]] = {}
    bools: dict[int, bool] = {}
    for constant in shader.constants:
        if constant.register >= BANKS[constant.bank]:
            raise SimulationFault(shader.entry, f"a constant is for {constant.bank}{constant.register}")
        if constant.bank == "c":
            floats[constant.register] = constant.floats
        elif constant.bank == "i":
            integers[constant.register] = constant.values
        else:
            bools[constant.register] = bool(constant.values[0])
    machine.set_uniforms({**floats, **uniforms.floats})
    return Uniforms({}, {**integers, **uniforms.integers}, {**bools, **uniforms.bools})


class _Run:
    """One execution: which lanes are in which control state."""

    def __init__(self, program: Program, machine: Machine, uniforms: Uniforms, max_steps: int) -> None:
        self._program = program
        self._code = [decode(word) for word in program.code]
        self._machine = machine
        self._uniforms = uniforms
        self._max_steps = max_steps
        #: Steps of all groups of lanes, which no lane exceeds; those that all lanes took together; the others of each.
        self._executed = 0
        self._common = 0
        self._steps = np.zeros(machine.lanes, np.int64)
        self._counters = np.zeros(machine.lanes, np.int64)
        self._waiting: dict[Control, Array] = {}

    def run(self, entry: int) -> None:
        self._waiting[Control(entry)] = np.arange(self._machine.lanes)
        while self._waiting:
            state = next(iter(self._waiting)) if len(self._waiting) == 1 else min(self._waiting, key=order)
            lanes = self._waiting.pop(state)
            self._step(state, self._instruction(state.pc), lanes)

    def result(self) -> Result:
        machine = self._machine
        outputs, steps = np.moveaxis(machine.outputs, -1, 0), self._common + self._steps
        return Result(outputs, machine.address.T, self._counters, machine.flags.T, steps, machine.emitted)

    def _instruction(self, pc: int) -> Instruction:
        if pc >= len(self._code):
            raise SimulationFault(pc, "the program runs past its last word")
        instruction = self._code[pc]
        if instruction is None:
            raise SimulationFault(pc, "the word is no instruction")
        return instruction

    def _step(self, state: Control, instruction: Instruction, lanes: Array) -> None:
        self._count(state, lanes)
        if instruction.name == "END":
            self._counters[lanes] = state.counter
            return
        self._act(state, instruction, lanes)
        if not instruction.operation.jumps:
            self._wait(advance(state, instruction), lanes)
            return
        if instruction.name == "LOOP":
            self._wait(advance(state, instruction, loop_range=self._loop_range(instruction)), lanes)
            return
        taken = self._taken(state, instruction, lanes)
        for outcome in (True, False):
            chosen = lanes[taken == outcome]
            if len(chosen):
                self._wait(advance(state, instruction, outcome), chosen)

    def _count(self, state: Control, lanes: Array) -> None:
        self._executed += 1
        if len(lanes) == self._machine.lanes:
            self._common += 1
        else:
            self._steps[lanes] += 1
        if self._executed > self._max_steps and (self._common + self._steps[lanes] > self._max_steps).any():
            raise SimulationFault(state.pc, f"more than {self._max_steps} steps")

    def _chosen(self, lanes: Array) -> Lanes:
        """What picks these lanes of an array; quicker for all of them."""
        return slice(None) if len(lanes) == self._machine.lanes else lanes

    def _wait(self, state: Control, lanes: Array) -> None:
        others = self._waiting.get(state)
        self._waiting[state] = lanes if others is None else np.concatenate((others, lanes))

    def _act(self, state: Control, instruction: Instruction, lanes: Array) -> None:
        """What the instruction does to registers."""
        if instruction.descriptor is not None:
            action = action_of(self._program.code[state.pc], self._descriptor(state.pc, instruction.descriptor))
            self._machine.execute(action, self._chosen(lanes), state.counter)
        elif instruction.name == "SETEMIT":
            self._machine.set_emission(instruction.fields, lanes)
        elif instruction.name == "EMIT":
            self._machine.emit(lanes)

    def _descriptor(self, pc: int, number: int) -> int:
        if number >= len(self._program.descriptors):
            raise SimulationFault(pc, f"there is no operand descriptor {number}")
        return self._program.descriptors[number]

    def _taken(self, state: Control, instruction: Instruction, lanes: Array) -> Array:
        """The outcome of the condition in each lane; unconditional jumps always hold."""
        fields = instruction.fields
        if instruction.operation.operands == "condition":
            taken = self._machine.condition(fields, lanes)
        elif instruction.operation.operands == "bool":
            wanted = not (instruction.operation.jumps == "branch" and fields["num"] & 1)
            taken = np.full(len(lanes), self._uniforms.bools.get(fields["id"], False) == wanted)
        else:
            taken = np.full(len(lanes), True)
        if instruction.operation.jumps == "break" and not state.loops and taken.any():
            raise SimulationFault(state.pc, "BREAK outside of a loop hangs")
        return taken

    def _loop_range(self, instruction: Instruction) -> LoopRange:
        values = self._uniforms.integers.get(instruction.fields["id"], (0, 0, 0))
        return int(values[0]) & 0xFF, int(values[1]) & 0xFF, int(values[2]) & 0xFF


def order(state: Control) -> tuple[object, ...]:
    """Lanes deep inside of constructs first, then those with more repetitions to go, then by address."""
    remaining = tuple(-loop.repetitions for loop in state.loops)
    return -len(state.loops), -len(state.calls), -len(state.ifs), remaining, state.pc
