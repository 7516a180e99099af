"""Jumps of conditions: for each outcome of the comparisons, control goes where the condition says."""

from __future__ import annotations

from itertools import product

import pytest

from glslc_multi.backends.theia.codegen.conditions import (
    JUMPS,
    OPPOSITE,
    Both,
    Compare,
    Condition,
    Here,
    JumpTo,
    Relation,
    joined,
    jumps,
)
from glslc_multi.backends.theia.isa.instructions import BY_NAME
from glslc_multi.backends.theia.machine.arithmetic import Unit
from glslc_multi.compiler.arithmetic.lanes import LANES

A, B, C, D = (Compare("greater", number % 3, 2 * number, 2 * number + 1) for number in range(4))
TREES: tuple[Condition, ...] = (
    *(A, Both(True, A, B), Both(False, A, B), Both(True, Both(False, A, B), Both(False, C, D))),
    *(Both(False, Both(True, A, B), Both(True, C, D)), Both(True, A, Both(False, B, Both(True, C, D)))),
)


def meaning(condition: Condition, truth: dict[int, bool]) -> bool:
    if isinstance(condition, Compare):
        return truth[condition.first]
    parts = meaning(condition.left, truth), meaning(condition.right, truth)
    return all(parts) if condition.all else any(parts)


def arrives(condition: Condition, truth: dict[int, bool], when: bool) -> bool:
    """Whether the code of the jumps goes to the target."""
    target = object()
    code = list(jumps(condition, target, when=when))
    place = 0
    while place < len(code):
        item = code[place]
        place += 1
        if isinstance(item, Here):
            continue
        is_greater = truth[item.first]
        if (item.name[:-1] == "JG" and is_greater) or (item.name[:-1] == "JL" and not is_greater):
            if item.target is target:
                return True
            place = next(at for at, each in enumerate(code) if isinstance(each, Here) and each.label is item.target)
    return False


@pytest.mark.parametrize("when", [True, False])
@pytest.mark.parametrize("tree", TREES)
def test_control_goes_where_the_condition_says(tree: Condition, when: bool) -> None:
    for outcome in product((False, True), repeat=4):
        truth = dict(zip((0, 2, 4, 6), outcome, strict=True))
        assert arrives(tree, truth, when) == (meaning(tree, truth) is when)


def test_a_condition_needs_one_jump_for_each_comparison() -> None:
    for tree, count in zip(TREES, (1, 2, 2, 4, 4, 4), strict=True):
        for when in (True, False):
            assert sum(not isinstance(item, Here) for item in jumps(tree, object(), when=when)) == count


def test_jumps_compare_the_lane_and_both_operands() -> None:
    assert list(jumps(Compare("other magnitude", 2, 5, 3), "there", when=True)) == [JumpTo("JNEZ", 5, 3, "there")]


@pytest.mark.parametrize("relation", JUMPS)
def test_opposite_relations_are_opposite_jumps(relation: Relation) -> None:
    arithmetic = Unit(LANES)
    own, other = (BY_NAME[JUMPS[each] + "X"].relation for each in (relation, OPPOSITE[relation]))
    assert own is not None
    assert other is not None
    for x, y in product((-3, -1, 0, 1, 2, 3), repeat=2):
        left, right = arithmetic.iconst(x), arithmetic.iconst(y)
        taken = bool(own(arithmetic, left, right))
        assert taken != bool(other(arithmetic, left, right))
        wanted = {"greater": x > y, "not greater": x <= y, "same magnitude": abs(x) == abs(y)}
        assert taken == wanted.get(relation, abs(x) != abs(y))


def test_conditions_are_joined_from_the_left() -> None:
    assert joined([A], all=True) is A
    assert joined([A, B, C], all=False) == Both(False, Both(False, A, B), C)
