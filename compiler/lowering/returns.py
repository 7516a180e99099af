"""One way out of every function and every loop, for machines whose control flow is nested.

In: any function.  Out: one block returns, and every loop is *plain*: one block jumps back, all ways out lead to
one block, and they start at the loop's top level, in blocks that every round passes.  So a loop is "loop { ...
break if c ... }", and what was a `break`, `continue` or `return` in the depth of it has become a jump forwards.

A loop that is not plain gets a new last block, to which everything goes that used to jump back or out.  A phi
there tells which: whether to go on, or (with several ways out) the number of the block to go to, which a chain
of comparisons behind the loop asks.  Values that are carried around or out pass through phis of that block; on
ways where they mean nothing they are 0.  Inner loops come first, since their ways out may leave outer ones too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from compiler.analysis.cfg import ControlFlow, control_flow
from compiler.analysis.dominators import DominatorTree, dominators
from compiler.analysis.loops import Loop, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.ir import ops
from compiler.ir.builder import Builder, bool_constant, int_constant
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.ir.types import BOOL, INT, Kind, Type
from compiler.passes.base import Pass, PassContext
from compiler.passes.blocks import replace_terminator, retarget

_ZERO: dict[Kind, bool | int | float] = {"bool": False, "int": 0, "float": 0.0}


@dataclass(frozen=True, slots=True)
class LowerReturns(Pass):
    """See the module's text."""

    name: ClassVar[str] = "lower-returns"
    description: ClassVar[str] = "gives functions and loops one way out"

    #: Whether loops are made plain too.
    loops: bool = True

    def run(self, function: Function, context: PassContext) -> bool:
        analyses = context.analyses(function)
        progress = _join_returns(function)
        while self.loops:
            if progress:
                analyses.invalidate()
            loop = _next_loop(analyses)
            if loop is None:
                break
            _PlainLoop(loop, analyses).make()
            progress = True
        return progress


def _join_returns(function: Function) -> bool:
    returning = [block for block in function.blocks if block.last is not None and block.last.op is ops.RET]
    if len(returning) < 2:
        return False
    join = function.add_block("return")
    for block in returning:
        replace_terminator(block, join)
    Builder(join).ret()
    return True


def _next_loop(analyses: AnalysisManager) -> Loop | None:
    """An innermost one of the loops that are not plain."""
    if len(analyses.get(control_flow).order) == 1:
        return None
    loops = analyses.get(loop_nest).all_loops()
    return next((loop for loop in reversed(loops) if not _is_plain(loop, analyses.get(dominators))), None)


def _is_plain(loop: Loop, tree: DominatorTree) -> bool:
    if len(loop.latches) != 1 or len({target for _, target in loop.exits}) > 1:
        return False
    return all(tree.dominates(source, loop.latches[0]) for source, _ in loop.exits)


@dataclass(frozen=True, slots=True)
class _Edge:
    """A jump back or out: where it started and led to, and the block that now leads to the last one."""

    source: Block
    target: Block
    entering: Block


class _PlainLoop:
    """The transformation of one loop."""

    def __init__(self, loop: Loop, analyses: AnalysisManager) -> None:
        self.loop = loop
        self.flow: ControlFlow = analyses.get(control_flow)
        self.tree: DominatorTree = analyses.get(dominators)
        self.function = loop.header.function
        #: The blocks behind the loop, in the order of their numbers from 1 on.
        self.targets = list(dict.fromkeys(target for _, target in loop.exits))

    def make(self) -> None:
        self.last = self.function.add_block("next", after=self.loop.latches[-1])
        jumps = [*((latch, self.loop.header) for latch in self.loop.latches), *self.loop.exits]
        sources = [source for source, _ in jumps]
        self.edges = [
            _Edge(source, target, self._lead_to_last(source, target, sources.count(source) > 1))
            for source, target in jumps
        ]
        leaving = self._branch()
        self._carry_phis(self.loop.header, self.last)
        for target in self.targets:
            self._carry_phis(target, leaving[target])
        self._carry_others()

    def _lead_to_last(self, source: Block, target: Block, is_one_of_several: bool) -> Block:
        """Let the jump go to the last block, through one of its own where `source` has several such jumps."""
        if not is_one_of_several:
            retarget(source, target, self.last)
            return source
        between = self.function.add_block("leave", after=source)
        retarget(source, target, between)
        self._builder(between, source.terminator).br(self.last)
        return between

    # where to go ---------------------------------------------------------------------------
    def _branch(self) -> dict[Block, Block]:
        """End the last block; for each block behind the loop the one that now leads to it."""
        builder = self._builder(self.last, self.loop.header.terminator)
        if not self.targets:
            builder.br(self.loop.header)
            return {}
        if len(self.targets) == 1:
            goes_on = self._merge(BOOL, lambda edge: bool_constant(edge.target is self.loop.header))
            builder.condbr(goes_on, self.loop.header, self.targets[0])
            return {self.targets[0]: self.last}
        number = self._merge(INT, lambda edge: int_constant(self._number(edge.target)))
        return self._branch_by_number(builder, number)

    def _branch_by_number(self, builder: Builder, number: Value) -> dict[Block, Block]:
        """Ask for one target after the other, the loop's header first."""
        leaving: dict[Block, Block] = {}
        candidates = [self.loop.header, *self.targets]
        for candidate in candidates[:-1]:
            is_last_question = candidate is candidates[-2]
            asking = builder.block
            following = candidates[-1] if is_last_question else self.function.add_block("dispatch", after=asking)
            is_meant = builder.op(ops.IEQ, number, int_constant(self._number(candidate)))
            builder.condbr(is_meant, candidate, following)
            leaving[candidate] = asking
            builder.at_end_of(following)
        leaving[candidates[-1]] = leaving[candidates[-2]]
        return leaving

    def _number(self, target: Block) -> int:
        return 0 if target is self.loop.header else self.targets.index(target) + 1

    # values --------------------------------------------------------------------------------
    def _merge(self, type: Type, choose: Callable[[_Edge], Value | None]) -> Instruction:
        """A phi of the last block with what each edge brings; 0 where it brings nothing."""
        nothing = Constant.splat(type, _ZERO[type.kind])
        incoming = [(choose(edge) or nothing, edge.entering) for edge in self.edges]
        return self._builder(self.last, self.loop.header.terminator).phi(type, incoming)

    def _carry_phis(self, target: Block, leaving: Block) -> None:
        """Let phis of a block take what the loop's jumps brought from one phi of the last block."""
        for phi in target.phis():
            merged = self._merge_brought(phi, target)
            for edge in self.edges:
                if edge.target is target:
                    phi.remove_incoming(edge.source)
            phi.add_incoming(merged, leaving)

    def _merge_brought(self, phi: Instruction, target: Block) -> Instruction:
        brought: dict[Block, Value] = dict(zip(phi.attribute, phi.operands, strict=True))
        return self._merge(phi.type, lambda edge: brought[edge.source] if edge.target is target else None)

    def _carry_others(self) -> None:
        """Let what is used behind the loop, but not made in every round, pass through the last block too."""
        inside = self.loop.blocks | {self.last}
        for block in self.flow.order:
            if block not in self.loop.blocks or all(self.tree.dominates(block, edge.source) for edge in self.edges):
                continue
            for value in block:
                users = [user for user in value.users if user.block not in inside]
                if users:
                    self._carry_value(value, block, users)

    def _carry_value(self, value: Instruction, block: Block, users: list[Instruction]) -> None:
        merged = self._merge(value.type, lambda edge: value if self.tree.dominates(block, edge.source) else None)
        for user in users:
            for position, operand in enumerate(user.operands):
                if operand is value:
                    user.set_operand(position, merged)

    @staticmethod
    def _builder(block: Block, model: Instruction | None) -> Builder:
        """A builder at the end of `block` whose instructions have the span of `model`."""
        builder = Builder(block)
        builder.span = None if model is None else model.span
        return builder
