"""Lanes that vote: the one that is compared must be left as it was where another one goes elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import glslc_multi
from glslc_multi.backends.vc4.codegen.linearise import Linearise
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.execution.program import Edge, LaneProgram
from glslc_multi.compiler.proof.numbers import Redraw
from glslc_multi.compiler.proof.wave import Vote, Wave


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("other", [False, True])
def test_votes(own: bool, other: bool) -> None:
    assert Vote(own).joined(Vote(other)) is (own or other)
    assert Vote(own, is_unanimous=True).joined(Vote(other, is_unanimous=True)) is (own and other)
    # Not any is all not.
    contrary = Vote(own).negated()
    assert contrary.is_unanimous and contrary.joined(Vote(other).negated()) is not (own or other)
    assert bool(Vote(own)) is own and Vote(own).negated().negated() == Vote(own)


class Other(LaneProgram[int]):
    """Goes from 0 on; at even places it votes for the next but one."""

    def __init__(self, vote: bool, *, stops: bool = False) -> None:
        self.vote = vote
        self.stops = stops
        self.came_by: list[int] = []

    @property
    def start(self) -> int:
        return 0

    def step(self, place: int) -> Sequence[Edge[int]]:
        self.came_by.append(place)
        if self.stops:
            raise Redraw("nothing")
        return edges(place, self.vote)

    def finish(self) -> None:
        raise AssertionError("its end is of no interest")


def edges(place: int, vote: bool) -> Sequence[Edge[int]]:
    return ((place + 2, Vote(vote)), (place + 1, None)) if place % 2 == 0 else ((place + 1, None),)


def agreed(wave: Wave, place: int, vote: bool) -> list[Any]:
    return [condition for _, condition in wave.agree(place, edges(place, vote))]


@pytest.mark.parametrize("vote", [False, True])
def test_the_other_lane_comes_by_all_places_and_has_a_say(vote: bool) -> None:
    other = Other(vote)
    wave = Wave(lambda: other)
    assert agreed(wave, 1, False) == [None] and other.came_by == []
    assert agreed(wave, 2, False) == [vote, None]
    assert agreed(wave, 4, True) == [True, None]
    assert other.came_by == [1, 2, 4]


def test_a_lane_whose_inputs_mean_nothing_has_none() -> None:
    other = Other(True, stops=True)
    wave = Wave(lambda: other)
    assert agreed(wave, 0, False) == [Vote(False), None]
    assert agreed(wave, 2, False) == [Vote(False), None] and other.came_by == [0]


def test_long_loops_cost_no_more() -> None:
    other = Other(True)
    wave = Wave(lambda: other)
    votes = [agreed(wave, 2 * number, False)[0] for number in range(1000)]
    # Its vote counts while it goes along.
    assert votes[0] is True and votes[-1] == Vote(False)
    assert 100 < len(other.came_by) < 500


_DIVERGENT = """
precision highp float;
varying vec4 a;
void main() {
    float s = a.x, n = a.y;
    for (int i = 0; i < 50; i++) {
        if (s > 3.0) { n = s - a.z; break; }
        s += 0.75;
    }
    gl_FragColor = vec4(s, n, n - s, a.y);
}
"""


def test_a_lane_that_waits_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without masks, a lane that has left the loop goes on with those that have not."""
    right = glslc_multi.compile(_DIVERGENT, target="vc4", stage="fragment", proof="full")
    assert right.stats.verdict is not None and right.stats.verdict.outcome in ("equal", "near")
    monkeypatch.setattr(Linearise, "run", lambda *_: False)
    with pytest.raises(CompileError, match="E0960"):
        glslc_multi.compile(_DIVERGENT, target="vc4", stage="fragment", proof="full")
