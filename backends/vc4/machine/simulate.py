"""Runs a program: groups of 16 lanes together as long as they take the same branches.

    result = simulate(words, Inputs(uniforms=[0x3F800000], registers={"ra15": w}))

Hazards are the business of `validate`: here every value can be read at once.  A thread switch loses accumulators and
flags; other effects of threads, the scoreboard and semaphores do not show in one program alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from backends.vc4.isa.encoding import DELAY_SLOTS, Alu, Branch, Instruction, Load, decode
from backends.vc4.isa.formats import NOWHERE, WORD_BYTES
from backends.vc4.isa.instructions import THREAD_ENDS, THREAD_SWITCHES, BranchCondition
from backends.vc4.isa.registers import FILE_SIZE
from backends.vc4.machine.alu import run_alu, run_load, write_link
from backends.vc4.machine.arithmetic import Words
from backends.vc4.machine.peripherals import Inputs, Peripherals, Sampler, TextureRequest, TlbWrite
from backends.vc4.machine.state import ACCUMULATOR_COUNT, R0_REGISTER, Machine, SimulationFault, joined
from backends.vc4.machine.steps import Step, step_of
from compiler.arithmetic.lanes import Array, quiet
from compiler.records import dataclass

__all__ = ["Inputs", "Result", "Sampler", "SimulationFault", "TextureRequest", "TlbWrite", "simulate"]

#: Instructions after a thread switch or the end that are executed.
SIGNAL_SLOTS = 2
#: Lane that a branch takes its register from.
_BRANCH_LANE = 15
_STEP_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Result:
    """The results of a program: words, with shapes (..., groups, 16)."""

    #: All groups.
    machine: Machine
    tlb: tuple[TlbWrite, ...]
    #: Instructions executed by the slowest group.
    steps: int

    @property
    def files(self) -> Array:
        """Files A and B."""
        found = self._spread(self.machine.registers[:R0_REGISTER])
        return found.reshape(2, FILE_SIZE, *self.machine.shape)

    @property
    def accumulators(self) -> Array:
        """r0 to r5."""
        return self._spread(self.machine.registers[R0_REGISTER : R0_REGISTER + ACCUMULATOR_COUNT])

    @property
    def vpm(self) -> Array:
        """All rows."""
        return self._spread(self.machine.vpm)

    def vpm_row(self, number: int) -> Array:
        """One of them."""
        return self.machine.spread(self.machine.vpm[number])

    def _spread(self, rows: Sequence[Words]) -> Array:
        return np.array([self.machine.spread(words) for words in rows])


#: What runs a program on inputs, within a number of steps.
Execute = Callable[[Inputs, int], Result]


def simulate(
    words: Sequence[int], inputs: Inputs, max_steps: int = _STEP_LIMIT, execute: Execute | None = None
) -> Result:
    """Run the program from its first word to its end; raises `SimulationFault`.

    `execute` does it instead of the interpreter; its result has the VPM and the tile buffer only.
    """
    if execute is not None:
        return execute(inputs, max_steps)
    with quiet():
        return _Run(words, inputs, max_steps).run()


class _Run:
    """One execution."""

    def __init__(self, words: Sequence[int], inputs: Inputs, max_steps: int) -> None:
        self._program = [_prepared(word) for word in words]
        self._inputs = inputs
        self._max_steps = max_steps
        self._peripherals = Peripherals(inputs)
        self._waiting = [Machine(np.arange(inputs.groups))]
        self._finished: list[Machine] = []

    def run(self) -> Result:
        self._peripherals.start(self._waiting[0])
        while self._waiting:
            self._run_machine(self._waiting.pop())
        return self._result()

    def _run_machine(self, machine: Machine) -> None:
        """Run until the end, or until the groups part."""
        while self._step(machine):
            machine.steps += 1
            if machine.steps > self._max_steps:
                raise SimulationFault(f"the program runs for more than {self._max_steps} instructions")

    def _step(self, machine: Machine) -> bool:
        """One instruction; False if the machine is done."""
        if not 0 <= machine.pc < len(self._program):
            raise SimulationFault(f"instruction {machine.pc} of {len(self._program)} is executed")
        instruction = self._program[machine.pc]
        if isinstance(instruction, Step):
            run_alu(machine, instruction, self._peripherals)
            return self._advance(machine, instruction.alu)
        if isinstance(instruction, Branch):
            return self._branch(machine, instruction)
        run_load(machine, instruction, self._peripherals)
        return self._advance(machine, instruction)

    def _advance(self, machine: Machine, instruction: Instruction) -> bool:
        """Go on after an instruction; False at the end."""
        machine.pc += 1
        if machine.branch_in:
            machine.branch_in -= 1
            machine.pc = machine.pc if machine.branch_in else machine.target
        if machine.switch_in:
            machine.switch_in -= 1
            if not machine.switch_in:
                machine.lose()
        if machine.end_in:
            machine.end_in -= 1
            if not machine.end_in:
                self._finished.append(machine)
                return False
        if instruction.signal in THREAD_SWITCHES:
            machine.switch_in = SIGNAL_SLOTS
        elif instruction.signal in THREAD_ENDS and not machine.end_in:
            machine.end_in = SIGNAL_SLOTS
        return True

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _branch(self, machine: Machine, branch: Branch) -> bool:
        """Take the branch with the groups whose condition holds; False if the groups part."""
        if machine.branch_in:
            raise SimulationFault(f"instruction {machine.pc}, in the delay slots of a branch, is a branch")
        if branch.sf:
            raise SimulationFault(f"what flags the branch at instruction {machine.pc} sets is not documented")
        targets = np.where(_taken(machine, branch), self._targets(machine, branch), -1)
        taken = np.unique(targets).tolist()
        if len(taken) == 1:
            return self._follow(machine, branch, taken[0])
        for target in taken:
            part = machine.divided(targets == target)
            part.steps += 1
            if self._follow(part, branch, target):
                self._waiting.append(part)
        return False

    def _follow(self, machine: Machine, branch: Branch, target: int) -> bool:
        """Go on after the branch, which is taken unless the target is -1."""
        address = (machine.pc + 1 + DELAY_SLOTS) * WORD_BYTES
        continues = self._advance(machine, branch)
        if target >= 0:
            machine.branch_in, machine.target = DELAY_SLOTS, target
            for index, waddr in enumerate((branch.waddr_add, branch.waddr_mul)):
                if waddr != NOWHERE:
                    write_link(machine, index, branch.ws, waddr, address, self._peripherals)
        return continues

    def _targets(self, machine: Machine, branch: Branch) -> Array:
        """The instruction that each group would go to."""
        target = np.full(len(machine.groups), branch.immediate, np.int64)
        if branch.relative:
            target += (machine.pc + 1 + DELAY_SLOTS) * WORD_BYTES
        if branch.use_register:
            target += machine.spread(machine.registers[branch.raddr_a])[:, _BRANCH_LANE]
        target &= 0xFFFFFFFF
        if (target % WORD_BYTES).any():
            raise SimulationFault(f"the branch at instruction {machine.pc} goes between instructions")
        found: Array = target // WORD_BYTES
        return found

    def _result(self) -> Result:
        steps = max(machine.steps for machine in self._finished) + 1
        return Result(joined(self._finished, self._inputs.groups), tuple(self._peripherals.tlb), steps)


@lru_cache(maxsize=4096)
def _prepared(word: int) -> Step | Load | Branch:
    """A word, decoded once."""
    instruction = decode(word)
    return step_of(instruction) if isinstance(instruction, Alu) else instruction


def _taken(machine: Machine, branch: Branch) -> Array:
    """The groups that take the branch."""
    if branch.cond == BranchCondition.ALWAYS:
        return np.ones(len(machine.groups), np.bool_)
    if branch.cond not in BranchCondition.__members__.values():
        raise SimulationFault(f"branches have no condition {branch.cond}")
    flag = machine.flags[branch.cond // 4]
    holds = ~flag if branch.cond % 2 else flag
    found: Array = np.any(holds, axis=-1) if branch.cond & 2 else np.all(holds, axis=-1)
    return found
