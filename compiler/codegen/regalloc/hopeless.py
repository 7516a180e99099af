"""Whether there is any use in trying: code that needs more room than there is, however it is placed.

Two reasons.  At some point more components matter than the registers have.  Or what lives across instructions that
overwrite registers, calls above all, has only a few left that nobody overwrites, and needs more room than those have.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from operator import and_

from compiler.codegen.machine import VirtualRegister
from compiler.codegen.regalloc.clusters import Cluster, Clusters
from compiler.codegen.regalloc.liveness import bits


def is_hopeless(clusters: Clusters, failed: Cluster) -> bool:
    """Whether more components are needed at some point than there are, however clusters are joined and placed."""
    homes = union(failed)
    bound = [each for each in clusters.clusters if each.parts and not each.widest & ~homes]
    return _is_overfull(clusters, bound, homes) or _is_hemmed_in(clusters, failed)


def _is_hemmed_in(clusters: Clusters, failed: Cluster) -> bool:
    """Whether the registers that nobody overwrites while the failed cluster matters have to hold too much."""
    named = _named_homes(clusters)
    if not named:
        return False
    lasting = _lasting_homes(clusters, named, [each for each in clusters.clusters if each.range & failed.range])
    homes = lasting[failed]
    return _is_overfull(clusters, [each for each, numbers in lasting.items() if not numbers & ~homes], homes)


def _is_overfull(clusters: Clusters, bound: list[Cluster], homes: int) -> bool:
    """Whether clusters that must be in `homes` have more components at some point than these registers."""
    registers = [clusters.numbering.homes[number] for number in bits(homes)]
    room = sum(register.components for register in registers if register is not None)
    return max(pressure(bound), default=0) > room


def _named_homes(clusters: Clusters) -> dict[int, range]:
    """The registers that instructions write by name, with their atoms."""
    numbering, definitions = clusters.numbering, clusters.liveness.definitions
    found = {}
    for register, number in numbering.number.items():
        first = numbering.first_physical[register]
        if any(definitions[first : first + register.components]):
            found[number] = range(first, first + register.components)
    return found


def _lasting_homes(clusters: Clusters, named: dict[int, range], chosen: list[Cluster]) -> dict[Cluster, int]:
    """For each cluster the registers that keep the contents of some member long enough."""
    found = dict.fromkeys(chosen, 0)
    copies = _copies(clusters)
    for register in clusters.registers:
        cluster = clusters.part(clusters.numbering.virtual[register.id]).cluster
        if cluster in found and len(cluster.homes) == 1:
            lost = (home for home, atoms in named.items() if not _lasts(clusters, register, atoms, copies))
            found[cluster] |= cluster.widest & ~sum(1 << home for home in lost)
    return {each: homes or union(each) for each, homes in found.items()}


def _copies(clusters: Clusters) -> int:
    """The points at which copies write."""
    points = 0
    for index, instruction in enumerate(clusters.function.instructions()):
        if clusters.model.is_copy(instruction):
            points |= 2 << 2 * index
    return points


def _lasts(clusters: Clusters, register: VirtualRegister, home: range, copies: int) -> bool:
    """Whether enough components of a register are written by nobody else while all of a value matters, nor hold
    something when all of it is written; copies may be of what is there already."""
    liveness, first = clusters.liveness, clusters.numbering.virtual[register.id]
    needed = reduce(and_, liveness.ranges[first : first + register.width]) & ~copies
    written = reduce(and_, liveness.definitions[first : first + register.width]) & ~copies
    free = sum(not (liveness.definitions[atom] & needed or liveness.ranges[atom] & written) for atom in home)
    return free >= register.width


def union(cluster: Cluster) -> int:
    """The registers that some row of a cluster may be."""
    homes = 0
    for mask in cluster.homes:
        homes |= mask
    return homes


def pressure(clusters: list[Cluster]) -> list[int]:
    """For every point, how many components are taken."""
    ranges = [part.range for cluster in clusters for part in cluster.parts]
    change = [0] * (max((each.bit_length() for each in ranges), default=0) + 1)
    for each in ranges:
        for first in bits(each & ~(each << 1)):
            change[first] += 1
        for last in bits(each & ~(each >> 1)):
            change[last + 1] -= 1
    return list(accumulate(change))
