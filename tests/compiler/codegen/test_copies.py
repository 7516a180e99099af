"""Parallel copies: the moves in order do what the copies do at once."""

from __future__ import annotations

import random

import pytest

from compiler.codegen.copies import Move, sequence


def _run(moves: list[Move[str]], places: str) -> dict[str, str]:
    values = {place: place for place in places}
    for move in moves:
        if move.exchange:
            values[move.target], values[move.source] = values[move.source], values[move.target]
        else:
            values[move.target] = values[move.source]
    return values


@pytest.mark.parametrize("free", ["z", None])
def test_random_copies_do_what_they_do_at_once(free: str | None) -> None:
    rng = random.Random(3)
    for _ in range(400):
        places = "abcdefg"[: rng.randrange(1, 8)]
        targets = rng.sample(places, rng.randrange(len(places) + 1))
        copies = [(target, rng.choice(places)) for target in targets]
        after = _run(sequence(copies, free), places + "z")
        expected = {place: place for place in places} | dict(copies)
        assert {place: after[place] for place in places} == expected


def test_a_chain_needs_no_free_place() -> None:
    assert sequence([("a", "b"), ("b", "c")]) == [Move("a", "b"), Move("b", "c")]


def test_a_cycle_goes_through_the_free_place_or_is_exchanged() -> None:
    assert sequence([("a", "b"), ("b", "a")], "t") == [Move("t", "a"), Move("a", "b"), Move("b", "t")]
    assert sequence([("a", "b"), ("b", "a")]) == [Move("a", "b", exchange=True)]


def test_places_that_stay_are_not_moved() -> None:
    assert sequence([("a", "a"), ("b", "a")]) == [Move("b", "a")]
