"""Phis that can share a variable, so that values stay where they are instead of being copied.

A phi and a phi that it takes a value from share one where neither is wanted while the other is given a value: phis are
given values where control enters their block, so only what is live there counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Value


def webs(function: Function, counted: Collection[Instruction]) -> Mapping[Instruction, list[Instruction]]:
    """Return for each phi those that have one variable, itself included; a phi that counts a loop has its own."""
    phis = [phi for block in function.blocks for phi in block.phis() if phi not in counted]
    live = _live_phis(function, phis)
    web = {phi: [phi] for phi in phis}
    for phi in phis:
        for value in dict.fromkeys(phi.operands):
            other = web.get(value) if isinstance(value, Instruction) else None
            mine = web[phi]
            if other is None or other is mine or value.type is not phi.type:
                continue
            if not any(_interfere(one, two, live) for one in mine for two in other):
                mine.extend(other)
                web.update(dict.fromkeys(other, mine))
    return web


def _interfere(one: Instruction, other: Instruction, live: Mapping[Block, Collection[Instruction]]) -> bool:
    """Tell whether one of two phis is wanted where the other is given a value."""
    assert one.block is not None and other.block is not None
    return one.block is other.block or one in live[other.block] or other in live[one.block]


def _live_phis(function: Function, phis: Collection[Instruction]) -> dict[Block, set[Instruction]]:
    """Return for each block the phis of others that are read in it, or after it, before they get their next value."""
    read: dict[Block, set[Instruction]] = {block: set() for block in function.blocks}
    for phi in phis:
        for block in _reading_blocks(phi):
            read[block].add(phi)
    own = {block: set(block.phis()) for block in function.blocks}
    live = {block: read[block] - own[block] for block in function.blocks}
    predecessors = function.predecessors()
    pending = list(function.blocks)
    while pending:
        block = pending.pop()
        for before in predecessors[block]:
            more = live[block] - own[before] - live[before]
            if more:
                live[before] |= more
                pending.append(before)
    return live


def _reading_blocks(value: Value) -> Iterator[Block]:
    """List the blocks that read a value; components are read where what has them is."""
    for user in value.users if isinstance(value, Instruction) else ():
        if user.op is ops.PHI:
            yield from (block for operand, block in user.incoming() if operand is value)
        elif user.block is not None:
            yield user.block
        if user.op is ops.SWIZZLE:
            yield from _reading_blocks(user)
