"""Predication: a function without loops runs all of its blocks one after the other.

In: a function without loops and with one exit.  Out: one block.  For targets without branches, where
`if-convert` leaves control flow that is no nest of ifs: a `break` with code of its own from an unrolled
loop, or a `return` from the middle.

The idea (Allen, Kennedy, Porterfield, Warren, "Conversion of control dependence to data dependence", 1983):
every block has a *predicate*, which is true where a lane would run it: "or" of the predicates of the edges
to it, each of which is the block it comes from "and" its condition.  A block that always runs when its
immediate dominator does has the same predicate as that.  A phi becomes a chain of selects on its edges,
since one of them is true wherever its value counts.  Kills and stores become conditional.
"""

from __future__ import annotations

from itertools import pairwise

from compiler.analysis.cfg import ControlFlow, control_flow
from compiler.analysis.dominators import DominatorTree, dominators, post_dominators
from compiler.analysis.loops import loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.block_edits import replace_terminator
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Constant, Instruction, Value
from compiler.passes.control_flow.conditional import can_be_conditional, is_undefined, make_conditional

_OR = Form(__name__, "block with several ways to it")
_SELECTS = Form(__name__, "phi of several values")
_AND = Form(__name__, "branch in a branch")

#: None is "always".
_Predicate = Value | None


def predicate(analyses: AnalysisManager) -> bool:
    """Make the function one chain of blocks; False where it has loops or effects that cannot be conditional."""
    flow = analyses.get(control_flow)
    nest = analyses.get(loop_nest)
    if nest.top or flow.unreachable or len(flow.exits) != 1:
        return False
    predication = _Predication(analyses, flow)
    if not predication.is_possible():
        return False
    predication.run()
    return True


class _Predication:
    """The predicates of one function."""

    def __init__(self, analyses: AnalysisManager, flow: ControlFlow) -> None:
        self.flow = flow
        self.tree: DominatorTree = analyses.get(dominators)
        self.after: DominatorTree = analyses.get(post_dominators)
        self.predicates: dict[Block, _Predicate] = {}
        #: (from, to) -> the predicate of the edge.
        self.edges: dict[tuple[Block, Block], _Predicate] = {}

    def is_possible(self) -> bool:
        """Whether all effects of blocks that do not always run can be made conditional."""
        partial = [block for block in self.flow.order if not self.after.dominates(block, self.flow.entry)]
        return all(can_be_conditional(instruction) for block in partial for instruction in block)

    def run(self) -> None:
        order = self.flow.order
        for block in order:
            builder = Builder(block, block.first_non_phi)
            self.predicates[block] = self._predicate(block, builder)
            self._select_phis(block, builder)
            self._make_effects_conditional(block)
            self._leave(block)
        for block, following in pairwise(order):
            replace_terminator(block, following)

    def _predicate(self, block: Block, builder: Builder) -> _Predicate:
        if block is self.flow.entry:
            return None
        above = self.tree.parent[block]
        assert above is not None
        if self.after.dominates(block, above):
            return self.predicates[above]
        first, *others = [self.edges[before, block] for before in self.flow.predecessors[block]]
        # An edge without a predicate would come from a block that always runs, and lead to one that does.
        for other in others:
            assert first is not None and other is not None
            _OR.fires()
            first = builder.op(ops.OR, first, other)
        return first

    def _select_phis(self, block: Block, builder: Builder) -> None:
        for phi in list(block.phis()):
            incoming = [(value, source) for value, source in phi.incoming() if not is_undefined(value)]
            builder.span, builder.flags = phi.span, phi.flags
            # The last one that is not undefined needs no question.
            chosen: Value = incoming[-1][0] if incoming else phi.operands[0]
            for value, source in reversed(incoming[:-1]):
                condition = self.edges[source, block]
                assert condition is not None
                _SELECTS.fires()
                chosen = chosen if chosen is value else builder.op(ops.SELECT, condition, value, chosen)
            phi.replace_all_uses_with(chosen)
            phi.erase()

    def _make_effects_conditional(self, block: Block) -> None:
        condition = self.predicates[block]
        if condition is None:
            return
        for instruction in block:
            if instruction.op is ops.KILL or instruction.op is ops.STORE:
                make_conditional(instruction, condition)

    def _leave(self, block: Block) -> None:
        """The predicates of the edges from `block`."""
        terminator = block.terminator
        assert terminator is not None
        here = self.predicates[block]
        targets = list(dict.fromkeys(terminator.targets))
        if len(targets) < 2:
            self.edges.update({(block, target): here for target in targets})
            return
        condition = terminator.operands[0]
        builder = Builder.before(terminator)
        self.edges[block, targets[0]] = _both(here, condition, builder)
        self.edges[block, targets[1]] = _both(here, _negation(condition, builder), builder)


def _negation(condition: Value, builder: Builder) -> Value:
    if isinstance(condition, Constant):
        return Constant(condition.type, (not condition.components[0],))
    if isinstance(condition, Instruction) and condition.op is ops.NOT:
        return condition.operands[0]
    return builder.op(ops.NOT, condition)


def _both(here: _Predicate, condition: Value, builder: Builder) -> Value:
    if here is None:
        return condition
    _AND.fires()
    return builder.op(ops.AND, here, condition)
