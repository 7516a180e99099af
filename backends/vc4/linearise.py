"""Control flow for lanes that go together: branches become selects, loops run until no lane wants on.

In: a function whose control flow is a nest (`structurize`) and which has no effects but at its end (`lower-kill`).
Out: one without branches but for the loops, whose only branch is at their end.

All lanes run everything.  Both arms of a branch run one after the other, and phis behind them become selects.  A loop
runs again as long as any lane wants to stay; a lane that has left runs on with the others, but its phis keep what
they had, so that every round computes the same for it as its last one, wants to leave again for the same reason, and
nothing behind the loop sees a difference.  A loop in an arm is left at once by the lanes that should not be there.

The branch of such a loop holds for each lane alone; a machine takes it if it holds for any.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from compiler.analysis.uniformity import Uniformity, uniformity
from compiler.codegen.regions import Basic, BreakIf, If, Loop, Region, Seq, blocks_of, structure_function
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.passes.base import Pass, PassContext
from compiler.passes.blocks import merge_chains, replace_terminator
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Linearise(Pass):
    """See the module's text."""

    name: ClassVar[str] = "linearise"
    description: ClassVar[str] = "turns branches into selects, and lets loops run until no lane wants on"

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        _Linearisation(function, context.analyses(function).get(uniformity)).run()
        context.analyses(function).invalidate()
        return True


@dataclass(slots=True)
class _Here:
    """Which lanes should run a region."""

    #: None for all.
    wanted: Value | None = None
    #: Whether lanes may be there with values that are no longer theirs.
    is_partial: bool = False


class _Linearisation:
    def __init__(self, function: Function, uniform: Uniformity) -> None:
        self.function = function
        self.uniform = uniform
        self.tree = structure_function(function)
        #: The branches as they were at first.
        self.exits = {block: dict.fromkeys(block.successors) for block in function.blocks}
        #: The block at whose end the code strung up so far ends.
        self.last: Block | None = None

    def run(self) -> None:
        self._sequence(self.tree, _Here())
        for block in self.function.blocks:
            _drop_single_phis(block)
        merge_chains(self.function)

    def _sequence(self, region: Seq[Block], here: _Here) -> list[Value]:
        """String up the parts; the conditions under which lanes leave the loop around them."""
        leaving: list[Value] = []
        for part in region.parts:
            if isinstance(part, Seq):
                leaving += self._sequence(part, here)
            elif isinstance(part, Basic):
                self._go_to(part.block)
            elif isinstance(part, If):
                self._branch(part, here)
            elif isinstance(part, Loop):
                self._loop(part, here)
            else:
                leaving.append(self._break(part))
                here = _Here(self._both(here.wanted, self._not(leaving[-1])), here.is_partial)
        return leaving

    def _go_to(self, block: Block) -> None:
        if self.last is not None:
            replace_terminator(self.last, block)
        self.last = block

    def _builder(self) -> Builder:
        assert self.last is not None and self.last.terminator is not None
        return Builder.in_front_of(self.last.terminator)

    # branches ------------------------------------------------------------------------------
    def _branch(self, region: If[Block], here: _Here) -> None:
        self._go_to(region.block)
        terminator = region.block.terminator
        assert terminator is not None
        condition, span = terminator.operands[0], terminator.span
        is_partial = here.is_partial or not self.uniform.is_uniform(condition)
        holds = self._not(condition) if region.inverted else condition
        join = self._target_behind([region.block, *_blocks(region.then), *_blocks(region.orelse)])
        self._sequence(region.then, _Here(self._both(here.wanted, holds), is_partial))
        if region.orelse is not None:
            self._sequence(region.orelse, _Here(self._both(here.wanted, self._not(holds)), is_partial))
        if join is None:
            return
        inside = set(_blocks(region.then))
        around = inside | {region.block} | set(_blocks(region.orelse))
        for phi in list(join.phis()):
            incoming = [(value, block) for value, block in phi.incoming() if block in around]
            if not incoming:
                continue
            there = next((value for value, block in incoming if block in inside), None)
            other = next((value for value, block in incoming if block not in inside), None)
            builder = self._builder()
            builder.span, builder.flags = phi.span or span, phi.flags
            chosen = there if other is None else other if there is None else _choice(builder, holds, there, other)
            assert chosen is not None
            for _, block in incoming:
                phi.remove_incoming(block)
            phi.add_incoming(chosen, region.block)

    def _target_behind(self, blocks: list[Block]) -> Block | None:
        """The one block that control comes to from these, as the function was at first."""
        inside = set(blocks)
        return next((target for block in blocks for target in self.exits[block] if target not in inside), None)

    # loops ---------------------------------------------------------------------------------
    def _break(self, part: BreakIf[Block]) -> Value:
        self._go_to(part.block)
        terminator = part.block.terminator
        assert terminator is not None
        condition = terminator.operands[0]
        return self._not(condition) if part.inverted else condition

    def _loop(self, region: Loop[Block], here: _Here) -> None:
        before, inside = self.last, list(blocks_of(region.body))
        header = inside[0]
        ending = [part.block for part in region.body.parts if isinstance(part, BreakIf)]
        behind = self._target_behind(inside)
        assert before is not None and behind is not None
        is_partial = here.is_partial or any(not self.uniform.is_uniform_branch(block) for block in ending)
        leaving = self._sequence(region.body, _Here(here.wanted, is_partial))
        last, builder = self.last, self._builder()
        assert last is not None
        done = leaving[0]
        for condition in leaving[1:]:
            done = builder.op(ops.OR, done, condition)
        stay = self._not(done)
        if here.is_partial:
            stay = self._both(here.wanted, stay)
        self._close(header, set(inside), before, stay if is_partial else None)
        self._merge_exits(behind, leaving, ending, header)
        terminator = last.terminator
        assert terminator is not None
        self.last = self.function.add_block("left", after=last)
        Builder(self.last).br(behind)
        builder = Builder(last)
        builder.span = terminator.span
        terminator.erase()
        builder.condbr(stay, header, self.last)

    def _close(self, header: Block, inside: set[Block], before: Block, stay: Value | None) -> None:
        """Phis of the loop's head: from in front of it, and what the lanes that stay computed."""
        assert self.last is not None
        for phi in list(header.phis()):
            outer = next(value for value, block in phi.incoming() if block not in inside)
            inner = next(value for value, block in phi.incoming() if block in inside)
            if stay is not None and inner is not phi:
                inner = _choice(self._builder(), stay, inner, phi)
            while phi.operands:
                phi.remove_incoming(phi.attribute[0])
            phi.add_incoming(outer, before)
            phi.add_incoming(inner, self.last)

    def _merge_exits(self, behind: Block, leaving: list[Value], ending: list[Block], label: Block) -> None:
        """Phis behind the loop: the value of the first condition that holds."""
        for phi in list(behind.phis()):
            values = {block: value for value, block in phi.incoming() if block in ending}
            if not values:
                continue
            chosen = values[ending[-1]]
            for condition, block in reversed(list(zip(leaving[:-1], ending[:-1], strict=True))):
                chosen = _choice(self._builder(), condition, values[block], chosen)
            for block in ending:
                phi.remove_incoming(block)
            assert self.last is not None
            phi.add_incoming(chosen, self.last)

    # conditions ----------------------------------------------------------------------------
    def _not(self, condition: Value) -> Value:
        if isinstance(condition, Constant):
            return Constant(condition.type, tuple(not component for component in condition.components))
        if isinstance(condition, Instruction) and condition.op is ops.NOT:
            return condition.operands[0]
        return self._builder().op(ops.NOT, condition)

    def _both(self, one: Value | None, other: Value) -> Value:
        return other if one is None else self._builder().op(ops.AND, one, other)


def _choice(builder: Builder, condition: Value, if_true: Value, if_false: Value) -> Value:
    return if_true if if_true is if_false else builder.op(ops.SELECT, condition, if_true, if_false)


def _blocks(region: Region[Block] | None) -> Iterable[Block]:
    return () if region is None else blocks_of(region)


def _drop_single_phis(block: Block) -> None:
    for phi in list(block.phis()):
        if len(phi.operands) == 1:
            phi.replace_all_uses_with(phi.operands[0])
            phi.erase()
