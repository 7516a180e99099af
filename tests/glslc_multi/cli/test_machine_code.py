"""Subcommands about machine code: link, as, dis; register maps and statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glslc_multi.cli.main import main
from tests.compiler.fake_target import FakeTarget, fake_target

__all__ = ["fake_target"]


@pytest.fixture
def folder(fake_target: FakeTarget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with two shaders."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.vert").write_text("void main() { gl_Position = vec4(0.0); }")
    (tmp_path / "b.frag").write_text("void main() { gl_FragColor = vec4(0.0); }")
    return tmp_path


def test_link_writes_a_file_for_each_stage(folder: Path) -> None:
    assert main(["link", "a.vert", "b.frag", "--target", "fake"]) == 0
    assert sorted(path.name for path in folder.glob("*.fake")) == ["a.cs.fake", "a.vs.fake"]
    assert main(["link", "a.vert", "b.frag", "--target", "fake", "-o", "out/x.bin"]) == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["x.cs.bin", "x.vs.bin"]


def test_link_prints_assembly_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["link", "a.vert", "b.frag", "--target", "fake", "-S"]) == 0
    assert capsys.readouterr().out.count("; vertex as") == 2


@pytest.mark.parametrize("words", [["link", "a.vert", "--target", "fake"], ["link", "a.vert", "b.frag"]])
def test_link_says_what_is_missing(folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "help:" in capsys.readouterr().err


def test_text_is_assembled_and_a_binary_disassembled(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.s").write_text("mov")
    assert main(["as", "x.s", "--target", "fake"]) == 0
    assert (folder / "x.fake").read_bytes() == b"mov"
    assert main(["dis", "x.fake", "--target", "fake"]) == 0
    assert capsys.readouterr().out == "mov"


_DUMP = "0C0 000F000F\n0E0/2 300   # the buffer takes two stages\n"


def test_a_dump_of_registers_becomes_text_and_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dump.txt").write_text(_DUMP)
    assert main(["dis", "dump.txt", "--target", "pica200", "-o", "dump.s"]) == 0
    assert (tmp_path / "dump.s").read_text().splitlines() == [
        ".tev",
        "set TEXENV0_SOURCE rgb1=previous a1=previous",
        "set TEXENV_UPDATE_BUFFER/1 rgb=3  ; the buffer takes rgb of stages 0, 1",
    ]
    assert main(["as", "dump.s", "--target", "pica200"]) == 0
    assert main(["dis", "dump.tev", "--target", "pica200"]) == 0
    assert capsys.readouterr().out == (tmp_path / "dump.s").read_text()


def test_a_dump_of_registers_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dump.txt").write_text(_DUMP)
    assert main(["explain", "dump.txt", "--target", "pica200"]) == 0
    assert "000f000f  set TEXENV0_SOURCE rgb1=previous" in capsys.readouterr().out
    assert main(["explain", "dump.txt", "--target", "pica200", "--fields"]) == 0
    assert "bit n: stage n writes its colour into the buffer" in capsys.readouterr().out
    (tmp_path / "dump.txt").write_text(_DUMP + "0C1 many\n")
    assert main(["explain", "dump.txt", "--target", "pica200"]) == 1
    assert "dump.txt:3:5: error: expected a hexadecimal number" in capsys.readouterr().err
    # Machines without dumps take every file for a shader.
    assert main(["explain", "dump.txt", "--target", "agal", "--stage", "vertex"]) == 1


@pytest.mark.parametrize("command", ["as", "dis"])
def test_as_and_dis_need_an_input_and_a_target(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command]) == 2
    assert "no input file given" in capsys.readouterr().err
    assert main([command, "x"]) == 2
    assert "no target given" in capsys.readouterr().err


def test_a_register_map_stands_beside_binaries_without_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["a.vert", "--target", "fake"]) == 0
    assert not (folder / "a.fake.json").exists()
    monkeypatch.setattr(FakeTarget, "needs_map", True)
    assert main(["a.vert", "--target", "fake"]) == 0
    assert json.loads((folder / "a.fake.json").read_text())["target"] == "fake"


def test_the_register_map_goes_where_asked(folder: Path) -> None:
    assert main(["a.vert", "--target", "fake", "--reflect", "map.json"]) == 0
    found = json.loads((folder / "map.json").read_text())
    assert found["stage"] == "vertex"
    assert found["uniforms"] == []


def test_statistics_as_text_and_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a.vert", "--target", "fake", "--stats"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "vertex: 1 instruction, 1 code word, 0 registers, 0 constants",
        "vertex: proof: unknown: fake has no proofs of the vertex stage",
    ]
    assert main(["a.vert", "--target", "fake", "--stats=json"]) == 0
    assert json.loads(capsys.readouterr().out)["vertex"]["code_words"] == 1


def test_an_input_is_not_taken_for_the_form_of_statistics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--target", "fake", "--stats", "a.vert"]) == 0
    assert capsys.readouterr().out.startswith("vertex: 1 instruction,")


def test_statistics_do_not_mix_with_output_on_standard_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a.vert", "--target", "fake", "-S", "--stats"]) == 0
    output = capsys.readouterr()
    assert "code word" not in output.out
    assert "1 code word," in output.err
