"""Orders of a function's blocks: a depth-first one, and one for running divergent lanes.

The order for divergent lanes is topological, with loops contiguous: every block comes after all blocks that lead to
it except along back edges, and no block outside a loop stands between the loop's blocks.  Lanes that always run the
earliest block anyone waits at therefore meet again at every join, and after a loop once all of them have left it.

The order comes from the strongly connected components: each that has several blocks is a loop, which
is ordered the same way once the edges back to its header are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glslc_multi.compiler.ir.module import Block, Function


def postorder(entry: Block, successors: Callable[[Block], Sequence[Block]]) -> list[Block]:
    """The blocks that control reaches, in the postorder of a depth-first search from `entry`."""
    path = _straight_path(entry, successors)
    if path is not None:
        return path[::-1]

    import networkx

    graph: networkx.DiGraph[Block] = networkx.DiGraph()
    graph.add_edges_from((block, after) for block in entry.function.blocks for after in successors(block))
    return list(networkx.dfs_postorder_nodes(graph, entry))


def _straight_path(entry: Block, successors: Callable[[Block], Sequence[Block]]) -> list[Block] | None:
    """The blocks from `entry` on, where each leads to one other; None where control branches or comes back."""
    path: dict[Block, None] = {entry: None}
    following = successors(entry)
    while following:
        if len(following) > 1 or following[0] in path:
            return None
        path[following[0]] = None
        following = successors(following[0])
    return list(path)


def block_order(function: Function) -> list[Block]:
    """The reachable blocks, the entry first."""
    order: list[Block] = []
    # Regions (header first) still to be ordered, the next one last.
    pending = [[function.entry, *function.blocks[1:]]]
    while pending:
        region = pending.pop()
        if len(region) == 1:
            order += region
        else:
            pending.extend(reversed(_components(region)))
    return order


def _components(region: list[Block]) -> list[list[Block]]:
    """The strongly connected components reachable from the region's header, without the edges back to it, each before
    those that it leads to.

    The first block of a component is the one by which a depth-first search enters it: a loop's header.
    """
    import networkx

    header, blocks = region[0], frozenset(region)
    graph: networkx.DiGraph[Block] = networkx.DiGraph()
    graph.add_node(header)
    graph.add_edges_from((b, s) for b in region for s in b.successors if s in blocks and s is not header)
    search = list(networkx.dfs_postorder_nodes(graph, header))[::-1]
    number = {block: index for index, block in enumerate(search)}
    components = networkx.strongly_connected_components(graph.subgraph(search))
    return sorted(
        (sorted(component, key=number.__getitem__) for component in components), key=lambda each: number[each[0]]
    )
