"""What allocation will make of code, told without placing anything: which copies will vanish if all values find room.

For back ends that can make a program in several ways and need not finish those that get longer.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.codegen.machine import MachineFunction, MachineInstruction
from compiler.codegen.regalloc.clusters import Clusters
from compiler.codegen.regalloc.coalesce import Coalescer
from compiler.codegen.regalloc.constraints import collect_demands
from compiler.codegen.regalloc.liveness import Liveness, Numbering
from compiler.codegen.regalloc.model import RegisterModel


def vanishing_copies(function: MachineFunction, model: RegisterModel) -> Iterator[MachineInstruction]:
    """The copies whose two sides are in one place once coalescing is done."""
    demands = collect_demands(function, model)
    clusters = Clusters(function, Liveness(function, Numbering(function)), demands, model)
    Coalescer(function, clusters, model).run()
    for instruction in function.instructions():
        if model.is_copy(instruction) and _is_joined(instruction, clusters):
            yield instruction


def _is_joined(copy: MachineInstruction, clusters: Clusters) -> bool:
    target, source = copy.defs[0], copy.uses[0]
    to, origin = clusters.numbering.first(target.register), clusters.numbering.first(source.register)
    if to is None or origin is None:
        return False
    part_of = clusters.part_of
    return all(
        component is None or part_of[to + lane] is part_of[origin + component]
        for lane, component in zip(target.lanes, source.lanes, strict=True)
    )
