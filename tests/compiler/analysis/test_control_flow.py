"""Control flow, dominators and loops against their definitions, on 500 random graphs.

The witnesses search paths directly: `a` dominates `b` when removing `a` cuts `b` off; a frontier, a
post-dominator and a loop are what their definitions say, computed without trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from random import Random

import pytest

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.cfg_analyses import CFG_ANALYSES
from glslc_multi.compiler.analysis.dominators import dominators, post_dominators
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.module import Block, Function
from tests.generators.cfg import digraph, from_edges, structured
from tests.shared_data import PROJECT_ROOT
from tests.work import count_lines

GRAPHS = 500
Successors = Callable[[Block], Iterable[Block]]


def graphs() -> Iterable[Function]:
    for seed in range(GRAPHS):
        random = Random(seed)
        yield digraph(random, random.randint(1, 14)) if seed % 2 else structured(random, random.randint(1, 12))


def reachable(start: Block, successors: Successors, without: Block | None = None) -> set[Block]:
    """Blocks on paths from `start` that avoid `without`."""
    if start is without:
        return set()
    seen, pending = {start}, [start]
    while pending:
        for after in successors(pending.pop()):
            if after not in seen and after is not without:
                seen.add(after)
                pending.append(after)
    return seen


def test_order_holds_the_reachable_blocks_and_puts_predecessors_first() -> None:
    for function in graphs():
        flow = AnalysisManager(function).get(control_flow)
        assert set(flow.order) == reachable(function.entry, lambda b: b.successors)
        assert set(flow.unreachable) == set(function.blocks) - set(flow.order)
        for block in flow.order:
            for after in flow.successors[block]:
                backwards = flow.index[after] <= flow.index[block]
                # Only an edge of a cycle may point backwards.
                assert not backwards or block in reachable(after, flow.successors.__getitem__)
        assert set(flow.graph.edges) == {(b, s) for b in flow.order for s in flow.successors[b]}


def test_dominators() -> None:
    for function in graphs():
        manager = AnalysisManager(function)
        flow, tree = manager.get(control_flow), manager.get(dominators)
        for above in flow.order:
            cut_off = set(flow.order) - reachable(function.entry, flow.successors.__getitem__, without=above)
            assert {b for b in flow.order if tree.dominates(above, b)} == cut_off
        for block, parent in tree.parent.items():
            strict = [b for b in flow.order if tree.strictly_dominates(b, block)]
            assert all(tree.dominates(b, parent) for b in strict)


def test_frontiers_are_where_dominance_ends() -> None:
    for function in graphs():
        manager = AnalysisManager(function)
        flow, tree = manager.get(control_flow), manager.get(dominators)
        for block in flow.order:
            expected = {
                join
                for join in flow.order
                if not tree.strictly_dominates(block, join)
                and any(tree.dominates(block, before) for before in flow.predecessors[join])
            }
            assert set(tree.frontier[block]) == expected


def test_trees_take_work_as_the_graph_grows() -> None:
    """Where many blocks lead to one, as in a loop that is unrolled with a break in each copy."""

    def with_breaks(size: int) -> AnalysisManager:
        edges = [edge for block in range(size) for edge in ((block, block + 1), (block, size))]
        return AnalysisManager(from_edges(size + 1, edges))

    small, large = (count_lines(partial(_all_trees, with_breaks(size))) for size in (100, 200))
    assert large < 2.3 * small


def _all_trees(manager: AnalysisManager) -> None:
    assert all(manager.get(analysis).frontier for analysis in (dominators, post_dominators))


def test_post_dominators_where_every_block_reaches_an_exit() -> None:
    compared = 0
    for function in graphs():
        manager = AnalysisManager(function)
        flow, tree = manager.get(control_flow), manager.get(post_dominators)
        exits = set(flow.exits)
        backward = flow.predecessors.__getitem__
        ending = {b for e in exits for b in reachable(e, backward)}
        if ending != set(flow.order):
            continue
        compared += 1
        for above in flow.order:
            still_ending = {b for e in exits for b in reachable(e, backward, without=above)}
            assert {b for b in flow.order if tree.dominates(above, b)} == set(flow.order) - still_ending
    assert compared > GRAPHS // 4


def test_endless_regions_have_post_dominators_too() -> None:
    function = from_edges(4, [(0, 1), (0, 3), (1, 2), (2, 1)])
    tree = AnalysisManager(function).get(post_dominators)
    assert set(tree.parent) == set(function.blocks)


def brute_force_loops(flow: ControlFlow) -> dict[Block, set[Block]]:
    """Header -> blocks of its natural loops: back edges go to a dominator; a block belongs to the loop
    when it reaches the back edge without passing the header."""
    loops: dict[Block, set[Block]] = {}
    for latch in flow.order:
        for header in flow.successors[latch]:
            if latch in reachable(flow.entry, flow.successors.__getitem__, without=header):
                continue
            body = reachable(latch, flow.predecessors.__getitem__, without=header) | {header}
            loops.setdefault(header, set()).update(body)
    return loops


def is_reducible(flow: ControlFlow) -> bool:
    """Whether removing all edges to a dominator leaves no cycle."""
    forward = {
        block: [
            after
            for after in flow.successors[block]
            if block in reachable(flow.entry, flow.successors.__getitem__, without=after)
        ]
        for block in flow.order
    }
    return not any(block in reachable(a, forward.__getitem__) for block in flow.order for a in forward[block])


def test_loops_of_reducible_graphs() -> None:
    seen_irreducible = 0
    for number, function in enumerate(graphs()):
        manager = AnalysisManager(function)
        flow, nest = manager.get(control_flow), manager.get(loop_nest)
        if not is_reducible(flow):
            seen_irreducible += 1
            assert number % 2, "structured functions are reducible"
            continue
        loops = nest.all_loops()
        assert {loop.header: set(loop.blocks) for loop in loops} == brute_force_loops(flow)
        for block in flow.order:
            holding = [loop for loop in loops if block in loop.blocks]
            assert nest.depth(block) == len(holding)
            smallest = min(holding, key=lambda loop: len(loop.blocks), default=None)
            assert nest.loop_of(block) is smallest
        for loop in loops:
            assert loop.exits == [
                (b, s) for b in flow.order if b in loop.blocks for s in flow.successors[b] if s not in loop.blocks
            ]
            assert set(loop.latches) == {b for b in loop.blocks if loop.header in flow.successors[b]}
    assert seen_irreducible > 5


def test_analyses_are_computed_once_and_forgotten_on_request() -> None:
    manager = AnalysisManager(from_edges(3, [(0, 1), (1, 2)]))
    tree = manager.get(dominators)
    assert manager.get(dominators) is tree
    manager.invalidate(preserved=CFG_ANALYSES)
    assert manager.get(dominators) is tree
    manager.invalidate()
    assert manager.get(dominators) is not tree


@pytest.mark.parametrize("analysis", [control_flow, dominators, post_dominators, loop_nest])
def test_a_single_block_never_loads_networkx(analysis: object) -> None:
    import subprocess
    import sys

    name = analysis.__name__  # type: ignore[attr-defined]
    module = analysis.__module__
    code = (
        "import sys; from random import Random; from tests.generators.cfg import digraph;"
        "from glslc_multi.compiler.analysis.manager import AnalysisManager;"
        f"from {module} import {name};"
        f"AnalysisManager(digraph(Random(0), 1)).get({name});"
        "assert 'networkx' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT_ROOT, check=True)
