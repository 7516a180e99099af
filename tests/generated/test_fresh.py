"""`make fresh`: every day other seeds, and a failure is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generated import fresh
from tests.generated.trial import Outcome, Trials


def test_a_failure_is_kept_under_the_seeds_of_the_day(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_trials: Trials, seed: int) -> list[Outcome]:
        status = "failed" if seed % 2 else "passed"
        return [Outcome(seed, "2", status, "colour is 1", "void main() {}\n")]  # type: ignore[arg-type]

    monkeypatch.setattr(Trials, "run", run)
    monkeypatch.setattr(fresh, "_FAILED", tmp_path / "kept")
    assert fresh.main(["--date", "20260131", "--count", "2", "--kind", "flow", "--target", "vc4"]) == 1
    (kept,) = (tmp_path / "kept").iterdir()
    assert kept.name == "flow-vc4-20260131001-O2.txt"
    assert kept.read_text() == "seed 20260131001 at -O2: colour is 1\nvoid main() {}\n"
    assert capsys.readouterr().out.endswith("flow, vc4: 1 passed, 1 failed, 0 skipped\n")


def test_a_day_without_a_failure_is_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert fresh.main(["--count", "1", "--kind", "units", "--target", "vc4"]) == 0
    assert "0 failed" in capsys.readouterr().out
