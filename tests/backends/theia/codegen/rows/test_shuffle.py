"""Shuffles: each recipe makes the row that is wanted, in the fewest instructions that there are."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from glslc_multi.backends.theia.codegen.rows.shuffle import (
    NUMBER,
    Label,
    Lanes,
    Recipe,
    Source,
    recipe,
    splat_lanes,
    vector_lanes,
)

#: What the machine's swizzles do (the page of the instruction set).
SWIZZLES = {0: "xxx", 1: "yyy", 2: "zzz", 21: "yxz"}
ZEROS: Lanes = ((NUMBER, 0),) * 3
VECTORS = (vector_lanes(0, 3), vector_lanes(1, 3), vector_lanes(2, 3))


def swizzled(row: Lanes, code: int) -> Lanes:
    x, y, z = (row["xyz".index(letter)] for letter in SWIZZLES[code])
    return x, y, z


def made(found: Recipe, rows: tuple[Lanes, ...]) -> Lanes:
    """The row that the instructions of a recipe make, one after the other."""
    helpers = [swizzled(rows[helper.row], helper.swizzle) for helper in found.helpers]
    lanes: Lanes = (None, None, None)

    def value(source: Source) -> Lanes:
        if source is None:
            return lanes
        kind, number = source
        return ZEROS if kind == "zero" else rows[number] if kind == "row" else helpers[number]

    for step in found.steps:
        if step.name == "COPY":
            lanes = value(step.sources[0])
        elif step.name == "XCHANGEX":
            first, second = map(value, step.sources)
            lanes = (second[0], first[1], first[2])
        elif step.name == "SWIZZLE3D":
            assert isinstance(step.value, int)
            lanes = swizzled(lanes, step.value)
        else:
            lane = ("SETX", "SETY", "SETZ").index(step.name)
            changed: list[Label] = [*lanes]
            changed[lane] = (NUMBER, step.value)
            lanes = (changed[0], changed[1], changed[2])
    return lanes


def agrees(lanes: Lanes, wanted: Lanes) -> bool:
    return all(label is None or label == have for label, have in zip(wanted, lanes, strict=True))


def wanted_rows(count: int, numbers: tuple[float, ...]) -> list[tuple[tuple[Lanes, ...], Lanes]]:
    """All rows of lanes of so many vectors, of the numbers, and of nothing."""
    rows = VECTORS[:count]
    labels: list[Label] = [label for row in rows for label in row]
    labels += [(NUMBER, number) for number in numbers]
    return [(rows, (x, y, z)) for x, y, z in product([*labels, None], repeat=3) if (x, y, z) != (None,) * 3]


CASES = [
    *wanted_rows(1, (0, 0.5)),
    *Random(4).sample(wanted_rows(2, ()), 60),
    *Random(4).sample(wanted_rows(3, (0, 0.25)), 8),
]


def test_recipes_make_what_is_wanted() -> None:
    for rows, wanted in CASES:
        assert agrees(made(recipe(rows, wanted), rows), wanted), wanted


def test_lanes_of_a_splat_are_all_the_same() -> None:
    rows = (splat_lanes(0), vector_lanes(1, 3))
    for wanted in product([(0, 0), (1, 0), (1, 1), (1, 2)], repeat=3):
        lanes: Lanes = (wanted[0], wanted[1], wanted[2])
        assert agrees(made(recipe(rows, lanes), rows), lanes)


def test_lanes_beyond_the_width_are_unknown() -> None:
    assert vector_lanes(5, 3) == ((5, 0), (5, 1), (5, 2))
    assert vector_lanes(5, 2) == ((5, 0), (5, 1), None)
    assert splat_lanes(5) == ((5, 0), (5, 0), (5, 0))


#: Wanted lanes of the rows a, b and c (0.0 and 0.5 are numbers) -> the least number of instructions, by hand.
LEAST = {
    "ax ay az": 1,
    "ax ax ax": 2,
    "ay ax az": 2,
    "bx ay az": 1,
    "az ay az": 3,
    "0.5 ay az": 2,
    "0.0 ay az": 1,
    "ax 0.0 0.0": 1,
    "ax 0.5 0.5": 3,
    "ax ay 0.5": 2,
    "ay . .": 2,
    "bx . az": 1,
    ". ay .": 1,
    "az . .": 2,
}


def lanes_of(text: str) -> Lanes:
    def label(word: str) -> Label:
        if word == ".":
            return None
        return ("abc".index(word[0]), "xyz".index(word[1])) if word[0] in "abc" else (NUMBER, float(word))

    x, y, z = map(label, text.split())
    return x, y, z


@pytest.mark.parametrize("text", LEAST)
def test_recipes_are_short(text: str) -> None:
    assert recipe(VECTORS[:2], lanes_of(text)).words == LEAST[text]


def shortest(rows: tuple[Lanes, ...], wanted: Lanes, most: int) -> int:
    """The least number of instructions by trying all programs of one accumulator without helpers."""
    numbers = [(lane, label) for lane, label in enumerate(wanted) if label is not None and label[0] == NUMBER]
    sources = [*rows, ZEROS]
    reached: set[Lanes] = {(None, None, None)}
    for count in range(1, most + 1):
        after: set[Lanes] = set()
        for lanes in reached:
            after |= {swizzled(lanes, code) for code in SWIZZLES}
            after |= {(x[0], lanes[1], lanes[2]) for x in sources} | {(lanes[0], x[1], x[2]) for x in sources}
            for lane, label in numbers:
                changed: list[Label] = [*lanes]
                changed[lane] = label
                after.add((changed[0], changed[1], changed[2]))
        if count == 1:
            after |= {(y[0], x[1], x[2]) for x in sources for y in sources}
        if any(agrees(lanes, wanted) for lanes in after):
            return count
        reached = after
    return most + 1


def test_no_program_of_one_accumulator_is_shorter() -> None:
    for rows, wanted in CASES[::3]:
        least = shortest(rows, wanted, 4)
        assert least > 4 or recipe(rows, wanted).words <= least, wanted
