"""What allocation will make of code, without assigning anything: which copies coalescing removes.

For back ends that generate several candidates for a program and need not finish those that get longer.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction
from glslc_multi.compiler.codegen.regalloc.coalesce import Coalescer
from glslc_multi.compiler.codegen.regalloc.constraints import collect_demands
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundles
from glslc_multi.compiler.codegen.regalloc.liveness import Liveness, Numbering
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel


def vanishing_copies(function: MachineFunction, model: RegisterModel) -> Iterator[MachineInstruction]:
    """The copies whose two sides are joined by coalescing."""
    demands = collect_demands(function, model)
    bundles = LiveBundles(function, Liveness(function, Numbering(function)), demands, model)
    Coalescer(function, bundles, model).run()
    for instruction in function.instructions():
        if model.is_copy(instruction) and _is_joined(instruction, bundles):
            yield instruction


def _is_joined(copy: MachineInstruction, bundles: LiveBundles) -> bool:
    target, source = copy.defs[0], copy.uses[0]
    to, origin = bundles.numbering.first(target.register), bundles.numbering.first(source.register)
    if to is None or origin is None:
        return False
    part_of = bundles.part_of
    return all(
        component is None or part_of[to + lane] is part_of[origin + component]
        for lane, component in zip(target.lanes, source.lanes, strict=True)
    )
