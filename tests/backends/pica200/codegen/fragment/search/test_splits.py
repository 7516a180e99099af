"""What is guessed of earlier stages: each kind of guess by hand, and what no stage before could make is left out."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from glslc_multi.backends.pica200.codegen.fragment.read.clamps import clamp
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Channel, HostNumber, Polynomial, polynomial
from glslc_multi.backends.pica200.codegen.fragment.search.goals import Vector
from glslc_multi.backends.pica200.codegen.fragment.search.operands import splits_of

A, B, C, D, E, F = (polynomial(Channel("texture0", name)) for name in "abcdef")
K = polynomial(HostNumber("u_k"))
HALF = Fraction(1, 2)
MANY = [polynomial(Channel("texture1", f"c{number:02}")) for number in range(7)]


def _leaves(*values: Polynomial) -> list[Vector]:
    return [(value,) for value in values]


@pytest.mark.parametrize(
    ("goal", "leaves", "expected"),
    [
        # Products of two leaves; the same is left where the third one is 1.
        (A * B * C, [A, B, C], [B * C, A * C, A * B]),
        # Of a leaf with itself, where a term has its square.
        (A * A * B, [A, B], [A * A, A * B]),
        # Where b is 0 and where it is 1 stays a number of the pixel, but for the host's.
        (A * A * A * (1 - B) + C * D * E * B, [B], [A * A * A, C * D * E]),
        (A * A * K + B * C * C * K, [A], [B * C * C * K, A * A, A * A * K]),
        # Sums whose terms share no atom: those that share one are together.
        (A * B + C * D, [], [A * B, C * D]),
        ((A * B + B * C + D * E) * HALF, [], [(A * B + B * C) * HALF, D * E * HALF]),
        ((A * B + B * C + A * D + E * F) / 4, [], [(A * B + B * C + A * D) / 4, E * F / 4]),
        (A * B + B * C, [], []),
        # The host's numbers are no terms of the pixel.
        ((A * B + K) * HALF, [], []),
        # What is in 0 to 1 alone.
        (A * B * 2 + C * D, [], [C * D]),
        # A clamped value, and that of the other sign where it is max(x, 0).
        (clamp(B - A) * C, [], [clamp(A - B), clamp(B - A)]),
        # That of three terms and a number is no simpler than the goal.
        (clamp(A + B + C) * D, [], [clamp((1 - A - B - C) * HALF)]),
    ],
    ids=str,
)
def test_each_kind_of_guess(goal: Polynomial, leaves: list[Polynomial], expected: list[Polynomial]) -> None:
    assert splits_of((goal,), _leaves(*leaves)) == _leaves(*expected)


def test_guesses_are_made_of_all_channels_together() -> None:
    goal = (A * B * C, D * E * F, None)
    found = splits_of(goal, [(A, D, A), (B, E, B), (C, A, C)])
    # The third leaf has no part in the second channel.
    assert found == [(B * C, E * F, None), (A * C, D * F, None), (A * B, D * E, None)]


def test_groups_and_clamps_are_paired_in_order() -> None:
    assert splits_of((A * B + C * D, B * C + E * F), []) == [(A * B, B * C), (C * D, E * F)]
    assert splits_of((A * B + C * D, B * C), []) == []
    clamped = (clamp(B - A) * C, clamp(C + D + E) * F)
    # With the other sign, the second is no simpler than the goal.
    assert splits_of(clamped, []) == [(clamp(A - B), clamp((1 - C - D - E) * HALF))]


def test_leaves_themselves_are_no_guesses() -> None:
    assert splits_of((A * B,), _leaves(A, B)) == []
    assert splits_of((A * B + C * D,), [(A * B,)]) == [(C * D,)]


def test_so_many_are_tried() -> None:
    product = polynomial(1)
    for each in MANY:
        product = product * each
    found = splits_of((product,), _leaves(*MANY))
    assert len(found) == 16
    assert set(found[7:]) <= {(one * other,) for one, other in combinations(MANY, 2)}
