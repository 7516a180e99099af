"""Joins: a new block through which jumps to several blocks pass, and which then goes where each of them went.

This is how lowerings make control flow nested: `lower-returns` lets all jumps back and out of a loop pass through
its last block, `structurize` all paths out of the arms of a branch through the join of these arms.

What a jump wanted is a bool for each target but the last, and a chain of branches asks these; where targets are many
it is the number of one, since every jump brings all of the bools.  What the phis of targets took from the jumps, phis
of the join bring; since every jump leads to one target, one phi can serve phis of several.  Where a jump brings nothing
to a phi, any value does: one that is known there anyway if there is such a one, so that no instruction is spent on it,
else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise

from glslc_multi.compiler.analysis.dominators import DominatorTree
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import replace_terminator, retarget
from glslc_multi.compiler.ir.builder import Builder, bool_constant, int_constant
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.ir.types import Kind, Type
from glslc_multi.compiler.records import dataclass

#: Targets up to which there is a bool for each.
_MOST_BOOLS = 8


_ZERO: dict[Kind, bool | int | float] = {"bool": False, "int": 0, "float": 0.0}


@dataclass(slots=True, eq=False)
class _Row:
    """A value after the join: what each source brings, and what to do with all that as one."""

    values: list[Value | None]
    apply: Callable[[Value], None]
    #: What to bring where there is nothing to bring; None for anything.
    otherwise: Value | None = None


class Join:
    """The jumps `edges` (source, target) get a block in between; targets come in the order of the questions.

    `is_known` says whether a value that a jump brings is there on all paths to the join.  The target `back`, the
    header of a loop, comes before the jumps, so that its phis are known.
    """

    def __init__(
        self,
        edges: Iterable[tuple[Block, Block]],
        targets: Sequence[Block],
        is_known: Callable[[Value], bool],
        back: Block | None = None,
    ) -> None:
        self.edges: dict[Block, list[Block]] = {}
        for source, target in edges:
            self.edges.setdefault(source, []).append(target)
        self.sources = list(self.edges)
        self.targets = targets
        self.is_known = is_known
        self.back = back
        self.rows: list[_Row] = []
        #: For each target the block that leads to it after the join.
        self.leaving: dict[Block, Block] = {}

    def carry(self, blocks: Iterable[Block], inside: set[Block] | frozenset[Block], tree: DominatorTree) -> None:
        """Let what is made in `blocks` and used outside of `inside` pass through the join, unless it is made on
        all paths there."""
        for block in blocks:
            reaching = [tree.dominates(block, source) for source in self.sources]
            for value in block if not all(reaching) else ():
                uses = list(self._uses_outside(value, inside))
                if uses:
                    brought: list[Value | None] = [value if reaches else None for reaches in reaching]
                    self.rows.append(_Row(brought, partial(_replace, uses)))

    def _uses_outside(
        self, value: Instruction, inside: set[Block] | frozenset[Block]
    ) -> Iterable[tuple[Instruction, int]]:
        """Users with the numbers of their operands; not phis that take the value from the jumps themselves."""
        for user in value.users:
            assert user.block is not None
            for position, operand in enumerate(user.operands) if user.block not in inside else ():
                is_brought = user.op is ops.PHI and user.block in self.edges.get(user.attribute[position], ())
                if operand is value and not is_brought:
                    yield user, position

    def make(self, name: str) -> Block:
        """Put the block in; it is called `name`."""
        function = self.sources[0].function
        self.block = function.add_block(name, after=max(self.sources, key=function.blocks.index))
        if len(self.targets) <= _MOST_BOOLS:
            wanted = [[self._wants(source, target) for source in self.sources] for target in self.targets[:-1]]
        else:
            wanted = [self._numbers_wanted()]
        for target in self.targets:
            # Let the phis of a target take from the join what they took from the jumps.
            for phi in target.phis():
                values = {block: value for value, block in phi.incoming()}
                brought = [values[source] if target in self.edges[source] else None for source in self.sources]
                otherwise = phi if target is self.back else None
                self.rows.append(_Row(brought, partial(self._hand_on, phi, target), otherwise))
        for source in self.sources:
            self._lead_here(source)
        self._ask(wanted)
        for row, merged in zip(self.rows, self._merge_rows(), strict=True):
            row.apply(merged)
        return self.block

    # where to go ---------------------------------------------------------------------------
    def _numbers_wanted(self) -> list[Value]:
        """The number of the target that each source, if it comes here, wants to go to."""
        number = {target: int_constant(index) for index, target in enumerate(self.targets)}
        numbers: list[Value] = []
        for source, (first, *other) in self.edges.items():
            if other:
                assert source.terminator is not None
                builder = Builder.before(source.terminator)
                numbers.append(builder.op(ops.SELECT, self._wants(source, first), number[first], number[other[0]]))
            else:
                numbers.append(number[first])
        return numbers

    def _wants(self, source: Block, target: Block) -> Value:
        """Whether `source`, if it comes here, wants to go to `target`."""
        wanted = self.edges[source]
        if len(wanted) == 1 or target not in wanted:
            return bool_constant(target in wanted)
        terminator = source.terminator
        assert terminator is not None
        condition = terminator.operands[0]
        if terminator.targets[0] is target:
            return condition
        if isinstance(condition, Constant):
            return bool_constant(not condition.components[0])
        return Builder.before(terminator).op(ops.NOT, condition)

    def _lead_here(self, source: Block) -> None:
        wanted = self.edges[source]
        if set(wanted) == set(source.successors):
            replace_terminator(source, self.block)
        else:
            retarget(source, wanted[0], self.block)

    def _ask(self, wanted: list[list[Value]]) -> None:
        """End the join: one question after the other, so that numbers of those before are not wanted any more."""
        builder = self._builder()
        number = self._phi(wanted[0]) if len(self.targets) > _MOST_BOOLS else None
        self.leaving = dict.fromkeys(self.targets, self.block)
        if len(self.targets) == 1:
            builder.br(self.targets[0])
        for position, (target, following) in enumerate(pairwise(self.targets)):
            asking = builder.block
            is_last = following is self.targets[-1]
            other = following if is_last else asking.function.add_block("else", after=asking)
            if number is None:
                condition = self._phi(wanted[position])
            else:
                condition = builder.op(ops.ILT, number, int_constant(position + 1))
            builder.condbr(condition, target, other)
            self.leaving[target] = self.leaving[following] = asking
            builder.at_end_of(other)

    # values --------------------------------------------------------------------------------
    def _hand_on(self, phi: Instruction, target: Block, merged: Value) -> None:
        for source in self.sources:
            phi.remove_incoming(source)
        phi.add_incoming(merged, self.leaving[target])
        if len(phi.operands) == 1:
            phi.replace_all_uses_with(merged)
            phi.erase()

    def _merge_rows(self) -> list[Value]:
        """For each row one value."""
        merged: dict[_Row, Value] = {}
        groups: list[list[_Row]] = []
        for row in self.rows:
            only = _only_value(row.values)
            if only is not None and self.is_known(only):
                merged[row] = only
                continue
            group = next((group for group in groups if all(_can_share(row, other) for other in group)), None)
            if group is None:
                groups.append([row])
            else:
                group.append(row)
        for group in groups:
            # One phi for rows of which no two bring different values from one source.
            columns = zip(*(row.values for row in group), strict=True)
            brought = [next((value for value in column if value is not None), None) for column in columns]
            values = [value for value in brought if value is not None]
            nothing = self._anything(values[0].type, [*group, *self.rows])
            merged.update(dict.fromkeys(group, self._phi([nothing if value is None else value for value in brought])))
        return [merged[row] for row in self.rows]

    def _anything(self, type: Type, rows: Iterable[_Row]) -> Value:
        """A value that is there on all paths; the first rows come first.  What is at hand costs no constant."""
        values = [value for row in rows for value in (row.otherwise, *row.values) if value is not None]
        known = [value for value in values if value.type is type and self.is_known(value)]
        known.append(Constant.splat(type, _ZERO[type.kind]))
        return min(known, key=lambda value: isinstance(value, Constant))

    def _phi(self, values: list[Value]) -> Value:
        only = _only_value(values)
        if only is not None and isinstance(only, Constant):
            return only
        return self._builder().phi(values[0].type, list(zip(values, self.sources, strict=True)))

    def _builder(self) -> Builder:
        builder = Builder(self.block)
        first = self.sources[0].terminator
        builder.span = None if first is None else first.span
        return builder


def _replace(uses: list[tuple[Instruction, int]], value: Value) -> None:
    for user, position in uses:
        user.set_operand(position, value)


def _only_value(values: Sequence[Value | None]) -> Value | None:
    """The one value among these, if it is one."""
    brought = [value for value in values if value is not None]
    return brought[0] if all(_same(brought[0], value) for value in brought) else None


def _can_share(row: _Row, other: _Row) -> bool:
    """Whether one phi can serve both."""
    pairs = list(zip(row.values, other.values, strict=True))
    types = {value.type for value in [*row.values, *other.values] if value is not None}
    return len(types) == 1 and all(one is None or two is None or _same(one, two) for one, two in pairs)


def _same(one: Value, other: Value) -> bool:
    return one is other or (isinstance(one, Constant) and isinstance(other, Constant) and one.same_as(other))
