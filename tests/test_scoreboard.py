"""The scoreboard: its rows name real runners and data, and the page has a table for each target."""

from __future__ import annotations

from tests import scoreboard
from tests.shared_data import PROJECT_ROOT


def test_the_page_has_a_table_for_each_target() -> None:
    row = scoreboard.Row("recorded machine code", "golden", ("agal", "golden/agal/*.json"))
    text = scoreboard.page([("agal", [(row, "3 passed, 0 failed, 0 skipped")])])
    assert "## agal" in text
    assert (
        "| recorded machine code | 3 passed, 0 failed, 0 skipped | `python -m tests.golden agal golden/agal/*.json` |"
        in text
    )


def test_every_row_names_a_runner_that_exists() -> None:
    for target in ("agal", "pica200", "adreno", "theia", "vc4"):
        for row in scoreboard.rows(target):
            assert (PROJECT_ROOT / "tests" / row.runner / "__main__.py").is_file()


def test_an_unknown_target_is_wrong_usage() -> None:
    assert scoreboard.main(["z80"]) == 2
