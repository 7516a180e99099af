"""Texture lookups that wait together: a request goes out long before its result is needed, if the queues have room.

The unit answers in the order of the requests, and its queues hold eight parameters and four results, half of that for
each of two threads.  A lookup gets a *room* (an attribute): one that takes the room of another waits for its result.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from backends.vc4.codegen.machine_ops import LOAD_R4
from compiler.codegen.machine import MachineFunction, MachineInstruction

#: Parameters and results that the queues hold.
_PARAMETERS, _RESULTS = 8, 4
QUEUE = "tmu"


def give_rooms(function: MachineFunction, threads: int) -> int:
    """Number the lookups of selected code, in which each result follows its request; how many there are."""
    accesses = [made for made in function.instructions() if made.attributes.get("queue") == QUEUE]
    lookups = list(_lookups(accesses))
    longest = max((len(lookup) - 1 for lookup in lookups), default=1)
    rooms = min(_PARAMETERS // longest, _RESULTS) // threads
    for number, lookup in enumerate(lookups):
        for made in lookup:
            made.attributes["room"] = number % rooms
    return len(lookups)


def order_of(access: MachineInstruction) -> tuple[Hashable, ...]:
    """The classes of accesses that one of them stays in order with."""
    return ("result" if access.op is LOAD_R4 else "request", ("room", access.attributes["room"]))


def is_wait(first: MachineInstruction, second: MachineInstruction) -> bool:
    """Whether the second loads what the first asks for."""
    return second.op is LOAD_R4 and first.attributes.get("room") == second.attributes.get("room", "")


def _lookups(accesses: list[MachineInstruction]) -> Iterator[list[MachineInstruction]]:
    """The accesses of each lookup: parameters, then the result."""
    lookup: list[MachineInstruction] = []
    for access in accesses:
        lookup.append(access)
        if access.op is LOAD_R4:
            yield lookup
            lookup = []
