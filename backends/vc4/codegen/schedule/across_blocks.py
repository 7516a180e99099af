"""Values that are live across blocks, which are assigned registers of the files for as long as they are live.

In: selected code of several blocks.  Out: the same with fewer copies, and registers for the values that are live in
more than one block; each block can then be scheduled by itself.  A value has its register to itself in all blocks that
it is live in, or named in; the order inside of blocks is not settled yet.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import permutations

from glslc_multi.backends.vc4.codegen.machine_ops import ACCUMULATORS, GENERAL, IMM
from glslc_multi.backends.vc4.codegen.schedule.ports import FIRST_ACCUMULATOR, FIRST_B, location_of_register
from glslc_multi.backends.vc4.codegen.schedule.straight_line import IN_A, IN_B, USABLE
from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.liveness import Flow, Liveness, Numbering, bits, set_of
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step

#: A virtual register, or a physical one that is live at the start.
Holder = VirtualRegister | Register
#: The registers, as a set of locations, that such values may have.
_REGISTERS = USABLE & (IN_A | IN_B)


@step("assign across blocks")
def assign_across_blocks(function: MachineFunction) -> Mapping[Holder, int] | None:
    """Coalesce copies, and assign registers (as locations) to what is live across blocks; None where there are too
    few."""
    liveness = Liveness(function, Numbering(function))
    if max(liveness.live_out[block].bit_count() for block in function.blocks) > _REGISTERS.bit_count():
        # No copy that goes makes fewer of what is live at one point.
        return None
    _coalesce(function, liveness)
    live_blocks = _live_blocks(function)
    partners = _partners(function)
    assigned: dict[Holder, int] = {register: location_of_register(register) for register in function.live_in}
    for holder, blocks in live_blocks.items():
        if holder in assigned or blocks.bit_count() < 2:
            continue
        free = _REGISTERS
        for other, register in assigned.items():
            if live_blocks.get(other, 0) & blocks:
                free &= ~(1 << register)
        if not free:
            return None
        assigned[holder] = _best(free, partners[holder], assigned)
    return assigned


def _best(free: int, partners: Counter[Holder], assigned: Mapping[Holder, int]) -> int:
    """A free register, in the file that fewer of the values are in that are read together with this one, since a word
    reads one register of each; else in the file that has fewer of them taken."""
    in_files = [
        (
            sum(count for partner, count in partners.items() if file >> _location(partner, assigned) & 1),
            sum(1 for register in assigned.values() if file >> register & 1),
        )
        for file in (IN_A, IN_B)
    ]
    preferred = free & (IN_A if in_files[0] <= in_files[1] else IN_B) or free
    return (preferred & -preferred).bit_length() - 1


def _location(holder: Holder, assigned: Mapping[Holder, int]) -> int:
    """Where a value is; a small immediate takes the port of file B, what has no register yet none."""
    if isinstance(holder, Register) and holder.file is IMM:
        return FIRST_B
    return assigned.get(holder, FIRST_ACCUMULATOR)


def _partners(function: MachineFunction) -> dict[Holder, Counter[Holder]]:
    """By value what is read together with it, and how often."""
    partners: dict[Holder, Counter[Holder]] = defaultdict(Counter)
    for instruction in function.instructions():
        for use, other in permutations(instruction.uses, 2):
            if isinstance(use.register, Holder) and isinstance(other.register, Holder):
                partners[use.register][other.register] += use.register != other.register
    return partners


def _live_blocks(function: MachineFunction) -> dict[Holder, int]:
    """The blocks that values are live in, as sets."""
    numbering = Numbering(function)
    flow = Flow(function, numbering)
    blocks_of = [0] * numbering.unit_count
    for number, block in enumerate(function.blocks):
        # The lane units that are live somewhere in a block, or written; what nothing reaches is not, though it be read.
        span = range(*flow.span(block))
        read, written = (set_of(unit for index in span for unit in units[index]) for units in (flow.reads, flow.writes))
        given = flow.reaching[block] if block is function.entry else 0
        for unit in bits(given | written | flow.reaching[block] & (read | flow.live_out[block])):
            blocks_of[unit] |= 1 << number
    live_blocks: dict[Holder, int] = {}
    for instruction in function.instructions():
        for holder in [d.register for d in instruction.defs] + [use.register for use in instruction.uses]:
            first = numbering.first(holder)
            if first is None or not isinstance(holder, VirtualRegister | Register) or holder in live_blocks:
                continue
            if isinstance(holder, Register) and holder.file is ACCUMULATORS:
                continue
            live_blocks[holder] = blocks_of[first]
    return live_blocks


def _coalesce(function: MachineFunction, liveness: Liveness) -> None:
    """Let the two sides of a copy be one register where they are never live together."""
    numbering = liveness.numbering
    heads: dict[VirtualRegister, VirtualRegister] = {}
    ranges = {
        register: liveness.ranges[numbering.virtual[register.id]] | liveness.definitions[numbering.virtual[register.id]]
        for register in function.registers
    }

    def head(register: VirtualRegister) -> VirtualRegister:
        while register in heads:
            register = heads[register]
        return register

    for instruction in function.instructions():
        if not _is_plain_copy(instruction):
            continue
        source, target = instruction.uses[0].register, instruction.defs[0].register
        assert isinstance(source, VirtualRegister) and isinstance(target, VirtualRegister)
        one, other = head(source), head(target)
        if one is not other and not ranges[one] & ranges[other]:
            heads[other] = one
            ranges[one] |= ranges[other]
    for block in function.blocks:
        for instruction in block.instructions:
            for definition in instruction.defs:
                if isinstance(definition.register, VirtualRegister):
                    definition.register = head(definition.register)
            for use in instruction.uses:
                if isinstance(use.register, VirtualRegister):
                    use.register = head(use.register)
        block.instructions = [instruction for instruction in block.instructions if not _is_idle(instruction)]


def _is_plain_copy(instruction: MachineInstruction) -> bool:
    """Whether it copies one register to another, where both may be any."""
    if not instruction.op.copy:
        return False
    sides = (instruction.uses[0].register, instruction.defs[0].register)
    return all(isinstance(side, VirtualRegister) and side.register_class is GENERAL for side in sides)


def _is_idle(instruction: MachineInstruction) -> bool:
    return _is_plain_copy(instruction) and instruction.uses[0].register is instruction.defs[0].register
