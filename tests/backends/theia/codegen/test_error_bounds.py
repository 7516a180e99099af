"""Bounds of errors: what operations do to them, and that they tell right results from wrong ones."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from glslc_multi.backends.theia.machine.fixed_point import FIXED_POINT
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, quiet
from tests.backends.theia.error_bounds import METHOD, Bounded
from tests.backends.theia.generated import USEFUL, Refused, compare, shaders

_STEP = 2.0**-17


def machine(lanes: int = 1) -> Bounded:
    return Bounded(FIXED_POINT["trunk"], lanes)


def number(a: Bounded, value: float, error: float) -> Array:
    made = a.encode("float", [value])
    made["error"] = error
    return made


def test_what_the_format_holds_has_no_error() -> None:
    a = machine()
    assert a.encode("float", [0.5])["error"].tolist() == [0.0]
    assert 0.0 < a.encode("float", [0.1])["error"][0] <= _STEP / 2
    product = a.fmul(number(a, 1.5, 0.0), number(a, -0.25, 0.0))
    assert product["error"].tolist() == [0.0]
    assert a.fdiv(number(a, 1.0, 0.0), number(a, 3.0, 0.0))["error"][0] == pytest.approx(1 / 3 - 43690 * _STEP)


def test_errors_grow_as_intervals_do() -> None:
    a = machine()
    x, y = number(a, 2.0, 0.25), number(a, 4.0, 0.5)
    assert a.fadd(x, y)["error"].tolist() == [0.75]
    assert a.fmul(x, y)["error"].tolist() == [2.25 * 4.5 - 8.0]
    assert a.fdiv(x, y)["error"][0] == pytest.approx(2.25 / 3.5 - 0.5)
    assert a.ffloor(x)["error"].tolist() == [1.0]
    assert a.ffloor(number(a, 2.5, 0.25))["error"].tolist() == [0.0]
    with quiet():
        assert a.fdiv(x, number(a, 0.25, 0.5))["error"].tolist() == [np.inf]


def test_a_choice_that_is_not_sure_may_be_the_other() -> None:
    a = machine()
    condition = a.flt(number(a, 1.0, 0.1), number(a, 1.1, 0.1))
    assert condition["unsure"].tolist() == [True]
    assert a.select(condition, number(a, 2.0, 0.0), number(a, 5.0, 0.5))["error"].tolist() == [3.5]
    sure = a.flt(number(a, 1.0, 0.0), number(a, 1.0, 0.0))
    assert sure["unsure"].tolist() == [False]
    assert not a.lost.any()
    a.decode("bool", condition)
    assert a.lost.all()


@pytest.mark.parametrize("name", METHOD)
def test_functions_of_inexact_arguments(name: str) -> None:
    """The function at nearby places stays within the bound."""
    a = Bounded(LANES, 1)
    count = 2 if name in ("atan2", "pow") else 1
    from glslc_multi.compiler.arithmetic.elementary import FUNCTIONS

    for value in (0.25, 0.5, 0.75):
        arguments = [number(a, value + 0.125 * place, 0.0625) for place in range(count)]
        result = a.elementary(name, *arguments)
        for shift in (-0.0625, -0.03, 0.01, 0.0625):
            near = FUNCTIONS[name](*(value + 0.125 * place + shift for place in range(count)))
            assert abs(near - float(result["held"][0])) <= result["error"][0]


def test_generated_shaders_stay_within_useful_bounds() -> None:
    compared = []
    for program, trial in islice(shaders(11, statements=4), 24):
        try:
            compared.append(compare(program, trial))
        except Refused:
            continue
    assert [each.complaint for each in compared if each.complaint] == []
    bounds = np.concatenate([each.bounds for each in compared])
    assert (bounds < USEFUL).mean() > 0.9
    assert np.concatenate([each.errors for each in compared]).any()
