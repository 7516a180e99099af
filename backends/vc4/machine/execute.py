"""What a program does, instruction by instruction; both engines run it.

The 16 lanes of a group run together, and take the same branches.  Hazards are the business of `validate`: here every
value can be read at once.  A thread switch loses accumulators and flags; other effects of threads, the scoreboard and
semaphores do not show in one program alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from typing import Any

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.encoding import DELAY_SLOTS, Alu, Branch, decode
from glslc_multi.backends.vc4.isa.formats import WORD_BYTES
from glslc_multi.backends.vc4.isa.instructions import LANES, THREAD_ENDS, THREAD_SWITCHES, BranchCondition, Signal
from glslc_multi.backends.vc4.isa.uniforms import Uniform
from glslc_multi.backends.vc4.isa.validate_driver import check
from glslc_multi.backends.vc4.machine.alu import REGISTER, AluUnit
from glslc_multi.backends.vc4.machine.arithmetic import QpuArithmetic, arithmetic_over
from glslc_multi.backends.vc4.machine.peripherals import Peripherals
from glslc_multi.backends.vc4.machine.place import Place
from glslc_multi.backends.vc4.machine.steps import FILES, AluStep, LoadStep, link_writes, step_of
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Edge, LaneProgram, Lanes

#: Instructions after a thread switch or the end that are executed.
SIGNAL_SLOTS = 2
#: Lane that a branch takes its register from.
_BRANCH_LANE = 15
_PLAIN_SIGNALS = frozenset(map(int, Signal)) - THREAD_ENDS - THREAD_SWITCHES
_START = Place()
_NOTHING_PENDING = _START[3:]
Edges = Sequence[Edge[Place]]


def maker(
    words: Sequence[int],
    stream: Sequence[Uniform | None],
    given: Collection[str] = (),
    kept: Collection[str] = (),
) -> Callable[[Lanes], LaneProgram[Place]]:
    """What makes a program on the lanes of an engine.

    The words of the uniform stream that are None are known at run time only; `given` names the registers that hold
    values at the start (ra0 to rb31, r0 to r5), and `kept` those that are handed out at the end.
    """
    return partial(Vc4Program, words, stream, given, kept)


class Vc4Program(LaneProgram[Place]):
    """A program of words."""

    lanes_part = False

    def __init__(
        self,
        words: Sequence[int],
        stream: Sequence[Uniform | None],
        given: Collection[str],
        kept: Collection[str],
        lanes: Lanes,
        arithmetic: Callable[[Any], QpuArithmetic] = arithmetic_over,
        peripherals: type[Peripherals] = Peripherals,
    ) -> None:
        self._lanes = lanes
        self._a = arithmetic(lanes.operations)
        self._program = [step_of(word) for word in words]
        self._resets = partial(words_read, tuple(words))
        self._peripherals = peripherals(lanes, self._a, stream, self._resets)
        self._alu = AluUnit(lanes, self._a, self._peripherals, given)
        self._kept = kept

    @property
    def start(self) -> Place:
        return _START

    def rank(self, place: Place) -> tuple[int, ...]:
        return place.pc, place.branch_in, place.uniform, place.streams.varying, place.streams.tile

    def step(self, place: Place) -> Edges:
        if place.pc >= len(self._program):
            self._lanes.fault(f"instruction {place.pc} of {len(self._program)} is executed")
        step = self._program[place.pc]
        self._peripherals.pc, self._peripherals.uniform, self._peripherals.streams = place[:3]
        if place == _START:
            self._alu.start()
        if place.branch_in == DELAY_SLOTS:
            # What a branch that was taken has written.
            branch = self._program[place.origin]
            assert isinstance(branch, Branch)
            for write in link_writes(branch):
                self._alu.write(write, self._a.iconst(_behind(place.origin)), None)
        if isinstance(step, AluStep):
            self._alu.run_alu(step)
        elif isinstance(step, LoadStep):
            self._alu.run_load(step)
        elif isinstance(step, Branch):
            return self._branch(place, step)
        else:
            self._lanes.fault(step.reason)
        return self._advance(place, step.signal)

    def _advance(self, place: Place, signal: int) -> Edges:
        """Where it goes on after an instruction."""
        uniform, streams = self._peripherals.uniform, self._peripherals.streams
        if signal in _PLAIN_SIGNALS and place[3:] == _NOTHING_PENDING:
            return ((Place(place.pc + 1, uniform, streams), None),)
        if place.switch_in == 1:
            self._alu.lose()
        if place.end_in == 1:
            return ()
        end_in = max(place.end_in - 1, 0)
        if signal in THREAD_ENDS and not end_in:
            end_in = SIGNAL_SLOTS
        if place.branch_in == 1 and (counts := self._resets()):
            # The driver wants a reset before the next read: until then it does not matter how many there were.
            uniform = counts[place.target - 1] if place.target else 0
        after = Place(
            place.target if place.branch_in == 1 else place.pc + 1,
            uniform,
            streams,
            max(place.branch_in - 1, 0),
            SIGNAL_SLOTS if signal in THREAD_SWITCHES else max(place.switch_in - 1, 0),
            end_in,
            place.target if place.branch_in > 1 else 0,
        )
        return ((after, None),)

    def finish(self) -> None:
        self._peripherals.finish()
        for name in self._kept:
            self._lanes.output((REGISTER, name), self._a.words(self._alu.read(name)), "i32")

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _branch(self, place: Place, branch: Branch) -> Edges:
        """A branch that is taken is one thing that the place behind it says, before it comes about."""
        if place.branch_in:
            self._lanes.fault(f"instruction {place.pc}, in the delay slots of a branch, is a branch")
        if branch.sf:
            self._lanes.fault(f"what flags the branch at instruction {place.pc} sets is not documented")
        condition = self._condition(branch)
        target = self._target(place.pc, branch)
        edges = self._advance(place, branch.signal)
        if not edges:
            return ()
        ((onward, _),) = edges
        taken = onward._replace(branch_in=DELAY_SLOTS, target=target, origin=place.pc)
        if condition is None:
            return ((taken, None),)
        return (taken, condition), (onward, None)

    def _condition(self, branch: Branch) -> Number | None:
        """Whether a group takes the branch; None: always."""
        if branch.cond == BranchCondition.ALWAYS:
            return None
        if branch.cond not in BranchCondition.__members__.values():
            self._lanes.fault(f"branches have no condition {branch.cond}")
        flag = self._alu.flag(branch.cond // 4)
        holds = self._a.bnot(flag) if branch.cond % 2 else flag
        return self._lanes.any(holds) if branch.cond & 2 else self._lanes.all(holds)

    def _target(self, pc: int, branch: Branch) -> int:
        """The instruction that a branch goes to."""
        address = branch.immediate + (_behind(pc) if branch.relative else 0)
        if branch.use_register:
            register = self._a.words(self._alu.read(FILES[0][branch.raddr_a]))
            base = self._lanes.known(self._a.permuted(register, (_BRANCH_LANE,) * LANES))
            if base is None:
                self._lanes.fault(f"groups branch to different places at instruction {pc}, or nobody knows beforehand")
            address += base
        number, rest = divmod(address & 0xFFFFFFFF, WORD_BYTES)
        if rest:
            self._lanes.fault(f"the branch at instruction {pc} goes between instructions")
        return number


def _behind(pc: int) -> int:
    """The address after the delay slots of a branch."""
    return (pc + 1 + DELAY_SLOTS) * WORD_BYTES


@lru_cache(maxsize=64)
def words_read(words: tuple[int, ...]) -> list[int]:
    """How many words of the uniform stream a program has read up to each address, as the driver counts them; empty if
    the driver would refuse it."""
    if check(words).fault is not None:
        return []
    count, has_parameter = 0, [False, False]
    counts = []
    for instruction in map(decode, words):
        count += isinstance(instruction, Alu) and _reads_uniform(instruction)
        for number in (instruction.add.waddr, instruction.mul.waddr):
            if number in registers.TMU:
                unit, letter = divmod(number - registers.TMU.start, 4)
                count += letter > 0 or has_parameter[unit]
                has_parameter[unit] = letter > 0
        counts.append(count)
    return counts


def _reads_uniform(alu: Alu) -> bool:
    in_b = alu.raddr_b == registers.UNIFORM_READ and not alu.has_small_immediate
    return alu.raddr_a == registers.UNIFORM_READ or in_b
