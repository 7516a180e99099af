"""Blocks that SPIR-V asks of nested control flow: section 2.11 of its specification.

In: a function whose control flow is a nest (`structurize`).  Out: the same, in which

* each `if` and each loop has a block of its own that control comes to after it, its merge block;
* a loop has a block that does nothing but go back, its continue target, and its header decides nothing but whether the
  loop goes on;
* `kill` stands at the end of a block, since it is the end of one in SPIR-V.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.codegen.regions import If, Loop, Region, Seq, blocks_of, structure_function
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import rename_incoming, retarget, split_block
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction
from glslc_multi.compiler.lowering.joins import Join


def nest_with_merges(function: Function) -> Seq[Block]:
    """Add the blocks; return the tree of the regions."""
    _end_blocks_with_kills(function)
    tree = structure_function(function)
    for loop in [region for region in _regions(tree) if isinstance(region, Loop)]:
        _split_header_and_latch(loop)
    tree = structure_function(function)
    for region in _regions(tree):
        if isinstance(region, If):
            for arm in (region.then, region.orelse):
                if arm is not None and arm.parts and isinstance(arm.parts[-1], (If, Loop)):
                    _add_merge(arm.parts[-1])
    return structure_function(function)


def always_kills(block: Block) -> bool:
    """Tell whether a block ends all lanes that come to it."""
    last = block.terminator and block.terminator.prev
    if last is None or last.op is not ops.KILL:
        return False
    (condition,) = last.operands
    return isinstance(condition, Constant) and condition.components[0] is True


def _end_blocks_with_kills(function: Function) -> None:
    kills = [i for i in function.instructions() if i.op is ops.KILL]
    for kill in kills:
        block, following = kill.block, kill.next
        assert block is not None and following is not None
        if following.op is ops.BR and always_kills(block) and _is_reached_otherwise(following.targets[0], block):
            continue
        rest = split_block(following, f"{block.name}.kept")
        builder = Builder(block)
        builder.span = kill.span
        builder.br(rest)


def _is_reached_otherwise(block: Block, source: Block) -> bool:
    """Tell whether control comes to a block from others too, which do not end all of their lanes."""
    sources = block.function.predecessors()[block]
    return any(other is not source and not always_kills(other) for other in sources)


def _regions(tree: Seq[Block]) -> Iterator[Region[Block]]:
    """List the regions of a tree, outer ones first."""
    pending: list[Region[Block]] = [tree]
    while pending:
        region = pending.pop()
        yield region
        if isinstance(region, Seq):
            pending.extend(region.parts)
        elif isinstance(region, Loop):
            pending.append(region.body)
        elif isinstance(region, If):
            pending.extend(arm for arm in (region.then, region.orelse) if arm is not None)


def _split_header_and_latch(loop: Loop[Block]) -> None:
    """Give a loop its continue target, and move away what its header decides beside the loop's end."""
    blocks = list(blocks_of(loop))
    header, inside = blocks[0], set(blocks)
    latch = next(block for block in blocks if header in block.successors)
    back = header.function.add_block(f"{header.name}.back", after=latch)
    retarget(latch, header, back)
    rename_incoming(header, latch, back)
    _jump(back, header, latch.terminator)
    first = loop.body.parts[0]
    last = header.terminator and header.terminator.prev
    if isinstance(first, If) or (last is not None and last.op is ops.KILL and inside.issuperset(header.successors)):
        start = header.first_non_phi
        assert start is not None
        rest = split_block(start, f"{header.name}.body")
        _jump(header, rest, start)


def _jump(block: Block, target: Block, at: Instruction | None) -> None:
    """End a block with a jump."""
    builder = Builder(block)
    builder.span = None if at is None else at.span
    builder.br(target)


def _add_merge(region: Region[Block]) -> None:
    """Let all that control does after a region begin in a block that nothing else leads to."""
    blocks = list(blocks_of(region))
    inside = set(blocks)
    edges = [(block, target) for block in blocks for target in block.successors if target not in inside]
    (target,) = {target for _, target in edges}
    Join(edges, [target], lambda value: True).make("merge")
