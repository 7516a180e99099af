"""Promotion of local variables to SSA values.

In: local variables of one element, loaded and stored.  Out: values and phis in their place.

Phis are pruned and minimal: one stands at a block of the iterated dominance frontier of the stores where
the variable is live, that is, may be loaded before it is stored again.  A walk down the dominator tree
then replaces every load by the value that reaches it.  What is read before it is written is undefined.

Not handled: variables of several elements (`sroa` splits them where it can) and variables that other
functions see (`inline` leaves none).

Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently Computing Static Single Assignment Form and the
Control Dependence Graph" (1991); pruning after Choi, Cytron, Ferrante (1991).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.dominators import DominatorTree, dominators
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import remove_unreachable_blocks
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import remove_variable, stored_value


class Mem2Reg(Pass):
    """See the module's text."""

    name = "mem2reg"
    description = "turns local variables into values"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        private = context.accesses(function.module).private(function)
        variables = [variable for variable in private if variable.length * variable.columns == 1]
        if variables:
            promote(variables, function, context.analyses(function))
        return bool(variables)


def promote(variables: list[Variable], function: Function, analyses: AnalysisManager) -> None:
    """Turn private variables of one element into values; the variables go."""
    if remove_unreachable_blocks(function):
        analyses.invalidate()
    if variables:
        _Promotion(variables, analyses).run()
    for variable in variables:
        remove_variable(variable, function)


class _Promotion:
    """The promotion of some variables, numbered so that a set of them is a Python int."""

    def __init__(self, variables: list[Variable], analyses: AnalysisManager) -> None:
        self.variables = variables
        self.number = {variable: number for number, variable in enumerate(variables)}
        self.flow: ControlFlow = analyses.get(control_flow)
        self.tree: DominatorTree = analyses.get(dominators)
        #: Phi -> the number of its variable.
        self.phis: dict[Instruction, int] = {}
        #: The value of each variable where the walk is.
        self.current: list[Value] = [Constant.undef(variable.type) for variable in variables]

    def run(self) -> None:
        self._insert_phis()
        # Walk down the dominator tree; leaving a block restores the values of its dominator.
        stack: list[Block | list[tuple[int, Value]]] = [self.flow.entry]
        while stack:
            step = stack.pop()
            if isinstance(step, list):
                for number, value in reversed(step):
                    self.current[number] = value
                continue
            stack.append(self._rename_block(step))
            children = [child for child in self.tree.children[step] if child is not None]
            children.sort(key=self.flow.index.__getitem__, reverse=True)
            stack.extend(children)
        # Where blocks that control cannot reach had to stay: their loads give nothing, nor do they to phis.
        for block in self.flow.unreachable:
            for instruction in block:
                if self._accessed(instruction) is None:
                    continue
                if instruction.op is ops.LOAD:
                    instruction.replace_all_uses_with(Constant.undef(instruction.type))
                instruction.erase()
            for successor in dict.fromkeys(block.successors):
                for phi in self._new_phis(successor):
                    phi.add_incoming(Constant.undef(phi.type), block)

    # phis ----------------------------------------------------------------------------------
    def _insert_phis(self) -> None:
        exposed, stores = self._scan()
        live = self._live_in(exposed, stores)
        live_somewhere = reduce(or_, live.values(), 0)
        storing: dict[int, list[Block]] = {}
        for block, stored in stores.items():
            for number in _members(stored & live_somewhere):
                storing.setdefault(number, []).append(block)
        for number, blocks in sorted(storing.items()):
            for join in self.tree.iterated_frontier(blocks):
                assert join is not None
                if live[join] >> number & 1:
                    builder = Builder(join)
                    builder.span = self.variables[number].span
                    self.phis[builder.phi(self.variables[number].type)] = number

    def _scan(self) -> tuple[dict[Block, int], dict[Block, int]]:
        """Per block: the variables that it loads before it stores them, and those that it stores."""
        exposed: dict[Block, int] = {}
        stores: dict[Block, int] = {}
        for block in self.flow.order:
            loaded = stored = 0
            for instruction in block:
                number = self._accessed(instruction)
                if number is None:
                    continue
                if instruction.op is ops.STORE:
                    stored |= 1 << number
                else:
                    loaded |= 1 << number & ~stored
            exposed[block], stores[block] = loaded, stored
        return exposed, stores

    def _live_in(self, exposed: Mapping[Block, int], stores: Mapping[Block, int]) -> dict[Block, int]:
        """Per block: the variables that are live at its head."""
        live = dict.fromkeys(self.flow.order, 0)
        pending = list(self.flow.order)
        waiting = set(pending)
        while pending:
            block = pending.pop()
            waiting.discard(block)
            after = 0
            for successor in self.flow.successors[block]:
                after |= live[successor]
            before = exposed[block] | (after & ~stores[block])
            if before == live[block]:
                continue
            live[block] = before
            fresh = [predecessor for predecessor in self.flow.predecessors[block] if predecessor not in waiting]
            pending.extend(fresh)
            waiting.update(fresh)
        return live

    # renaming ------------------------------------------------------------------------------
    def _rename_block(self, block: Block) -> list[tuple[int, Value]]:
        """Replace the block's accesses and hand values to the phis after it; the values it replaced."""
        replaced: list[tuple[int, Value]] = []
        for instruction in block:
            number = self.phis.get(instruction, self._accessed(instruction))
            if number is None:
                continue
            if instruction.op is ops.LOAD:
                instruction.replace_all_uses_with(self.current[number])
                instruction.erase()
                continue
            replaced.append((number, self.current[number]))
            if instruction.op is ops.STORE:
                self.current[number] = stored_value(instruction)
                instruction.erase()
            else:
                self.current[number] = instruction
        for successor in self.flow.successors[block]:
            for phi in self._new_phis(successor):
                phi.add_incoming(self.current[self.phis[phi]], block)
        return replaced

    def _accessed(self, instruction: Instruction) -> int | None:
        """The number of the variable that a load or store accesses, None for all else."""
        if instruction.op is ops.LOAD or instruction.op is ops.STORE:
            return self.number.get(instruction.address.variable)
        return None

    def _new_phis(self, block: Block) -> list[Instruction]:
        return [phi for phi in block.phis() if phi in self.phis]


def _members(numbers: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest
