"""The search for stages: known lengths, programs made at random, and single stages tried one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import floor
from random import Random

import pytest

from glslc_multi.backends.pica200.codegen.fragment.prove.bound import bound_of
from glslc_multi.backends.pica200.codegen.fragment.prove.check import Bytes, Real, check_bytes, check_values
from glslc_multi.backends.pica200.codegen.fragment.prove.problem import NoSolution, PlannedStage, Problem, Solution
from glslc_multi.backends.pica200.codegen.fragment.read.clamps import absolute, clamp, maximum, minimum
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Channel,
    HostNumber,
    Polynomial,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.search.fewest import find_stages
from glslc_multi.backends.pica200.codegen.fragment.search.goals import may_be_direct
from glslc_multi.backends.pica200.codegen.fragment.search.memo import Memo
from glslc_multi.backends.pica200.codegen.fragment.search.solve import UNKNOWNS, solved
from glslc_multi.backends.pica200.isa.fragment.program import Combiner, Operand
from glslc_multi.compiler.records import replace

Colour = tuple[Polynomial, Polynomial, Polynomial]
HALF = Fraction(1, 2)


def _source(name: str) -> tuple[Polynomial, Polynomial, Polynomial, Polynomial]:
    red, green, blue, alpha = (polynomial(Channel(name, channel)) for channel in "rgba")
    return red, green, blue, alpha


U, V = (polynomial(HostNumber(name)) for name in ("u_u", "u_v"))
T0, T1, T2, PRIMARY = map(_source, ("texture0", "texture1", "texture2", "primary"))


def _uniform(name: str) -> Colour:
    red, green, blue = (polynomial(HostNumber(f"{name}.{channel}")) for channel in "rgb")
    return red, green, blue


def _each(function: object, *vectors: Sequence[Polynomial]) -> Colour:
    assert callable(function)
    red, green, blue = (function(*channels) for channels in zip(*(vector[:3] for vector in vectors), strict=True))
    return red, green, blue


def _mix(x: Polynomial, y: Polynomial, weight: Polynomial) -> Polynomial:
    return x * (1 - weight) + y * weight


def _dot(vector: Sequence[Polynomial], weights: Sequence[Fraction]) -> Polynomial:
    return sum((x * weight for x, weight in zip(vector[:3], weights, strict=True)), ZERO)


GREY = (Fraction(299, 1000), Fraction(587, 1000), Fraction(114, 1000))
HUES = ((-4, 10, 4), (5, -2, 7), (6, 9, -5))
MASK = T1[0]
ONES = (ONE, ONE, ONE)

#: Name -> colour, alpha, stages.  Lengths are those of programs that were fitted by hand, or fewer.
KNOWN: dict[str, tuple[Colour, Polynomial, int]] = {
    "texture": (T0[:3], T0[3], 1),
    "product": (_each(lambda a, b: a * b, T0, PRIMARY), T0[3] * PRIMARY[3], 1),
    "screen": (_each(lambda a, b: 1 - (1 - a) * (1 - b), T0, T1), T0[3], 1),
    "exclusion": (_each(lambda a, b: a + b - 2 * a * b, T0, T1), T0[3], 1),
    "contrast": (_each(lambda a: (a - HALF) * 2 + HALF, T0), T0[3], 1),
    "sum of three": (_each(lambda a, b, c: clamp(a + b + c), T0, T1, T2), T0[3], 2),
    "minimum": (_each(minimum, T0, T1), minimum(T0[3], T1[3]), 2),
    "difference": (_each(lambda a, b: absolute(a - b), T0, T1), ONE, 3),
    "square of difference": (_each(lambda a, b: (a - b) * (a - b), T0, T1), ONE, 4),
    "greatest channel": ((maximum(maximum(T0[0], T0[1]), T0[2]),) * 3, T0[3], 3),
    "grey": ((_dot(T0, GREY),) * 3, T0[3], 2),
    "two tints": (_each(lambda a, b: _mix(a, b, T0[0]), _uniform("u_a"), _uniform("u_b")), T0[3], 2),
    "splat": (_each(lambda a, b, c: _mix(_mix(a, b, PRIMARY[0]), c, PRIMARY[1]), T0, T1, T2), ONE, 2),
    "smooth mask": (T0[:3], MASK * MASK * (3 - 2 * MASK), 2),
    "steep ramp": (PRIMARY[:3], clamp((T0[3] - HALF) * 16 + HALF), 2),
    "swizzle": ((T0[2], T0[1], T0[0]), T0[3], 3),
    "signed matrix": (
        (
            clamp(_dot(T0, [Fraction(weight, 10) for weight in HUES[0]])),
            clamp(_dot(T0, [Fraction(weight, 10) for weight in HUES[1]])),
            clamp(_dot(T0, [Fraction(weight, 10) for weight in HUES[2]])),
        ),
        T0[3],
        6,
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_lengths(name: str) -> None:
    colour, alpha, stages = KNOWN[name]
    problem = Problem(colour, alpha)
    solution = find_stages(problem)
    assert isinstance(solution, Solution)
    assert len(solution.stages) <= stages
    assert check_values(problem, solution) is None
    assert check_bytes(problem, solution, 200) <= solution.bound + 1e-9


@pytest.mark.parametrize(("name", "bound"), [("sum of three", 0), ("minimum", 0), ("difference", 0), ("splat", 1)])
def test_least_error_of_programs_of_a_length(name: str, bound: int) -> None:
    """Complements make errors of both signs, and sums and differences are exact."""
    colour, alpha, _ = KNOWN[name]
    solution = find_stages(Problem(colour, alpha))
    assert isinstance(solution, Solution)
    assert solution.bound <= bound


def test_what_has_no_program() -> None:
    """A difference that is not clamped cannot be added to: nothing below 0 leaves a stage, and division is none."""
    deep = T0[0]
    for number in range(12):
        deep = clamp(deep * polynomial(HostNumber(f"k{number}")) - polynomial(HostNumber(f"d{number}")) * T1[0])
    assert isinstance(find_stages(Problem((deep, deep, deep), ONE)), NoSolution)


@pytest.mark.parametrize("seed", range(12))
def test_first_stages_are_all_that_need_nothing(seed: int) -> None:
    """What the first stage is looked for among is what all candidates leave that need no stage before."""
    random = Random(seed)
    problem = _problem_of([_random_stage(random, True) for _ in range(1 + seed % 2)])
    for goal in (problem.colour, (problem.alpha,)):
        memo = Memo([goal])
        memo.restart(100_000, None)
        assert set(memo.candidates(goal, directly=True)) == {
            candidate for candidate in memo.candidates(goal) if not candidate.needs()
        }


@pytest.mark.parametrize(
    ("value", "is_direct"),
    [
        (T0[0] * T1[0] + T2[0], True),
        (T0[0] * T1[0] * 2, True),
        (_mix(T0[0], T1[0], T2[0]), True),
        (T0[0] * T1[0] * HALF, False),
        (T0[0] * T1[0] * polynomial(HostNumber("u_k")), False),
        (T0[0] * T1[0] + T1[0] * T2[0] + T0[0] * T2[0], False),
        (T0[0] + T1[0] + T2[0], False),
        (T0[0] * T1[0] * T2[0], False),
        (T0[0] * U - T1[0] * 2, True),
        (_mix(T0[0], T1[0], U), True),
        (U + T0[0] * U + T1[0] * (1 - U), True),
        ((T0[0] + T1[0]) * U, True),
        ((T0[0] - T1[0]) * U, True),
        (T0[0] * U + T1[0] * V, False),
    ],
)
def test_what_a_single_stage_may_make(value: Polynomial, is_direct: bool) -> None:
    assert may_be_direct((value,)) == is_direct


def test_answers_depend_on_nothing_else() -> None:
    colour, alpha, _ = KNOWN["grey"]
    problem = Problem(colour, alpha)
    first = find_stages(problem)
    find_stages(Problem(*KNOWN["splat"][:2]))
    assert find_stages(problem) == first


# -- programs made at random


def _random_stage(random: Random, first: bool) -> PlannedStage:
    """After the first stage one operand of a combiner is what the stage before has made."""
    functions = ["MODULATE", "ADD", "SUBTRACT", "INTERPOLATE", "MULTIPLY_ADD", "REPLACE"]

    def combiner(selections: Sequence[str]) -> Combiner:
        sources = random.sample(
            ("texture0", "texture1", "primary") if first else ("previous", "texture2", "primary"), 3
        )
        a, b, c = (Operand(source, random.choice(selections)) for source in sources)
        return Combiner(random.choice(functions), (a, b, c))

    return PlannedStage(combiner(("rgb", "rgb", "1-rgb", "aaa")), combiner(("a", "a", "1-a", "r")))


def _problem_of(stages: Sequence[PlannedStage]) -> Problem:
    """What the stages compute, as polynomials: run over them instead of over numbers."""
    pixel = _Symbolic().run(stages)
    return Problem(pixel[:3], pixel[3])


class _Symbolic:
    def run(self, stages: Sequence[PlannedStage]) -> tuple[Polynomial, Polynomial, Polynomial, Polynomial]:
        previous = (ZERO, ZERO, ZERO, ZERO)
        for stage in stages:
            sources = {"texture0": T0, "texture1": T1, "texture2": T2, "primary": PRIMARY, "previous": previous}
            red, green, blue = (self._made(stage.colour, place, sources) for place in range(3))
            previous = (red, green, blue, self._made(stage.alpha, 3, sources))
        return previous

    def _made(self, combiner: Combiner, place: int, sources: Mapping[str, tuple[Polynomial, ...]]) -> Polynomial:
        rows = []
        for operand in combiner.operands:
            name = operand.selection.removeprefix("1-")
            value = sources[operand.source]["rgba".index(name[0] if name != "rgb" else "rgb"[place])]
            rows.append(1 - value if operand.selection.startswith("1-") else value)
        a, b, c = rows
        return clamp(
            {
                "REPLACE": a,
                "MODULATE": a * b,
                "ADD": a + b,
                "SUBTRACT": a - b,
                "INTERPOLATE": a * c + b * (1 - c),
                "MULTIPLY_ADD": a * b + c,
            }[combiner.function]
        )


@pytest.mark.parametrize("seed", range(24))
def test_programs_made_at_random_are_found(seed: int) -> None:
    random = Random(seed)
    stages = [_random_stage(random, number == 0) for number in range(1 + seed % 2)]
    problem = _problem_of(stages)
    made = Solution(tuple(stages), (None, None, None, None), 0.0, False)
    assert check_values(problem, made) is None
    solution = find_stages(problem)
    assert isinstance(solution, Solution)
    assert len(solution.stages) <= len(stages)
    assert check_values(problem, solution) is None
    assert check_bytes(problem, solution, 60) <= solution.bound + 1e-9


# -- single stages, one by one


def _operands() -> Iterator[tuple[Fraction, ...]]:
    """Each reading of alpha of two textures and three constants, at some pixels."""
    for values in product(range(0, 256, 51), repeat=2):
        yield tuple(Fraction(value, 255) for value in values)


def test_no_single_stage_makes_what_is_found_in_two() -> None:
    """min(a, b): all functions, scales and operands of a, b, their complements, 0, 1/2 and 1."""
    real = Real()
    pixels = list(_operands())
    functions = ("REPLACE", "MODULATE", "ADD", "ADD_SIGNED", "INTERPOLATE", "SUBTRACT", "MULTIPLY_ADD", "ADD_MULTIPLY")

    def readings(a: Fraction, b: Fraction) -> tuple[Fraction, ...]:
        return (a, 1 - a, b, 1 - b, Fraction(0), HALF, Fraction(1))

    choices = product(functions, range(7), range(7), range(7), (1, 2, 4))
    for function, x, y, z, scale in choices:
        for a, b in pixels:
            row = readings(a, b)
            if min(Fraction(1), scale * real.combine(function, row[x], row[y], row[z])) != min(a, b):
                break
        else:
            pytest.fail(f"{function} of {x}, {y}, {z}, times {scale}")
    solution = find_stages(Problem((T0[0], T0[0], T0[0]), minimum(T0[3], T1[3])))
    assert isinstance(solution, Solution)
    assert len(solution.stages) == 2
    assert solution.is_fewest


# -- operands that are clamped


def test_operands_may_be_clamped_only_where_the_result_is() -> None:
    a, b, c = T0[0], T1[0], T2[0]
    addition, product_of = (next(u for u in UNKNOWNS if u.function == name) for name in ("ADD", "MODULATE"))
    assert solved(addition, 1, a + b + c, [c]) == (a + b,)
    assert solved(product_of, 1, (a + b) * c, [c]) is None
    assert solved(product_of, 1, (a + b) / 2 * c, [c]) == ((a + b) / 2,)
    taken = next(u for u in UNKNOWNS if (u.function, u.sought.place) == ("SUBTRACT", 0))
    assert solved(taken, 1, a - b - c, [c]) == (a - b,)
    assert solved(taken, 1, a + b - c, [c]) is None


# -- checks and bounds notice


def _solution(name: str) -> tuple[Problem, Solution]:
    colour, alpha, _ = KNOWN[name]
    problem = Problem(colour, alpha)
    solution = find_stages(problem)
    assert isinstance(solution, Solution)
    return problem, solution


def test_the_check_sees_a_wrong_function_and_a_lost_update() -> None:
    problem, solution = _solution("difference")
    *others, last = solution.stages
    wrong = replace(last, colour=replace(last.colour, function="SUBTRACT"))
    assert check_values(problem, replace(solution, stages=(*others, wrong))) is not None
    lost = tuple(replace(stage, updates_colour=False) for stage in solution.stages)
    assert check_values(problem, replace(solution, stages=lost)) is not None
    assert check_bytes(problem, replace(solution, stages=lost), 100) > 8


def test_bounds_grow_with_scales_and_constants() -> None:
    def bound(scale: int, constant: Polynomial) -> float:
        texture, other = Operand("texture0", "rgb"), Operand("constant", "rgb")
        product_of = Combiner("MODULATE", (texture, other, texture), scale)
        plain = Combiner("REPLACE", (Operand("texture0", "a"),) * 3)
        stage = PlannedStage(product_of, plain, (constant, constant, constant, None))
        return bound_of([stage], (None, None, None, None))

    exact, host = polynomial(Fraction(51, 255)), polynomial(HostNumber("u_k"))
    assert bound(1, ONE) == 0
    assert bound(1, exact) == pytest.approx(4 / 5)
    assert bound(1, host) == pytest.approx(0.5 + 254 / 255)
    assert bound(4, host) == pytest.approx(4 * (0.5 + 254 / 255))


@pytest.mark.parametrize(
    ("weight", "scale"), [(Fraction(3, 10), 1), (Fraction(3, 10), 2), (HALF, 4), (Fraction(1, 7), 1)]
)
def test_what_one_byte_decides_has_an_exact_bound(weight: Fraction, scale: int) -> None:
    """The constant's byte may be too large where the product is cut off."""
    texture, constant = Operand("texture0", "rgb"), Operand("constant", "rgb")
    made = Combiner("MULTIPLY_ADD", (texture, constant, constant), scale)
    plain = Combiner("REPLACE", (Operand("texture0", "a"),) * 3)
    host = polynomial(weight)
    byte = floor(255 * weight + HALF)
    meant = [min(Fraction(255), scale * weight * (x + 255)) for x in range(256)]
    differences = [abs(min(255, (x * byte // 255 + byte) * scale) - meant[x]) for x in range(256)]
    found = bound_of([PlannedStage(made, plain, (host, host, host, None))], (None, None, None, None))
    assert found == pytest.approx(float(max(differences)))


def test_two_bytes_are_not_taken_for_one() -> None:
    texture, other = Operand("texture0", "rgb"), Operand("texture0", "aaa")
    product_of = Combiner("MODULATE", (texture, other, texture))
    plain = Combiner("REPLACE", (Operand("texture0", "a"),) * 3)
    assert bound_of([PlannedStage(product_of, plain)], (None, None, None, None)) == pytest.approx(254 / 255)
    squared = Combiner("MODULATE", (texture, texture, texture))
    assert bound_of([PlannedStage(squared, plain)], (None, None, None, None)) < 254 / 255


@pytest.mark.parametrize("name", ["grey", "signed matrix"])
def test_terms_of_dot_products_have_exact_bounds(name: str) -> None:
    """Thousands of pixels come near to the bound, and none exceeds it."""
    colour, alpha, _ = KNOWN[name]
    problem = Problem(colour, alpha)
    solution = find_stages(problem)
    assert isinstance(solution, Solution)
    assert solution.bound - 1.5 <= check_bytes(problem, solution, 1500) <= solution.bound


def test_bytes_are_cut_off() -> None:
    numbers = Bytes()
    assert numbers.combine("MODULATE", 100, 100, 0) == 39
    assert numbers.combine("INTERPOLATE", 255, 0, 128) == 128
    assert numbers.combine("ADD_SIGNED", 10, 20, 0) == 0
    assert numbers.combine("ADD_MULTIPLY", 200, 200, 100) == 100
    assert numbers.dot3([255, 255, 255], [255, 255, 255]) == 255
