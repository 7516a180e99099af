"""The golden runner: what it recognises, and how it counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.golden import runner
from tests.golden.__main__ import main
from tests.golden.kinds import KINDS, TARGETS, recognise
from tests.golden.runner import Failure, Skip, Verdict
from tests.shared_data import shared_path


def write(folder: Path, document: Any) -> Path:
    path = folder / "records.json"
    path.write_text(json.dumps(document))
    return path


VC4_ENCODINGS = {
    "tool": "by hand",
    "note": "",
    "cases": [{"category": "nop", "asm": asm, "word": "0"} for asm in ("right", "wrong", "folded", "broken")],
}


def judge_by_name(case: Mapping[str, Any], document: Any) -> Verdict:
    assert document["tool"] == "by hand"
    answers: dict[str, Verdict] = {"right": None, "wrong": Failure("word differs"), "folded": Skip("one way only")}
    return answers[case["asm"]]


def test_cases_are_judged_by_the_handler_of_their_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(runner._HANDLERS, ("vc4", "encoding"), f"{__name__}:judge_by_name")
    assert main(["vc4", str(write(tmp_path, VC4_ENCODINGS))]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "failed: records.json: wrong: word differs",
        "failed: records.json: broken: internal error: KeyError: 'broken'",
        "skipped: 1 of records.json: one way only",
        "1 passed, 2 failed, 1 skipped",
    ]


def test_a_kind_without_handler_is_a_skip_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "_HANDLERS", {})
    assert main(["vc4", str(write(tmp_path, VC4_ENCODINGS))]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "skipped: 4 of records.json: target vc4 does not check 'encoding' records in this release",
        "0 passed, 0 failed, 4 skipped",
    ]


def test_a_file_without_cases_is_one_skip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts: dict[str, Any] = {"phong": {"a2xx": {}, "vc4": {}}, "tex": {"a2xx": {}, "vc4": {}}}
    assert main(["adreno", str(write(tmp_path, counts))]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 0 failed, 1 skipped"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (VC4_ENCODINGS, "is in no schema of agal (it is one of vc4)"),
        ([1, 2, 3], "is in no schema of agal"),
        ({}, "is in no schema of agal"),
    ],
)
def test_a_file_of_another_target_is_wrong_usage(
    document: Any, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agal", str(write(tmp_path, document))]) == 2
    assert capsys.readouterr().err.rstrip().endswith(message)


def test_a_file_that_is_no_json_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"\xff")
    assert main(["agal", str(path)]) == 2
    assert "cannot read" in capsys.readouterr().err
    assert main(["agal", str(tmp_path / "absent")]) == 2


def recorded_files(target: str) -> list[Path]:
    """Those of the target's folder, and of folders for parts of the target."""
    folders = [shared_path(f"golden/{target}"), *shared_path("golden").glob(f"{target}-*")]
    return sorted(path for folder in folders for path in folder.rglob("*.json"))


@pytest.mark.parametrize("target", TARGETS)
def test_every_shared_file_is_of_one_kind_and_no_kind_is_unknown(target: str) -> None:
    found = []
    for path in recorded_files(target):
        document = json.loads(path.read_text(encoding="utf-8"))
        kind = recognise(document, target)
        assert kind is not None, path
        assert {other.target for other in KINDS if other.fits(document)} == {target}, path
        if not kind.no_cases:
            assert all(kind.keys <= case.keys() for case in kind.cases(document))
        found.append(kind.name)
    assert set(found) == {kind.name for kind in KINDS if kind.target == target}
