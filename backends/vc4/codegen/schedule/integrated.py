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
from typing import NamedTuple

from backends.vc4.codegen.schedule.bundle import Bundle
from backends.vc4.codegen.schedule.machine_model import QpuModel
from backends.vc4.codegen.schedule.ports import register_at, register_written
from backends.vc4.codegen.schedule.resources import Resources
from backends.vc4.codegen.schedule.run import Policy, ScheduleRun
from backends.vc4.codegen.schedule.straight_line import StraightLineCode
from compiler.codegen.bundle import BundleStatistics
from compiler.codegen.exact.proof import BlockProof
from compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Slot,
    Use,
    VirtualRegister,
)
from compiler.codegen.registers import Register

#: A word, and the numbers of the instructions in it.
Word = tuple[Slot, list[int]]


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


#: The first runs: their policy, and whether their priorities are the pressure-aware ones.  Chosen together, by
#: measurement: where one does badly, another does well.  The last one finds registers most often.
_FIRST = (
    (Policy(5, 1), False),
    (Policy(4, 1), True),
    (Policy(9, 2), True),
    (Policy(5, 0), True),
    (Policy(5, 0), False),
    (Policy(9, 2), False),
)
_POLICIES = tuple(policy for policy, _ in _FIRST)
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
) -> dict[MachineBlock, list[Word]] | None:
    """The words of blocks but for their branches, with registers for what is live across blocks; None where registers
    run short."""
    words: dict[MachineBlock, list[Word]] = {}
    for block in function.blocks:
        code = StraightLineCode(block.instructions, model, live_across)
        best = _shortest(code, effort)
        if best is None:
            return None
        numbers = {id(needed): number for number, needed in enumerate(code.resources)}
        words[block] = [
            (slot_of(bundle, model), [numbers[id(member)] for member in bundle.members if id(member) in numbers])
            for bundle in best.bundles
        ]
    return words


def _shortest(code: StraightLineCode, effort: Effort) -> ScheduleRun | None:
    """The shortest of the first runs, and of as many more as the effort allows; None where the first ones find no
    registers."""
    count = max(len(code.instructions), 1)
    best: ScheduleRun | None = None
    for policy, is_pressure_aware in _FIRST[: effort.first]:
        run = ScheduleRun(code, code.pressure_aware_priorities if is_pressure_aware else code.priorities, policy)
        if run.run(best, may_lag=True):
            best = run
        if best is not None and best.length <= code.lower_bound:
            return best
    random = Random(count)
    scheduled = in_vain = 0
    while best is not None and scheduled < effort.instructions and in_vain < effort.patience:
        run = _perturbed(best, random)
        known = best.length
        if run.run(best):
            best = run
        if best.length <= code.lower_bound:
            break
        in_vain = in_vain + 1 if best.length == known else 0
        scheduled += max(run.scheduled.bit_count(), count // _SET_UP)
    return best


def _perturbed(run: ScheduleRun, random: Random) -> ScheduleRun:
    """A run that differs a little."""
    share = min(_SHARE, _CHANGED / len(run.priorities))
    priorities = [
        priority + random.uniform(-_CHANGE, _CHANGE) if random.random() < share else priority
        for priority in run.priorities
    ]
    policy = random.choice(_POLICIES) if random.random() < _CHANGES_POLICY else run.policy
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
