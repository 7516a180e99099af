"""Regions: walking the tree is walking the graph."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.analysis.forward_graph import NotPlain
from glslc_multi.compiler.codegen.regions import (
    Basic,
    BreakIf,
    If,
    Loop,
    NotNested,
    Region,
    Seq,
    blocks_of,
    split_critical_edges,
    structure,
    structure_function,
)
from glslc_multi.compiler.ir.module import Block, Function
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.lowering.structure import Structurize
from glslc_multi.compiler.passes.base import PassContext
from tests.generators import cfg
from tests.generators.cfg_program import tangled

Edges = dict[int, list[int]]


def tree(edges: Edges) -> str:
    """The tree of a graph whose entry is 0, as text."""
    return _text(structure(0, lambda block: edges.get(block, [])))


def _text(region: Region[int]) -> str:
    match region:
        case Basic(block):
            return str(block)
        case Seq(parts):
            return " ".join(map(_text, parts))
        case BreakIf(block, inverted):
            return f"{block} break-{'unless' if inverted else 'if'}"
        case Loop(body):
            return f"loop({_text(body)})"
        case If(block, then, orelse, inverted):
            word = "unless" if inverted else "if"
            return f"{block} {word}({_text(then)})" + (f" else({_text(orelse)})" if orelse is not None else "")


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ({}, "0"),
        ({0: [1], 1: [2]}, "0 1 2"),
        ({0: [1, 2], 1: [2]}, "0 if(1) 2"),
        ({0: [2, 1], 1: [2]}, "0 unless(1) 2"),
        ({0: [1, 2], 1: [3], 2: [3]}, "0 if(1) else(2) 3"),
        ({0: [1, 1]}, "0 1"),
        ({0: [1, 4], 1: [2, 4], 2: [3, 4], 3: [4]}, "0 if(1 if(2 if(3))) 4"),
        ({0: [1], 1: [2, 3], 2: [1]}, "0 loop(1 break-unless 2) 3"),
        ({0: [1], 1: [3, 2], 2: [1]}, "0 loop(1 break-if 2) 3"),
        ({0: [1], 1: [1, 2]}, "0 loop(1 break-unless) 2"),
        ({0: [1], 1: [2, 4], 2: [3, 4], 3: [1]}, "0 loop(1 break-unless 2 break-unless 3) 4"),
        ({0: [1], 1: [2], 2: [2, 3], 3: [1, 4]}, "0 loop(1 loop(2 break-unless) 3 break-unless) 4"),
        # A loop without an exit does not count as a path to the end.
        ({0: [1, 2], 1: [1]}, "0 if(loop(1)) 2"),
        ({0: [1], 1: [1]}, "0 loop(1)"),
        # One block may be the last of two loops.
        ({0: [1], 1: [2, 4], 2: [3], 3: [2, 1]}, "0 loop(1 break-unless loop(2 3 break-unless)) 4"),
    ],
)
def test_trees(edges: Edges, expected: str) -> None:
    assert tree(edges) == expected


@pytest.mark.parametrize(
    "edges",
    [
        {0: [1], 1: [2, 3], 2: [1], 3: [1]},
        {0: [1], 1: [2, 3], 2: [1, 4]},
        {0: [1], 1: [2, 3], 2: [2], 3: [1, 4]},
        {0: [1], 1: [2], 2: [3, 1], 3: [2, 4]},
        {0: [1], 1: [2, 3], 2: [4, 5], 3: [5], 4: [6], 5: [1]},
    ],
)
def test_loops_that_are_not_plain_are_refused(edges: Edges) -> None:
    with pytest.raises(NotPlain):
        tree(edges)


def test_arms_that_share_a_block_are_refused() -> None:
    with pytest.raises(NotNested, match="arms of 0"):
        tree({0: [1, 2], 1: [2, 3], 2: [3]})


def test_deep_nests_need_no_recursion() -> None:
    depth = 3000
    edges = {number: [number + 1, depth] for number in range(depth - 1)} | {depth - 1: [depth]}
    assert list(blocks_of(structure(0, lambda block: edges.get(block, [])))) == list(range(depth + 1))


def _walk_graph(function: Function, random: Random, steps: int) -> list[Block]:
    block, path = function.entry, [function.entry]
    while block.successors and len(path) < steps:
        block = block.successors[0 if random.random() < 0.6 or len(block.successors) == 1 else 1]
        path.append(block)
    return path


class _TreeWalk:
    """Follows a path through the tree; stops with the path."""

    def __init__(self, path: list[Block]) -> None:
        self.path = path
        self.place = 0

    def walk(self, region: Region[Block]) -> bool:
        """False when the loop around must be left."""
        match region:
            case Seq(parts):
                return all(self.is_finished or self.walk(part) for part in parts)
            case Loop(body):
                while not self.is_finished and self.walk(body):
                    pass
            case Basic(block):
                self._step(block)
            case BreakIf(block, inverted):
                return self._step(block) == inverted
            case If(block, then, orelse, inverted):
                arm = then if self._step(block) != inverted else orelse
                return arm is None or self.walk(arm)
        return True

    @property
    def is_finished(self) -> bool:
        return self.place >= len(self.path)

    def _step(self, block: Block) -> bool:
        """Whether the path goes on with the first successor."""
        assert self.path[self.place] is block
        self.place += 1
        return self.is_finished or self.path[self.place] is block.successors[0]


def test_walks_through_trees_are_walks_through_graphs() -> None:
    for seed in range(60):
        random = Random(seed)
        function = tangled(random, budget=20, jumps=seed % 8).main
        Structurize().run(function, PassContext())
        region = structure_function(function)
        blocks = list(blocks_of(region))
        assert len(blocks) == len(set(blocks))
        for _ in range(10):
            path = _walk_graph(function, random, 200)
            walk = _TreeWalk(path)
            walk.walk(region)
            assert walk.is_finished


def test_split_edges_leave_nests_and_no_critical_edges_but_those_of_breaks() -> None:
    for seed in range(40):
        function = tangled(Random(seed), budget=16, jumps=seed % 8).main
        Structurize().run(function, PassContext())
        before = {block for block in function.blocks if len(set(block.successors)) > 1}
        split_critical_edges(function)
        check(function.module)
        structure_function(function)
        predecessors = function.predecessors()
        for block in before:
            for target in set(block.successors):
                breaks = sum(len(before_.successors) == 2 for before_ in predecessors[target])
                assert len(predecessors[target]) == 1 or breaks > 1


def test_a_critical_edge_gets_a_block() -> None:
    function = cfg.from_edges(3, [(0, 1), (0, 2), (1, 2)])
    for _ in range(2):
        split_critical_edges(function)
        assert [block.name for block in function.blocks] == ["b0", "edge", "b1", "b2"]


def test_edges_back_to_heads_of_loops_may_stay() -> None:
    function = cfg.from_edges(3, [(0, 1), (1, 1), (1, 2)])
    split_critical_edges(function, back_edges=False)
    assert [block.name for block in function.blocks] == ["b0", "b1", "b2"]
    split_critical_edges(function)
    assert [block.name for block in function.blocks] == ["b0", "b1", "edge", "b2"]
