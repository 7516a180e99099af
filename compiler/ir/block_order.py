"""An order of a function's blocks for running divergent lanes: topological, with loops contiguous.

Every block comes after all blocks that lead to it except along back edges, and no block outside a
loop stands between the loop's blocks.  Lanes that always run the earliest block anyone waits at
therefore meet again at every join, and after a loop once all of them have left it.

The order comes from the strongly connected components: each that has several blocks is a loop, which
is ordered the same way once the edges back to its header are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compiler.ir.module import Block, Function

Successors = Callable[[Block], Iterable[Block]]


def block_order(function: Function) -> list[Block]:
    """The reachable blocks, the entry first."""
    order: list[Block] = []
    # Regions (header first) still to be ordered, the next one last.
    pending = [[function.entry, *function.blocks[1:]]]
    while pending:
        region = pending.pop()
        header = region[0]
        if len(region) == 1:
            order.append(header)
        else:
            pending.extend(_components(header, _successors_within(frozenset(region), header)))
    return order


def _successors_within(region: frozenset[Block], header: Block) -> Successors:
    """Successors by edges that stay in `region` and do not go back to its header."""
    return lambda block: (s for s in block.successors if s in region and s is not header)


def _components(root: Block, successors: Successors) -> list[list[Block]]:
    """Strongly connected components reachable from `root`, each after those it leads to (Tarjan 1972).

    The first block of a component is the one by which the search entered it: a loop's header.
    """
    number = {root: 0}
    low = {root: 0}
    unassigned = [root]
    closed: set[Block] = set()
    components: list[list[Block]] = []
    path = [(root, iter(successors(root)))]
    while path:
        block, rest = path[-1]
        child = next((s for s in rest if s not in closed), None)
        if child is None:
            path.pop()
            if path:
                parent = path[-1][0]
                low[parent] = min(low[parent], low[block])
            if low[block] == number[block]:
                component = _pop_through(unassigned, block)
                closed.update(component)
                components.append(component)
        elif child in number:
            low[block] = min(low[block], number[child])
        else:
            number[child] = low[child] = len(number)
            unassigned.append(child)
            path.append((child, iter(successors(child))))
    return components


def _pop_through(stack: list[Block], last: Block) -> list[Block]:
    """Take blocks off the stack down to and including `last`; in the stack's order."""
    popped = [stack.pop()]
    while popped[-1] is not last:
        popped.append(stack.pop())
    return popped[::-1]
