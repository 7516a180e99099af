"""What `pytest --sample` and `--for` choose, and what a run says of its time."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.belonging import TESTS, belonging_to
from tests.sample import MOST_CASES, sample
from tests.shared_data import PROJECT_ROOT
from tests.times import Times


def _case(function: str, mark: str = "", **indices: int) -> Any:
    name = f"a.py::{function}[{'-'.join(map(str, indices.values()))}]" if indices else f"a.py::{function}"
    callspec = {"callspec": SimpleNamespace(indices=indices)} if indices else {}
    return SimpleNamespace(nodeid=name, get_closest_marker=lambda asked: mark == asked or None, **callspec)


def test_a_sample_has_each_function_and_shows_as_many_values_as_it_can() -> None:
    crossed = [_case("crossed", target=t, level=v, seed=s) for t, v, s in product(range(6), range(3), range(50))]
    few = [_case("few", target=target) for target in range(MOST_CASES)]
    assert MOST_CASES <= 3, "there are three levels"
    kept = sample([*crossed, _case("alone"), _case("slow", "thorough"), *few])
    assert kept[MOST_CASES].nodeid == "a.py::alone"
    assert kept[MOST_CASES + 1 :] == few
    chosen: list[Any] = kept[:MOST_CASES]
    assert chosen == [case for case in crossed if case in chosen]
    seen = {name: {case.callspec.indices[name] for case in chosen} for name in ("target", "level", "seed")}
    assert {name: len(values) for name, values in seen.items()} == dict.fromkeys(seen, MOST_CASES)
    assert sample(reversed(crossed)) == chosen[::-1], "chance is not that of the order"


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (
            "compiler/codegen/integers/whole_numbers.py",
            {"compiler/codegen/integers/test_whole_numbers.py", "properties/test_int_operations.py"},
        ),
        (
            "compiler/isa/whole_numbers.py",
            {
                "compiler/codegen/integers/test_inexact_constants.py",
                "conformance/test_runner.py",
                "backends/agal/independent/test_independent.py",
                "properties/test_int_operations.py",
            },
        ),
        ("backends/agal/host/README.md", {"backends/agal/host"}),
        ("README.md", set()),
        ("compiler/no_such_file.py", set()),
    ],
)
def test_tests_of_a_file(file: str, expected: set[str]) -> None:
    found = {str(test.relative_to(TESTS)) for test in belonging_to(PROJECT_ROOT / file)}
    assert found == expected


def test_files_elsewhere_have_no_tests(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    assert belonging_to(tmp_path / "a.py") == []


def test_times_are_told_by_folder() -> None:
    lines: list[str] = []
    times, terminal = Times(), SimpleNamespace(section=lines.append, line=lines.append)
    for name, when, seconds in [
        ("tests/backends/vc4/isa/test_a.py::test[1]", "setup", 20.0),
        ("tests/backends/vc4/isa/test_a.py::test[1]", "call", 10.0),
        ("tests/backends/vc4/codegen/test_b.py::test", "call", 10.0),
        ("tests/fuzz/test_c.py::test", "call", 19.8),
        ("tests/test_d.py::test", "call", 0.1),
    ]:
        times.pytest_runtest_logreport(SimpleNamespace(nodeid=name, when=when, duration=seconds))  # type: ignore[arg-type]
    times.pytest_terminal_summary(terminal)  # type: ignore[arg-type]
    assert lines == [], "a run of less than a minute"
    times.pytest_runtest_logreport(SimpleNamespace(nodeid="tests/test_d.py::other", when="call", duration=0.1))  # type: ignore[arg-type]
    times.pytest_terminal_summary(terminal)  # type: ignore[arg-type]
    assert [line.split() for line in lines[1:]] == [
        ["40", "s", "2", "tests", "tests/backends/vc4"],
        ["20", "s", "1", "tests", "tests/fuzz"],
        ["0", "s", "2", "tests", "others"],
        ["60", "s", "5", "tests", "together"],
    ]
