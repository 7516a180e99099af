"""Conditions as trees over comparisons that the machine's jumps really make, and the jumps that decide them.

Jumping code for boolean expressions with short circuits: Aho, Lam, Sethi and Ullman, Compilers, section 6.6.

The comparator knows "greater" and "same magnitude" alone (section 7 of the machine's reference), so a leaf is one
of four relations between one lane of two rows, all exact.  Negations have been pushed into the leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from glslc_multi.backends.theia.isa.instructions import LANES
from glslc_multi.compiler.records import dataclass

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
#: The target of a jump; opaque.
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
    """The position of a label."""

    label: Label


def jumps(condition: Condition, target: Label, *, when: bool) -> Iterator[JumpTo | Here]:
    """Code that goes to `target` where the condition is `when`, and falls through where not."""
    if isinstance(condition, Compare):
        relation = condition.relation if when else OPPOSITE[condition.relation]
        yield JumpTo(JUMPS[relation] + LANES[condition.lane], condition.first, condition.second, target)
    elif condition.all != when:
        yield from jumps(condition.left, target, when=when)
        yield from jumps(condition.right, target, when=when)
    else:
        after = object()
        yield from jumps(condition.left, after, when=not when)
        yield from jumps(condition.right, target, when=when)
        yield Here(after)


def joined(conditions: list[Condition], *, all: bool) -> Condition:
    """All of some conditions, or any."""
    total = conditions[0]
    for part in conditions[1:]:
        total = Both(all, total, part)
    return total
