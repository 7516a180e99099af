"""What is known where paths meet, by its definition."""

from __future__ import annotations

from random import Random

from glslc_multi.compiler.codegen.regalloc.check_names import ANYTHING, EVERYWHERE, Knowledge, meet


def _state(random: Random) -> Knowledge:
    where = {name: random.choice((0, 1, 2, 3, 6)) for name in range(-4, 6) if name and random.random() < 0.6}
    return Knowledge(where, {})


def test_where_paths_meet_a_value_is_where_it_is_on_all_that_have_written_it() -> None:
    random = Random(3)
    for _ in range(300):
        states = [_state(random) for _ in range(random.randint(1, 3))]
        known = meet(states)
        for name in range(-4, 6):
            # A component that no path has written may be anywhere, an expression is nowhere by itself.
            otherwise = EVERYWHERE if name > ANYTHING else 0
            expected = EVERYWHERE
            for state in states:
                expected &= state.where.get(name, otherwise)
            assert known.where.get(name, otherwise) == expected
        for place in range(3):
            assert set(known.names(place)) == {name for name, places in known.where.items() if places >> place & 1}
