"""Names in rules, read back by make and ninja themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from glslc_multi.report.depfile import escape, make_rule

#: Names that contain a special character of make.
NAMES = ("plain.glsl", "two words.glsl", "#hash", "dollar$x", "back\\slash", "back\\ space", "a:b.glsl", "é")
#: Ninja has no escape for a tab.
NAMES_FOR_MAKE = (*NAMES, "tab\there")


def test_a_rule_names_each_file_once() -> None:
    assert make_rule(["out"], ["a"], ["b", "c", "b", "a"]) == "out: \\\n  a \\\n  b \\\n  c\n"
    assert make_rule(["out"], [], []) == "out:\n"


@pytest.mark.parametrize("name", NAMES_FOR_MAKE)
def test_make_reads_the_name(name: str, tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (tmp_path / "Makefile").write_text(make_rule(["all"], [name], []))
    done = subprocess.run(["make"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f"No rule to make target '{name}'" in done.stderr
    (tmp_path / name).touch()
    done = subprocess.run(["make"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_ninja_reads_the_name(name: str, tmp_path: Path) -> None:
    if shutil.which("ninja") is None:
        pytest.skip("ninja is not installed")
    (tmp_path / name).touch()
    (tmp_path / "rule").write_text(make_rule(["all"], [name], []))
    (tmp_path / "build.ninja").write_text(
        "rule r\n  command = cp rule $out.d && touch $out\n  depfile = $out.d\n  deps = gcc\nbuild all: r\n"
    )
    subprocess.run(["ninja"], cwd=tmp_path, capture_output=True, check=True)
    listed = subprocess.run(["ninja", "-t", "deps"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [line.strip(" ") for line in listed.stdout.splitlines()[1:] if line] == [name]


def test_a_dollar_is_doubled() -> None:
    assert escape("$(x)") == "$$(x)"
