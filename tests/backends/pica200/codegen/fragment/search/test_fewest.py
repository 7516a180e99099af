"""An oracle of the search: all programs of up to two stages over two numbers, one by one.

The colour is grey, so that a stage is one function of three operands, each one of a, 1-a, b, 1-b and the result of the
stage before, or its complement.  For what these programs compute the search must not need more stages than the shortest
of them; it may need fewer, since it has constants, too.  The second stage reads the first one once: of what is squared
the search does not find all (search/README.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.pica200.codegen.fragment.prove.check import check_values
from glslc_multi.backends.pica200.codegen.fragment.prove.problem import Problem, Solution
from glslc_multi.backends.pica200.codegen.fragment.read.clamps import clamp
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Channel, Polynomial, polynomial
from glslc_multi.backends.pica200.codegen.fragment.search.fewest import find_stages

#: A function of three numbers; those of `polynomials` and of arrays alike, before anything is clamped.
_FUNCTIONS: Mapping[str, Any] = {
    "REPLACE": lambda a, b, c: a,
    "MODULATE": lambda a, b, c: a * b,
    "ADD": lambda a, b, c: a + b,
    "ADD_SIGNED": lambda a, b, c: a + b - _HALF_OF[type(a)],
    "SUBTRACT": lambda a, b, c: a - b,
    "INTERPOLATE": lambda a, b, c: a * c + b * (1 - c),
    "MULTIPLY_ADD": lambda a, b, c: a * b + c,
}
_HALF_OF: Mapping[type, Any] = {np.ndarray: 0.5, Polynomial: polynomial(1) / 2}
#: How many operands a function has.
_OPERANDS = {"REPLACE": 1, "MODULATE": 2, "ADD": 2, "ADD_SIGNED": 2, "SUBTRACT": 2}
_SCALES = (1, 2)
_A, _B = (polynomial(Channel(source, "r")) for source in ("texture0", "texture1"))
_PIXELS = np.array(list(product(np.linspace(0, 1, 6), repeat=2))).T

#: Function, places of the operands, scale.
Step = tuple[str, tuple[int, ...], int]


def _steps(count: int) -> Iterator[Step]:
    for function in _FUNCTIONS:
        for places in product(range(count), repeat=_OPERANDS.get(function, 3)):
            for scale in _SCALES:
                yield function, places, scale


def _result(step: Step, operands: Any) -> Any:
    function, places, scale = step
    a, b, c = ([operands[place] for place in places] * 3)[:3]
    value = _FUNCTIONS[function](a, b, c)
    # What is cut off before it is doubled is cut off after that, too.
    return clamp(value * scale) if isinstance(value, Polynomial) else np.clip(value * scale, 0, 1)


def _leaves(a: Any, b: Any) -> list[Any]:
    return [a, 1 - a, b, 1 - b]


@lru_cache(maxsize=1)
def _shortest() -> tuple[dict[bytes, tuple[Step, ...]], dict[bytes, tuple[Step, ...]]]:
    """What one stage computes, and what two stages do and one does not: values at the pixels -> a program."""
    leaves = _leaves(*_PIXELS)
    one: dict[bytes, tuple[Step, ...]] = {}
    values: dict[bytes, Any] = {}
    for step in _steps(len(leaves)):
        value = _result(step, leaves)
        key = np.round(value, 9).tobytes()
        one.setdefault(key, (step,))
        values.setdefault(key, value)
    two: dict[bytes, tuple[Step, ...]] = {}
    for key, first in list(values.items())[::5]:
        for step in _steps(len(leaves) + 2):
            if sum(place >= len(leaves) for place in step[1]) == 1:
                found = np.round(_result(step, [*leaves, first, 1 - first]), 9).tobytes()
                if found not in one:
                    two.setdefault(found, (*one[key], step))
    return one, two


def _polynomial_of(program: tuple[Step, ...]) -> Polynomial:
    leaves = _leaves(_A, _B)
    first = _result(program[0], leaves)
    found = first if len(program) == 1 else _result(program[1], [*leaves, first, 1 - first])
    return polynomial(found)


@pytest.mark.thorough
@pytest.mark.parametrize(("stages", "samples"), [(1, 60), (2, 60)])
def test_no_program_is_shorter_than_that_of_the_search(stages: int, samples: int) -> None:
    programs = list(_shortest()[stages - 1].values())
    longer = []
    for program in Random(stages).sample(programs, samples):
        value = _polynomial_of(program)
        problem = Problem((value, value, value), None)
        found = find_stages(problem)
        assert isinstance(found, Solution), program
        assert check_values(problem, found) is None
        longer += [program] if len(found.stages) > stages else []
    assert not longer
