"""The control flow of a program: which instruction can follow which.

Only instructions that can be reached count.  A CALL leads to its target and, after the return, to the
instruction after it; a RET ends its path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.instructions import Decoded
from glslc_multi.backends.theia.isa.program import ORIGIN, Program


class Flow:
    """Words by index; an edge to `None` leaves the program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.code = [instructions.decode(word) for word in program.words]
        self.starts = [program.index_of(address) for address in program.starts]
        self.successors: dict[int, list[int | None]] = {}
        waiting = [index for index in self.starts if index is not None]
        while waiting:
            index = waiting.pop()
            if index not in self.successors:
                self.successors[index] = self._following(index)
                waiting += [successor for successor in self.successors[index] if successor is not None]

    def _following(self, index: int) -> list[int | None]:
        decoded = self.code[index]
        if decoded is None or decoded.instruction.role in ("end", "return"):
            return []
        following = index + 1 if index + 1 < len(self.code) else None
        if not decoded.instruction.is_jump:
            return [following]
        target = self.program.index_of(decoded.target)
        return [target] if decoded.instruction.role == "jump" else list(dict.fromkeys((following, target)))

    def edges(self) -> Iterator[tuple[int, int]]:
        """Pairs of instructions that can follow each other, both known, in order."""
        for index in sorted(self.successors):
            for successor in self.successors[index]:
                if successor is not None and self.code[successor] is not None and self.code[index] is not None:
                    yield index, successor

    def instruction(self, index: int) -> Decoded:
        """The instruction at an index where there is a known one."""
        decoded = self.code[index]
        if decoded is None:
            raise ValueError(f"no instruction at {ORIGIN + index:04x}")
        return decoded

    def can_end(self) -> set[int]:
        """The instructions from which some path reaches RETURN (or RET), or a word that is no instruction."""
        predecessors: dict[int, list[int]] = {}
        for index, successors in self.successors.items():
            for successor in successors:
                if successor is not None:
                    predecessors.setdefault(successor, []).append(index)
        return _closure((index for index, successors in self.successors.items() if not successors), predecessors)

    def subroutines(self) -> set[int]:
        """The instructions that a CALL leads to."""
        targets = set()
        for index in self.successors:
            decoded = self.code[index]
            target = self.program.index_of(decoded.target) if decoded is not None else None
            if decoded is not None and decoded.instruction.role == "call" and target is not None:
                targets.add(target)
        return _closure(targets, self._without_calls())

    def blocks(self) -> set[int]:
        """The instructions that are reached without a CALL."""
        return _closure((index for index in self.starts if index is not None), self._without_calls())

    def _without_calls(self) -> dict[int, list[int]]:
        """Successors, those of a CALL being what is after it."""
        edges = {}
        for index, successors in self.successors.items():
            decoded = self.code[index]
            is_call = decoded is not None and decoded.instruction.role == "call"
            edges[index] = [s for s in successors if s is not None and (not is_call or s == index + 1)]
        return edges


def _closure(starts: Iterable[int], edges: dict[int, list[int]]) -> set[int]:
    """All that is reached from `starts`."""
    reached: set[int] = set()
    waiting = list(starts)
    while waiting:
        index = waiting.pop()
        if index not in reached:
            reached.add(index)
            waiting += edges.get(index, ())
    return reached
