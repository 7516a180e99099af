"""The rules of comparison, at their edges."""

from __future__ import annotations

from typing import Any

import pytest

from glslc_multi.compiler.diagnostics import Diagnostic, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.usage import INTERNAL_ERROR
from tests.conformance.compare import complaints_about_values, complaints_about_verdict
from tests.conformance.engines.engines import Observation, Outputs
from tests.conformance.model import Expected, Run, Tolerance, Verdict

NO_SLACK = Tolerance(0.0, 0.0)
PAIR = {"vertex": "", "fragment": ""}
BROKEN = "a.vert:1:1: broken [E9999]"


def error(line: int = 1) -> Diagnostic:
    return Diagnostic(INTERNAL_ERROR, "broken", Span(SourceFile("a.vert"), line, 1, line, 2))


def values(expected: Expected, got: list[list[float]], slack: Tolerance = NO_SLACK, **changes: Any) -> list[str]:
    run = Run({"vertex": ""}, "a", len(got), {}, {}, (expected,), **changes)
    return list(complaints_about_values(run, Outputs({"o": got}, [False] * len(got)), slack))


def expecting(*lanes: tuple[float, ...], **changes: Any) -> Expected:
    return Expected("o", lanes, Tolerance(0.5, 0.25), **changes)


@pytest.mark.parametrize(
    ("got", "is_fine"), [(4.0, True), (5.5, True), (2.5, True), (5.6, False), (2.4, False), (float("nan"), False)]
)
def test_the_tolerance_is_absolute_plus_relative(got: float, is_fine: bool) -> None:
    # 0.5 + 0.25 * 4 = 1.5 either way.
    assert (not values(expecting((4.0,)), [[got]])) == is_fine


def test_slack_widens_the_tolerance() -> None:
    assert values(expecting((4.0,)), [[5.75]])
    assert not values(expecting((4.0,)), [[5.75]], Tolerance(0.25, 0.0))


def test_values_beyond_the_number_format_are_not_compared() -> None:
    slack = Tolerance(0.0, 0.0, largest=16384.0)
    expected = expecting((20000.0, 4.0))
    assert not values(expected, [[7.0, 4.0]], slack)
    assert values(expected, [[7.0, 9.0]], slack)
    assert values(expected, [[7.0, 4.0]])
    infinite = Expected("o", ((float("inf"),),), Tolerance(1.0, 0.0))
    assert values(infinite, [[7.0]], slack)


def test_sensitive_lanes_count_only_for_exact_arithmetic() -> None:
    expected = expecting((0.0,), sensitive=frozenset({0}))
    assert values(expected, [[9.0]])
    assert not values(expected, [[9.0]], Tolerance(0.001, 0.0))


def test_undefined_lanes_and_components_are_not_compared() -> None:
    expected = expecting((0.0, 0.0), (0.0, 0.0), undefined=frozenset({(0, None), (1, 1)}))
    assert not values(expected, [[9.0, 9.0], [0.0, 9.0]])
    assert values(expected, [[0.0, 0.0], [9.0, 0.0]]) == ["o is (9, 0) in lane 1, expected (0, 0)"]


def test_colours_of_a_byte_target_are_clamped() -> None:
    exact = Expected("o", ((1.0, 0.0),), Tolerance(0.0, 0.0), clamped=True)
    assert not values(exact, [[7.0, -7.0]])


def test_infinity_is_only_infinity() -> None:
    expected = Expected("o", ((float("inf"),),), Tolerance(1.0, 0.0))
    assert not values(expected, [[float("inf")]])
    assert values(expected, [[-float("inf")]])


def test_shapes_must_match() -> None:
    assert values(expecting((0.0, 0.0)), [[0.0]]) == ["o has 1 components in lane 0, expected 2"]
    assert values(expecting((0.0,)), [[0.0], [0.0]]) == ["o has 2 lanes, expected 1"]
    run = Run({"vertex": ""}, "a", 1, {}, {}, (expecting((0.0,)),))
    assert list(complaints_about_values(run, Outputs({}, [False]), NO_SLACK)) == ["o is missing"]


def test_discarding_is_compared_where_it_is_known() -> None:
    assert not values(expecting((0.0,), (0.0,)), [[0.0], [0.0]], discarded=(False, None))
    assert values(expecting((0.0,)), [[0.0]], discarded=(True,)) == ["lane 0 is not discarded"]


def test_whole_numbers_are_exact_however_coarse_the_arithmetic() -> None:
    slack = Tolerance(0.5, 0.5, largest=100.0)
    whole = Expected("o", ((4294967295.0,),), Tolerance(0.0, 0.0), is_whole=True)
    assert not values(whole, [[4294967295]], slack)
    assert values(whole, [[4294967294]], slack) == ["o is (4294967294) in lane 0, expected (4294967295)"]


@pytest.mark.parametrize(
    ("verdict", "seen", "complaints"),
    [
        (Verdict(PAIR, "pass"), Observation(), []),
        (Verdict(PAIR, "pass"), Observation({"vertex": [error()]}), [f"vertex shader rejected: {BROKEN}"]),
        (Verdict(PAIR, "pass"), Observation({}, [error()]), [f"link refused: {BROKEN}"]),
        (Verdict(PAIR, "link_fail"), Observation({}, [error()]), []),
        (Verdict(PAIR, "link_fail"), Observation(), ["linked, but the stages do not match"]),
        (Verdict(PAIR, "link_fail"), Observation({"fragment": [error()]}), [f"fragment shader rejected: {BROKEN}"]),
        (Verdict(PAIR, "compile_fail"), Observation({"vertex": [error()]}), []),
        (Verdict(PAIR, "compile_fail"), Observation(), ["accepted, but the text is wrong"]),
        (Verdict(PAIR, "compile_or_link_fail"), Observation({"vertex": [error()]}), []),
        (Verdict(PAIR, "compile_or_link_fail"), Observation({}, [error()]), []),
        (Verdict(PAIR, "compile_or_link_fail"), Observation(), ["accepted, but the text is wrong"]),
        (
            Verdict(PAIR, "compile_fail", {"vertex": True, "fragment": False}),
            Observation({"vertex": [error()], "fragment": [error()]}),
            [f"vertex shader rejected: {BROKEN}"],
        ),
        (
            Verdict({"vertex": ""}, "compile_fail", error_lines=(2, 3, 5)),
            Observation({"vertex": [error(3)]}),
            ["no error on line 2, 5"],
        ),
    ],
)  # fmt: skip
def test_verdicts(verdict: Verdict, seen: Observation, complaints: list[str]) -> None:
    assert list(complaints_about_verdict(verdict, seen)) == complaints


def test_bytes_are_held_to_their_bound_within_zero_to_one() -> None:
    expected = Expected("o", ((0.5, 3.0), (-2.0, 0.25)), Tolerance(1e-6, 0.0))
    run = Run({"fragment": ""}, "a", 2, {}, {}, (expected,), discarded=(True, None))

    def complaints(values: list[list[float]], **facts: Any) -> list[str]:
        return list(complaints_about_values(run, Outputs({"o": values}, [True, False], **facts), NO_SLACK))

    assert complaints([[0.5, 1.0], [0.0, 0.25]])
    assert not complaints([[0.5, 1.0], [0.0, 0.25]], steps=0.0)
    assert not complaints([[0.5 + 2.9 / 255, 1.0], [0.0, 0.25]], steps=3.0)
    assert complaints([[0.5 + 3.1 / 255, 1.0], [0.0, 0.25]], steps=3.0)
    assert not complaints([[0.0, 1.0], [0.0, 0.25]], steps=3.0, open_lanes=frozenset({0}))
    # Of a lane that was promised nothing, nothing is said about discarding.
    gone = Outputs({"o": [[0.0, 0.0], [0.0, 0.25]]}, [False, False], steps=1.0, open_lanes=frozenset({0}))
    assert not list(complaints_about_values(run, gone, NO_SLACK))
