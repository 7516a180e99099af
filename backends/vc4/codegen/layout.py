"""Blocks in a row: branches that lead to the next block go, and blocks that read the stream begin with a reset.

The driver reads a program in the order of its words and cannot know whether a branch is taken, so that a block that a
branch leads to, or that follows one, must set its position in the stream before it reads a word.
"""

from __future__ import annotations

from itertools import pairwise

from glslc_multi.backends.vc4.codegen.machine_ops import BRANCH, GENERAL, JUMP, LOAD_IMMEDIATE, OUT, RESET, STREAM
from glslc_multi.backends.vc4.codegen.schedule.machine_model import takes_stream
from glslc_multi.backends.vc4.codegen.stream import STREAM_VARIABLE
from glslc_multi.backends.vc4.isa.instructions import Condition
from glslc_multi.backends.vc4.isa.registers import UNIFORM_ADDRESS
from glslc_multi.compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, Uniform, Use
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.records import replace


@step("reset the stream")
def reset_stream(function: MachineFunction) -> None:
    """Let the blocks that read the stream begin with a reset of its address."""
    for block in function.blocks[1:]:
        if any(takes_stream(instruction) for instruction in block.instructions):
            _insert_reset(function, block)


@step("finish branches")
def finish_branches(function: MachineFunction) -> None:
    """Remove empty blocks, and settle the branches of the others, which are in their final order."""
    _remove_empty(function)
    for block, following in pairwise(list(function.blocks)):
        if any(last.op is BRANCH and following not in last.targets for last in block.instructions[-1:]):
            _add_jump(function, block)
    for block, after in zip(function.blocks, [*function.blocks[1:], None], strict=True):
        last = block.instructions[-1] if block.instructions else None
        if last is None:
            continue
        if last.op is JUMP and last.targets == [after]:
            block.instructions.pop()
        elif last.op is BRANCH:
            taken, other = last.targets
            if taken is after:
                when = last.attributes["when"]
                last.attributes |= {"when": Condition(when ^ 1), "all": True}
                last.targets = [other]
                continue
            assert other is after, "one of the targets follows"
            last.targets = [taken]


def _remove_empty(function: MachineFunction) -> None:
    """Let what leads to a block that only jumps lead where that does; of a loop of such blocks one stays."""
    target_of: dict[MachineBlock, MachineBlock] = {}

    def final(block: MachineBlock) -> MachineBlock:
        while block in target_of:
            block = target_of[block]
        return block

    for block in reversed(function.blocks[1:]):
        if len(block.instructions) == 1 and block.instructions[0].op is JUMP:
            target = final(block.instructions[0].targets[0])
            if target is not block:
                target_of[block] = target
    function.blocks = [block for block in function.blocks if block not in target_of]
    for block in function.blocks:
        block.successors = [final(after) for after in block.successors]
        for instruction in block.instructions:
            instruction.targets = [final(target) for target in instruction.targets]


def _add_jump(function: MachineFunction, block: MachineBlock) -> None:
    """Let a jump follow a branch: where a loop that never ends is between them, none of its targets does."""
    last = block.instructions[-1]
    taken, other = last.targets
    jump = function.add_block(f"{block.name}.end")
    function.blocks.insert(function.blocks.index(block) + 1, function.blocks.pop())
    jump.append(MachineInstruction(JUMP, targets=[other]))
    jump.successors, block.successors, last.targets = [other], [taken, jump], [taken, jump]


def _insert_reset(function: MachineFunction, block: MachineBlock) -> None:
    """Insert a reset at the start, which all reads of the stream wait for."""
    for instruction in block.instructions:
        if takes_stream(instruction):
            instruction.op = replace(instruction.op, reads=(*instruction.op.reads, STREAM))
    offset = function.new_register(1, GENERAL)
    load = MachineInstruction(LOAD_IMMEDIATE, [Def(offset)], attributes={"immediate": 0, "reset": True})
    sources = [Use(offset), Use(Uniform(STREAM_VARIABLE))]
    add = MachineInstruction(RESET, [Def(OUT[UNIFORM_ADDRESS])], sources, attributes={"half": "add"})
    block.instructions[:0] = [load, add]
