"""One exit for every function and every loop, for machines whose control flow is nested.

In: any function.  Out: one block returns, and every loop is *plain*: one block jumps back, all exits lead to
one block, and they start at the loop's top level, in blocks that every round passes.  So a loop is "loop { ...
break if c ... }", and what was a `break`, `continue` or `return` in the depth of it has become a jump forwards.

Exits of a loop to several blocks first get a join after the loop, which asks where to go on.  Then jumps back
and out from the depth of the loop get a join as its new last block, which asks whether to go on.  Jumps out
from the top level stay.  See `joins.py` for what is asked, and for the values that pass through a join.  Inner
loops come first, since their exits may leave outer ones too.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.cfg import control_flow
from glslc_multi.compiler.analysis.dominators import DominatorTree, dominators
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import replace_terminator
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Value
from glslc_multi.compiler.lowering.joins import Join
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class LowerReturns(Pass):
    """See the module's text."""

    name = "lower-returns"
    description = "gives functions and loops one exit"

    #: Whether loops are made plain too.
    loops: bool = True

    def run(self, function: Function, context: PassContext) -> bool:
        analyses = context.analyses(function)
        returning = [block for block in function.blocks if block.last is not None and block.last.op is ops.RET]
        if len(returning) < 2:
            progress = False
        else:
            join = function.add_block("return")
            for block in returning:
                replace_terminator(block, join)
            Builder(join).ret()
            progress = True
        while self.loops:
            if progress:
                analyses.invalidate()
            loops = _next_loops(analyses)
            if not loops:
                break
            for loop in loops:
                _make_plain(loop, analyses)
            progress = True
        return progress


def _next_loops(analyses: AnalysisManager) -> list[Loop]:
    """The loops that are not plain while all inner ones are; what is done to one of them does not touch the others."""
    if len(analyses.get(control_flow).order) == 1:
        return []
    tree = analyses.get(dominators)
    next_loops: list[Loop] = []
    around: set[Loop | None] = set()
    for loop in reversed(analyses.get(loop_nest).all_loops()):
        if loop not in around:
            if _is_plain(loop, tree):
                continue
            next_loops.append(loop)
        around.add(loop.parent)
    return next_loops


def _is_plain(loop: Loop, tree: DominatorTree) -> bool:
    if len(loop.latches) != 1 or len({target for _, target in loop.exits}) > 1:
        return False
    return all(tree.dominates(source, loop.latches[0]) for source, _ in loop.exits)


def _make_plain(loop: Loop, analyses: AnalysisManager) -> None:
    """Let one join stand after the loop, or one at its end; another call makes the other one, if need be."""
    tree = analyses.get(dominators)
    blocks = sorted(loop.blocks, key=analyses.get(control_flow).index.__getitem__)
    targets = list(dict.fromkeys(target for _, target in loop.exits))
    if len(targets) > 1:
        # What the header makes is there at every exit.
        after = Join(loop.exits, targets, lambda value: _is_made_before(value, loop))
        after.carry(blocks, loop.blocks, tree)
        after.make("behind")
        return
    exits = _deep_exits(loop, tree)
    edges = [*((latch, loop.header) for latch in loop.latches), *exits]
    asked = [loop.header, *targets] if exits else [loop.header]
    last = Join(edges, asked, lambda value: _is_made_before(value, loop), back=loop.header)
    last.carry(blocks, loop.blocks, tree)
    last.make("next")


def _is_made_before(value: Value, loop: Loop) -> bool:
    """Whether a value is there wherever a jump of the loop starts."""
    return not isinstance(value, Instruction) or value.block is loop.header or value.block not in loop.blocks


def _deep_exits(loop: Loop, tree: DominatorTree) -> list[tuple[Block, Block]]:
    """The exits that do not start in blocks which all jumps to the last block pass."""
    sources = list(loop.latches)
    deep: list[tuple[Block, Block]] = []
    top = list(loop.exits)
    while True:
        exits = [edge for edge in top if not all(tree.dominates(edge[0], source) for source in sources)]
        if not exits:
            return deep
        deep += exits
        sources += [source for source, _ in exits]
        top = [edge for edge in top if edge not in exits]
