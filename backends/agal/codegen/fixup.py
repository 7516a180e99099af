"""Operands made legal before registers are allocated: one constant a token, none where it is the only source.

In: code whose constants are registers (or symbols of them).  Out: the same with a `mov` to a temporary where an
instruction reads nothing but constants (runtime error 3625); `mov` itself and the coordinate of `tex` may.
One `mov` serves all who need that register in a block, with the components that all of them read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from glslc_multi.backends.agal.codegen.machine_ops import MOV
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.compiler.codegen.copies import copy_for, read_copy
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step

#: Instructions that may read nothing but constants.
_MAY_READ_CONSTANTS = frozenset({"mov", "tex", "go", "end"})


@step("copy constants")
def free_constants(function: MachineFunction, files: RegisterFiles) -> None:
    """Insert the moves."""
    for block in function.blocks:
        _Block(function, block, files).run()


class _Block:
    """One block."""

    def __init__(self, function: MachineFunction, block: MachineBlock, files: RegisterFiles) -> None:
        self.function = function
        self.block = block
        self.files = files
        #: How often each constant is read next to another one: the one that is more often is moved.
        self.wanted = Counter(key for instruction in block.instructions for key in self._rivals(instruction))
        #: What has been moved: register -> the move, which gets more components as they are needed.
        self.copies: dict[Register | None, MachineInstruction] = {}

    def run(self) -> None:
        instructions: list[MachineInstruction] = []
        for instruction in self.block.instructions:
            instructions += self._before(instruction)
            instructions.append(instruction)
        self.block.instructions = instructions

    def _constants(self, instruction: MachineInstruction) -> list[Use]:
        """The constant sources of an instruction that has no others, and must."""
        if instruction.op.name in _MAY_READ_CONSTANTS:
            return []
        constants = [use for use in instruction.uses if self.files.is_constant(use.register)]
        return constants if len(constants) == len(instruction.uses) else []

    def _rivals(self, instruction: MachineInstruction) -> Iterator[Register]:
        for use in self._constants(instruction):
            if use.relative is None:
                yield _register(use)

    def _before(self, instruction: MachineInstruction) -> Iterator[MachineInstruction]:
        uses = self._constants(instruction)
        if not uses:
            return
        # The rows of a matrix cannot be moved.
        movable = uses[:1] if "fixed" in instruction.op.sources else uses
        # What is read by index is better moved, since it is no one else's.
        chosen = max(movable, key=self._preference)
        others = [
            use
            for use in movable
            if use is not chosen and use.relative is chosen.relative is None and use.register == chosen.register
        ]
        yield from self._moves(chosen)
        for use in others:
            yield from self._moves(use)

    def _preference(self, use: Use) -> tuple[bool, bool, int]:
        register = _register(use)
        return use.relative is not None, register in self.copies, self.wanted[register]

    def _moves(self, use: Use) -> Iterator[MachineInstruction]:
        """Let a use read a copy; the move that makes it, where there is none yet."""
        key = _register(use) if use.relative is None else None
        move = self.copies.get(key)
        if move is None:
            move = copy_for([use], self.function, MOV, self.files.temporaries)
            if key is not None:
                self.copies[key] = move
            yield move
            return
        (source,), (target,) = move.uses, move.defs
        copy = target.register
        assert isinstance(copy, VirtualRegister)
        for lane in use.lanes:
            if lane is not None and lane not in source.lanes:
                source.lanes += (lane,)
                target.lanes += (copy.width,)
                copy.width += 1
        read_copy(use, copy, source.lanes)


def _register(use: Use) -> Register:
    assert isinstance(use.register, Register)
    return use.register
