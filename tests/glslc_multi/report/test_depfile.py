"""Names in rules, read back by make and ninja themselves."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi.report.depfile import escape, escape_target, impossible, make_rule

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


def test_a_path_of_windows_has_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    rule = make_rule([escape_target(r"out\#1.bin")], [r"C:\my shaders\a.vert"], [])
    assert rule == "out/\\#1.bin: \\\n  C\\:/my\\ shaders/a.vert\n"


def test_a_dollar_is_doubled() -> None:
    assert escape("$(x)") == "$$(x)"


#: All of ASCII that is no letter, digit or control, alone at each place of a name, and what only several do.
SPECIAL = [c for c in map(chr, (9, *range(32, 127))) if not c.isalnum() and c != "/"]
ODD = [name for c in SPECIAL for name in (f"a{c}b", f"{c}ab", f"ab{c}", f"a\\{c}b", f"{c}{c}a")]
ODD += [
    "a\\\\ b",
    "~root",
    "~",
    "$(shell echo x)",
    "a[xb]c",
    "a %b",
    "a: b",
    "-include",
    "a(b)",
    "a&:b",
    "x ;echo y",
]


def _make(rule: str, folder: Path) -> str:
    (folder / "Makefile").write_text(rule)
    done = subprocess.run(["make", "-r", "wanted"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("is_target", [False, True])
def test_make_reads_every_name_or_it_is_refused(is_target: bool, tmp_path: Path) -> None:
    """Files lie about that a wildcard would find."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    for name in ("a1b", "axc", "xab", "abx"):
        (tmp_path / name).touch()
    refused = {name for name in ODD if impossible(name, is_target=is_target)}
    wrong = []
    for name in sorted(set(ODD) - refused):
        if is_target:
            # The name is asked for by a prerequisite, whose escapes are those of the other half of this test.
            if impossible(name, is_target=False):
                continue
            found = _make(f"wanted: \\\n  {escape(name)}\n{make_rule([escape_target(name)], ['none'], [])}", tmp_path)
            expected = f"No rule to make target 'none', needed by '{name}'"
        else:
            found = _make(make_rule(["wanted"], [name], []), tmp_path)
            expected = f"No rule to make target '{name}', needed by 'wanted'"
        if expected not in found:
            wrong.append((name, found))
    assert wrong == []
    assert {c for c in SPECIAL if f"a{c}b" in refused} == set("*?[;=|") | ({"\t"} if is_target else set())


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\\", "a ", "a\t"])
def test_what_no_rule_can_hold(name: str) -> None:
    assert impossible(name, is_target=False) is not None
