"""Conditions as trees over comparisons that the machine's jumps really make, and the jumps that decide them.

The comparator knows "greater" and "same magnitude" alone (section 7 of the machine's reference), so a leaf is one
of four relations between one lane of two rows, all exact.  Negations have been pushed into the leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from backends.theia.isa.instructions import LANES
from compiler.records import dataclass

Relation = Literal["greater", "not greater", "same magnitude", "other magnitude"]
#: Relation -> first part of the name of the jump that is taken where it holds.
JUMPS: dict[Relation, str] = {
    "greater": "JG",
    "not greater": "JL",
    "same magnitude": "JEQ",
    "other magnitude": "JNE",
}
OPPOSITE: dict[Relation, Relation] = {
    "greater": "not greater",
    "not greater": "greater",
    "same magnitude": "other magnitude",
    "other magnitude": "same magnitude",
}


@dataclass(frozen=True, slots=True)
class Compare:
    """One lane of two operands, by their numbers among the operands of the instruction."""

    relation: Relation
    lane: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Both:
    """Both conditions (`all`), or at least one."""

    all: bool
    left: Condition
    right: Condition


Condition = Compare | Both
#: A place to jump to; opaque.
Label = object


@dataclass(frozen=True, slots=True)
class JumpTo:
    """A conditional jump."""

    name: str
    first: int
    second: int
    target: Label


@dataclass(frozen=True, slots=True)
class Here:
    """A label's place."""

    label: Label


def jumps(condition: Condition, target: Label, *, when: bool) -> Iterator[JumpTo | Here]:
    """Code that goes to `target` where the condition is `when`, and goes on behind itself where not."""
    if isinstance(condition, Compare):
        relation = condition.relation if when else OPPOSITE[condition.relation]
        yield JumpTo(JUMPS[relation] + LANES[condition.lane], condition.first, condition.second, target)
    elif condition.all != when:
        # Either part decides alone.
        yield from jumps(condition.left, target, when=when)
        yield from jumps(condition.right, target, when=when)
    else:
        behind = object()
        yield from jumps(condition.left, behind, when=not when)
        yield from jumps(condition.right, target, when=when)
        yield Here(behind)


def leaves(condition: Condition) -> int:
    """How many jumps decide it."""
    return 1 if isinstance(condition, Compare) else leaves(condition.left) + leaves(condition.right)


def joined(conditions: list[Condition], *, all: bool) -> Condition:
    """All of some conditions, or any."""
    total = conditions[0]
    for part in conditions[1:]:
        total = Both(all, total, part)
    return total


Leaf = Callable[[int], Condition]
