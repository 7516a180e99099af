"""Cheap values computed again where they are needed again, so that they need no register in between
(rematerialisation: Briggs, Cooper and Torczon, 1992).

In: code before allocation.  Out: the same, where an operation whose operands are registers that live on anyway is
repeated before its later readers.  It costs instructions, so it is for code that does not fit otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, Use, VirtualRegister
from compiler.codegen.step import step
from compiler.forms import Form

_REPEATED = Form(__name__, "value computed again")

#: Operations that are worth it.
_CHEAP = frozenset({"add", "sub", "mul", "min", "max"})
#: Readers that are nearer than this to the one before share its copy.
_NEAR = 4


@step("compute again")
def recompute(function: MachineFunction) -> None:
    """Repeat what can be repeated, in every block."""
    writers: dict[VirtualRegister, list[MachineInstruction]] = {}
    for made in function.instructions():
        for definition in made.defs:
            if isinstance(definition.register, VirtualRegister):
                writers.setdefault(definition.register, []).append(made)
    once = {register for register, makers in writers.items() if len(makers) == 1}
    for block in function.blocks:
        _Block(function, block, once).run()


class _Block:
    """The values of one block."""

    def __init__(self, function: MachineFunction, block: MachineBlock, once: set[VirtualRegister]) -> None:
        self.function = function
        self.block = block
        #: Registers that only one instruction writes.
        self.once = once
        self.readers: dict[VirtualRegister, list[int]] = {}
        for position, made in enumerate(block.instructions):
            for register in dict.fromkeys(_registers(made)):
                self.readers.setdefault(register, []).append(position)

    def run(self) -> None:
        copies: dict[int, list[MachineInstruction]] = {}
        for made in self.block.instructions:
            if self._is_cheap(made):
                for reader in self._later_readers(made):
                    copies.setdefault(reader, []).append(self._repeat(made, reader))
        instructions = []
        for position, made in enumerate(self.block.instructions):
            instructions += [*copies.get(position, ()), made]
        self.block.instructions = instructions

    def _is_cheap(self, made: MachineInstruction) -> bool:
        return made.op.name in _CHEAP and made.defs[0].register in self.once and bool(list(_registers(made)))

    def _later_readers(self, made: MachineInstruction) -> Iterator[int]:
        """Readers far after the one before, where all operands are still read afterwards."""
        register = made.defs[0].register
        assert isinstance(register, VirtualRegister)
        last = min(self._last_read(operand) for operand in _registers(made))
        for before, reader in pairwise(self.readers.get(register, ())):
            if reader - before >= _NEAR and reader <= last:
                yield reader

    def _last_read(self, register: VirtualRegister) -> int:
        is_made_once = register in self.once
        return max(self.readers.get(register, [-1])) if is_made_once else -1

    def _repeat(self, made: MachineInstruction, reader: int) -> MachineInstruction:
        """A copy of an instruction, whose result the reader takes."""
        _REPEATED.fires()
        old = made.defs[0].register
        assert isinstance(old, VirtualRegister)
        new = self.function.new_register(old.width, old.register_class, span=made.span)
        for use in self.block.instructions[reader].all_uses():
            if use.register is old:
                use.register = new
        uses = [Use(use.register, use.lanes, relative=use.relative) for use in made.uses]
        return MachineInstruction(made.op, [Def(new, made.defs[0].lanes)], uses, span=made.span)


def _registers(made: MachineInstruction) -> Iterator[VirtualRegister]:
    for use in made.all_uses():
        if isinstance(use.register, VirtualRegister):
            yield use.register
