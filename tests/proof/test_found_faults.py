"""Faults that programs had shown, put back one at a time: the proof finds each on the program that showed it.

So do three joins that an allocator must not make, with the allocator's own check left out.
"""

from __future__ import annotations

import sys

import pytest

from glslc_multi.backends.pica200.codegen.rewrites import guarded
from glslc_multi.backends.vc4.codegen import finalize
from glslc_multi.backends.vc4.codegen.machine_ops import operation
from glslc_multi.backends.vc4.codegen.selection import emitter
from glslc_multi.backends.xenos_family.codegen import generate, predication
from glslc_multi.backends.xenos_family.codegen.machine_ops import COUNTED
from glslc_multi.backends.xenos_family.codegen.rewrites import hardware_loops
from glslc_multi.compiler.analysis.float_classes import FloatClasses
from glslc_multi.compiler.analysis.loops import Loop
from glslc_multi.compiler.analysis.trips import TripCount
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineOp
from glslc_multi.compiler.codegen.regalloc import coalesce
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle, Part
from glslc_multi.compiler.codegen.regalloc.liveness import bits
from glslc_multi.compiler.codegen.regions import BreakIf, split_critical_edges
from glslc_multi.compiler.codegen.regions import Loop as LoopRegion
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.proof.compare import FULL
from tests.generated.finds import stage_of, text_of
from tests.proof.prove import prove_text

Patch = pytest.MonkeyPatch


def _count_at_head(patch: Patch) -> None:
    """Loops that the machine counts have their test at the head, where copies are left."""

    def count(loop: Loop, test: TripCount) -> int:
        return test.stays if test.exiting is loop.header else 0

    def end(loop: Loop, condition: Value) -> Instruction:
        assert loop.header.terminator is not None
        loop.header.terminator.set_operand(0, condition)
        return loop.header.terminator

    def constant(region: LoopRegion[MachineBlock]) -> int | None:
        leaving = (part.block.instructions[-1] for part in region.body.parts if isinstance(part, BreakIf))
        return next((branch.attributes["constant"] for branch in leaving if branch.op is COUNTED), None)

    patch.setattr(hardware_loops, "rounds_by_latch", count)
    patch.setattr(hardware_loops, "end_with", end)
    patch.setattr(predication, "_loop_constant", constant)
    patch.setattr(generate, "split_critical_edges", lambda function, back_edges: split_critical_edges(function))


def _leave_choices(patch: Patch) -> None:
    """What a choice does not take may be NaN."""
    patch.setattr(guarded, "guard_choices", lambda function, context, sums: False)
    patch.setattr(FloatClasses, "spoils", lambda self, value, other, classes: False)


def _forget_r5(patch: Patch) -> None:
    """Reads of varyings that nobody wants do not say that they write r5."""

    def silent(name: str, *, effect: bool = False, reads_varying: bool = False, **said: bool) -> MachineOp:
        return operation(name, effect=effect, reads_varying=reads_varying and name != "mov", **said)

    patch.setattr(emitter, "operation", silent)
    patch.setattr(finalize, "_require_known_effects", lambda word, members: None)


def _forgive_points(patch: Patch) -> None:
    """At a point where one unit is copied, other units of the same parts may be overwritten."""

    def interfere(self: coalesce.Coalescer, a: Part, b: Part) -> bool:
        conflicts = a.definitions & b.range | b.definitions & a.range
        for unit in bits(a.units):
            for point, other in self.links.get(unit, ()):
                if b.units >> other & 1:
                    conflicts &= ~(1 << point)
        return conflicts != 0

    patch.setattr(coalesce.Coalescer, "_interfere", interfere)


def _overlook_second(patch: Patch) -> None:
    """Writes of the second part while the first one lives are no interference."""

    def interfere(self: coalesce.Coalescer, a: Part, b: Part) -> bool:
        return a.definitions & b.range != 0

    patch.setattr(coalesce.Coalescer, "_interfere", interfere)


def _forget_writes(patch: Patch) -> None:
    """Parts that were joined do not know where they are written."""

    def part(bundle: LiveBundle, units: int, components: int, range: int, definitions: int) -> Part:
        return Part(bundle, units, components, range, 0)

    patch.setattr(coalesce, "Part", part)


CASES = {
    "counted loops, components": (_count_at_head, "permuted.vert", "xenos"),
    "counted loops on Adreno": (_count_at_head, "permuted.vert", "adreno"),
    "counted loops, a factor": (_count_at_head, "scaled.vert", "xenos"),
    "choices": (_leave_choices, "guarded.vert", "pica200"),
    "an if": (_leave_choices, "lit.vert", "pica200"),
    "flat varyings": (_forget_r5, "flat.frag", "vc4"),
    "points forgiven": (_forgive_points, "chosen.frag", "adreno"),
    "half of the writes": (_overlook_second, "rotated.vert", "adreno"),
    "writes forgotten": (_forget_writes, "rotated.vert", "pica200"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_proof_finds(name: str, monkeypatch: Patch) -> None:
    fault, file, target = CASES[name]
    text, stage = text_of(file), stage_of(file)
    options = {"output": "raw"} if target == "vc4" else {}
    level = 1 if file == "chosen.frag" else 2
    honest = prove_text(text, target, stage, optimisation=level, draws=FULL, options=options)
    assert honest.outcome in ("equal", "near"), honest.reason
    monkeypatch.setattr(
        sys.modules["glslc_multi.compiler.codegen.regalloc.allocate"],
        "check_allocation",
        lambda before, after, bank: [],
    )
    fault(monkeypatch)
    assert prove_text(text, target, stage, optimisation=level, draws=FULL, options=options).outcome == "differs"
