"""Linearisation of control flow, for lanes that run together: branches become selects, loops run until no lane stays.

In: a function whose control flow is a nest (`structurize`) and which has no effects but at its end (`lower-kill`).
Out: one without branches but for those over arms and for loops, whose only branch is at their end.

All lanes run everything.  Both arms of a branch run one after the other, and the phis at their join become selects.  An
arm that costs more than a branch is skipped if it is active in no lane.  A loop runs again as long as it is active in
any lane; a lane that has left runs on with the others, but its phis keep their values, so that every iteration computes
the same for it as its last one, leaves again by the same condition, and is not seen after the loop.  Lanes in which the
arm around a loop is not active leave the loop at once.

A branch that is left has a condition for each lane; a machine takes it if the condition holds in any.  So the code of
an arm that can be skipped must not rely on the condition: it also runs in lanes where the condition is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from glslc_multi.compiler.analysis.uniformity import Uniformity, uniformity
from glslc_multi.compiler.codegen.regions import Basic, BreakIf, If, Loop, Region, Seq, blocks_of, structure_function
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import merge_chains, replace_terminator
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.records import dataclass, replace


class Linearise(Pass):
    """See the module's text."""

    name = "vc4-linearise"
    description = "turns branches into selects, and lets loops run until no lane stays"

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        _Linearisation(function, context.analyses(function).get(uniformity), context.costs).run()
        return True


@dataclass(slots=True)
class _Active:
    """The lanes that a region is active in."""

    #: None for all.
    mask: Value | None = None
    #: Whether it may run in lanes where it is not active, beside others where it is.
    is_partial: bool = False
    #: Whether it runs even where no lane is active: an arm of a uniform condition that no branch skips.
    runs_always: bool = False


class _Linearisation:
    def __init__(self, function: Function, uniform: Uniformity, costs: CostModel) -> None:
        self.function = function
        self.uniform = uniform
        self.costs = costs
        self.tree = structure_function(function)
        self.places = _Places(self.tree)
        #: The branches of the original function.
        self.exits = {block: dict.fromkeys(block.successors) for block in function.blocks}
        #: Phis of loops that lanes leave one by one: the value for the next iteration, and the places of the loop.
        self.last_values: dict[Instruction, tuple[Value, range]] = {}
        #: The last block of the sequence so far.
        self.last: Block | None = None

    def run(self) -> None:
        self._sequence(self.tree, _Active())
        self._use_last_values()
        for block in self.function.blocks:
            for phi in list(block.phis()):
                if len(phi.operands) == 1:
                    phi.replace_all_uses_with(phi.operands[0])
                    phi.erase()
        merge_chains(self.function)

    def _use_last_values(self) -> None:
        """After a loop, no lane has stayed, so that the value for the next iteration is that of the last one; with only
        one of both in use, they can share a register."""
        for phi, (value, inside) in self.last_values.items():
            for user in list(phi.users):
                for number, operand in enumerate(user.operands):
                    if operand is phi and user.block is not None and self.places.number[user.block] not in inside:
                        user.set_operand(number, value)

    def _sequence(self, region: Seq[Block], active: _Active) -> list[Value]:
        """Put the parts one after the other; the conditions under which lanes leave the loop around them."""
        leaving: list[Value] = []
        for part in region.parts:
            if isinstance(part, Seq):
                leaving += self._sequence(part, active)
            elif isinstance(part, Basic):
                self._go_to(part.block)
            elif isinstance(part, If):
                self._branch(part, active)
            elif isinstance(part, Loop):
                self._loop(part, active)
            else:
                self._go_to(part.block)
                terminator = part.block.terminator
                assert terminator is not None
                condition = terminator.operands[0]
                leaving.append(self._not(condition) if part.inverted else condition)
                active = replace(active, mask=self._both(active.mask, self._not(leaving[-1])))
        return leaving

    def _go_to(self, block: Block) -> None:
        if self.last is not None:
            replace_terminator(self.last, block)
        self.last = block

    def _builder(self) -> Builder:
        assert self.last is not None and self.last.terminator is not None
        return Builder.before(self.last.terminator)

    # branches ------------------------------------------------------------------------------
    def _branch(self, region: If[Block], active: _Active) -> None:
        self._go_to(region.block)
        terminator = region.block.terminator
        assert terminator is not None
        condition, span = terminator.operands[0], terminator.span
        is_partial = active.is_partial or not self.uniform.is_uniform(condition)
        holds = self._not(condition) if region.inverted else condition
        join = self._exit_of(self.places.of(region))
        phis = [_JoinPhi(phi, region, self.places) for phi in ([] if join is None else list(join.phis()))]
        phis = [phi for phi in phis if any(map(phi.is_source, phi.phi.attribute))]
        arms = [(region.then, holds)]
        if region.orelse is not None:
            arms.append((region.orelse, self._not(holds)))
        for arm, condition_of_arm in arms:
            mask = self._both(active.mask, condition_of_arm)
            if join is None or not self._is_skippable(arm, join):
                self._sequence(arm, _Active(mask, is_partial, runs_always=True))
                continue
            skip = self._skip(arm, _Active(mask, is_partial), join)
            self.places.add(skip.after, region.block)
            for phi in phis:
                phi.merge(skip, holds if is_partial else None, is_first=arm is region.then)
        for phi in phis:
            builder = self._builder()
            builder.span = phi.phi.span or span
            phi.merge_arms(builder, holds, region.block)

    def _is_skippable(self, arm: Seq[Block], join: Block) -> bool:
        """Whether an arm costs more than a branch, and only the phis at the join use its results."""
        if not self.places.readers(arm) <= {(join, True)}:
            return False
        costs = accumulate(self.costs.cost(i.op, i.type.width) for block in blocks_of(arm) for i in block)
        return any(cost > self.costs.branch for cost in costs)

    def _skip(self, arm: Seq[Block], inside: _Active, join: Block) -> _Skip:
        """Put an arm after a branch that skips it."""
        before = self.last
        self._sequence(arm, inside)
        end = self.last
        assert before is not None and end is not None and before.terminator is not None and inside.mask is not None
        after = self.function.add_block("over", after=end)
        Builder(after).br(join)
        self._go_to(after)
        builder = Builder(before)
        builder.span = before.terminator.span
        before.terminator.erase()
        builder.condbr(inside.mask, next(iter(blocks_of(arm))), after)
        return _Skip(before, end, after)

    def _exit_of(self, inside: range) -> Block | None:
        """The one block that control reaches from these, in the original function; the last of them mostly knows."""
        number, blocks = self.places.number, self.places.blocks
        targets = (target for place in reversed(inside) for target in self.exits[blocks[place]])
        return next((target for target in targets if number[target] not in inside), None)

    # loops ---------------------------------------------------------------------------------

    def _loop(self, region: Loop[Block], active: _Active) -> None:
        before, inside = self.last, self.places.of(region.body)
        header = self.places.blocks[inside.start]
        ending = [part.block for part in region.body.parts if isinstance(part, BreakIf)]
        exit_block = self._exit_of(inside)
        assert before is not None and exit_block is not None
        is_partial = active.is_partial or any(not self.uniform.is_uniform_branch(block) for block in ending)
        leaving = self._sequence(region.body, replace(active, is_partial=is_partial))
        last, builder = self.last, self._builder()
        assert last is not None
        done = leaving[0]
        for condition in leaving[1:]:
            done = builder.op(ops.OR, done, condition)
        stay = self._not(done)
        if active.is_partial or active.runs_always:
            stay = self._both(active.mask, stay)
        self._close(header, inside, before, stay if is_partial else None)
        self._merge_exits(exit_block, leaving, ending)
        terminator = last.terminator
        assert terminator is not None
        self.last = self.function.add_block("left", after=last)
        self.places.add(self.last, before)
        Builder(self.last).br(exit_block)
        builder = Builder(last)
        builder.span = terminator.span
        terminator.erase()
        builder.condbr(stay, header, self.last)

    def _close(self, header: Block, inside: range, before: Block, stay: Value | None) -> None:
        """Phis of the loop's header: the value from before the loop, and what the lanes that stay computed."""
        assert self.last is not None
        number = self.places.number
        for phi in list(header.phis()):
            outer = next(value for value, block in phi.incoming() if number[block] not in inside)
            inner = next(value for value, block in phi.incoming() if number[block] in inside)
            if stay is not None and inner is not phi:
                inner = _choice(self._builder(), stay, inner, phi)
                self.last_values[phi] = inner, inside
            while phi.operands:
                phi.remove_incoming(phi.attribute[0])
            phi.add_incoming(outer, before)
            phi.add_incoming(inner, self.last)

    def _merge_exits(self, exit_block: Block, leaving: list[Value], ending: list[Block]) -> None:
        """Phis after the loop: the value of the first condition that holds."""
        for phi in list(exit_block.phis()):
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
    """An arm that can be skipped: from the end of `before` control goes to it or to `after`."""

    before: Block
    end: Block
    after: Block


class _Places:
    """The places of blocks in the order of their code, in which each region is a range."""

    def __init__(self, tree: Seq[Block]) -> None:
        self.blocks = list(blocks_of(tree))
        self.number = {block: number for number, block in enumerate(self.blocks)}
        self._ranges: dict[int, range] = {}
        self._readers: dict[int, set[tuple[Block, bool]]] = {}
        self._note(tree, 0)

    def of(self, region: Region[Block]) -> range:
        return self._ranges[id(region)]

    def readers(self, region: Region[Block]) -> set[tuple[Block, bool]]:
        """The blocks outside of a region that read what it computes, and whether in phis."""
        return self._readers[id(region)]

    def add(self, block: Block, like: Block) -> None:
        """Let a new block have the place of one that is in the same loops and arms."""
        self.number[block] = self.number[like]

    def is_new(self, block: Block) -> bool:
        return self.blocks[self.number[block]] is not block

    def _note(self, region: Region[Block], start: int) -> None:
        """Tell the facts of a region, whose first block has the number `start`, from those of its parts."""
        readers: set[tuple[Block, bool]] = set()
        stop = start
        if not isinstance(region, Seq | Loop):
            stop += 1
            readers.update(
                (user.block, user.op is ops.PHI)
                for instruction in region.block
                for user in instruction.users
                if user.block is not None
            )
        for part in _parts_of(region):
            self._note(part, stop)
            stop = self.of(part).stop
            readers |= self.readers(part)
        self._ranges[id(region)] = inside = range(start, stop)
        self._readers[id(region)] = {reader for reader in readers if self.number[reader[0]] not in inside}


def _parts_of(region: Region[Block]) -> Sequence[Region[Block]]:
    if isinstance(region, Seq):
        return region.parts
    if isinstance(region, Loop):
        return [region.body]
    return [arm for arm in (region.then, region.orelse) if arm is not None] if isinstance(region, If) else []


class _JoinPhi:
    """A phi at the join of a branch, which chooses between the values of the arms."""

    def __init__(self, phi: Instruction, region: If[Block], places: _Places) -> None:
        self.phi = phi
        self.places = places
        #: The head of the branch and both arms, and the first arm.
        self.both = places.of(region)
        self.first = places.of(region.then)
        #: The value of the first arm, if it may have been skipped.
        self.skipped: Value | None = None
        #: The value for all lanes, once known.
        self.merged: Value | None = None

    def is_source(self, block: Block) -> bool:
        """Say whether values come from a block in the arms, or from the head of the branch."""
        return self.places.number[block] in self.both

    def _incoming(self) -> _Values:
        """Read the values of both arms; loops in the arms change them."""
        number = self.places.number
        own = [(value, block) for value, block in self.phi.incoming() if number[block] in self.both]
        first = [value for value, block in own if number[block] in self.first]
        second = [value for value, block in own if number[block] not in self.first]
        one = self.skipped or next(iter(first), None)
        return _Values(one, next(iter(second), None), len(second), [block for _, block in own])

    def merge(self, skip: _Skip, holds: Value | None, *, is_first: bool) -> None:
        """Merge the values after an arm that can be skipped; without `holds`, all lanes are active in it, or none."""
        if self.merged is not None:
            return
        values = self._incoming()
        one, other = values.first, values.second
        assert one is not None and other is not None
        builder, after = Builder.before(_end_of(skip.end)), Builder.before(_end_of(skip.after))
        builder.span = after.span = self.phi.span
        if is_first and (values.seconds > 1 or self._waits_for_second(other, skip)):
            # No lane that reads it skips the arm.
            self.skipped = after.phi(self.phi.type, [(one, skip.end), (Constant.undef(self.phi.type), skip.before)])
            return
        inside, outside = (one, other) if is_first else (other, one)
        value = inside if holds is None else _choice(builder, holds, one, other)
        self.merged = after.phi(self.phi.type, [(value, skip.end), (outside, skip.before)])

    def _waits_for_second(self, value: Value, skip: _Skip) -> bool:
        """Say whether a value is computed in the second arm, which is not in place yet."""
        block = value.block if isinstance(value, Instruction) else None
        if block is None or block is skip.before or self.places.is_new(block) or not self.is_source(block):
            return False
        return self.places.number[block] not in self.first

    def merge_arms(self, builder: Builder, holds: Value, source: Block) -> None:
        """Replace the values of both arms by one."""
        builder.flags = self.phi.flags
        values, value = self._incoming(), self.merged
        if value is None:
            assert values.first is not None and values.second is not None
            value = _choice(builder, holds, values.first, values.second)
        for block in values.sources:
            self.phi.remove_incoming(block)
        self.phi.add_incoming(value, source)


@dataclass(frozen=True, slots=True)
class _Values:
    """The values that the arms of a branch give to a phi."""

    first: Value | None
    #: The value of the second arm, or the one without it, and from how many blocks it comes.
    second: Value | None
    seconds: int
    sources: list[Block]


def _end_of(block: Block) -> Instruction:
    assert block.terminator is not None
    return block.terminator


def _choice(builder: Builder, condition: Value, if_true: Value, if_false: Value) -> Value:
    return if_true if if_true is if_false else builder.op(ops.SELECT, condition, if_true, if_false)
