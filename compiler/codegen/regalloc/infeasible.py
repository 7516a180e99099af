"""Code that cannot be allocated, whatever the order of assignment: a lower bound on the registers needed.

At some point more components are live than the registers have (MaxLive: Rau, Lee, Tirumalai and Schlansker, "Register
allocation for software pipelined loops", 1992, section 3.2); what instructions overwrite by name, as calls do, is live
there.
"""

from __future__ import annotations

from itertools import accumulate

from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles
from glslc_multi.compiler.codegen.regalloc.liveness import bits


def is_infeasible(bundles: LiveBundles, failed: LiveBundle) -> bool:
    """Whether more components are needed at some point than there are, however bundles are joined and assigned."""
    registers = failed.candidates
    bound = [each for each in bundles.all if each.parts and not each.widest & ~registers]
    physical = [bundles.numbering.registers[number] for number in bits(registers)]
    room = sum(register.components for register in physical if register is not None)
    return max(pressure(bound), default=0) > room


def pressure(bundles: list[LiveBundle]) -> list[int]:
    """For every point, how many components are live."""
    ranges = [part.range for bundle in bundles for part in bundle.parts]
    change = [0] * (max((range_.bit_length() for range_ in ranges), default=0) + 1)
    for each in ranges:
        start = max((each & -each).bit_length() - 1, 0)
        points = each >> start
        for first in bits(points & ~(points << 1)):
            change[start + first] += 1
        for last in bits(points & ~(points >> 1)):
            change[start + last + 1] -= 1
    return list(accumulate(change))
