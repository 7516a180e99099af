"""Control flow for lanes that go together: branches become selects, loops run until no lane wants on.

In: a function whose control flow is a nest (`structurize`) and which has no effects but at its end (`lower-kill`).
Out: one without branches but for those over arms and for loops, whose only branch is at their end.

All lanes run everything.  Both arms of a branch run one after the other, and phis behind them become selects.  An arm
that costs more than a branch is skipped if no lane wants it.  A loop
runs again as long as any lane wants to stay; a lane that has left runs on with the others, but its phis keep what
they had, so that every round computes the same for it as its last one, wants to leave again for the same reason, and
nothing behind the loop sees a difference.  A loop in an arm is left at once by the lanes that should not be there.

A branch that is left holds for each lane alone; a machine takes it if it holds for any.  So what stands in an arm that
can be skipped must not rely on the condition: it runs for lanes that do not want it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from compiler.analysis.uniformity import Uniformity, uniformity
from compiler.codegen.regions import Basic, BreakIf, If, Loop, Region, Seq, blocks_of, structure_function
from compiler.ir import ops
from compiler.ir.block_edits import merge_chains, replace_terminator
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.passes.base import CostModel, Pass, PassContext
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Linearise(Pass):
    """See the module's text."""

    name: ClassVar[str] = "linearise"
    description: ClassVar[str] = "turns branches into selects, and lets loops run until no lane wants on"

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        _Linearisation(function, context.analyses(function).get(uniformity), context.costs).run()
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
    def __init__(self, function: Function, uniform: Uniformity, costs: CostModel) -> None:
        self.function = function
        self.uniform = uniform
        self.costs = costs
        self.tree = structure_function(function)
        #: The branches as they were at first.
        self.exits = {block: dict.fromkeys(block.successors) for block in function.blocks}
        #: New blocks, and original ones that are in the same loops.
        self.origins: dict[Block, Block] = {}
        #: Phis of loops that lanes leave one by one: what the next round would begin with, and the blocks of the loop.
        self.last_values: dict[Instruction, tuple[Value, set[Block]]] = {}
        #: The block at whose end the code strung up so far ends.
        self.last: Block | None = None

    def run(self) -> None:
        self._sequence(self.tree, _Here())
        self._use_last_values()
        for block in self.function.blocks:
            _drop_single_phis(block)
        merge_chains(self.function)

    def _use_last_values(self) -> None:
        """Behind a loop no lane wanted on, so that what was computed for the next round is what it was in the last one;
        with only one of both needed, they can share a register."""
        for phi, (value, inside) in self.last_values.items():
            for user in list(phi.users):
                for number, operand in enumerate(user.operands):
                    if operand is phi and user.block is not None and self._origin(user.block) not in inside:
                        user.set_operand(number, value)

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

    def _origin(self, block: Block) -> Block:
        """An original block that is in the same loops and arms."""
        return self.origins.get(block, block)

    def _go_to(self, block: Block) -> None:
        if self.last is not None:
            replace_terminator(self.last, block)
        self.last = block

    def _builder(self) -> Builder:
        assert self.last is not None and self.last.terminator is not None
        return Builder.before(self.last.terminator)

    # branches ------------------------------------------------------------------------------
    def _branch(self, region: If[Block], here: _Here) -> None:
        self._go_to(region.block)
        terminator = region.block.terminator
        assert terminator is not None
        condition, span = terminator.operands[0], terminator.span
        is_partial = here.is_partial or not self.uniform.is_uniform(condition)
        holds = self._not(condition) if region.inverted else condition
        join = self._target_behind([region.block, *_blocks(region.then), *_blocks(region.orelse)])
        inside, second = set(blocks_of(region.then)), set(_blocks(region.orelse))
        choices = [
            choice
            for choice in (_ChoiceBehind(phi, inside, second | {region.block}, self.origins) for phi in _phis_of(join))
            if choice.sources
        ]
        is_plain = all(choice.there is not None and choice.other is not None for choice in choices)
        arms = [(region.then, holds, True)]
        if region.orelse is not None:
            arms.append((region.orelse, self._not(holds), False))
        for arm, wanted, is_first in arms:
            there = _Here(self._both(here.wanted, wanted), is_partial)
            if join is None or not is_plain or not self._is_skippable(arm, join):
                self._sequence(arm, there)
                continue
            skip = self._skip(arm, there, join)
            self.origins[skip.after] = region.block
            for choice in choices:
                choice.merge(skip, holds if is_partial else None, is_first=is_first)
        for choice in choices:
            builder = self._builder()
            builder.span = choice.phi.span or span
            choice.settle(builder, holds, region.block)

    def _is_skippable(self, arm: Seq[Block], join: Block) -> bool:
        """Whether an arm costs more than a branch, and leaves its results to the phis behind it alone."""
        blocks = list(blocks_of(arm))
        inside = {*blocks, join}
        price = sum(self.costs.cost(i.op, i.type.width) for block in blocks for i in block)
        return price > self.costs.branch and all(
            user.block in inside and (user.block is not join or user.op is ops.PHI)
            for block in blocks
            for instruction in block
            for user in instruction.users
        )

    def _skip(self, arm: Seq[Block], inside: _Here, join: Block) -> _Skip:
        """String up an arm behind a branch that leads over it."""
        before = self.last
        self._sequence(arm, inside)
        end = self.last
        assert before is not None and end is not None and before.terminator is not None and inside.wanted is not None
        after = self.function.add_block("over", after=end)
        Builder(after).br(join)
        self._go_to(after)
        builder = Builder(before)
        builder.span = before.terminator.span
        before.terminator.erase()
        builder.condbr(inside.wanted, next(iter(blocks_of(arm))), after)
        return _Skip(before, end, after)

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
        self.origins[self.last] = self._origin(before)
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
                self.last_values[phi] = inner, inside
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


@dataclass(frozen=True, slots=True)
class _Skip:
    """An arm that can be left out: from the end of `before` one comes to it or to `after`."""

    before: Block
    end: Block
    after: Block


class _ChoiceBehind:
    """A phi behind a branch, which chooses between the values of the arms."""

    def __init__(self, phi: Instruction, first: set[Block], second: set[Block], origins: Mapping[Block, Block]) -> None:
        self.phi = phi
        self.first = first
        #: The second arm, and the head of the branch.
        self.second = second
        self.origins = origins
        #: What the first arm leaves, if it may have been skipped.
        self.skipped: Value | None = None
        #: The value for all lanes, once known.
        self.merged: Value | None = None

    @property
    def sources(self) -> list[Block]:
        """The blocks from which values come; loops in the arms change them."""
        return [block for _, block in self.phi.incoming() if self._origin(block) in self.first | self.second]

    @property
    def there(self) -> Value | None:
        """What the first arm leaves."""
        return self.skipped or self._from(self.first)

    @property
    def other(self) -> Value | None:
        """What the second arm leaves, or what there is without one."""
        return self._from(self.second)

    def _from(self, blocks: set[Block]) -> Value | None:
        return next((value for value, block in self.phi.incoming() if self._origin(block) in blocks), None)

    def _origin(self, block: Block) -> Block:
        return self.origins.get(block, block)

    def merge(self, skip: _Skip, holds: Value | None, *, is_first: bool) -> None:
        """Give the value behind an arm that may have been skipped; without `holds`, all lanes want it or none."""
        there, other = self.there, self.other
        if self.merged is not None:
            return
        assert there is not None and other is not None
        builder, behind = Builder.before(_end_of(skip.end)), Builder.before(_end_of(skip.after))
        builder.span = behind.span = self.phi.span
        if is_first and isinstance(other, Instruction) and other.block in self.second - {skip.before}:
            # No lane that reads it comes past the arm.
            self.skipped = behind.phi(self.phi.type, [(there, skip.end), (Constant.undef(self.phi.type), skip.before)])
            return
        mine, theirs = (there, other) if is_first else (other, there)
        value = mine if holds is None else _choice(builder, holds, there, other)
        self.merged = behind.phi(self.phi.type, [(value, skip.end), (theirs, skip.before)])

    def settle(self, builder: Builder, holds: Value, source: Block) -> None:
        """Give the phi its one value."""
        builder.flags = self.phi.flags
        there, other, sources = self.there, self.other, self.sources
        value = self.merged
        if value is None:
            value = _choice(builder, holds, there, other) if there is not None and other is not None else there or other
        assert value is not None
        for block in sources:
            self.phi.remove_incoming(block)
        self.phi.add_incoming(value, source)


def _end_of(block: Block) -> Instruction:
    assert block.terminator is not None
    return block.terminator


def _phis_of(block: Block | None) -> list[Instruction]:
    return [] if block is None else list(block.phis())


def _choice(builder: Builder, condition: Value, if_true: Value, if_false: Value) -> Value:
    return if_true if if_true is if_false else builder.op(ops.SELECT, condition, if_true, if_false)


def _blocks(region: Region[Block] | None) -> Iterable[Block]:
    return () if region is None else blocks_of(region)


def _drop_single_phis(block: Block) -> None:
    for phi in list(block.phis()):
        if len(phi.operands) == 1:
            phi.replace_all_uses_with(phi.operands[0])
            phi.erase()
