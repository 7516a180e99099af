"""Instructions that fill a line, as text says them: loads, semaphore operations, branches."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.isa.encoding import Branch, Load
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import LANES, BranchCondition, Condition, LoadMode
from glslc_multi.backends.vc4.isa.text.operands import (
    Destination,
    Head,
    condition_of_half,
    packing_of_half,
    write_swap,
)
from glslc_multi.compiler.isa.mistakes import not_encodable
from glslc_multi.compiler.records import dataclass

#: Bit of a semaphore's number.
_ACQUIRE = 16
SEMAPHORES = 16


def semaphore(number: int, acquires: bool) -> tuple[LoadMode, int]:
    """The mode and the 32 bits of a semaphore operation."""
    return LoadMode.SEMAPHORE, number | (_ACQUIRE if acquires else 0)


def lane_values(values: Sequence[int]) -> tuple[LoadMode, int]:
    """The mode and the 32 bits of sixteen numbers from -2 to 1, or from 0 to 3."""
    bits = sum((value & 1) << lane | (value >> 1 & 1) << LANES + lane for lane, value in enumerate(values))
    return LoadMode.UNSIGNED if max(values) > 1 else LoadMode.SIGNED, bits


@dataclass(frozen=True, slots=True)
class LoadText:
    """`ldi d, value`, `ldi d1, d2, value`, `sacq d, n`"""

    head: Head
    destinations: list[Destination]
    mode: LoadMode
    immediate: int
    #: How the immediate is written.
    value: str = ""

    @property
    def text(self) -> str:
        return f"{self.head.text} {', '.join((*(one.text for one in self.destinations), self.value))}"

    def instruction(self) -> Load:
        """The load; raises `Mistake` where it is no word."""
        head, destinations = self.head, self.destinations
        sets_flags = head.sets_flags or any(destination.sets_flags for destination in destinations)
        conditions = []
        packs = set()
        for index, destination in enumerate(destinations):
            condition = condition_of_half(head, destination)
            is_idle = destination.address.number == NOWHERE and not sets_flags
            conditions.append(Condition.NEVER if is_idle else condition)
            packs.add(packing_of_half(head, destination, index, None))
        packs.discard((0, 0))
        if len(packs) > 1:
            raise not_encodable("an instruction has one pack mode", head.place)
        pm, pack = next(iter(packs), (0, 0))
        second = len(destinations) > 1
        return Load(
            self.immediate,
            destinations[0].address.number,
            destinations[1].address.number if second else NOWHERE,
            conditions[0],
            conditions[1] if second else Condition.NEVER,
            self.mode,
            pm,
            pack,
            int(sets_flags),
            write_swap(list(destinations)),
        )


@dataclass(frozen=True, slots=True)
class BranchText:
    """`brr link, target`, or in full `brr link, link, register, offset`"""

    head: Head
    links: list[Destination]
    #: The number of the register of file A that is added.
    register: int | None
    immediate: int

    @property
    def text(self) -> str:
        operands = [link.text for link in self.links]
        if self.register is not None:
            operands.append(f"ra{self.register}")
        elif len(operands) > 1:
            operands.append("-")
        if self.immediate or self.register is None:
            operands.append(str(self.immediate))
        return f"{self.head.text} {', '.join(operands)}"

    def instruction(self) -> Branch:
        """The branch; raises `Mistake` where it is no word."""
        head, links, raddr = self.head, self.links, self.register or 0
        if head.sets_flags and self.register is not None and not raddr & 1:
            help = "the lowest bit of the register's number is the flag"
            raise not_encodable("a branch by an even register sets no flags", head.place, help)
        return Branch(
            self.immediate - (1 << 32) if self.immediate >= 1 << 31 else self.immediate,
            cond=head.condition if isinstance(head.condition, BranchCondition) else BranchCondition.ALWAYS,
            relative=int(head.name == "brr"),
            use_register=int(self.register is not None),
            raddr_a=raddr | head.sets_flags,
            waddr_add=links[0].address.number,
            waddr_mul=links[1].address.number if len(links) > 1 else NOWHERE,
            ws=write_swap(list(links)),
        )
