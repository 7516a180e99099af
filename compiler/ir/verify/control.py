"""Rules about the control flow graph: blocks, branches, phis, dominance, reducibility.

Dominators come from the simple iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
Algorithm", 2001), here on block positions in reverse postorder; a numbering of the dominator tree then
answers "does a dominate b" at once.  The verifier stands on nothing but the IR itself, so that it can
judge the analyses too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from glslc_multi.compiler.ir.block_order import postorder
from glslc_multi.compiler.ir.module import Block, Function, Instruction
from glslc_multi.compiler.ir.ops import PHI
from glslc_multi.compiler.ir.text import label
from glslc_multi.compiler.ir.verify.rules import Faults


def check_block_list(function: Function, faults: Faults) -> bool:
    """Whether the blocks are the function's own, each with its own number and name."""
    faults_before = len(faults.list)
    faults.look_at(function)
    if not function.blocks:
        faults.add("entry", "has no block")
    numbers: set[int] = set()
    names: set[str] = set()
    for block in function.blocks:
        faults.look_at(function, block)
        if block.function is not function:
            faults.add("block-list", "belongs to another function")
        if block.id in numbers or not 0 <= block.id < function.block_id_bound:
            faults.add("block-list", f"the number {block.id} is taken or not below {function.block_id_bound}")
        if block.name in names:
            faults.add("block-list", "another block has the same name")
        numbers.add(block.id)
        names.add(block.name)
    return len(faults.list) == faults_before


def linked_instructions(block: Block, faults: Faults) -> list[Instruction]:
    """The instructions of the block, as far as their links are whole (so that a ring cannot trap us)."""
    instructions: list[Instruction] = []
    previous: Instruction | None = None
    instruction = block.first
    while instruction is not None:
        if instruction.prev is not previous or instruction.block is not block:
            faults.add("links", f"%{instruction.id} is linked to another block or predecessor")
            return instructions
        instructions.append(instruction)
        previous, instruction = instruction, instruction.next
    if block.last is not previous:
        faults.add("links", "the last instruction is not the one that is reached last")
    return instructions


def check_order(instructions: list[Instruction], faults: Faults) -> bool:
    """Phis first, a terminator last; whether the terminator is there."""
    first_other = next((k for k, i in enumerate(instructions) if i.op is not PHI), len(instructions))
    if any(instruction.op is PHI for instruction in instructions[first_other:]):
        faults.add("phi-first", "a phi follows another instruction")
    if any(instruction.is_terminator for instruction in instructions[:-1]):
        faults.add("terminator", "a terminator stands before the end")
        return False
    if not instructions or not instructions[-1].is_terminator:
        faults.add("terminator", "has no terminator")
        return False
    return True


def check_targets(function: Function, block: Block, own: Set[Block], faults: Faults) -> bool:
    """Whether the block's branches stay inside the function, whose blocks are `own`, and off its entry."""
    faults_before = len(faults.list)
    for target in block.successors:
        if target not in own:
            faults.add("targets", f"{label(target)} is no block of this function")
        elif target is function.entry:
            faults.add("entry", f"branches to the entry block {label(target)}")
    return len(faults.list) == faults_before


def check_graph(function: Function, faults: Faults) -> None:
    """Phis, dominance and reducibility of a function whose blocks and branches are sound."""
    predecessors = function.predecessors()
    for block in function.blocks:
        for phi in block.phis():
            faults.look_at(function, block, phi)
            _check_incoming(phi, predecessors[block], faults)
    graph = _Graph(function)
    graph.check_reducible(faults)
    graph.check_dominance(faults)


def _check_incoming(phi: Instruction, predecessors: list[Block], faults: Faults) -> None:
    listed = Counter[Block](phi.attribute)
    for block in predecessors:
        if listed[block] != 1:
            faults.add("phi-blocks", f"needs one operand for {label(block)}, found {listed[block]}")
    wanted = set(predecessors)
    for block in listed:
        if block not in wanted:
            faults.add("phi-blocks", f"{label(block)} is no predecessor")


class _Graph:
    """The reachable part of the graph: blocks by their position in reverse postorder."""

    __slots__ = ("enter", "function", "leave", "order", "places", "position")

    def __init__(self, function: Function) -> None:
        self.function = function
        self.order = postorder(function.entry, lambda block: block.successors)[::-1]
        self.position = {block: index for index, block in enumerate(self.order)}
        # The position of each block's immediate dominator.
        if len(self.order) == 1:
            dominator = [0]
        else:
            import networkx

            graph: networkx.DiGraph[Block] = networkx.DiGraph()
            graph.add_edges_from((block, after) for block in self.order for after in block.successors)
            parent = networkx.immediate_dominators(graph, self.function.entry)
            dominator = [0, *(self.position[parent[block]] for block in self.order[1:])]
        self.enter, self.leave = _number_tree(dominator)
        self.places = {instruction: place for place, instruction in enumerate(function.instructions())}

    def dominates(self, above: Block, below: Block) -> bool:
        """Whether every path to `below` leads through `above`; so it is for a block that no path leads to."""
        if below not in self.position:
            return True
        if above not in self.position:
            return False
        outer, inner = self.position[above], self.position[below]
        return self.enter[outer] <= self.enter[inner] and self.leave[inner] <= self.leave[outer]

    def check_reducible(self, faults: Faults) -> None:
        for index, block in enumerate(self.order):
            for successor in block.successors:
                if self.position[successor] <= index and not self.dominates(successor, block):
                    faults.look_at(self.function, block)
                    faults.add(
                        "reducible", f"jumps back to {label(successor)}, which is not the only way into the loop"
                    )

    def check_dominance(self, faults: Faults) -> None:
        for block in self.order:
            for instruction in block:
                faults.look_at(self.function, block, instruction)
                self._check_operands(instruction, block, faults)

    def _check_operands(self, instruction: Instruction, block: Block, faults: Faults) -> None:
        is_phi = instruction.op is PHI
        for number, operand in enumerate(instruction.operands):
            if not isinstance(operand, Instruction):
                continue
            if is_phi:
                source = instruction.attribute[number]
                if operand.block is not None and not self.dominates(operand.block, source):
                    faults.add("dominance", f"%{operand.id} is not defined on every path through {label(source)}")
            elif not self._is_before(operand, instruction, block):
                faults.add("dominance", f"%{operand.id} is used before it is defined")

    def _is_before(self, operand: Instruction, user: Instruction, block: Block) -> bool:
        if operand.block is block:
            return self.places[operand] < self.places[user]
        return operand.block is not None and self.dominates(operand.block, block)


def _number_tree(dominator: list[int]) -> tuple[list[int], list[int]]:
    """Times of entering and leaving each node on a walk over the tree: a node's subtree lies between."""
    children: list[list[int]] = [[] for _ in dominator]
    for index in range(1, len(dominator)):
        children[dominator[index]].append(index)
    enter, leave = [0] * len(dominator), [0] * len(dominator)
    time, stack = 0, [(0, False)]
    while stack:
        node, is_done = stack.pop()
        time += 1
        if is_done:
            leave[node] = time
            continue
        enter[node] = time
        stack.append((node, True))
        stack += [(child, False) for child in children[node]]
    return enter, leave
