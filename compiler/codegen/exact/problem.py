"""What an exact method is asked: the instructions of a block, and all that keeps them from fewer words.

A back end fills a `Problem` from its own rules, the ones that its scheduler follows: the dependence graph, what it says
when it is asked whether two instructions may share a word, where the end may stand.  Nothing is written down here a
second time.  `relaxed` is the same without registers: no code for these instructions, with whatever copies, is shorter
than its solution.

Instructions and values are numbers.  A *bank* is a set of registers of which any will do: a value is in one bank, and
no more values live there at a time than it has registers.  As the lives of values in straight code are intervals, that
suffices: such graphs can be coloured with as many colours as overlap (Hack, Grund and Goos, "Register allocation for
programs in SSA form", 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from glslc_multi.compiler.records import dataclass, field, replace

Bank = int
#: By value the bank that it is in.
Placement = Mapping[int, Bank]


@dataclass(frozen=True, slots=True)
class Edge:
    """`second` issues at least `distance` words after `first`; where `value` is given, only if it is in `bank`."""

    first: int
    second: int
    distance: int
    value: int | None = None
    bank: Bank = 0


@dataclass(frozen=True, slots=True)
class Crowd:
    """Of these instructions no word holds more than `most`."""

    members: frozenset[int]
    most: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Two instructions that share no word while values are in these banks; one instruction twice: that none holds."""

    first: int
    second: int
    placement: tuple[tuple[int, Bank], ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value that needs a register from its first write to its last read."""

    writers: tuple[int, ...]
    readers: tuple[int, ...]
    #: The banks that it may be in.
    banks: tuple[Bank, ...]
    #: It is there before the first word.
    is_live_in: bool = False


def anywhere(instruction: int, word: int, length: int) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Problem:
    """A block."""

    #: How many instructions it has.
    count: int
    edges: Sequence[Edge]
    crowds: Sequence[Crowd] = ()
    #: Pairs that share no word, wherever their values are.
    apart: frozenset[tuple[int, int]] = frozenset()
    #: Whether an instruction may stand in a word of code of a length.
    may_stand: Callable[[int, int, int], bool] = anywhere
    values: Sequence[Value] = ()
    #: How many registers each bank has.
    bank_sizes: Mapping[Bank, int] = field(default_factory=dict)
    #: Asked for only where registers count.
    refusals: Callable[[], Sequence[Refusal]] = tuple
    #: Whether an instruction may write to a bank in a word of code of a length.
    may_write: Callable[[int, Bank, int, int], bool] | None = None

    @property
    def relaxed(self) -> Problem:
        """The same, as if values needed no registers."""
        free = [edge for edge in self.edges if edge.value is None]
        return replace(self, edges=free, values=(), refusals=tuple, may_write=None)


def least_words(problem: Problem) -> int:
    """A bound that needs no search: the longest chain of dependences, and the fullest crowd."""
    starts = first_words(problem.count, problem.edges)
    chain = max(starts, default=-1) + 1
    crowds = (-(-len(crowd.members) // crowd.most) for crowd in problem.crowds)
    return max(chain, *crowds, 0)


def first_words(count: int, edges: Iterable[Edge]) -> list[int]:
    """The first word that each instruction can be in, as far as dependences go."""
    starts = [0] * count
    certain = [edge for edge in edges if edge.value is None]
    is_new = True
    while is_new:
        is_new = False
        for edge in certain:
            if starts[edge.second] < starts[edge.first] + edge.distance:
                starts[edge.second] = starts[edge.first] + edge.distance
                is_new = True
    return starts


@dataclass(frozen=True, slots=True)
class Solution:
    """Code of so many words: the word of each instruction, and the bank of each value."""

    length: int
    words: tuple[int, ...]
    banks: tuple[Bank, ...] = ()
