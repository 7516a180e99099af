"""`glslc-multi opt`: the text form of the IR in, checked on demand, out again."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from glslc_multi.cli.main import main

SOUND = """shader vertex
attribute @a: vec4
output @gl_Position: vec4 role(position)

func @main {
^entry:
  %3:vec4 = load @a
  %7:vec4 = fadd %3, %3
  store @gl_Position, %7
  ret
}
"""


@pytest.fixture
def sir(tmp_path: Path) -> Path:
    path = tmp_path / "a.sir"
    path.write_text(SOUND)
    return path


def test_text_comes_out_as_it_went_in(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "--verify", str(sir)]) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == (SOUND, "")


def test_renumber_makes_the_numbers_dense(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "--renumber", str(sir)]) == 0
    assert capsys.readouterr().out == SOUND.replace("%3", "%0").replace("%7", "%1")


def test_from_standard_input_into_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOUND.encode()), encoding="utf-8"))
    output = tmp_path / "out.sir"
    assert main(["opt", "-", "-o", str(output)]) == 0
    assert output.read_text() == SOUND


def test_a_broken_line_is_an_error_at_its_place(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sir.write_text(SOUND.replace("fadd", "fadx"), encoding="utf-8")
    assert main(["opt", "--color=never", str(sir)]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"{sir}:8:13: error: ")


def test_a_broken_rule_is_found_only_on_demand(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sir.write_text(SOUND.replace("@main {", "@helper {"), encoding="utf-8")
    assert main(["opt", str(sir)]) == 0
    assert main(["opt", "--verify", str(sir)]) == 1
    assert "there is no function main" in capsys.readouterr().err


DEAD = SOUND.replace("  store", "  %8:vec4 = fmul %7, %7\n  store")


def test_passes_run_in_order_and_can_be_watched(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sir.write_text(DEAD, encoding="utf-8")
    watching = ("--print-before", "dce", "--print-after-all", "--verify-each", "--time-passes")
    assert main(["opt", str(sir), "--passes", "dce", *watching]) == 0
    output = capsys.readouterr()
    assert output.out == SOUND
    before, after = output.err.split("; ---- after dce\n")
    assert before == f"; ---- before dce\n{DEAD}"
    assert after.startswith(SOUND)
    assert after.splitlines()[-1].split()[:2] == ["dce", "1"]


def test_an_unknown_pass_is_wrong_usage(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(sir), "--passes", "dcee", "--color=never"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "did you mean 'dce'?" in output.err


def test_passes_do_not_run_on_a_broken_module(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sir.write_text(SOUND.replace("@main {", "@helper {"), encoding="utf-8")
    assert main(["opt", str(sir), "--passes", "dce"]) == 1
    assert "there is no function main" in capsys.readouterr().err


def test_a_level_is_a_pipeline(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(sir), "-O0"]) == 0
    assert capsys.readouterr().out == SOUND
    assert main(["opt", str(sir), "-O4", "--color=never"]) == 2
    assert "-O" in capsys.readouterr().err


def test_a_level_and_passes_exclude_each_other(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(sir), "-O1", "--passes", "dce"]) == 2
    assert "cannot be used together" in capsys.readouterr().err


def test_the_pipeline_can_stop_early(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sir.write_text(DEAD, encoding="utf-8")
    passes = ("--passes", "simplify-cfg,dce", "--stop-after", "simplify-cfg", "--print-before-all")
    assert main(["opt", str(sir), *passes]) == 0
    output = capsys.readouterr()
    assert output.out == DEAD
    assert "; ---- before simplify-cfg" in output.err
    assert "; ---- before dce" not in output.err


@pytest.mark.parametrize("option", ["--print-before", "--print-after", "--stop-after"])
def test_a_pass_to_watch_must_exist(sir: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert main(["opt", str(sir), "--passes", "dce", option, "dcee"]) == 2
    assert "did you mean 'dce'?" in capsys.readouterr().err


def test_a_limit_of_a_pass_is_a_message(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sir.write_text(SOUND.replace("  ret", "  call @f\n  ret") + "\nfunc @f {\n^entry:\n  ret\n}\n", encoding="utf-8")
    assert main(["opt", str(sir), "--passes", "inline{limit=2}", "--color=never"]) == 1
    assert "[E0703]" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--list", "--list-passes"])
def test_passes_are_listed(capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert main(["opt", option]) == 0
    groups = [group.splitlines() for group in capsys.readouterr().out.split("\n\n")]
    names = {lines[0] if number else "": [line.split()[0] for line in lines] for number, lines in enumerate(groups)}
    assert {"dce", "agal-selects"} & {*names[""]} == {"dce"}
    assert {"agal-selects", "agal-window"} <= {*names["agal:"]}
    assert "xenos-family-angles" in names["adreno, xenos:"]
    assert names[""] == sorted(names[""])


def test_a_pass_of_a_target_runs(sir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sir.write_text(SOUND.replace("= fadd %3, %3", "= fsqrt %3"), encoding="utf-8")
    assert main(["opt", str(sir), "--passes", "theia-roots", "--print-after", "theia-roots"]) == 0
    output = capsys.readouterr()
    assert output.out.count(":float = fsqrt") == output.err.count(":float = fsqrt") == 4


INEXACT = """shader vertex
attribute @a: float
output @gl_Position: vec4 role(position)

func @main {
^entry:
  %0:float = load @a
  %1:float = fsub %0, %0
  %2:vec4 = swizzle.xxxx %1
  store @gl_Position, %2
  ret
}
"""


@pytest.mark.parametrize(("flags", "kept"), [([], False), (["-fprecise"], True)])
def test_precise_keeps_what_is_exact_only_without_nan(
    flags: list[str], kept: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "inexact.sir"
    file.write_text(INEXACT)
    assert main(["opt", str(file), "--passes", "instcombine", *flags]) == 0
    assert ("fsub" in capsys.readouterr().out) is kept
