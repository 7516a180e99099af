"""The benchmark of register allocation measures what it says."""

from __future__ import annotations

from benchmarks.register_allocation import program, work


def test_programs_have_the_size_asked_for_and_fit() -> None:
    assert len(list(program(40).instructions())) == 42
    work(40)()
