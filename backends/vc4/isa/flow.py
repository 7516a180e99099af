"""The order in which instructions are executed, delay slots included.

A `Step` is an instruction together with a branch that is under way.  Steps and their successors are the graph on which
rules about "the next instruction" are checked; they are numbered as they are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from glslc_multi.backends.vc4.isa.encoding import DELAY_SLOTS, Branch, Instruction
from glslc_multi.backends.vc4.isa.formats import WORD_BYTES
from glslc_multi.backends.vc4.isa.instructions import THREAD_ENDS, BranchCondition

#: Instructions after the end of a thread that are executed.
END_SLOTS = 2


class Step(NamedTuple):
    """An instruction; a pending branch goes to `target` when `left` more instructions are executed, this one included.

    `ending` counts the instructions that are executed after this one when the thread ends; -1 otherwise."""

    pc: int
    left: int = 0
    target: int = 0
    ending: int = -1


class Flow:
    """The steps of a program."""

    def __init__(self, program: Sequence[Instruction]) -> None:
        self._program = program
        self.steps = [Step(0)]
        #: By step the numbers of those that can follow.
        self.successors: list[list[int]] = []
        #: Steps that an execution would take outside of the program.
        self.leaving: list[Step] = []
        #: The numbers of steps that several lead to.
        self.joins: set[int] = set()
        numbers = {self.steps[0]: 0}
        for step in self.steps:
            inside: list[int] = []
            for other in self._following(step):
                if not 0 <= other.pc < len(self._program):
                    self.leaving.append(step)
                    continue
                number = numbers.setdefault(other, len(self.steps))
                inside.append(number)
                if number == len(self.steps):
                    self.steps.append(other)
                else:
                    self.joins.add(number)
            self.successors.append(inside)

    def _following(self, step: Step) -> Iterator[Step]:
        instruction = self._program[step.pc]
        ending = step.ending
        if ending == -1 and instruction.signal in THREAD_ENDS:
            ending = END_SLOTS
        if ending == 0:
            return
        ending = max(ending - 1, -1)
        if step.left:
            yield self._in_slots(step, ending)
            return
        if isinstance(instruction, Branch):
            target = target_of(instruction, step.pc)
            if target is not None:
                yield Step(step.pc + 1, DELAY_SLOTS, target, ending)
            if instruction.cond == BranchCondition.ALWAYS:
                return
        yield Step(step.pc + 1, ending=ending)

    @staticmethod
    def _in_slots(step: Step, ending: int) -> Step:
        if step.left == 1:
            return Step(step.target, ending=ending)
        return Step(step.pc + 1, step.left - 1, step.target, ending)


def target_of(branch: Branch, index: int) -> int | None:
    """The instruction that a branch leads to; None if a register decides, or if it leads between instructions."""
    if branch.use_register or branch.immediate % WORD_BYTES:
        return None
    start = index + 1 + DELAY_SLOTS if branch.relative else 0
    return start + branch.immediate // WORD_BYTES
