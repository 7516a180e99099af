"""Where the shared data are absent, tests are skipped: when they run, and never when their module is imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared_data import shared_parameters, shared_path


def test_a_running_test_is_skipped_where_the_data_are_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLSLC_MULTI_SHARED", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match="shared data not found: corpus/none"):
        shared_path("corpus/none")
    (tmp_path / "here").touch()
    assert shared_path("here") == tmp_path / "here"


@pytest.mark.parametrize("name", ["here", "absent"])
def test_no_module_asks_for_the_data_at_its_import(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").touch()
    monkeypatch.setenv("GLSLC_MULTI_SHARED", str(tmp_path))
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    with pytest.raises(AssertionError, match="none is running"):
        shared_path(name)


def test_parameters_that_the_data_would_give() -> None:
    assert shared_parameters("corpus/real", iter("ab")) == ["a", "b"]
    (absent,) = shared_parameters("corpus/real", [])
    assert absent.marks[0].kwargs["reason"].startswith("shared data not found: corpus/real")
