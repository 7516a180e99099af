"""`glslc-multi stats diff`: what changed, and whether too much."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glslc_multi.cli.main import main

OLD = {"vertex": {"instructions": 100, "registers": 4, "nops": 0, "gone": 1}}
NEW = {"vertex": {"instructions": 105, "registers": 4, "nops": 2, "added": 3}}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.json").write_text(json.dumps(OLD))
    (tmp_path / "new.json").write_text(json.dumps(NEW))
    return tmp_path


DIFF = ["stats", "diff", "old.json", "new.json"]


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(DIFF) == 0
    assert capsys.readouterr().out == (
        "number               old  new  change     %\n"
        "vertex.instructions  100  105  +5      +5.0\n"
        "vertex.nops            0    2  +2         -\n"
        "vertex.gone            1    -  gone       -\n"
        "vertex.added           -    3  new        -\n"
        "1 of 4 numbers are the same\n"
    )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIFF, "--json"]) == 0
    rows = {row["name"]: (row["old"], row["new"]) for row in json.loads(capsys.readouterr().out)}
    assert rows["vertex.instructions"] == (100, 105)
    assert rows["vertex.added"] == (None, 3)
    assert "vertex.registers" not in rows


@pytest.mark.parametrize(("limit", "failing"), [("4.9", ["instructions", "nops"]), ("5", ["nops"]), ("100%", ["nops"])])
def test_growth_over_the_limit_fails(limit: str, failing: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIFF, "--max-growth", limit]) == 1
    output = capsys.readouterr()
    assert output.out.startswith("number")
    assert [line.split()[2].partition(".")[2] for line in output.err.splitlines()] == failing


def test_shrinking_is_fine() -> None:
    assert main(["stats", "diff", "new.json", "old.json", "--max-growth", "0"]) == 0
    assert main(["stats", "diff", "old.json", "old.json", "--max-growth", "0"]) == 0


def test_it_reads_what_the_compiler_prints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, count in (("one", 1), ("two", 2)):
        sums = " + ".join(f"p.{letter * 4}" for letter in "xyzw"[: count + 1])
        (folder / f"{name}.vert").write_text(f"attribute vec4 p; void main() {{ gl_Position = {sums}; }}\n")
        assert main([f"{name}.vert", "--target", "pica200", "--emit", "stats", "-o", f"{name}.json"]) == 0
    assert main(["stats", "diff", "one.json", "two.json", "--max-growth", "10"]) == 1
    assert "vertex.instructions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stats"], "no input file given"),
        (["stats", "dif", "a", "b"], "did you mean 'diff'?"),
        (["stats", "diff", "old.json"], "stats diff takes two files"),
        (["stats", "diff", "old.json", "new.json", "x"], "unexpected argument 'x'"),
        ([*DIFF, "--max-growth", "much"], "option '--max-growth' takes a percentage, found 'much'"),
        (["stats", "diff", "old.json", "absent.json"], "cannot find 'absent.json'"),
        (["stats", "diff", "old.json", "broken.json"], "it is not JSON"),
        (["stats", "diff", "old.json", "empty.json"], "it holds no numbers under names"),
        (["stats", "diff", "old.json", "deep.json"], "it is nested too deeply"),
    ],
)
def test_wrong_usage(words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.json").write_text("{")
    (folder / "empty.json").write_text("[1]")
    (folder / "deep.json").write_text('{"a":' * 100_000)
    assert main(words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err


def test_names_that_are_half_a_character(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON can hold them, and UTF-8 cannot."""
    for name, count in (("old", 1), ("new", 2)):
        (tmp_path / name).write_text(f'{{"\\udcff \\ud800": {{"code_words": {count}}}}}')
    assert main(["stats", "diff", str(tmp_path / "old"), str(tmp_path / "new")]) == 0
    assert "\\udcff \\ud800" in capsys.readouterr().out
    for form in ("--json", "--only-a-mistake"):
        main(["stats", "diff", str(tmp_path / "old"), str(tmp_path / "new"), form])
        assert "internal error" not in capsys.readouterr().err
