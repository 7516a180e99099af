"""Dominators of graphs without cycles against their definition, and graphs that go along with a split of a block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from glslc_multi.compiler.analysis.forward_graph import ForwardGraph

Successors = Mapping[int, list[int]]


def _graphs() -> Iterator[Successors]:
    """Blocks from 0, each of which leads to one or two later ones, or ends."""
    for seed in range(300):
        random = Random(seed)
        count = random.randint(1, 14)
        yield {
            block: random.sample(range(block + 1, count), min(random.choice((0, 1, 2, 2, 2)), count - block - 1))
            for block in range(count)
        }


def _with_loop(successors: Successors) -> Successors:
    """The same as the arms of a branch in a loop that its last block ends."""
    last = max(successors) + 1
    ended = {block: following or [last] for block, following in successors.items()}
    return {**ended, last: [0, last + 1], last + 1: []}


def _reached(start: int, successors: Successors, without: int | None = None) -> set[int]:
    found: set[int] = set()
    pending = [start]
    while pending:
        block = pending.pop()
        if block not in found and block != without:
            found.add(block)
            pending += successors[block]
    return found


def _nearest(candidates: Mapping[int, set[int]], block: int) -> int | None:
    """The one of the dominators that all the others dominate."""
    return max(candidates[block], key=lambda above: len(candidates[above]), default=None)


def test_dominators_are_on_all_paths() -> None:
    for successors in _graphs():
        graph = ForwardGraph(0, successors.__getitem__)
        blocks = _reached(0, successors)
        dominators = {b: {a for a in blocks if a != b and b not in _reached(0, successors, a)} for b in blocks}
        assert graph.dominator == {block: _nearest(dominators, block) for block in blocks}
        ends = {block for block in blocks if not successors[block]}
        after = {b: {a for a in blocks if a != b and not _reached(b, successors, a) & ends} for b in blocks}
        assert graph.post_dominator == {block: _nearest(after, block) for block in blocks}


def test_a_graph_goes_along_with_a_split() -> None:
    for number, plain in enumerate(_graphs()):
        successors = _with_loop(plain) if number % 2 else plain
        graph = ForwardGraph(0, successors.__getitem__)
        headers = {0} if number % 2 else set()
        for block in sorted(_reached(0, successors) - headers):
            rest = 1000 + block
            successors = {**successors, rest: successors[block], block: [rest]}
            graph.insert(block, rest)
            fresh = ForwardGraph(0, successors.__getitem__)
            for part in ("loops", "successors", "dominator", "post_dominator"):
                assert _plain(getattr(graph, part)) == _plain(getattr(fresh, part)), part
            assert {b: sorted(before) for b, before in graph.predecessors.items()} == {
                b: sorted(before) for b, before in fresh.predecessors.items()
            }
            assert graph.index == {b: place for place, b in enumerate(graph.order)}
            assert all(graph.index[b] < graph.index[after] for b, found in graph.successors.items() for after in found)


def _plain(part: object) -> object:
    """What is compared of loops."""
    if not isinstance(part, dict):
        return part
    return {
        key: (value.header, value.latch, value.blocks, value.leaving, value.target)
        if hasattr(value, "latch")
        else value
        for key, value in part.items()
    }
