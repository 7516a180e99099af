"""Uniformity: which values may differ between lanes, and where only some lanes run.

A value *diverges* when it comes from an input that differs between lanes, when it is computed from a
diverging value, when it is a phi at a block that lanes reach along different paths from a diverging
branch, or when it leaves a loop that lanes leave in different iterations.  Memory counts per
variable: a local diverges once something diverging is stored to it or a partial group of lanes
stores.  After Karrenberg and Hack, "Improving Performance of OpenCL on CPUs" (2012), and LLVM's
synchronisation-dependence analysis.
"""

from __future__ import annotations

from heapq import heappop, heappush

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.dominators import DominatorTree, Node, dominators, post_dominators
from glslc_multi.compiler.analysis.loops import Loop, LoopNest, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable

_DIVERGING_STORAGE = frozenset({"attribute", "varying", "input", "output"})


class Uniformity:
    """The result: diverging values, branches and blocks; all else is uniform across lanes."""

    def __init__(self, function: Function, manager: AnalysisManager) -> None:
        self._flow: ControlFlow = manager.get(control_flow)
        self._tree: DominatorTree = manager.get(dominators)
        self._after: DominatorTree = manager.get(post_dominators)
        self._loops: LoopNest = manager.get(loop_nest)
        self._values: set[Instruction] = set()
        self._variables: set[Variable] = set()
        #: Blocks that end in a branch on a diverging condition.
        self.diverging_branches: set[Block] = set()
        #: Blocks that may run with only some of the lanes that entered the function.
        self.partial_blocks: set[Block] = set()
        self._pending: list[Instruction] = []
        self._loads: dict[Variable, list[Instruction]] = {}
        self._stores: dict[Block, list[Instruction]] = {}
        self._collect()
        while self._pending:
            value = self._pending.pop()
            for user in value.users:
                self._reach_user(user)

    def is_uniform(self, value: Value) -> bool:
        """Whether all lanes that compute `value` get the same."""
        return not isinstance(value, Instruction) or value not in self._values

    def is_uniform_branch(self, block: Block) -> bool:
        """Whether all lanes leave `block` on the same path."""
        return block not in self.diverging_branches

    def is_partial(self, block: Block) -> bool:
        return block in self.partial_blocks

    def _collect(self) -> None:
        """Note loads and stores; start from the sources of divergence."""
        for block in self._flow.order:
            for instruction in block:
                if instruction.op is ops.STORE:
                    self._stores.setdefault(block, []).append(instruction)
                elif instruction.op is ops.LOAD:
                    self._collect_load(instruction)
                elif instruction.op is ops.DDX or instruction.op is ops.DDY:
                    # A derivative is the same for a whole quad at best, never for all lanes.
                    self._mark(instruction)
                elif instruction.op is ops.CALL:
                    # The callee's memory is not followed; what it may have written diverges.
                    for variable in instruction.attribute.variables.values():
                        self._mark_variable(variable)

    def _collect_load(self, load: Instruction) -> None:
        variable = load.address.variable
        # A function's parameters and other functions' memory are written where we do not look.
        owned = variable.storage == "local" and variable.name in self._flow.function.variables
        whole_program = len(self._flow.function.module.functions) == 1
        if variable.storage in _DIVERGING_STORAGE or (variable.storage == "local" and not (owned and whole_program)):
            self._mark(load)
        elif variable.storage == "local":
            self._loads.setdefault(variable, []).append(load)

    def _mark(self, value: Instruction) -> None:
        if value not in self._values:
            self._values.add(value)
            self._pending.append(value)

    def _mark_variable(self, variable: Variable) -> None:
        if variable not in self._variables:
            self._variables.add(variable)
            for load in self._loads.get(variable, ()):
                self._mark(load)

    def _reach_user(self, user: Instruction) -> None:
        if user.block not in self._flow.index:
            return
        if user.op is ops.STORE:
            self._mark_variable(user.address.variable)
        elif user.op is ops.CONDBR:
            self._mark_branch(user.block)
        elif user.type.width:
            self._mark(user)

    def _mark_branch(self, block: Block) -> None:
        """Lanes part at `block`: what they reach on different paths, and what leaves loops, diverges."""
        if block in self.diverging_branches:
            return
        self.diverging_branches.add(block)
        region, joins, meeting = self._influence(block, self._after.parent[block])
        for join in joins:
            for phi in join.phis():
                self._mark(phi)
        for part in region - self.partial_blocks:
            self.partial_blocks.add(part)
            for store in self._stores.get(part, ()):
                self._mark_variable(store.address.variable)
        loop = self._loops.loop_of(block)
        while loop is not None and not loop.blocks.issuperset(region | joins | {meeting}):
            self._mark_leaving(loop)
            loop = loop.parent

    def _influence(self, branch: Block, meeting: Node) -> tuple[set[Block], set[Block], Node]:
        """Blocks run between `branch` and the point where all lanes meet again, the joins of
        paths from its different successors, and that point.

        Lanes do not meet at `meeting` in a loop where some go round once more before they come there.
        """
        region, joins = self._until(branch, meeting)
        loop = self._loops.loop_of(branch)
        while loop is not None and meeting is not None:
            if meeting in loop.blocks and loop.header in region:
                return self._influence(branch, self._after.parent[meeting])
            loop = loop.parent
        return region, joins, meeting

    def _until(self, branch: Block, meeting: Node) -> tuple[set[Block], set[Block]]:
        """What lanes run from `branch` on before `meeting`, and the joins on the way.  Each block is labelled with
        the successor (or join) its lanes came from; a second label makes it a join."""
        label: dict[Block, Block] = {}
        joins: set[Block] = set()
        # In reverse postorder a block's labels are known before it passes its own on; a back edge
        # comes too late for that, and need not be passed on: phis carry the divergence further.
        pending: list[int] = []

        def offer(block: Block, origin: Block) -> None:
            earlier = label.setdefault(block, origin)
            if earlier is not origin:
                joins.add(block)
            elif block not in queued:
                queued.add(block)
                heappush(pending, self._flow.index[block])

        queued: set[Block] = set()
        for successor in self._flow.successors[branch]:
            offer(successor, successor)
        while pending:
            block = self._flow.order[heappop(pending)]
            if block is meeting:
                continue
            origin = block if block in joins else label[block]
            if self._is_passed_as_one(block, branch):
                after = self._after.parent[block]
                if after is not None:
                    offer(after, origin)
                continue
            for after in self._flow.successors[block]:
                offer(after, origin)
        region = set(label)
        if meeting is not None:
            region.discard(meeting)
        return region, joins

    def _is_passed_as_one(self, block: Block, branch: Block) -> bool:
        """Tell whether lanes from `branch` come to what a block's ways lead through, until they meet, by it alone.

        No label of theirs meets another there, then.  All of it has to be known to be partial.
        """
        if block not in self.partial_blocks or len(self._flow.successors[block]) == 1:
            return False
        loop = self._loops.loop_of(branch)
        inside = loop is None or block in loop.blocks
        return inside and {block, self._after.parent[block]}.issuperset(self._tree.frontier[block])

    def _mark_leaving(self, loop: Loop) -> None:
        """Values made in a loop that lanes leave in different iterations diverge outside of it."""
        for block in loop.blocks:
            for value in block:
                for user in list(value.users):
                    if user.block not in loop.blocks:
                        self._reach_user(user)


def uniformity(function: Function, manager: AnalysisManager) -> Uniformity:
    """Analysis: what is the same in all lanes."""
    return Uniformity(function, manager)
