"""The numbers that tests take beside random ones."""

from __future__ import annotations

import math

import numpy as np

from tests.edges import INTS, UINTS, Format, edges, literals_of, pairs


def test_literals_are_there_with_what_is_next_to_them() -> None:
    assert {699, 700, 701, -699, -700, -701} <= set(edges([700], format=INTS))
    below, above = (float(np.nextafter(np.float32(1.1), np.float32(end))) for end in (0, 2))
    assert {float(np.float32(x)) for x in (1.1, below, above)} <= set(edges([1.1]))


def test_ends_of_ranges_and_of_the_format_are_there() -> None:
    found = set(edges(ranges=[(-9, 40)], format=INTS))
    assert {-10, -9, -8, 39, 40, 41, -(2**31), 2**31 - 1} <= found
    assert {0, 1, 2, 126, 127, 128, 129, 253, 254, 255, 256, 2**24 + 1} <= found
    assert max(edges([math.inf])) == 2.0**31
    assert min(edges(format=UINTS)) == 0 and max(edges(format=UINTS)) == 2**32 - 1


def test_floats_are_those_of_the_format() -> None:
    found = edges()
    assert all(float(np.float32(x)) == x for x in found)
    assert [math.copysign(1, x) for x in found if x == 0] == [-1, 1]
    assert all(x * 4 == int(x * 4) and abs(x) <= 4 for x in edges([1.3], format=Format(-4, 4, step=0.25)))
    assert {1.25, 1.5} <= set(edges([1.3], format=Format(-4, 4, step=0.25)))


def test_pairs_have_multiples_and_what_is_next_to_them() -> None:
    found = set(pairs([-3, 7], INTS))
    assert {(7, 7), (-3, 7), (35, 7), (34, 7), (36, 7), (-15, -3), (-14, -3)} <= found


def test_literals_are_no_parts_of_names() -> None:
    assert literals_of("float a2 = 1.5e-3 + .5 * 0x1F - v3.x1 + 7u * 2.0f;") == [1.5e-3, 0.5, 31, 7, 2]
