"""The page of code sizes: what stands beside the peer, what is named, and what has changed since the release."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from tests.codesize.cases import DATA, Peer
from tests.codesize.page import PAGE, REASONS, RELEASE, page
from tests.codesize.runner import Measured, Row

(DATA_OF_AGAL,) = (data for data in DATA if data.target == "agal")


def row(name: str, ours: int | None, theirs: int | None) -> Row:
    measured = None if ours is None else Measured(ours)
    return Row(name, "vertex", Peer(theirs), measured, "too many tokens")


ROWS = [row("short", 2, 8), row("long", 8, 4), row("none", None, 5), row("alone", 7, None)]


def sections(sizes: Mapping[str, int], reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """The rows of the tables by heading, without their heads."""
    release: dict[str, Any] = {"version": "0.1", "sizes": {DATA_OF_AGAL.title: sizes}}
    parts = page({DATA_OF_AGAL: ROWS}, release, reasons).split("\n#")
    return {part.split("\n")[0].strip("# "): [x for x in part.split("\n") if x[:2] == "| "][2:] for part in parts}


def test_means_are_of_stages_that_both_have() -> None:
    # sqrt(2/8 * 8/4) and (2 + 8) / (8 + 4).
    assert sections({}, {})["Code size"] == ["| agal | recorded pairs | 0.707 | 0.833 | 1 of 2 | 1 |"]


def test_larger_stages_have_their_reasons_and_those_left_out_the_error() -> None:
    assert sections({}, {"agal long vertex": "a loop"})["Stages that are larger, or left out"] == [
        "| agal: long vertex | 8 | 4 | a loop |",
        "| agal: none vertex | - | 5 | does not compile: too many tokens |",
    ]


def test_changes_are_of_stages_that_were_there_and_are() -> None:
    found = sections({"short vertex": 4, "long vertex": 7, "none vertex": 1, "alone vertex": 7, "gone vertex": 1}, {})
    assert found["Since 0.1"] == ["| agal, recorded pairs | 18 | 17 | 0.944 | 1 | 1 |"]
    assert found["agal, recorded pairs"] == ["| short vertex | 4 | 2 |", "| long vertex | 7 | 8 |"]


def test_the_committed_page_is_of_the_recorded_release_and_gives_all_reasons() -> None:
    text = PAGE.read_text(encoding="utf-8")
    release = json.loads(RELEASE.read_text(encoding="utf-8"))
    assert f"## Since {release['version']}" in text
    assert set(release["sizes"]) == {data.title for data in DATA}
    for stage, reason in tomllib.loads(REASONS.read_text(encoding="utf-8")).items():
        target, name = stage.split(" ", 1)
        assert any(line.startswith(f"| {target}: {name} |") and reason in line for line in text.splitlines()), stage
