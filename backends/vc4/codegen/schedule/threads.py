"""Two threads: which part of straight code runs between which thread switches.

While one thread waits for a texture, the other runs.  A switch loses accumulators and flags, so that code falls into
phases: a request is in the phase before its result, who reads r4, r5 or flags is in that of their writer, and the tile
buffer comes last, since no switch may follow it.  Everything else comes as early as what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.vc4.codegen.machine_ops import FLAGS, LOAD_R4, R4, R5
from backends.vc4.codegen.schedule.lookups import QUEUE, is_wait
from backends.vc4.codegen.schedule.words import TILE, Claim
from compiler.codegen.machine import MachineInstruction
from compiler.codegen.registers import Register

#: Rounds after which what raises phases goes in a circle.
_ROUNDS = 100


class CannotSwitch(Exception):
    """Code has no places for thread switches."""


def phases_of(claims: Sequence[Claim], successors: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """The phase of each instruction; raises `CannotSwitch` where a switch would part what it cannot."""
    instructions = [claim.made for claim in claims]
    together = [*_volatile_pairs(instructions), *_parameter_pairs(instructions)]
    tiles = [number for number, claim in enumerate(claims) if claim.bits & TILE]
    loads = {number for number, made in enumerate(instructions) if made.attributes.get("queue") == QUEUE}
    waits = {
        (number, later)
        for number in loads
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
    raise CannotSwitch


def _volatile_pairs(instructions: Sequence[MachineInstruction]) -> Iterator[tuple[int, int]]:
    """Pairs of those that write what a switch loses, and read it."""
    writers: dict[Register, int] = {}
    for number, made in enumerate(instructions):
        read = {*made.op.reads, *(use.register for use in made.uses)}
        written = {*made.op.writes, *(d.register for d in made.defs)}
        for register in (FLAGS, R4, R5):
            if register in read and register in writers:
                yield writers[register], number
            if register in written:
                # Flags that are set in some lanes keep those of the others.
                if made.conditional or "cond" in made.attributes:
                    yield writers.get(register, number), number
                writers[register] = number


def _parameter_pairs(instructions: Sequence[MachineInstruction]) -> Iterator[tuple[int, int]]:
    """Pairs of parameters of one request."""
    last: int | None = None
    for number, made in enumerate(instructions):
        if made.attributes.get("queue") != QUEUE:
            continue
        if made.op is LOAD_R4:
            last = None
            continue
        if last is not None:
            yield last, number
        last = number
