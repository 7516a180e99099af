"""Runs of equal words: what stands in several places after allocation stands in one, and CALL runs it from the others.

In: allocated code, of all procedures.  Out: the same with more procedures, which need no registers for what they are
given, since they name the same ones everywhere.

Runs grow word by word: those that are equal so far are in one group, which the next word divides.  The run that saves
most goes first.  A block that ends with a call needs a NOP, so such a place saves a word less.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from glslc_multi.backends.pica200.codegen.machine_ops import JUMP
from glslc_multi.compiler.codegen.machine import (
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    operation_of,
)
from glslc_multi.compiler.records import dataclass

#: How deep calls may be: the fourth return in a row is lost.
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class _Run:
    """Where equal words are, and how many."""

    places: Sequence[tuple[MachineBlock, int]]
    length: int

    @property
    def saved(self) -> int:
        """The words that calls save; one of them is the run itself."""
        following = [block.instructions[start + self.length :][:1] for block, start in self.places]
        ends = sum(not word or word[0].op is JUMP for word in following)
        return (len(self.places) - 1) * (self.length - 1) - ends


def call_equal_runs(main: MachineFunction, procedures: dict[MachineOp, MachineFunction]) -> None:
    """Let allocated code call runs of equal words, and add these to the procedures."""
    while True:
        blocks = [block for function in (main, *procedures.values()) for block in function.blocks]
        runs = sorted(_find(blocks), key=lambda run: -run.saved)
        if not any(_replace(run, main, procedures) for run in runs if run.saved > 0):
            return


def _replace(run: _Run, main: MachineFunction, procedures: dict[MachineOp, MachineFunction]) -> bool:
    """Make a run a procedure, unless calls get too deep; tell whether it is one."""
    block, start = run.places[0]
    words = block.instructions[start : start + run.length]
    before = [(block, list(block.instructions)) for block, _ in run.places]
    op = MachineOp("CALL", result="none", effect=True)
    # From the last one on, as the others' places must not move.
    for block, start in reversed(run.places):
        block.instructions[start : start + run.length] = [MachineInstruction(op, span=words[0].span)]
    body = MachineFunction(f"shared{len(procedures)}")
    body.add_block("entry").instructions = words
    procedures[op] = body
    if _depth(main, procedures) <= _DEEPEST:
        return True
    for block, instructions in before:
        block.instructions = instructions
    del procedures[op]
    return False


def _depth(function: MachineFunction, procedures: Mapping[MachineOp, MachineFunction]) -> int:
    """How deep the calls of a function are."""
    called = {word.op for word in function.instructions() if word.op in procedures}
    return max((1 + _depth(procedures[op], procedures) for op in called), default=0)


def _find(blocks: Iterable[MachineBlock]) -> Iterator[_Run]:
    """Find runs of two words or more that are equal; none crosses the end of a block."""
    starts = [(block, number) for block in blocks for number in range(len(block.instructions) + 1)]
    keys = [key for block in blocks for key in (*_keys(block), None)]
    groups = [list(range(len(starts)))]
    length = 0
    while groups:
        divided: dict[tuple[int, Hashable], list[int]] = {}
        for number, group in enumerate(groups):
            for start in group:
                if keys[start + length] is not None:
                    divided.setdefault((number, keys[start + length]), []).append(start)
        groups = [group for group in divided.values() if len(group) > 1]
        length += 1
        for group in groups if length > 1 else ():
            yield _Run([starts[start] for start in _apart(group, length)], length)


def _apart(group: Iterable[int], length: int) -> Iterator[int]:
    """Leave out runs that overlap, from the first one on."""
    end = 0
    for start in group:
        if start >= end:
            end = start + length
            yield start


def _keys(block: MachineBlock) -> Iterator[Hashable]:
    """Return what is equal in equal words; nothing for what has to stay where it is."""
    return (None if word.op.terminator else operation_of(word) for word in block.instructions)
