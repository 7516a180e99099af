"""Several inputs and targets in one run: patterns for outputs, collisions, one table for all targets."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.compiler.fake_target import FakeTarget, fake_target

__all__ = ["fake_target"]

PLAIN = "attribute vec4 p; uniform mat4 m; void main() { gl_Position = m * p; }\n"
PIXEL = "void main() { gl_FragColor = vec4(0.5); }\n"
#: More registers of constants than any of the vertex targets but vc4 has, whose uniforms are a stream.
LARGE = """attribute vec4 p; attribute float a; uniform vec4 m[400];
void main() { gl_Position = p + m[int(a)]; }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.vert").write_text(PLAIN)
    (tmp_path / "b.vert").write_text(PLAIN)
    (tmp_path / "c.frag").write_text(PIXEL)
    (tmp_path / "large.vert").write_text(LARGE)
    return tmp_path


def names(folder: Path, pattern: str) -> list[str]:
    return sorted(path.name for path in folder.glob(pattern))


def test_each_input_goes_to_a_file_of_its_own(folder: Path) -> None:
    assert main(["a.vert", "b.vert", "-c", "--target", "pica200"]) == 0
    assert names(folder, "*.shbin") == ["a.shbin", "b.shbin"]


def test_a_pattern_names_inputs_and_targets(folder: Path) -> None:
    words = ["a.vert", "b.vert", "--target", "pica200", "--target", "agal", "-o", "{stem}-{target}.bin"]
    assert main(words) == 0
    found = names(folder, "*.bin")
    assert found == ["a-agal.bin", "a-pica200.bin", "b-agal.bin", "b-pica200.bin"]
    assert names(folder, "*.json") == ["a-agal.bin.json", "b-agal.bin.json"]
    assert (folder / "a-pica200.bin").read_bytes().startswith(b"DVLB")


def test_what_several_targets_make_is_what_each_makes(folder: Path) -> None:
    assert main(["a.vert", "--target", "pica200", "--target", "agal", "-o", "{target}"]) == 0
    for target in ("pica200", "agal"):
        assert main(["a.vert", "--target", target, "-o", "alone"]) == 0
        assert (folder / "alone").read_bytes() == (folder / target).read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["a.vert", "b.vert", "--target", "pica200", "-o", "x.bin"],
        ["a.vert", "--target", "pica200", "--target", "agal", "-o", "x.bin"],
        ["a.vert", "b.vert", "--target", "pica200", "-o", "-"],
        ["a.vert", "--target", "pica200", "-o", "x.bin", "--reflect", "./x.bin"],
        ["a.vert", "--target", "pica200", "-o", "x.bin", "-MD", "-MF", "x.bin"],
    ],
)
def test_two_outputs_to_one_name(folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = names(folder, "*")
    assert main(words) == 2
    assert "would be written twice [E0924]" in capsys.readouterr().err
    assert names(folder, "*") == before


def test_names_that_differ_in_case_are_one_on_macos(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    test_two_outputs_to_one_name(folder, ["a.vert", "--target", "pica200", "-o", "x.bin", "--reflect", "X.BIN"], capsys)


def test_an_input_is_not_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a.vert", "--target", "pica200", "-o", "./a.vert"]) == 2
    assert "is an input and would be overwritten [E0925]" in capsys.readouterr().err
    assert (folder / "a.vert").read_text() == PLAIN


def test_texts_follow_each_other_on_standard_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a.vert", "b.vert", "-E"]) == 0
    assert capsys.readouterr().out.count("gl_Position") == 2


def test_nothing_is_written_when_one_of_several_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b.vert").write_text("void main() { gl_Position = x; y(); }\n")
    targets = ["--target", "pica200", "--target", "agal"]
    assert main(["a.vert", "b.vert", *targets, "-o", "{stem}.{target}", "--color=never"]) == 1
    # A mistake in a shader is one mistake, however many targets there are.
    assert capsys.readouterr().err.count("error:") == 2
    assert names(folder, "*.agal") == names(folder, "*.pica200") == []


def test_options_of_a_target_go_to_that_target(folder: Path) -> None:
    words = ["a.vert", "--target", "agal", "--target", "pica200", "--agal-version", "2", "-o", "{target}"]
    assert main(words) == 0
    # The version is the byte after the magic number of the byte code (0xa0).
    assert (folder / "agal").read_bytes()[:2] == b"\xa0\x02"


def test_an_option_called_like_a_flag_of_ours(folder: Path) -> None:
    assert any(option.name == "output" for option in load_target("theia").options)
    assert main(["c.frag", "--target", "theia", "--output", "raw", "-o", "x.mem"]) == 0
    assert (folder / "x.mem").exists()


# --------------------------------------------------------------------------------------- --target all
def test_all_targets_in_one_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = names(folder, "*")
    assert main(["large.vert", "--target", "all"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["target", "fits", "instructions", "registers", "constants", "cycles", "remark"]
    rows = {line.split()[0]: line for line in lines}
    assert list(rows) == list(target_names())
    assert rows["theia"].split(maxsplit=6)[1:] == ["no", "-", "-", "-", "-", "no vertex stage: it has fragment"]
    assert rows["pica200"].split()[1] == "no"
    # 400 uniforms in 96 registers; literals may add to the need, so only the limit is sure.
    assert "of 96)" in rows["pica200"]
    assert "too many" in rows["pica200"]
    assert names(folder, "*") == before


def test_the_table_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a.vert", "c.frag", "--target", "all", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    fits = {(row["shader"], row["target"]): row["fits"] for row in rows}
    assert fits["a.vert", "pica200"] is True
    assert fits["a.vert", "theia"] is False
    assert fits["c.frag", "theia"] is True
    assert all((row["instructions"] is None) is not row["fits"] for row in rows)


def test_a_shader_that_fits_nowhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "huge.frag").write_text(
        "precision mediump float; uniform sampler2D s[40]; varying vec2 v; void main() { vec4 c = vec4(0.0);"
        + "".join(f" c += texture2D(s[{index}], v);" for index in range(40))
        + " gl_FragColor = c; }\n"
    )
    assert main(["huge.frag", "--target", "all"]) == 3
    output = capsys.readouterr()
    assert " yes " not in output.out
    assert "the shader fits no target [E0704]" in output.err


def test_a_stage_that_no_target_has(fake_target: FakeTarget, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["c.frag", "--target", "all"]) == 3
    output = capsys.readouterr()
    assert output.out == ""
    assert "no target has the stage of 'c.frag'" in output.err


def test_a_mistake_in_the_shader_is_no_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b.vert").write_text("void main() { gl_Position = x; }\n")
    assert main(["b.vert", "--target", "all"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("error:") == 1


def test_all_with_an_output_writes_for_the_targets_that_have_the_stage(folder: Path) -> None:
    assert main(["a.vert", "--target", "all", "-o", "out.{target}"]) == 0
    expected = [f"out.{name}" for name in target_names() if "vertex" in load_target(name).stages]
    assert [name for name in names(folder, "out.*") if not name.endswith(".json")] == expected


def test_limits_are_told_with_their_values() -> None:
    from glslc_multi.compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED

    sink = DiagnosticSink()
    sink.report(RESOURCE_EXCEEDED, need=12, limit=8, what="temporaries", target="agal")
    assert dict(sink.diagnostics[0].values) == {"need": "12", "limit": "8", "what": "temporaries"}


def test_small_code_is_the_usual_level(folder: Path) -> None:
    for level in ("-Os", "-O2"):
        assert main(["a.vert", "--target", "pica200", level, "-o", f"x{level}"]) == 0
    assert (folder / "x-Os").read_bytes() == (folder / "x-O2").read_bytes()


def test_statistics_of_several(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["a.vert", "b.vert", "--target", "pica200"]
    assert main([*words, "--stats=json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["a.vert pica200", "b.vert pica200"]
    assert found["a.vert pica200"]["vertex"]["instructions"] == 5
    assert main([*words, "--stats"]) == 0
    assert capsys.readouterr().out.startswith("a.vert pica200, vertex: 5 instructions")
