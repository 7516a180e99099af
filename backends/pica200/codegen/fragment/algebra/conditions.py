"""Truth values of pixels: what the host decides, comparisons of polynomials, and combinations of the two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from backends.pica200.codegen.fragment.algebra.polynomials import ONE, ZERO, Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import range_of
from compiler.records import dataclass

#: How a difference compares with 0.
Relation = Literal["<", "<=", "=="]


@dataclass(frozen=True, slots=True)
class HostTruth:
    """Decided by the host, or known: 1 where it holds, else 0."""

    value: Polynomial


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a polynomial is below 0, not above it, or 0."""

    relation: Relation
    difference: Polynomial


@dataclass(frozen=True, slots=True)
class Not:
    operand: Condition


@dataclass(frozen=True, slots=True)
class And:
    left: Condition
    right: Condition


Condition: TypeAlias = HostTruth | Comparison | Not | And

TRUE = HostTruth(ONE)
FALSE = HostTruth(ZERO)


def negation(condition: Condition) -> Condition:
    if isinstance(condition, HostTruth):
        return HostTruth(1 - condition.value)
    if isinstance(condition, Not):
        return condition.operand
    if isinstance(condition, Comparison) and condition.relation != "==":
        # not (d < 0) is -d <= 0.
        return Comparison("<=" if condition.relation == "<" else "<", -condition.difference)
    return Not(condition)


def conjunction(left: Condition, right: Condition) -> Condition:
    """Both; what is known does not stay."""
    if FALSE in (left, right):
        return FALSE
    if left in (TRUE, right):
        return right
    if right == TRUE:
        return left
    if isinstance(left, HostTruth) and isinstance(right, HostTruth):
        return HostTruth(left.value * right.value)
    return And(left, right)


def disjunction(left: Condition, right: Condition) -> Condition:
    return negation(conjunction(negation(left), negation(right)))


def compare(relation: Relation, difference: Polynomial) -> Condition:
    """A comparison, decided where the range of the difference decides it."""
    low, high = range_of(difference)
    if relation == "==":
        is_true, is_false = low == high == 0, low > 0 or high < 0
    else:
        is_true = high < 0 or (relation == "<=" and high == 0)
        is_false = low > 0 or (relation == "<" and low == 0)
    if is_true:
        return TRUE
    return FALSE if is_false else Comparison(relation, difference)


def differences(condition: Condition) -> Iterator[Polynomial]:
    """The polynomials in a condition."""
    if isinstance(condition, HostTruth):
        yield condition.value
    elif isinstance(condition, Comparison):
        yield condition.difference
    elif isinstance(condition, Not):
        yield from differences(condition.operand)
    else:
        yield from differences(condition.left)
        yield from differences(condition.right)
