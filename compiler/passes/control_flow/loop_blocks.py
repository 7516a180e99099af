"""New blocks around loops: a preheader, a single latch."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.analysis.loops import Loop
from glslc_multi.compiler.ir.block_edits import retarget
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block


def insert_preheader(loop: Loop) -> Block:
    """A new block through which alone the loop is entered; the analyses must be dropped."""
    return _lead_through(loop.entering, loop.header, f"{loop.header.name}.pre")


def insert_latch(loop: Loop) -> Block:
    """A new block through which alone the loop goes back to its head; the analyses must be dropped."""
    return _lead_through(loop.latches, loop.header, f"{loop.header.name}.latch")


def _lead_through(sources: Sequence[Block], target: Block, name: str) -> Block:
    """Let control come from `sources` to `target` through a new block, which joins what phis took from them."""
    among = set(sources)
    gate = target.function.add_block(name, after=sources[-1])
    for block in sources:
        retarget(block, target, gate)
    builder = Builder(gate)
    builder.br(target)
    for phi in target.phis():
        incoming = [(value, block) for value, block in phi.incoming() if block in among]
        for block in sources:
            phi.remove_incoming(block)
        builder.span, builder.flags = phi.span, phi.flags
        value = incoming[0][0]
        is_one = all(other is value for other, _ in incoming)
        phi.add_incoming(value if is_one else builder.phi(phi.type, incoming), gate)
    return gate
