"""The front-end benchmark measures what it says: shaders of the requested size, which both parsers accept."""

from __future__ import annotations

from benchmarks.frontend import dense_shader, measure


def test_shader_has_the_asked_number_of_lines() -> None:
    assert [dense_shader(lines).count("\n") for lines in (10, 100, 1000)] == [10, 100, 1000]


def test_candidates_accept_the_shader() -> None:
    names = [timing.name for timing in measure(20, rounds=1)]
    assert names == ["preprocess + parse", "parse", "lark LALR"]
