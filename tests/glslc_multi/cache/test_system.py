"""Putting files in place where the system is Windows, by stand-ins of its behaviour."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from glslc_multi.cache import system
from glslc_multi.cache.system import Replacements
from glslc_multi.compiler import own_files


@pytest.mark.parametrize(("refusals", "text"), [(2, b"new"), (1000, b"old")])
def test_a_file_that_is_open_elsewhere_is_replaced_when_it_is_closed(
    refusals: int, text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that stays open is an error after a while."""
    (tmp_path / "out").write_bytes(b"old")
    refused: list[str] = []

    def replace(aside: str, path: str) -> None:
        if len(refused) < refusals:
            refused.append(path)
            raise PermissionError(13, "Permission denied", aside, None, path)
        os.replace(aside, path)  # noqa: PTH105

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(own_files.system, "replace", replace)
    monkeypatch.setattr(system, "_PATIENCE", 0.2)
    try:
        with Replacements() as files:
            files.add(str(tmp_path / "out"), b"new")
    except PermissionError:
        assert text == b"old"
    assert (tmp_path / "out").read_bytes() == text
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_devices_without_an_inode_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """As NUL and a console, whose numbers are all 0."""
    nameless = SimpleNamespace(st_mode=stat.S_IFCHR, st_dev=0, st_ino=0, st_size=0)
    monkeypatch.setattr(own_files.system, "stat", lambda path: nameless)
    monkeypatch.setattr(own_files.system, "fstat", lambda descriptor: nameless)
    with Replacements() as files:
        files.add(os.devnull, b"thrown away")
    assert capfdbinary.readouterr().out == b""
