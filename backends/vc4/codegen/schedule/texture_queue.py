"""Texture lookups that wait together: a request goes out long before its result is needed, if the queues have room.

The unit returns results in the order of the requests, and its queues hold eight parameters and four results, half of
that for each of two threads.  A lookup gets an entry of the queue (attribute `entry`): one that takes the entry of an
earlier lookup waits for the result of that.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from glslc_multi.backends.vc4.codegen.machine_ops import LOAD_R4
from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction

#: Parameters and results that the queues hold.
_PARAMETERS, _RESULTS = 8, 4
QUEUE = "tmu"


def assign_entries(function: MachineFunction, threads: int) -> int:
    """Number the lookups of selected code, in which each result follows its request; how many there are."""
    accesses = [access for access in function.instructions() if access.attributes.get("queue") == QUEUE]
    lookups = list(_lookups(accesses))
    longest = max((len(lookup) - 1 for lookup in lookups), default=1)
    entries = min(_PARAMETERS // longest, _RESULTS) // threads
    for number, lookup in enumerate(lookups):
        for access in lookup:
            access.attributes["entry"] = number % entries
    return len(lookups)


def order_of(access: MachineInstruction) -> tuple[Hashable, ...]:
    """The classes of accesses that one of them stays in order with."""
    return ("result" if access.op is LOAD_R4 else "request", ("entry", access.attributes["entry"]))


def is_wait(first: MachineInstruction, second: MachineInstruction) -> bool:
    """Whether the second loads the result of the first's request."""
    return second.op is LOAD_R4 and first.attributes.get("entry") == second.attributes.get("entry", "")


def _lookups(accesses: list[MachineInstruction]) -> Iterator[list[MachineInstruction]]:
    """The accesses of each lookup: parameters, then the result."""
    lookup: list[MachineInstruction] = []
    for access in accesses:
        lookup.append(access)
        if access.op is LOAD_R4:
            yield lookup
            lookup = []
