"""Values that live in several blocks, which get registers of the files for as long as the program runs past them.

In: selected code of several blocks.  Out: the same with fewer copies, and places for the values that are in more than
one block; each block can then be woven by itself.  A place belongs to a value in all blocks that the value is alive in,
or named; the order inside of blocks is not settled yet.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.vc4.codegen.machine_ops import ACCUMULATORS, GENERAL
from backends.vc4.codegen.schedule.straight import IN_A, IN_B, USABLE
from backends.vc4.codegen.schedule.words import place_of_register
from compiler.codegen.machine import MachineFunction, MachineInstruction, VirtualRegister
from compiler.codegen.regalloc.liveness import Liveness, Numbering
from compiler.codegen.registers import Register

#: A virtual register, or a physical one that holds something at the start.
Holder = VirtualRegister | Register


def settle_crossings(function: MachineFunction) -> Mapping[Holder, int] | None:
    """Join copies with what they copy, and place what crosses from block to block; None where there is no room."""
    _coalesce(function)
    lives = _lives(function)
    places: dict[Holder, int] = {register: place_of_register(register) for register in function.live_in}
    for holder, blocks in lives.items():
        if holder in places or blocks.bit_count() < 2:
            continue
        free = USABLE & (IN_A | IN_B)
        for other, place in places.items():
            if lives.get(other, 0) & blocks:
                free &= ~(1 << place)
        if not free:
            return None
        places[holder] = _best(free, list(places.values()))
    return places


def _best(free: int, taken: list[int]) -> int:
    """A free place, in the file that has fewer of them taken."""
    in_a = sum(1 for place in taken if IN_A >> place & 1)
    file = IN_A if in_a * 2 <= len(taken) else IN_B
    places = free & file or free
    return (places & -places).bit_length() - 1


def _lives(function: MachineFunction) -> dict[Holder, int]:
    """The blocks that values are alive in, as sets."""
    numbering = Numbering(function)
    liveness = Liveness(function, numbering)
    spans = [liveness.span(block) for block in function.blocks]
    masks = [(1 << 2 * end) - (1 << 2 * start) for start, end in spans]
    found: dict[Holder, int] = {}
    for made in function.instructions():
        for holder in [d.register for d in made.defs] + [use.register for use in made.uses]:
            first = numbering.first(holder)
            if first is None or not isinstance(holder, VirtualRegister | Register) or holder in found:
                continue
            if isinstance(holder, Register) and holder.file is ACCUMULATORS:
                continue
            points = liveness.ranges[first] | liveness.definitions[first]
            found[holder] = sum(1 << number for number, mask in enumerate(masks) if points & mask)
    return found


def _coalesce(function: MachineFunction) -> None:
    """Let the two sides of a copy be one register where they are never alive together."""
    numbering = Numbering(function)
    liveness = Liveness(function, numbering)
    heads: dict[VirtualRegister, VirtualRegister] = {}
    ranges = {
        register: liveness.ranges[numbering.virtual[register.id]] | liveness.definitions[numbering.virtual[register.id]]
        for register in function.registers
    }

    def head(register: VirtualRegister) -> VirtualRegister:
        while register in heads:
            register = heads[register]
        return register

    for made in function.instructions():
        if not _is_plain_copy(made):
            continue
        source, target = made.uses[0].register, made.defs[0].register
        assert isinstance(source, VirtualRegister) and isinstance(target, VirtualRegister)
        one, other = head(source), head(target)
        if one is not other and not ranges[one] & ranges[other]:
            heads[other] = one
            ranges[one] |= ranges[other]
    for block in function.blocks:
        for made in block.instructions:
            for definition in made.defs:
                if isinstance(definition.register, VirtualRegister):
                    definition.register = head(definition.register)
            for use in made.uses:
                if isinstance(use.register, VirtualRegister):
                    use.register = head(use.register)
        block.instructions = [made for made in block.instructions if not _is_idle(made)]


def _is_plain_copy(made: MachineInstruction) -> bool:
    """Whether it copies one register of any place to another."""
    if not made.op.copy or made.attributes or made.conditional:
        return False
    sides = (made.uses[0].register, made.defs[0].register)
    return made.uses[0].extra is None and all(
        isinstance(side, VirtualRegister) and side.register_class is GENERAL for side in sides
    )


def _is_idle(made: MachineInstruction) -> bool:
    return _is_plain_copy(made) and made.uses[0].register is made.defs[0].register
