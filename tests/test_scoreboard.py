"""The scoreboard: its rows name real runners and data, and the page has a table for each section."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests import scoreboard
from tests.fuzz.state import State
from tests.judges.registry import JUDGES
from tests.shared_data import PROJECT_ROOT, shared_path


def test_the_page_has_a_table_for_each_section_and_keeps_what_was_not_measured() -> None:
    row = scoreboard.Row("recorded machine code", "golden", ("agal", "golden/agal/*.json"))
    before = scoreboard.page("", {name: [(row, "of old")] for name in ("agal", "vc4")})
    text = scoreboard.page(before, {"agal": [(row, "3 passed, 0 failed, 0 skipped")]})
    assert text.count("of old") == text.count("## vc4") == 1
    assert "## agal" in text
    assert (
        "| recorded machine code | 3 passed, 0 failed, 0 skipped | `python -m tests.golden agal golden/agal/*.json` |"
        in text
    )


def test_every_row_names_a_runner_that_exists() -> None:
    for section in scoreboard.sections():
        for row in scoreboard.rows(section):
            assert (PROJECT_ROOT / "tests" / row.runner / "__main__.py").is_file()


def test_every_row_of_data_names_data_that_exist() -> None:
    shared = shared_path(".")
    for section in scoreboard.sections():
        for row in scoreboard.rows(section):
            for argument in row.arguments:
                if argument.startswith(("golden/", "corpus/")):
                    assert any(shared.glob(argument)), argument


def test_there_is_a_row_for_every_judge() -> None:
    assert {row.arguments[1] for row in scoreboard.rows(scoreboard.JUDGES)} == set(JUDGES)


def test_robustness_is_what_the_fuzzer_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row, *_) = scoreboard.rows(scoreboard.ROBUSTNESS)
    state = State("frontend", 5, "", done=[(0, 2000)], counts=Counter({"mutant accepted": 2000}))
    state.save(tmp_path / "frontend.json")
    arguments = tuple(part.replace("build/fuzz", str(tmp_path)) for part in row.arguments)
    found = scoreboard.measure(scoreboard.Row(row.title, row.runner, arguments), tmp_path)
    assert found == "2,000 inputs of seed 5, 0 findings (2,000 accepted, 0.0 ms each)"


def test_an_unknown_section_is_wrong_usage() -> None:
    assert scoreboard.main(["z80"]) == 2
