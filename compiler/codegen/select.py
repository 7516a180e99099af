"""Instruction selection: IR instructions to machine instructions, by the rules of a target (`selection/`).

Code is emitted backwards, from the last block and the last instruction on, because then an instruction's
readers come before it: what nobody asked for as a register (what a rule computed along with its root, what an
operand swallowed, see `operands.py`) is never emitted, and rules need not say what they read.  Phis become
registers that every predecessor copies to a second register of their own first, so that no order of the
copies can be wrong; the allocator makes most of these copies vanish.  Critical edges must have been split.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.selection.emitter import AnyEmitter, Emitter, SelectionTarget
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_order import postorder
from glslc_multi.compiler.ir.module import Block, Function, Instruction
from glslc_multi.compiler.trace import show


def select(
    function: Function, target: SelectionTarget, make_emitter: Callable[[Any, MachineFunction], AnyEmitter] = Emitter
) -> tuple[MachineFunction, dict[Block, MachineBlock]]:
    """Machine code on virtual registers for `function`, and the machine block of every block.

    A machine whose values are not components of registers brings an emitter of its own.
    """
    out = MachineFunction(function.name)
    blocks = {block: out.add_block(block.name) for block in function.blocks}
    for block, made in blocks.items():
        made.successors = [blocks[successor] for successor in block.successors]
    selection = _Selection(make_emitter(target, out), blocks)
    # In postorder: every block before those that dominate it.
    for block in postorder(function.entry, lambda block: block.successors):
        selection.block(block)
    show("select", out)
    return out, blocks


class _Selection:
    """Selection of one function in progress."""

    def __init__(self, emitter: AnyEmitter, blocks: dict[Block, MachineBlock]) -> None:
        self.emitter = emitter
        self.blocks = blocks
        #: The registers that the predecessors of phis write.
        self.phi_inputs: dict[Instruction, VirtualRegister] = {}

    def block(self, block: Block) -> None:
        """Emit a block, last instruction first."""
        chunks: list[list[MachineInstruction]] = []
        for instruction in reversed(block):
            if instruction.is_terminator:
                chunks.append(self._chunk(instruction, self._terminator))
                chunks.append(self._chunk(instruction, self._copies_to_phis))
            elif instruction.op is ops.PHI:
                chunks.append(self._chunk(instruction, self._phi))
            elif instruction.op.effect == "effect" or self.emitter.is_wanted(instruction):
                chunks.append(self._chunk(instruction, self._plain))
        self.blocks[block].instructions = [made for chunk in reversed(chunks) for made in chunk]

    def _chunk(self, instruction: Instruction, emit: Callable[[Instruction], None]) -> list[MachineInstruction]:
        """What `emit` makes of an instruction."""
        chunk: list[MachineInstruction] = []
        self.emitter.made, self.emitter.span = chunk, instruction.span
        emit(instruction)
        return chunk

    def _plain(self, instruction: Instruction) -> None:
        self.emitter.target.rules.select(self.emitter, instruction)

    def _terminator(self, instruction: Instruction) -> None:
        self._plain(instruction)
        for made in self.emitter.made:
            if made.op.terminator and not made.targets:
                made.targets = [self.blocks[target] for target in instruction.targets]

    def _phi(self, phi: Instruction) -> None:
        if not phi.users:
            return
        source = self._phi_input(phi)
        lanes = tuple(range(source.width))
        self.emitter.copy(Def(self.emitter.register(phi), lanes), Use(source, lanes))

    def _copies_to_phis(self, terminator: Instruction) -> None:
        block = terminator.block
        assert block is not None
        for successor in dict.fromkeys(block.successors):
            for phi in successor.phis():
                if phi.users:
                    self.emitter.move(phi.operands[phi.attribute.index(block)], self._phi_input(phi))

    def _phi_input(self, phi: Instruction) -> VirtualRegister:
        if phi not in self.phi_inputs:
            register = self.emitter.register(phi)
            self.phi_inputs[phi] = self.emitter.temporary(register.width, register.register_class)
        return self.phi_inputs[phi]
