"""Output forwarding: what computes a value for an output register writes it there itself.

In: machine code before allocation, where plain copies bring virtual registers to output registers that can only
be written.  Out: the same with fewer copies.

A copy disappears when, for the components that it copies,

* nothing else reads them,
* whoever writes them may write the output instead, as far as modes of results and the target say, and
* on every path through the program, either one of the writers runs, once, and then the copy, or none of these.

The last makes sure that an output's component is still written once, which some machines insist on.  It holds, too,
where a writer stands in the copy's block and nothing between them could tell.  Copies that now write outputs, for
example those at phis, are looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.records import dataclass, field

#: Whether the target lets an instruction have this definition of an output.
CanWrite = Callable[[MachineInstruction, Def], bool]


@step("forward outputs")
def forward_outputs(
    function: MachineFunction,
    is_output: Callable[[Register], bool],
    can_write: CanWrite = lambda instruction, definition: True,
) -> None:
    """Remove copies to output registers in place."""
    forwarding = _Forwarding(function, is_output, can_write)
    forwarding.run()


@dataclass(slots=True)
class _Register:
    """What happens to a virtual register."""

    writers: list[tuple[MachineInstruction, Def]] = field(default_factory=list)
    readers: list[tuple[MachineInstruction, Use]] = field(default_factory=list)


class _Forwarding:
    """Forwarding in one function."""

    def __init__(self, function: MachineFunction, is_output: Callable[[Register], bool], can_write: CanWrite) -> None:
        self.function = function
        self.is_output = is_output
        self.can_write = can_write
        self.registers: dict[VirtualRegister, _Register] = {}
        #: Output component -> how many instructions write it.
        self.writes: dict[tuple[Register, int], int] = {}
        self.places: dict[MachineInstruction, tuple[MachineBlock, int]] = {}
        self.copies: list[MachineInstruction] = []
        self.gone: set[MachineInstruction] = set()
        #: What some copy reads: nothing else can be forwarded.
        self.copied = {made.uses[0].register for made in function.instructions() if made.op.copy}
        for block in function.blocks:
            for number, instruction in enumerate(block.instructions):
                self.places[instruction] = block, number
                self._note(instruction)

    def _note(self, instruction: MachineInstruction) -> None:
        for use in instruction.all_uses():
            if isinstance(use.register, VirtualRegister) and use.register in self.copied:
                self._facts(use.register).readers.append((instruction, use))
        for definition in instruction.defs:
            if isinstance(definition.register, VirtualRegister):
                if definition.register in self.copied:
                    self._facts(definition.register).writers.append((instruction, definition))
            elif self.is_output(definition.register):
                for lane in definition.lanes:
                    key = definition.register, lane
                    self.writes[key] = self.writes.get(key, 0) + 1
        if self._is_output_copy(instruction):
            self.copies.append(instruction)

    def _facts(self, register: VirtualRegister) -> _Register:
        return self.registers.setdefault(register, _Register())

    def _is_output_copy(self, instruction: MachineInstruction) -> bool:
        if not instruction.op.copy or instruction.conditional or instruction.attributes or len(instruction.defs) != 1:
            return False
        target, source = instruction.defs[0].register, instruction.uses[0]
        is_plain = not (source.negate or source.absolute or source.extra or source.relative)
        is_from_register = isinstance(source.register, VirtualRegister)
        return is_plain and is_from_register and isinstance(target, Register) and self.is_output(target)

    def run(self) -> None:
        while self.copies:
            # Forward those components of a copy that can be.
            copy = self.copies.pop()
            source = copy.uses[0].register
            assert isinstance(source, VirtualRegister)
            facts = self.registers[source]
            wanted = {lane for lane in copy.uses[0].lanes if lane is not None}
            for group in _groups(wanted, [definition for _, definition in facts.writers]):
                self._group(copy, facts, group)
            if not copy.defs[0].lanes:
                self.gone.add(copy)
        if self.gone:
            for block in self.function.blocks:
                block.instructions = [instruction for instruction in block.instructions if instruction not in self.gone]

    # one copy ------------------------------------------------------------------------------
    def _group(self, copy: MachineInstruction, facts: _Register, group: set[int]) -> None:
        """Forward components that are written together, if possible."""
        if any(reader is not copy and group & set(use.lanes) for reader, use in facts.readers):
            return
        # Component of the source -> those of the output.
        targets: dict[int, list[int]] = {lane: [] for lane in group}
        output, lanes = copy.defs[0], copy.uses[0].lanes
        for target, lane in zip(output.lanes, lanes, strict=True):
            if lane in group:
                targets[lane].append(target)
        writers = [(made, definition) for made, definition in facts.writers if group & set(definition.lanes)]
        forwarded = [(made, definition, _forwarded(made, definition, output, targets)) for made, definition in writers]
        if not all(new is not None and self._may_write(made, new) for made, _, new in forwarded):
            return
        for lane in group:
            writing = [made for made, definition in writers if lane in definition.lanes]
            if not self._runs_with(copy, writing, targets[lane]):
                return
        for made, definition, new in forwarded:
            assert new is not None
            _redirect(made, definition, new, targets)
            facts.writers.remove((made, definition))
            if self._is_output_copy(made):
                self.copies.append(made)
        # Take the components that are forwarded out of the copy.
        output, source = copy.defs[0], copy.uses[0]
        left = [pair for pair in zip(output.lanes, source.lanes, strict=True) if pair[1] not in group]
        output.lanes = tuple(target for target, _ in left)
        source.lanes = tuple(lane for _, lane in left)

    def _may_write(self, instruction: MachineInstruction, definition: Def) -> bool:
        is_plain = not instruction.conditional and len(instruction.defs) == 1 and not instruction.op.tied
        return is_plain and self.can_write(instruction, definition)

    # paths ---------------------------------------------------------------------------------
    def _runs_with(self, copy: MachineInstruction, writers: list[MachineInstruction], targets: list[int]) -> bool:
        """Whether one of the writers runs, once, before the copy, and none of them without it."""
        output = copy.defs[0].register
        assert isinstance(output, Register)
        if len(writers) == 1 and self._is_next_write(writers[0], copy, Def(output, tuple(targets))):
            return True
        if any(self.writes[output, target] > 1 for target in targets):
            return False
        events: dict[MachineBlock, list[tuple[int, bool]]] = {}
        for instruction in dict.fromkeys([*writers, copy]):
            block, number = self.places[instruction]
            events.setdefault(block, []).append((number, instruction is copy))
        return _one_before_the_copy(self.function, events)

    def _is_next_write(self, writer: MachineInstruction, copy: MachineInstruction, output: Def) -> bool:
        """Whether both stand in one block, with nothing between them that writes the components or has an effect."""
        block, number = self.places[writer]
        other, last = self.places[copy]
        if block is not other or number > last:
            return False
        between = [instruction for instruction in block.instructions[number + 1 : last] if instruction not in self.gone]
        return not any(made.op.effect or any(_overlap(d, output) for d in made.defs) for made in between)


def _overlap(first: Def, second: Def) -> bool:
    """Whether two definitions write a component in common."""
    return first.register == second.register and not set(first.lanes).isdisjoint(second.lanes)


def _groups(wanted: set[int], definitions: Sequence[Def]) -> list[set[int]]:
    """The components of `wanted`, together where one instruction writes several of them."""
    groups: list[set[int]] = [{lane} for lane in sorted(wanted)]
    for definition in definitions:
        touched = [group for group in groups if group & set(definition.lanes)]
        if touched:
            groups = [group for group in groups if group not in touched]
            groups.append(set().union(definition.lanes, *touched))
    return groups


def _forwarded(
    instruction: MachineInstruction, definition: Def, output: Def, targets: dict[int, list[int]]
) -> Def | None:
    """The definition of an output by an instruction that wrote a register; None where its lanes cannot go there."""
    lanes = sorted(target for lane in definition.lanes for target in targets[lane])
    if not lanes:
        return None
    is_moved = any(target != lane for lane in definition.lanes for target in targets[lane])
    if instruction.op.result == "fixed" and is_moved:
        return None
    return Def(output.register, tuple(lanes))


def _redirect(instruction: MachineInstruction, definition: Def, new: Def, targets: dict[int, list[int]]) -> None:
    """Let an instruction write an output; its sources bring their lanes into the new order."""
    origin = {target: number for number, lane in enumerate(definition.lanes) for target in targets[lane]}
    if instruction.op.result == "each":
        for use, mode in zip(instruction.uses, instruction.op.sources, strict=True):
            if mode == "each":
                use.lanes = tuple(use.lanes[origin[target]] for target in new.lanes)
    instruction.defs[0] = new


#: Where a path may be: (writers that ran, whether the copy ran).  Everything else is wrong.
_State = tuple[int, bool]
_NOTHING, _WRITTEN, _COPIED = (0, False), (1, False), (1, True)


def _one_before_the_copy(function: MachineFunction, events: dict[MachineBlock, list[tuple[int, bool]]]) -> bool:
    """Whether on all paths through the function one writer and then the copy run, or none of them."""
    reached: dict[MachineBlock, set[_State]] = {block: set() for block in function.blocks}
    pending: list[tuple[MachineBlock, _State]] = [(function.entry, _NOTHING)]
    while pending:
        block, state = pending.pop()
        if state in reached[block]:
            continue
        reached[block].add(state)
        after = _through(sorted(events.get(block, ())), state)
        if after is None or (not block.successors and after == _WRITTEN):
            return False
        pending.extend((successor, after) for successor in block.successors)
    return True


def _through(events: list[tuple[int, bool]], state: _State) -> _State | None:
    """The state after the events of a block; None where a writer runs again, or the copy without one."""
    for _, is_copy in events:
        if state != (_WRITTEN if is_copy else _NOTHING):
            return None
        state = _COPIED if is_copy else _WRITTEN
    return state
