"""Code that cannot be allocated, whatever the order of assignment: a lower bound on the registers needed.

Two bounds.  At some point more components are live than the registers have (MaxLive: Rau, Lee, Tirumalai and
Schlansker, "Register allocation for software pipelined loops", 1992, section 3.2).  Or what is live across instructions
that overwrite registers, calls above all, has more components than the registers that nobody overwrites meanwhile.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from operator import and_

from compiler.codegen.machine import VirtualRegister
from compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles
from compiler.codegen.regalloc.liveness import bits


def is_infeasible(bundles: LiveBundles, failed: LiveBundle) -> bool:
    """Whether more components are needed at some point than there are, however bundles are joined and assigned."""
    registers = failed.candidates
    bound = [each for each in bundles.all if each.parts and not each.widest & ~registers]
    return _is_overfull(bundles, bound, registers) or _exceeds_preserved(bundles, failed)


def _exceeds_preserved(bundles: LiveBundles, failed: LiveBundle) -> bool:
    """Whether the registers that nobody overwrites while the failed bundle is live have to hold too much."""
    named = _named_registers(bundles)
    if not named:
        return False
    preserved = _preserved(bundles, named, [each for each in bundles.all if each.range & failed.range])
    registers = preserved[failed]
    return _is_overfull(bundles, [each for each, numbers in preserved.items() if not numbers & ~registers], registers)


def _is_overfull(bundles: LiveBundles, bound: list[LiveBundle], registers: int) -> bool:
    """Whether bundles that must be in `registers` have more components at some point than these registers."""
    physical = [bundles.numbering.registers[number] for number in bits(registers)]
    room = sum(register.components for register in physical if register is not None)
    return max(pressure(bound), default=0) > room


def _named_registers(bundles: LiveBundles) -> dict[int, range]:
    """The registers that instructions write by name, with their lane units."""
    numbering, definitions = bundles.numbering, bundles.liveness.definitions
    found = {}
    for register, number in numbering.number.items():
        first = numbering.first_physical[register]
        if any(definitions[first : first + register.components]):
            found[number] = range(first, first + register.components)
    return found


def _preserved(bundles: LiveBundles, named: dict[int, range], chosen: list[LiveBundle]) -> dict[LiveBundle, int]:
    """For each bundle the registers that nobody overwrites while some member of it is live."""
    found = dict.fromkeys(chosen, 0)
    copies = _copies(bundles)
    for register in bundles.registers:
        bundle = bundles.part(bundles.numbering.virtual[register.id]).bundle
        if bundle in found:
            lost = (number for number, units in named.items() if not _preserves(bundles, register, units, copies))
            found[bundle] |= bundle.widest & ~sum(1 << number for number in lost)
    return {each: registers or each.candidates for each, registers in found.items()}


def _copies(bundles: LiveBundles) -> int:
    """The points at which copies write."""
    points = 0
    for index, instruction in enumerate(bundles.function.instructions()):
        if bundles.model.is_copy(instruction):
            points |= 2 << 2 * index
    return points


def _preserves(bundles: LiveBundles, register: VirtualRegister, units: range, copies: int) -> bool:
    """Whether enough of these lane units are written by nobody else while all of a value is live, and hold nothing
    when all of it is written; copies may be of what is there already."""
    liveness, first = bundles.liveness, bundles.numbering.virtual[register.id]
    needed = reduce(and_, liveness.ranges[first : first + register.width]) & ~copies
    written = reduce(and_, liveness.definitions[first : first + register.width]) & ~copies
    free = sum(not (liveness.definitions[unit] & needed or liveness.ranges[unit] & written) for unit in units)
    return free >= register.width


def pressure(bundles: list[LiveBundle]) -> list[int]:
    """For every point, how many components are live."""
    ranges = [part.range for bundle in bundles for part in bundle.parts]
    change = [0] * (max((each.bit_length() for each in ranges), default=0) + 1)
    for each in ranges:
        for first in bits(each & ~(each << 1)):
            change[first] += 1
        for last in bits(each & ~(each >> 1)):
            change[last + 1] -= 1
    return list(accumulate(change))
