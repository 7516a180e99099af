"""Random control-flow graphs as IR functions: arbitrary digraphs and structured (reducible) ones.

Conditions are loads of a bool uniform: only the shape matters here.  All choices come from the given
`random.Random`, so a seed names a graph.
"""

from __future__ import annotations

from random import Random

from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function, Module
from glslc_multi.compiler.ir.types import BOOL
from glslc_multi.compiler.ir.variables import Variable


def new_function() -> Function:
    """An empty `main` in a module with the bool uniform `u_choice`."""
    module = Module("vertex")
    module.add_variable(Variable("u_choice", "uniform", BOOL))
    return module.add_function("main")


def branch(block: Block, targets: list[Block]) -> None:
    """End `block` with a jump to one target, a choice between two, or a return for none."""
    builder = Builder(block)
    if not targets:
        builder.ret()
    elif len(targets) == 1:
        builder.br(targets[0])
    else:
        choice = builder.load(block.function.module.variables["u_choice"])
        builder.condbr(choice, targets[0], targets[1])


def digraph(random: Random, size: int) -> Function:
    """Any graph of `size` blocks: cycles, irreducible regions, unreachable blocks, endless loops."""
    function = new_function()
    blocks = [function.add_block(f"b{number}") for number in range(size)]
    inner = blocks[1:]
    for block in blocks:
        degree = random.choice((0, 1, 1, 2, 2, 2)) if inner else 0
        branch(block, [random.choice(inner) for _ in range(degree)])
    return function


def from_edges(size: int, edges: list[tuple[int, int]]) -> Function:
    """The graph with blocks 0..size-1 and these edges, at most two a block, in order."""
    function = new_function()
    blocks = [function.add_block(f"b{number}") for number in range(size)]
    for number, block in enumerate(blocks):
        branch(block, [blocks[target] for source, target in edges if source == number])
    return function


class Structured:
    """A random function of nested ifs and loops with breaks and continues, always reducible."""

    def __init__(self, random: Random, budget: int) -> None:
        self.random = random
        self.budget = budget
        self.function = new_function()
        end = self._region(self.function.add_block("entry"), [], 0)
        if end is not None:
            branch(end, [])

    def _region(self, block: Block, loops: list[tuple[Block, Block]], depth: int) -> Block | None:
        """Append statements at `block`; the block where control goes on, None when it never does."""
        current: Block | None = block
        for _ in range(self.random.randint(1, 3)):
            if current is None or self.budget <= 0 or depth > 4:
                break
            self.budget -= 1
            current = self._statement(current, loops, depth)
        return current

    def _statement(self, block: Block, loops: list[tuple[Block, Block]], depth: int) -> Block | None:
        kind = self.random.choice(("if", "if-else", "while", "do", "break", "continue"))
        if kind in ("if", "if-else"):
            return self._if(block, loops, depth, with_else=kind == "if-else")
        if kind in ("while", "do"):
            return self._loop(block, loops, depth, test_first=kind == "while")
        return self._leave(block, loops, to_header=kind == "continue")

    def _if(self, block: Block, loops: list[tuple[Block, Block]], depth: int, with_else: bool) -> Block | None:
        then, join = self.function.add_block("then"), self.function.add_block("join")
        otherwise = self.function.add_block("else") if with_else else join
        branch(block, [then, otherwise])
        arms = [then, otherwise] if with_else else [then]
        ends = [self._region(arm, loops, depth + 1) for arm in arms]
        for end in ends:
            if end is not None:
                branch(end, [join])
        if with_else and all(end is None for end in ends):
            self.function.remove_blocks([join])
            return None
        return join

    def _loop(self, block: Block, loops: list[tuple[Block, Block]], depth: int, test_first: bool) -> Block:
        header, after = self.function.add_block("loop"), self.function.add_block("after")
        body = self.function.add_block("body")
        branch(block, [header])
        branch(header, [body, after] if test_first else [body])
        end = self._region(body, [*loops, (header, after)], depth + 1)
        if end is not None:
            branch(end, [header] if test_first else [header, after])
        elif not self.function.predecessors()[after]:
            # Every path through a do loop continued: give the loop an exit.
            branch(self._reopen(header), [body, after])
        return after

    @staticmethod
    def _reopen(block: Block) -> Block:
        """Take the terminator off `block`."""
        terminator = block.terminator
        assert terminator is not None
        terminator.erase()
        return block

    def _leave(self, block: Block, loops: list[tuple[Block, Block]], to_header: bool) -> Block:
        """`if (choice) break;` or `continue;` of the innermost loop; nothing outside of loops."""
        if not loops:
            return block
        header, after = loops[-1]
        stay = self.function.add_block("stay")
        branch(block, [header if to_header else after, stay])
        return stay


def structured(random: Random, budget: int = 20) -> Function:
    """A random reducible function of about `budget` statements."""
    return Structured(random, budget).function
