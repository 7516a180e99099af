"""The order in which blocks run: topological but for back edges, loops contiguous, on random graphs."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.block_order import block_order
from glslc_multi.compiler.ir.module import Block, Function
from tests.generators.cfg import digraph, from_edges, structured


def reachable(function: Function) -> set[Block]:
    found, pending = {function.entry}, [function.entry]
    while pending:
        for successor in pending.pop().successors:
            if successor not in found:
                found.add(successor)
                pending.append(successor)
    return found


def names(function: Function) -> list[str]:
    return [block.name for block in block_order(function)]


def test_a_loop_comes_before_what_follows_it_whatever_the_order_of_branches() -> None:
    for first, second in ((2, 3), (3, 2)):
        function = from_edges(4, [(0, 1), (1, first), (1, second), (2, 1)])
        assert names(function) == ["b0", "b1", "b2", "b3"]


def test_an_inner_loop_stays_together_inside_an_outer_one() -> None:
    #      0 -> 1(outer) -> 2(inner) -> 3 -> 2,  2 -> 4 -> 1,  1 -> 5
    function = from_edges(6, [(0, 1), (1, 5), (1, 2), (2, 4), (2, 3), (3, 2), (4, 1)])
    assert names(function) == ["b0", "b1", "b2", "b3", "b4", "b5"]


@pytest.mark.parametrize("seed", range(200))
def test_reducible_graphs(seed: int) -> None:
    function = structured(Random(seed), budget=5 + seed % 40)
    order = block_order(function)
    place = {block: number for number, block in enumerate(order)}
    assert place.keys() == reachable(function) and len(order) == len(place)
    assert order[0] is function.entry
    loops = loop_nest(function, AnalysisManager(function)).all_loops()
    for loop in loops:
        places = sorted(place[block] for block in loop.blocks)
        assert places == list(range(places[0], places[0] + len(places)))
        assert place[loop.header] == places[0]
    back_edges = {(block, loop.header) for loop in loops for block in loop.blocks}
    for block in order:
        assert all(place[block] < place[s] or (block, s) in back_edges for s in block.successors)


@pytest.mark.parametrize("seed", range(100))
def test_any_graph_has_an_order(seed: int) -> None:
    function = digraph(Random(seed), 1 + seed % 25)
    order = block_order(function)
    assert set(order) == reachable(function) and len(set(order)) == len(order)
