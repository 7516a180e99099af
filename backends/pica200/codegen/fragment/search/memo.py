"""All candidates that can make a goal, and how many stages a goal needs at least.

A goal by itself needs one stage more than the hardest of its operands, whatever else the stages have to hold: this is
the bound by which the search over whole stages knows early that it cannot get there.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Atom, Channel, Clamp, all_atoms
from glslc_multi.backends.pica200.codegen.fragment.search.candidates import Candidate, Solver, cost, leaves_for
from glslc_multi.backends.pica200.codegen.fragment.search.goals import (
    Vector,
    is_host,
    may_be_direct,
    pattern_of,
    scalar_of,
)
from glslc_multi.backends.pica200.codegen.fragment.search.operands import Need, leaves, matching, sources_of
from glslc_multi.backends.pica200.codegen.fragment.search.solve import UNKNOWNS, Samples
from glslc_multi.backends.pica200.codegen.fragment.search.special import (
    dot_products,
    eightfold,
    fused,
    masked,
    signed,
    squares,
)
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS

_ADDITIONS = [unknown for unknown in UNKNOWNS if unknown.function == "ADD"]
_PRODUCTS = [unknown for unknown in UNKNOWNS if unknown.function == "MODULATE"]
#: What it costs to look for candidates of a goal, beside what is solved for them.
_CANDIDATES = 20


class OutOfWork(Exception):
    """The search has tried as much as it may."""


class Memo:
    """Candidates of goals, found once each, and lower bounds for their stages."""

    def __init__(self, goals: list[Vector]) -> None:
        atoms: set[Atom] = set()
        for goal in goals:
            atoms.update(*(all_atoms(value) for value in goal if value is not None))
        # Who reads a colour for one channel of it reads the others, too.
        atoms.update(Channel(source, channel) for source in sources_of(atoms) for channel in CHANNELS)
        self._solver = Solver(Samples(atom for atom in atoms if not isinstance(atom, Clamp)), self.spend)
        #: By the goal, and whether they may need nothing.
        self._candidates: dict[tuple[Vector, bool], list[Candidate]] = {}
        self._impossible: dict[Vector, int] = {}
        self._possible: dict[Vector, int] = {}
        #: How much may still be tried.
        self.work = 0
        self._breadth: int | None = None

    def spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            raise OutOfWork

    def restart(self, work: int, breadth: int | None) -> None:
        """With so much work, and so many candidates of each goal, of those that need least; None: all."""
        self.work = work
        if breadth != self._breadth:
            self._breadth = breadth
            self._impossible.clear()

    def candidates(self, goal: Vector, *, directly: bool = False) -> list[Candidate]:
        """List first those that need least of earlier stages; `directly`: those that need nothing, for the first."""
        candidates = self._candidates.get((goal, directly))
        if candidates is None:
            self.spend(_CANDIDATES)
            distinct = dict.fromkeys(each for each in self._all(goal, directly) if not (directly and each.needs()))
            candidates = self._candidates[goal, directly] = sorted(distinct, key=cost)
        return candidates[: self._breadth]

    def _all(self, goal: Vector, directly: bool) -> Iterator[Candidate]:
        """List all candidates; `directly`: without those that need something before they are solved for."""
        choices = leaves_for(goal)
        leaf = matching(goal, choices)
        if leaf is not None or is_host(goal):
            # What is there needs no arithmetic.
            yield Candidate("REPLACE", (leaf or Need(goal),))
            return
        if not directly or may_be_direct(goal):
            solved = self._solver.solved_candidates(goal, directly=directly)
            yield from solved
            products = self._solver.solved_candidates(goal, _PRODUCTS) if directly else solved
            yield from fused(
                products, lambda need: self._solver.solved_candidates(need.goal, _ADDITIONS, directly=directly)
            )
        if not directly:
            yield from squares(goal)
            yield from eightfold(goal)
            yield from signed(goal, choices)
        if len(goal) > 1 and pattern_of(goal) is None:
            yield from masked(goal, choices)
        scalar = scalar_of(goal)
        if scalar is not None:
            self.spend(_CANDIDATES)
            yield from dot_products(scalar, leaves(sources_of(all_atoms(scalar)), 3))

    def is_within(self, goal: Vector, stages: int) -> bool:
        """Tell whether so many stages can make the goal, if it is all that they have to make."""
        if self._possible.get(goal, 99) <= stages:
            return True
        if self._impossible.get(goal, 0) >= stages:
            return False
        is_possible = stages > 0 and any(
            all(self.is_reachable(need, stages - 1) for need in candidate.needs())
            for candidate in self.candidates(goal, directly=stages == 1)
        )
        (self._possible if is_possible else self._impossible)[goal] = stages
        return is_possible

    def is_reachable(self, need: Need, stages: int) -> bool:
        """The same for a need, which may be read as 1 minus what was made."""
        return self.is_within(need.goal, stages) or self.is_within(need.complement_goal, stages)
