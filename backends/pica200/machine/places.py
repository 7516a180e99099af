"""The places of a program: what is known beforehand where lanes come to a word, and the ways out of it.

That is the state of `isa/flow.py`, and what SETEMIT has set for the EMITs to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from glslc_multi.backends.pica200.isa.actions import Action, action_of
from glslc_multi.backends.pica200.isa.flow import Control, Loop, advance
from glslc_multi.backends.pica200.isa.instructions import Instruction, decode
from glslc_multi.backends.pica200.isa.program import Program
from glslc_multi.compiler.records import dataclass

SLOTS = 3


@dataclass(frozen=True, slots=True)
class Emission:
    """What the next EMIT does: the slot that it fills, whether it issues the triangle, with which winding."""

    slot: int = 0
    issues: bool = False
    winding: bool = False


NOTHING_SET = Emission()


@dataclass(frozen=True, slots=True)
class Exit:
    """A way out of a place."""

    #: The outcome of the instruction's condition; None if it has none.
    taken: bool | None
    #: Whether BREAK goes here outside of a loop.
    hangs: bool
    #: The loop that BREAK leaves.
    broken: Loop | None
    #: The loop whose body ends here; what comes if it runs again, and if it does not.
    ended: Loop | None
    again: Place
    onward: Place

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to decide and nothing to count."""
        return self.taken is None and not self.hangs and self.broken is None and self.ended is None


class Place:
    """A word with the state in which lanes come to it; there is one such object for each state."""

    def __init__(self, places: Places, control: Control, emission: Emission) -> None:
        self._places = places
        self.control = control
        self.emission = emission
        is_inside = control.pc < len(places.instructions)
        #: None where there is none.
        self.instruction = places.instructions[control.pc] if is_inside else None
        #: What an instruction with a descriptor does; None where that is missing.
        self.action = places.actions[control.pc] if is_inside else None
        #: Lanes deep inside of constructs go first, then by address.
        self.rank = -len(control.loops), -len(control.calls), -len(control.ifs), control.pc
        self._exits: list[Exit] = []

    @property
    def exits(self) -> list[Exit]:
        """In the order in which they are tried."""
        self._exits = self._exits or self._find_exits()
        return self._exits

    def _find_exits(self) -> list[Exit]:
        instruction = self.instruction
        assert instruction is not None
        if instruction.operation.operands in ("condition", "bool"):
            return [self._exit(instruction, True, True), self._exit(instruction, False, False)]
        return [self._exit(instruction, True, None)]

    def _exit(self, instruction: Instruction, jumps: bool, taken: bool | None) -> Exit:
        loops = self.control.loops
        breaks = instruction.operation.jumps == "break" and jumps
        broken = loops[-1] if breaks and loops else None
        again, onward = (advance(self.control, instruction, jumps, repeat) for repeat in (True, False))
        ended = None if again == onward else again.loops[-1]
        return Exit(taken, breaks and not loops, broken, ended, self._after(again), self._after(onward))

    def _after(self, control: Control) -> Place:
        emission, instruction = self.emission, self.instruction
        if instruction is not None and instruction.name == "SETEMIT":
            fields = instruction.fields
            emission = Emission(fields["vertex"] % SLOTS, bool(fields["primitive"]), bool(fields["winding"]))
        return self._places.place(control, emission)


class Places:
    """The places of one program."""

    def __init__(self, code: Sequence[int], descriptors: Sequence[int]) -> None:
        self.instructions = [decode(word) for word in code]
        #: What words do that have a descriptor; None for others, and where it is missing.
        self.actions: list[Action | None] = [
            action_of(word, descriptors[number])
            if instruction is not None and (number := instruction.descriptor) is not None and number < len(descriptors)
            else None
            for word, instruction in zip(code, self.instructions, strict=True)
        ]
        self._found: dict[tuple[Control, Emission], Place] = {}

    def place(self, control: Control, emission: Emission = NOTHING_SET) -> Place:
        node = self._found.get((control, emission))
        if node is None:
            node = self._found[control, emission] = Place(self, control, emission)
        return node


def places_of(program: Program) -> Places:
    """The places of a program, which are looked for once."""
    return _places(tuple(program.code), tuple(program.descriptors))


_places = lru_cache(maxsize=64)(Places)
