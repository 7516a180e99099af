"""All forms that can make a goal, and how many stages a goal needs at least.

A goal by itself needs one stage more than the hardest of its operands, whatever else the stages have to hold: this is
the bound by which the search over whole stages knows early that it cannot get there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backends.pica200.codegen.fragment.read.polynomials import Atom, Channel, Clamp, all_atoms
from backends.pica200.codegen.fragment.search.candidates import Form, Solver, cost, leaves_for
from backends.pica200.codegen.fragment.search.goals import Vector, is_host, may_be_direct, pattern_of, scalar_of
from backends.pica200.codegen.fragment.search.operands import Need, Reading, leaves, matching, sources_of
from backends.pica200.codegen.fragment.search.solve import UNKNOWNS, Samples
from backends.pica200.codegen.fragment.search.special import (
    dot3_forms,
    eightfold_forms,
    fused_forms,
    masked_forms,
    signed_forms,
    squared_forms,
)
from backends.pica200.isa.fragment.combiners import CHANNELS

_ADDITIONS = [unknown for unknown in UNKNOWNS if unknown.function == "ADD"]
_PRODUCTS = [unknown for unknown in UNKNOWNS if unknown.function == "MODULATE"]


#: What it costs to look for forms of a goal, beside what is solved for them.
_FORMS = 20


class OutOfWork(Exception):
    """The search has tried as much as it may."""


class Ways:
    """Forms of goals, found once each, and lower bounds for their stages."""

    def __init__(self, goals: list[Vector]) -> None:
        atoms: set[Atom] = set()
        for goal in goals:
            atoms.update(*(all_atoms(value) for value in goal if value is not None))
        # Who reads a colour for one channel of it reads the others, too.
        atoms.update(Channel(source, channel) for source in sources_of(atoms) for channel in CHANNELS)
        self._solver = Solver(Samples(atom for atom in atoms if not isinstance(atom, Clamp)), self.spend)
        self._forms: dict[Vector, list[Form]] = {}
        self._direct: dict[Vector, list[Form]] = {}
        self._impossible: dict[Vector, int] = {}
        self._possible: dict[Vector, int] = {}
        #: How much may still be tried.
        self.work = 0
        self._breadth: int | None = None

    def spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            raise OutOfWork

    def forms(self, goal: Vector) -> list[Form]:
        """Those that need least from earlier stages first."""
        sorted_forms = self._forms.get(goal)
        if sorted_forms is None:
            self.spend(_FORMS)
            sorted_forms = self._forms[goal] = sorted(dict.fromkeys(self._all_forms(goal)), key=cost)
        return sorted_forms[: self._breadth]

    def direct_forms(self, goal: Vector) -> list[Form]:
        """Those that need nothing from earlier stages: what the first stage can do."""
        sorted_forms = self._direct.get(goal)
        if sorted_forms is None:
            self.spend(_FORMS)
            sorted_forms = self._direct[goal] = sorted(dict.fromkeys(self._all_direct_forms(goal)), key=cost)
        return sorted_forms[: self._breadth]

    def restart(self, work: int, breadth: int | None) -> None:
        """With so much work, and so many forms of each goal, of those that need least; None: all."""
        self.work = work
        if breadth != self._breadth:
            self._breadth = breadth
            self._impossible.clear()

    def _all_forms(self, goal: Vector) -> Iterator[Form]:
        choices = leaves_for(goal)
        replaced = _replaced(goal, choices)
        if replaced is not None:
            yield replaced
            return
        solved = self._solver.solved_forms(goal)
        yield from solved
        yield from fused_forms(solved, lambda need: self._solver.solved_forms(need.goal, _ADDITIONS))
        yield from squared_forms(goal)
        yield from eightfold_forms(goal)
        yield from signed_forms(goal, choices)
        if len(goal) > 1 and pattern_of(goal) is None:
            yield from masked_forms(goal, choices)
        yield from self._dot3_forms(goal)

    def _all_direct_forms(self, goal: Vector) -> Iterator[Form]:
        """The same, of which those are left out that need something before they are solved for."""
        replaced = _replaced(goal, leaves_for(goal))
        if replaced is not None:
            yield replaced
            return
        if may_be_direct(goal):
            yield from self._solver.solved_forms(goal, directly=True)
            products = self._solver.solved_forms(goal, _PRODUCTS)
            fused = fused_forms(products, lambda need: self._solver.solved_forms(need.goal, _ADDITIONS, directly=True))
            yield from (form for form in fused if not form.needs())
        if len(goal) > 1 and pattern_of(goal) is None:
            yield from (form for form in masked_forms(goal, leaves_for(goal)) if not form.needs())
        yield from (form for form in self._dot3_forms(goal) if not form.needs())

    def _dot3_forms(self, goal: Vector) -> Iterator[Form]:
        scalar = scalar_of(goal)
        if scalar is not None:
            self.spend(_FORMS)
            yield from dot3_forms(scalar, leaves(sources_of(all_atoms(scalar)), 3))

    def is_within(self, goal: Vector, stages: int) -> bool:
        """Whether so many stages can make the goal, if it is all that they have to make."""
        if self._possible.get(goal, 99) <= stages:
            return True
        if self._impossible.get(goal, 0) >= stages:
            return False
        if stages > 0 and self._has_form_within(goal, stages):
            self._possible[goal] = stages
            return True
        self._impossible[goal] = stages
        return False

    def _has_form_within(self, goal: Vector, stages: int) -> bool:
        if stages == 1:
            return bool(self.direct_forms(goal))
        return any(all(self.is_reachable(need, stages - 1) for need in form.needs()) for form in self.forms(goal))

    def is_reachable(self, need: Need, stages: int) -> bool:
        """The same for a need, which may be read as 1 minus what was made."""
        return self.is_within(need.goal, stages) or self.is_within(need.complement_goal, stages)


def _replaced(goal: Vector, choices: Mapping[Reading, Vector]) -> Form | None:
    """What is there needs no arithmetic."""
    leaf = matching(goal, choices)
    if leaf is not None:
        return Form("REPLACE", (leaf,))
    return Form("REPLACE", (Need(goal),)) if is_host(goal) else None
