"""Changes of a function's blocks that passes and code generators share: branches, splits, unreachable blocks."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_order import postorder
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function, Instruction


def rename_incoming(block: Block, old: Block, new: Block) -> None:
    """Phis of `block` that took a value from `old` take it from `new`."""
    for phi in block.phis():
        phi.attribute[:] = [new if source is old else source for source in phi.attribute]
        phi.mark_changed()


def retarget(block: Block, old: Block, new: Block) -> None:
    """Branches of `block` to `old` go to `new`; phis are the caller's business."""
    terminator = block.terminator
    assert terminator is not None
    terminator.attribute[:] = [new if target is old else target for target in terminator.attribute]
    terminator.mark_changed()


def replace_terminator(block: Block, target: Block) -> None:
    """End `block` with a jump to `target`; phis are the caller's business."""
    terminator = block.terminator
    assert terminator is not None
    builder = Builder(block)
    builder.span = terminator.span
    terminator.erase()
    builder.br(target)


def split_block(first: Instruction, name: str) -> Block:
    """Move `first` and what follows it into a new block, the function's last; the old one is left open."""
    block = first.block
    assert block is not None
    rest = block.function.add_block(name)
    for successor in dict.fromkeys(block.successors):
        rename_incoming(successor, block, rest)
    instruction: Instruction | None = first
    while instruction is not None:
        following = instruction.next
        instruction.unlink()
        rest.append(instruction)
        instruction = following
    return rest


def merge_chains(function: Function) -> bool:
    """Join blocks that follow each other and nothing else, from the first on, so that every instruction moves once.

    A block that still has phis, be it of one operand, stays.
    """
    predecessors = function.predecessors()
    following = {block: _only_follower(block, predecessors) for block in function.blocks}
    inner = set(following.values())
    gone: set[Block] = set()
    for block in function.blocks:
        after = following[block] if block not in inner else None
        while after is not None:
            _absorb(block, after)
            gone.add(after)
            after = following[after]
    function.blocks = [block for block in function.blocks if block not in gone]
    return bool(gone)


def _only_follower(block: Block, predecessors: dict[Block, list[Block]]) -> Block | None:
    """The block that control always goes to next, and to which it comes from nowhere else."""
    successors = block.successors
    if len(successors) != 1 or len(predecessors[successors[0]]) != 1:
        return None
    has_phis = any(True for _ in successors[0].phis())
    return None if has_phis else successors[0]


def _absorb(block: Block, following: Block) -> None:
    """Append the instructions of `following` to `block`."""
    assert block.terminator is not None
    block.terminator.erase()
    for after in dict.fromkeys(following.successors):
        rename_incoming(after, following, block)
    for instruction in following:
        instruction.unlink()
        block.append(instruction)


def fold_branches(function: Function, taken: Mapping[Block, Block]) -> bool:
    """Let each block of `taken` go to that one of its targets, and remove what is unreachable then.

    Nothing happens where no path to a return would remain: the exit block of a shader that loops forever
    stays, for it holds the stores of the outputs that every later stage relies on.
    """
    reached = _reachable(function, taken) if taken else set()
    if not _returns(reached):
        return False
    for block, target in taken.items():
        for other in set(block.successors) - {target}:
            for phi in other.phis():
                phi.remove_incoming(block)
        replace_terminator(block, target)
    function.remove_blocks([block for block in function.blocks if block not in reached])
    return True


def remove_unreachable_blocks(function: Function) -> bool:
    """Remove the blocks that control cannot reach, unless all that return are among them."""
    reached = _reachable(function, {})
    if len(reached) == len(function.blocks) or not _returns(reached):
        return False
    function.remove_blocks([block for block in function.blocks if block not in reached])
    return True


def _reachable(function: Function, taken: Mapping[Block, Block]) -> set[Block]:
    """Blocks that control reaches when each of `taken` has one successor only."""
    return set(postorder(function.entry, lambda block: [taken[block]] if block in taken else block.successors))


def _returns(blocks: set[Block]) -> bool:
    return any(block.last is not None and block.last.op is ops.RET for block in blocks)
