"""The measurements of THEIA's functions: right values, a page that lists every function, errors that are largest."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from benchmarks.theia_functions import FUNCTIONS, PAGE, Function, errors_of, measure
from benchmarks.theia_search import Domain, every_number
from glslc_multi.backends.theia.isa.numbers import ONE

ROW = re.compile(
    r"\| `(?P<text>.+)`.* \| (?P<kind>all|found) \| (?P<error>\S+) \| (?P<steps>\S+) \| (?P<relative>\S+) \|"
)


def test_values_and_costs_are_measured() -> None:
    x = np.array([[0.25, 4.0, 2.25], [1.0, 9.0, 0.0]])
    found = measure("sqrt(x)", x, x)
    bare = measure("x", x, x)
    assert found.values.tolist() == [[0.5, 2.0, 1.5], [1.0, 3.0, 0.0]]
    assert found.instructions > bare.instructions
    assert found.cycles > bare.cycles


def test_every_number_of_a_range_is_tried_once_at_least() -> None:
    x, _ = every_number(Domain(-1.0, 2.0))
    assert x.shape == (131_073, 3)
    assert np.array_equal(np.unique(x), np.arange(-(1 << 17), (2 << 17) + 1) / 131_072)


def rows() -> list[re.Match[str]]:
    found = [ROW.fullmatch(line) for line in PAGE.read_text(encoding="utf-8").splitlines()]
    return [row for row in found if row is not None]


def test_the_page_has_every_function() -> None:
    assert [row["text"] for row in rows()] == [function.text for function in FUNCTIONS]


@pytest.mark.parametrize("index", range(0, len(FUNCTIONS), 3))
def test_no_input_is_further_off_than_the_page_says(index: int) -> None:
    """Others than those of the search: even ones, and those of all magnitudes."""
    check(FUNCTIONS[index], rows()[index], 1_000 + index)


@pytest.mark.parametrize("text", ["vec3(length(x))", "vec3(distance(x, y))", "asin(x)", "reflect(x, y)", "atan(x, y)"])
def test_numbers_near_zero_are_no_further_off(text: str) -> None:
    (index,) = [index for index, function in enumerate(FUNCTIONS) if function.text == text]
    check(FUNCTIONS[index], rows()[index], 1, scale=1 / 64)
    check(FUNCTIONS[index], rows()[index], 2, scale=1 / 4096)


def check(function: Function, row: re.Match[str], seed: int, scale: float = 1.0) -> None:
    random = np.random.default_rng(seed)
    x = random.uniform(function.low, function.high, (20_000, 3)) * scale
    x[::2] *= 2.0 ** random.uniform(-16, 0, (10_000, 1))
    y = random.uniform(0.25, 2.0, (20_000, 3))
    found = errors_of(function)(*function.domain.hold(x, y))
    assert found.absolute.max() <= float(row["error"])
    assert found.absolute.max() <= (float(row["steps"]) + 1e-9) / ONE
    assert not found.has_large or found.relative.max() <= float(row["relative"])


def test_a_known_worst_input_is_on_the_page() -> None:
    """Squares of numbers below 2^-8.5 are less than a step: the machine's length of three such is 0."""
    worst = math.floor(2**-8.5 * ONE) / ONE
    (row,) = [row for row in rows() if row["text"] == "vec3(length(x))"]
    assert float(row["error"]) >= math.sqrt(3) * worst * 0.999
