"""Did you mean: distances against the definition, thresholds, order."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.compiler.diagnostics.suggest import LONGEST_NAME, did_you_mean, distance, nearest

WORDS = st.text("abc", max_size=6)


@cache
def defined_distance(first: str, second: str) -> int:
    """The recursive definition of the optimal string alignment distance."""
    if not first or not second:
        return len(first) + len(second)
    options = [
        defined_distance(first[:-1], second) + 1,
        defined_distance(first, second[:-1]) + 1,
        defined_distance(first[:-1], second[:-1]) + (first[-1] != second[-1]),
    ]
    if len(first) > 1 and len(second) > 1 and first[-2:] == second[:-3:-1]:
        options.append(defined_distance(first[:-2], second[:-2]) + 1)
    return min(options)


@settings(derandomize=True, max_examples=300)
@given(WORDS, WORDS)
def test_the_distance_is_the_defined_one(first: str, second: str) -> None:
    assert distance(first, second) == defined_distance(first, second)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("colour", "color"),
        ("lenght", "length"),
        ("nomralize", "normalize"),
        ("gl_fragcolor", "gl_FragColor"),
        ("texture2d", "texture2D"),
        ("X", "x"),
        ("b", None),
        ("something", None),
        ("", None),
    ],
)
def test_typing_mistakes_find_the_name_and_other_words_find_none(name: str, expected: str | None) -> None:
    candidates = ["color", "length", "normalize", "gl_FragColor", "texture2D", "x", "a"]
    assert nearest(name, candidates) == expected


def test_ties_go_to_the_alphabetically_first_in_any_order_of_candidates() -> None:
    assert nearest("cart", ["card", "cast", "care"]) == "card"
    assert nearest("cart", ["cast", "care", "card"]) == "card"
    assert nearest("sinn", ["sign", "sin"]) == "sin"


def test_a_name_is_no_suggestion_for_itself() -> None:
    assert nearest("color", ["color"]) is None
    assert nearest("color", ["color", "colors"]) == "colors"


def test_the_nearer_candidate_wins_over_the_alphabet() -> None:
    assert nearest("vertex", ["vartix", "vertexx"]) == "vertexx"


def test_enormous_names_are_not_compared() -> None:
    assert nearest("a" * (LONGEST_NAME + 1), ["a" * LONGEST_NAME]) is None


def test_the_help_text() -> None:
    assert did_you_mean("lenght", ["length"]) == "did you mean 'length'?"
    assert did_you_mean("lenght", []) is None
