"""Integrated list scheduling with register assignment, and a search for shorter programs around it.

In: a block on virtual registers.  Out: its words on physical registers; None where registers run short, so that the
shared allocator, which looks ahead, has to do it.

The first runs (`run.py`) have given priorities and policies.  Those after them perturb the shortest program so far:
some of its priorities, at times its policy (iterated local search; Lourenço, Martin and Stützle 2003).  A run that
cannot become as short stops early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from glslc_multi.backends.vc4.codegen.schedule.bundle import Bundle
from glslc_multi.backends.vc4.codegen.schedule.machine_model import QpuModel
from glslc_multi.backends.vc4.codegen.schedule.ports import register_at, register_written
from glslc_multi.backends.vc4.codegen.schedule.resources import Resources
from glslc_multi.backends.vc4.codegen.schedule.run import Policy, ScheduleRun
from glslc_multi.backends.vc4.codegen.schedule.straight_line import StraightLineCode
from glslc_multi.compiler.artifact import BlockProof
from glslc_multi.compiler.codegen.bundle import BundleStatistics
from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Slot,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register

#: A word, and the numbers of the instructions in it.
Word = tuple[Slot, list[int]]


class BlockWords(NamedTuple):
    """The words of each block."""

    of_block: dict[MachineBlock, list[Word]]
    #: Whether some block is in nearly the order of the source, which is not always short.
    is_tight: bool


class Effort(NamedTuple):
    """When the search ends."""

    #: So many of the first runs,
    first: int
    #: then until so many instructions were scheduled, by all other runs together,
    instructions: int
    #: or so many runs in a row found nothing shorter.
    patience: int


class Schedule(NamedTuple):
    """The words of a program."""

    #: Those of a program of one block; None where they are the slots of blocks.
    bundles: list[Bundle] | None
    statistics: BundleStatistics
    #: What a solver says of the blocks, where it was asked.
    proofs: tuple[BlockProof, ...] = ()

    def slots(self, model: QpuModel) -> list[Slot]:
        """The bundles as instructions on physical registers."""
        return [slot_of(bundle, model) for bundle in self.bundles or ()]


#: Priorities of the first runs: the critical path, the same with regard to pressure, or the order of the source.
Priorities = Literal["critical path", "pressure", "order"]
#: The first runs, chosen together, by measurement: where one does badly, another does well.
_FIRST: tuple[tuple[Policy, Priorities], ...] = (
    (Policy(9, 0), "critical path"),
    (Policy(9, 0), "pressure"),
    (Policy(9, 1), "critical path"),
    (Policy(5, 1), "pressure"),
    (Policy(9, 1, 100), "order"),
)
#: Those of blocks of so many instructions, where what runs early for its long path takes all registers.
_MANY = 400
_FIRST_OF_MANY: tuple[tuple[Policy, Priorities], ...] = (
    (Policy(9, 1), "critical path"),
    (Policy(9, 0), "pressure"),
    (Policy(9, 2, 64), "order"),
    (Policy(9, 1, 100), "order"),
    (Policy(9, 2, 32), "order"),
)
#: Where these find no registers: closer and closer to the order of the source.
_LAST: tuple[tuple[Policy, Priorities], ...] = (
    (Policy(5, 1, 48), "order"),
    (Policy(5, 1, 16), "order"),
    (Policy(5, 0, 6), "order"),
    (Policy(5, 0, 2), "order"),
)
#: A perturbation: the share of priorities that change, about how many at most, and by how much.
_SHARE, _CHANGED, _CHANGE = 0.2, 24, 10.0
#: How often the policy changes with them.
_CHANGES_POLICY = 0.3
#: To set up a run costs this part of a whole one.
_SET_UP = 8


def schedule_program(block: MachineBlock, model: QpuModel, effort: Effort) -> Schedule | None:
    """The words of a program of one block; None where no run finds registers, or no point allows a thread switch."""
    code = StraightLineCode(block.instructions, model)
    if model.threads > 1 and not code.split_at_switches():
        return None
    best = _shortest(code, effort)
    if best is None:
        return None
    operations = sum(len(bundle.members) for bundle in best.bundles)
    return Schedule(best.bundles, BundleStatistics(len(best.bundles), operations, dict(Counter(best.nops))))


def schedule_blocks(
    function: MachineFunction, model: QpuModel, live_across: Mapping[VirtualRegister | Register, int], effort: Effort
) -> BlockWords | None:
    """The words of blocks but for their branches, with registers for what is live across blocks; None where registers
    run short."""
    words: dict[MachineBlock, list[Word]] = {}
    is_tight = False
    for block in function.blocks:
        code = StraightLineCode(block.instructions, model, live_across)
        best = _shortest(code, effort)
        if best is None:
            return None
        is_tight |= best.policy.reach > 0
        numbers = {id(needed): number for number, needed in enumerate(code.resources)}
        words[block] = [
            (slot_of(bundle, model), [numbers[id(member)] for member in bundle.members if id(member) in numbers])
            for bundle in best.bundles
        ]
    return BlockWords(words, is_tight)


def _shortest(code: StraightLineCode, effort: Effort) -> ScheduleRun | None:
    """The shortest of the first runs, and of as many more as the effort allows; None where the first ones find no
    registers."""
    count = max(len(code.instructions), 1)
    first = _FIRST[: effort.first] if count < _MANY else _FIRST_OF_MANY
    best: ScheduleRun | None = None
    for number, (policy, priorities) in enumerate((*first, *_LAST)):
        if best is not None and number >= len(first):
            break
        run = _given(code, policy, priorities)
        if run.run(best, may_lag=True):
            best = run
        if best is None and code.model.threads > 1:
            # Where half of the registers is not enough at once, it never was in other orders.
            return None
        if best is not None and best.length <= code.lower_bound:
            return best
    random = Random(count)
    scheduled = in_vain = 0
    while best is not None and scheduled < effort.instructions and in_vain < effort.patience:
        run = _perturbed(best, [policy for policy, _ in first], random)
        known = best.length
        if run.run(best):
            best = run
        if best.length <= code.lower_bound:
            break
        in_vain = in_vain + 1 if best.length == known else 0
        scheduled += max(run.scheduled.bit_count(), count // _SET_UP)
    return best


def _given(code: StraightLineCode, policy: Policy, priorities: Priorities) -> ScheduleRun:
    """One of the first runs."""
    if priorities == "critical path":
        return ScheduleRun(code, code.priorities, policy)
    return ScheduleRun(code, code.pressure_aware_priorities if priorities == "pressure" else code.source_order, policy)


def _perturbed(run: ScheduleRun, policies: Sequence[Policy], random: Random) -> ScheduleRun:
    """A run that differs a little."""
    share = min(_SHARE, _CHANGED / len(run.priorities))
    priorities = [
        priority + random.uniform(-_CHANGE, _CHANGE) if random.random() < share else priority
        for priority in run.priorities
    ]
    policy = random.choice(policies) if random.random() < _CHANGES_POLICY else run.policy
    return ScheduleRun(run.code, priorities, policy)


def slot_of(bundle: Bundle, model: QpuModel) -> Slot:
    """A bundle as instructions on physical registers."""
    if not bundle.members:
        nop = model.nop()
        nop.attributes["nop"] = "latency or hazard"
        return (nop,)
    return tuple(map(_on_registers, bundle.members, bundle.reads, bundle.targets))


def _on_registers(member: Resources, reads: Sequence[int], target: int) -> MachineInstruction:
    """An instruction on physical registers."""
    instruction = member.instruction
    uses = [
        Use(register_at(location), extra=use.extra) if isinstance(use.register, VirtualRegister) else use
        for use, location in zip(instruction.uses, reads, strict=False)
    ]
    defs = [Def(register_written(target)) if isinstance(d.register, VirtualRegister) else d for d in instruction.defs]
    return MachineInstruction(
        instruction.op,
        defs,
        uses,
        attributes=instruction.attributes,
        conditional=instruction.conditional,
        span=instruction.span,
    )
