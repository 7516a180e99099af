"""Straight code on virtual registers becomes words at once: scheduling, pairing and registers in one walk.

In: a block.  Out: its words on physical registers; None where registers run short, so that the shared allocator, which
plans ahead, has to do it.

A walk (`walk.py`) goes by urgencies and habits.  The first walks take the usual ones; the others change some of those
that made the shortest program so far.  A walk that cannot become as short, or falls behind it, stops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from backends.vc4.codegen.schedule.bundling import Qpu
from backends.vc4.codegen.schedule.straight import StraightCode
from backends.vc4.codegen.schedule.walk import Habits, Walk
from backends.vc4.codegen.schedule.words import Claim, Draft, register_of_place, register_of_target
from compiler.codegen.bundle import BundleStatistics
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

    #: So many instructions were seen, all walks together,
    seen: int
    #: or so many walks in a row made nothing shorter.
    patience: int


class Woven(NamedTuple):
    """The words of a program of one block."""

    drafts: list[Draft]
    statistics: BundleStatistics

    def slots(self, model: Qpu) -> list[Slot]:
        """The words as instructions on physical registers."""
        return [_slot(draft, model) for draft in self.drafts]


#: The first walks: their habits, and whether their urgencies are the crowded ones.  Chosen together, by measurement:
#: where one does badly, another does well.  The last one finds registers most often.
_FIRST = (
    (Habits(5, 1), False),
    (Habits(4, 1), True),
    (Habits(9, 2), True),
    (Habits(5, 0), True),
    (Habits(5, 0), False),
    (Habits(9, 2), False),
)
_HABITS = tuple(habits for habits, _ in _FIRST)
#: The share of urgencies that a variation changes, about how many at most, and by how much.
_SHARE, _CHANGED, _CHANGE = 0.2, 24, 10.0
#: How often habits change with them.
_CHANGES_HABITS = 0.3
#: To set up a walk costs this part of a whole one.
_SET_UP = 8


def weave(block: MachineBlock, model: Qpu, effort: Effort) -> Woven | None:
    """The words of a program of one block; None where no walk finds registers."""
    best = _shortest(StraightCode(block.instructions, model), effort)
    if best is None:
        return None
    operations = sum(len(draft.claims) for draft in best.drafts)
    return Woven(best.drafts, BundleStatistics(len(best.drafts), operations, dict(Counter(best.nops))))


def weave_blocks(
    function: MachineFunction, model: Qpu, places: Mapping[VirtualRegister | Register, int], effort: Effort
) -> dict[MachineBlock, list[Word]] | None:
    """The words of blocks but for their branches, with places for what is in several; None where registers run
    short."""
    words: dict[MachineBlock, list[Word]] = {}
    for block in function.blocks:
        code = StraightCode(block.instructions, model, places)
        best = _shortest(code, effort)
        if best is None:
            return None
        numbers = {id(claim): number for number, claim in enumerate(code.claims)}
        words[block] = [
            (_slot(draft, model), [numbers[id(claim)] for claim in draft.claims if id(claim) in numbers])
            for draft in best.drafts
        ]
    return words


def _shortest(code: StraightCode, effort: Effort) -> Walk | None:
    """The shortest walk of as many as the effort allows; None where the first ones find no registers."""
    count = max(len(code.instructions), 1)
    random = Random(count)
    best: Walk | None = None
    seen = number = in_vain = 0
    while not number or (seen < effort.seen and in_vain < effort.patience):
        if number < len(_FIRST):
            habits, is_crowded = _FIRST[number]
            walk = Walk(code, code.crowded_urgencies if is_crowded else code.urgencies, habits)
        elif best is not None:
            walk = _varied(best, random)
        else:
            break
        known = len(best.drafts) if best is not None else None
        if walk.run(best):
            best = walk
        if best is not None:
            in_vain = in_vain + 1 if len(best.drafts) == known else 0
            if len(best.drafts) <= code.fewest_words:
                break
        seen += max(walk.issued.bit_count(), count // _SET_UP)
        number += 1
    return best


def _varied(walk: Walk, random: Random) -> Walk:
    """A walk that differs a little."""
    share = min(_SHARE, _CHANGED / len(walk.urgencies))
    urgencies = [
        urgency + random.uniform(-_CHANGE, _CHANGE) if random.random() < share else urgency
        for urgency in walk.urgencies
    ]
    habits = random.choice(_HABITS) if random.random() < _CHANGES_HABITS else walk.habits
    return Walk(walk.code, urgencies, habits)


def _slot(draft: Draft, model: Qpu) -> Slot:
    if not draft.claims:
        nop = model.nop()
        nop.attributes["nop"] = "latency or hazard"
        return (nop,)
    return tuple(map(_placed, draft.claims, draft.reads, draft.targets))


def _placed(claim: Claim, reads: Sequence[int], target: int) -> MachineInstruction:
    """An instruction on physical registers."""
    made = claim.made
    uses = [
        Use(register_of_place(place), extra=use.extra) if isinstance(use.register, VirtualRegister) else use
        for use, place in zip(made.uses, reads, strict=False)
    ]
    defs = [Def(register_of_target(target)) if isinstance(d.register, VirtualRegister) else d for d in made.defs]
    return MachineInstruction(
        made.op, defs, uses, attributes=made.attributes, conditional=made.conditional, span=made.span
    )
