"""The benchmark harness, driven by a clock that the candidates move themselves."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from benchmarks.harness import as_json, as_table, compare


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[str] = []

    def candidate(self, name: str, seconds: list[float]) -> Callable[[], None]:
        """Takes the next of `seconds` on each run."""
        remaining = iter(seconds)

        def run() -> None:
            self.calls.append(name)
            self.now += next(remaining)

        return run


def test_candidates_take_turns_and_the_first_round_does_not_count() -> None:
    clock = Clock()
    # The machine gets slower all the time, the candidate always takes twice as long as the baseline.
    candidates = {
        "base": clock.candidate("base", [50.0, 1.0, 2.0, 4.0]),
        "slow": clock.candidate("slow", [0.5, 2.0, 4.0, 8.0]),
    }
    base, slow = compare(candidates, rounds=3, clock=lambda: clock.now)
    assert clock.calls == ["base", "slow"] * 4
    assert (base.least, base.median, base.ratio) == (1.0, 2.0, 1.0)
    assert (slow.least, slow.median, slow.ratio, slow.rounds) == (2.0, 4.0, 2.0, 3)


def test_a_table_and_json_for_people_and_programs() -> None:
    clock = Clock()
    timings = compare({"only": clock.candidate("only", [0.0, 0.25])}, rounds=1, clock=lambda: clock.now)
    assert as_table(timings).splitlines()[1] == "only    250.000    250.000    1.00"
    assert json.loads(as_json(timings)) == [{"name": "only", "rounds": 1, "least": 0.25, "median": 0.25, "ratio": 1.0}]


def test_nothing_to_measure_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to measure"):
        compare({})
