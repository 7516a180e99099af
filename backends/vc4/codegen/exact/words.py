"""The solution of a problem of exact scheduling as bundles.

In: the word of each instruction, and the bank of each value.  Out: bundles on registers, joined by the rules that all
words are; None where they refuse one, or where the registers that are taken leave none.  What the solver says is
nowhere trusted.

Registers are given out word by word: the first one of the bank that is free, since a word reads before it writes (the
left-edge algorithm; Hashimoto and Stevens, "Wire routing by optimizing channel assignment", 1971).
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.codegen.exact.problem import BANKS, resources_with_switches
from glslc_multi.backends.vc4.codegen.schedule.bundle import Bundle
from glslc_multi.backends.vc4.codegen.schedule.ports import Ports, ports_of, target_of_location
from glslc_multi.backends.vc4.codegen.schedule.resources import Resources
from glslc_multi.backends.vc4.codegen.schedule.straight_line import StraightLineCode
from glslc_multi.compiler.codegen.exact.problem import Solution

_NO_PORTS = Ports(())


def bundles_of(code: StraightLineCode, solution: Solution) -> list[Bundle] | None:
    """The words of a solution."""
    registers = _Registers(code, solution)
    resources = resources_with_switches(code)
    bundles: list[Bundle] = []
    for word in range(solution.length):
        members = [number for number, its_word in enumerate(solution.words) if its_word == word]
        if not registers.assign(word, members):
            return None
        bundle: Bundle | None = Bundle()
        for number in members:
            bundle = None if bundle is None else _joined(bundle, number, code, registers, resources)
        if bundle is None:
            return None
        bundles.append(bundle)
    return bundles


def _joined(
    bundle: Bundle, number: int, code: StraightLineCode, registers: _Registers, resources: Sequence[Resources]
) -> Bundle | None:
    """A bundle with one instruction, or thread switch, more; None where a rule refuses it."""
    if number >= len(code.instructions):
        return bundle.join(resources[number], _NO_PORTS)
    reads = tuple(registers.locations[operand] for operand in code.operands[number])
    ports = ports_of(reads, resources[number].rotation)
    if ports is None or ports.hazards & registers.just_written:
        return None
    joined = bundle.join(resources[number], ports)
    result = code.results[number]
    target = code.targets[number] if result is None else target_of_location(registers.locations[result])
    return joined if joined is not None and joined.write(target) else None


class _Registers:
    """Where values are, word by word."""

    def __init__(self, code: StraightLineCode, solution: Solution) -> None:
        self.code = code
        self.solution = solution
        self.locations = list(code.locations)
        self.occupied = code.occupied
        #: Sets of registers that the last word wrote, and that this one writes.
        self.just_written = self.being_written = 0
        self.reads_left = list(code.reads)
        self.writes_left = list(code.writes)

    def assign(self, word: int, members: Sequence[int]) -> bool:
        """Free what is read for the last time, and give registers to what is written; whether there were any."""
        self.just_written, self.being_written = self.being_written, 0
        for number in members:
            for operand in self.code.operands[number] if number < len(self.code.instructions) else ():
                self._release(operand, self.reads_left)
        results = [self.code.results[number] for number in members if number < len(self.code.instructions)]
        return all(self._write(result) for result in results if result is not None)

    def _release(self, value: int, left: list[int]) -> None:
        left[value] -= 1
        if not self.reads_left[value] and not self.writes_left[value] and self.locations[value] >= 0:
            self.occupied &= ~(1 << self.locations[value])

    def _write(self, value: int) -> bool:
        if self.locations[value] < 0:
            allowed = self.code.values[value].candidates & BANKS[self.solution.banks[value]]
            free = allowed & ~self.occupied & ~self.being_written
            if not free:
                return False
            self.locations[value] = (free & -free).bit_length() - 1
        self.being_written |= 1 << self.locations[value]
        self.occupied |= 1 << self.locations[value]
        self._release(value, self.writes_left)
        return True
