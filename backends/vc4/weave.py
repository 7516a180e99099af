"""Straight code on virtual registers becomes words at once: scheduling, pairing and registers in one walk.

In: a block.  Out: its words on physical registers; None where registers run short, so that the shared allocator, which
plans ahead, has to do it.

A walk (`walk.py`) goes by a plan.  Several are tried, and a walk that can no longer be shorter than the best one stops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from backends.vc4.bundling import Qpu
from backends.vc4.straight import StraightCode
from backends.vc4.walk import Plan, Walk
from backends.vc4.words import Claim, Draft, register_of_place, register_of_target
from compiler.codegen.bundle import BundleStatistics
from compiler.codegen.machine import MachineBlock, MachineInstruction, Slot, VirtualRegister
from compiler.records import replace


def weave(block: MachineBlock, model: Qpu, plans: Iterable[Plan]) -> tuple[list[Slot], BundleStatistics] | None:
    """The shortest of the plans' words; None where no plan finds registers."""
    code = StraightCode(block.instructions, model)
    best: Walk | None = None
    for plan in plans:
        walk = Walk(code, plan, limit=None if best is None else len(best.drafts))
        if walk.run():
            best = walk
    if best is None:
        return None
    slots = [_slot(draft, model) for draft in best.drafts]
    operations = sum(len(draft.claims) for draft in best.drafts)
    return slots, BundleStatistics(len(slots), operations, dict(Counter(best.nops)))


def _slot(draft: Draft, model: Qpu) -> Slot:
    parts = zip(draft.claims, draft.reads, draft.targets, strict=True)
    return tuple(_placed(*part) for part in parts) or (model.nop(),)


def _placed(claim: Claim, reads: Sequence[int], target: int) -> MachineInstruction:
    """An instruction on physical registers."""
    made = claim.made
    uses = [
        replace(use, register=register_of_place(place)) if isinstance(use.register, VirtualRegister) else use
        for use, place in zip(made.uses, reads, strict=False)
    ]
    defs = [
        replace(d, register=register_of_target(target)) if isinstance(d.register, VirtualRegister) else d
        for d in made.defs
    ]
    return MachineInstruction(
        made.op, defs, uses, attributes=made.attributes, conditional=made.conditional, span=made.span
    )
