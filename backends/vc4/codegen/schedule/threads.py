"""Two threads: which part of straight-line code runs between which thread switches.

While one thread waits for a texture, the other runs.  A switch loses accumulators and flags, so that code falls into
phases: a request is in the phase before its result; an instruction that reads r4, r5 or flags is in that of their
writer; and the tile buffer comes last, since no switch may follow it.  All else is as early as its operands allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.backends.vc4.codegen.machine_ops import FLAGS, LOAD_R4, R4, R5
from glslc_multi.backends.vc4.codegen.schedule.resources import TILE, Resources
from glslc_multi.backends.vc4.codegen.schedule.texture_queue import QUEUE, is_wait
from glslc_multi.compiler.codegen.machine import MachineInstruction
from glslc_multi.compiler.codegen.registers import Register

#: Rounds after which phases that still rise do so in a circle.
_ROUNDS = 100


def phases_of(resources: Sequence[Resources], successors: Sequence[Sequence[tuple[int, int]]]) -> list[int] | None:
    """The phase of each instruction; None where a switch would part instructions that belong together."""
    instructions = [needed.instruction for needed in resources]
    together = [*_volatile_pairs(instructions), *_parameter_pairs(instructions)]
    tiles = [number for number, needed in enumerate(resources) if needed.mask & TILE]
    accesses = {number for number, access in enumerate(instructions) if access.attributes.get("queue") == QUEUE}
    waits = {
        (number, later)
        for number in accesses
        for later, _ in successors[number]
        if is_wait(instructions[number], instructions[later])
    }
    phases = [0] * len(instructions)
    for _ in range(_ROUNDS):
        before = list(phases)
        for number, after in enumerate(successors):
            for later, _ in after:
                phases[later] = max(phases[later], phases[number] + ((number, later) in waits))
        for first, second in together:
            phases[first] = phases[second] = max(phases[first], phases[second])
        for request, load in waits:
            phases[request] = max(phases[request], phases[load] - 1)
        last = max(phases)
        for number in tiles:
            phases[number] = last
        if phases == before:
            return phases
    return None


def _volatile_pairs(instructions: Sequence[MachineInstruction]) -> Iterator[tuple[int, int]]:
    """Pairs of a writer of what a switch loses, and a reader."""
    writers: dict[Register, int] = {}
    for number, instruction in enumerate(instructions):
        read = {*instruction.op.reads, *(use.register for use in instruction.uses)}
        written = {*instruction.op.writes, *(d.register for d in instruction.defs)}
        for register in (FLAGS, R4, R5):
            if register in read and register in writers:
                yield writers[register], number
            if register in written:
                # Flags that are set in some lanes keep those of the others.
                if instruction.conditional or "cond" in instruction.attributes:
                    yield writers.get(register, number), number
                writers[register] = number


def _parameter_pairs(instructions: Sequence[MachineInstruction]) -> Iterator[tuple[int, int]]:
    """Pairs of parameters of one request."""
    last: int | None = None
    for number, instruction in enumerate(instructions):
        if instruction.attributes.get("queue") != QUEUE:
            continue
        if instruction.op is LOAD_R4:
            last = None
            continue
        if last is not None:
            yield last, number
        last = number
