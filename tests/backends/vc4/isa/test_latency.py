"""For how many words a program waits for texels."""

from __future__ import annotations

import pytest

from glslc_multi.backends.vc4.isa.latency import LOOKUP_WORDS, Fetches, waits

_REQUEST, _LOAD, _OTHER = Fetches((0,)), Fetches(load=0), Fetches()


@pytest.mark.parametrize("between", [0, 5, LOOKUP_WORDS, LOOKUP_WORDS + 3])
def test_a_load_waits_for_what_words_do_not_fill(between: int) -> None:
    found = waits([_REQUEST, *[_OTHER] * between, _LOAD, _OTHER], threads=1)
    assert found == [0.0] * (between + 1) + [max(LOOKUP_WORDS - between, 0), 0.0]


def test_requests_overlap_and_units_have_their_own_order() -> None:
    other = Fetches((1,)), Fetches(load=1)
    found = waits([_REQUEST, _REQUEST, _LOAD, _LOAD], threads=1)
    # The second result comes a word after the first.
    assert found == [0.0, 0.0, LOOKUP_WORDS - 1, 0.0]
    assert waits([_REQUEST, other[0], other[1], _LOAD], threads=1) == [0.0, 0.0, LOOKUP_WORDS, 0.0]
    # A request in the word of a load is made when that is over.
    assert waits([_REQUEST, Fetches((0,), load=0), _LOAD], threads=1) == [0.0, LOOKUP_WORDS, LOOKUP_WORDS]


def test_a_second_thread_fills_waits_with_its_own_words() -> None:
    words = [_REQUEST, _LOAD, *[_OTHER] * 3]
    # Two threads of five words: the second one's five run while the first waits, which is too short by 16.
    assert sum(waits(words, threads=2)) == (LOOKUP_WORDS - 5) / 2
    assert sum(waits([*words, *[_OTHER] * LOOKUP_WORDS], threads=2)) == 0.0
