"""The command line as a whole: exit status, messages on stderr, results on stdout, nothing else."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi import files
from glslc_multi.cli import main as command
from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from tests.compiler.fake_target import FakeTarget, fake_target
from tests.shared_data import PROJECT_ROOT

__all__ = ["fake_target"]


KINDS = (
    "bin, asm, ir, glsl, glsl-100, glsl-300es, glsl-120, glsl-330, spirv, spirv-opengl, spirv-asm, "
    "dot, json, stats, c, header, host, html"
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no input file given [E0915]\nhelp: see glslc-multi --help"),
        (["a.vert"], "no target given [E0909]\nhelp: name one with --target, or look at the IR with --emit ir"),
        (["--taget", "x"], "unknown option '--taget' [E0905]\nhelp: did you mean '--target'?"),
        (["--target"], "option '--target' needs a value [E0906]"),
        (
            ["link", "a", "b", "--target", "x", "--target", "y"],
            "unexpected argument 'y' [E0918]\nhelp: name one target at a time",
        ),
        (["--version=3"], "unexpected argument '3' [E0918]"),
        (["--emit", "irr"], f"option '--emit' takes one of {KINDS}, found 'irr' [E0907]\nhelp: did you mean 'ir'?"),
        (["-O4"], "option '-O' takes one of 0, 1, 2, 3, s, found '4' [E0907]"),
        (["--max-errors", "0"], "option '--max-errors' takes a whole number from 1, found '0' [E0907]"),
        (["-E", "-S", "a.vert"], "'-E' and '-S' cannot be used together [E0916]"),
        (["-Wnonsense"], "unknown warning group 'nonsense' [E0917]"),
        (["--explain", "E0999"], "unknown diagnostic code 'E0999' [E0914]\nhelp: did you mean 'E0909'?"),
        (["-E", "absent.vert"], "cannot find 'absent.vert' [E0901]"),
        (["@absent"], "cannot find 'absent' [E0901]"),
        (["opt"], "no input file given [E0915]\nhelp: see glslc-multi opt --help"),
        (["opt", "--verfy", "x"], "unknown option '--verfy' [E0905]\nhelp: did you mean '--verify'?"),
        (["targets", "agl"], "unknown target 'agl' [E0908]\nhelp: did you mean 'agal'?"),
    ],
)
def test_wrong_usage_exits_with_2(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == f"glslc-multi: error: {message}\n"


def test_several_mistakes_are_reported_in_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", "--diagnostics-format=json", "--bogus=1", "--other"]) == 2
    messages = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(message["code"], message["message"]) for message in messages] == [
        ("E0905", "unknown option '--bogus'"),
        ("E0905", "unknown option '--other'"),
    ]


def test_sarif_is_one_document_even_without_messages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", "--diagnostics-format=sarif"]) == 0
    assert json.loads(capsys.readouterr().err)["runs"][0]["results"] == []


def test_color_is_off_and_on_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--bogus", "--color=always"])
    assert "\x1b[" in capsys.readouterr().err
    main(["--bogus", "--color=never"])
    assert "\x1b[" not in capsys.readouterr().err


def test_explain_prints_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--explain", "e0908"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("E0908: unknown target ...\n\n")
    assert usage.UNKNOWN_TARGET.explain.strip() in output


@pytest.mark.parametrize("arguments", [["--help"], ["opt", "-h"], ["targets", "--help"]])
def test_help_goes_to_stdout(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    output = capsys.readouterr()
    assert output.out.startswith("usage: glslc-multi")
    assert output.err == ""


def test_targets_are_listed(fake_target: FakeTarget, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets"]) == 0
    assert capsys.readouterr().out == (
        "fake: a machine that only exists in tests\n"
        "  stages: vertex, coordinate\n"
        "  --f32: round to float32 (False)\n"
        "  --copies: how many (1)\n"
        "  --variant: which one (old)\n"
    )
    assert main(["targets", "fake"]) == 0
    assert capsys.readouterr().out.startswith("fake: ")
    assert main(["targets", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["name"] == "fake"
    assert row["options"][2] == {"name": "variant", "default": "old", "help": "which one", "choices": ["old", "new"]}


def test_an_internal_error_is_a_message(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(words: list[str], sink: DiagnosticSink) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(command, "_dispatch", break_down)
    assert main(["a.vert"]) == 70
    error = capsys.readouterr().err
    assert error.startswith("glslc-multi: error: internal error: KeyError at test_main.py:")
    assert "'lost' [E9999]" in error
    assert "Traceback" not in error


def test_an_interrupt_is_quiet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(words: list[str], sink: DiagnosticSink) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_dispatch", interrupt)
    assert main(["a.vert"]) == 130
    assert capsys.readouterr().err == ""


def test_response_files_are_expanded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    inner = tmp_path / "inner.txt"
    inner.write_text("'--explain'\n")
    outer = tmp_path / "outer.txt"
    outer.write_text(f"@{inner} E0908")
    assert main([f"@{outer}"]) == 0
    assert capsys.readouterr().out.startswith("E0908: ")


@pytest.mark.parametrize(
    ("content", "reason"),
    [("'open", "no closing quotation"), ("@{self}", "response files are nested more than 10 deep")],
)
def test_bad_response_files(content: str, reason: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "arguments"
    path.write_text(content.replace("{self}", str(path)))
    assert main([f"@{path}"]) == 2
    assert capsys.readouterr().err == f"glslc-multi: error: cannot read '{path}': {reason} [E0902]\n"


def test_files_are_read_up_to_a_size(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 20)
    path = tmp_path / "a.vert"
    path.write_text("void main() {} //...")
    assert main(["-E", str(path)]) == 0
    path.write_text("void main() {} //....")
    assert main(["-E", str(path)]) == 2
    message = f"glslc-multi: error: cannot read '{path}': it has more than 20 bytes [E0902]\n"
    assert capsys.readouterr().err == message


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "a.vert", "--target", "vc4", "--inputs", "pipe"],
        ["render", "a.vert", "a.frag", "--target", "vc4", "-o", "a.png", "--texture", "t=pipe"],
        ["render", "a.vert", "a.frag", "--target", "vc4", "-o", "a.png", "--mesh", "pipe.obj"],
    ],
)
def test_values_are_not_read_from_pipes(
    arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that nobody writes to would be waited for without end."""
    monkeypatch.chdir(tmp_path)
    Path("a.vert").write_text("void main() { gl_Position = vec4(1.0); }", encoding="utf-8")
    Path("a.frag").write_text(
        "uniform sampler2D t; void main() { gl_FragColor = texture2D(t, gl_FragCoord.xy); }", encoding="utf-8"
    )
    os.mkfifo("pipe")
    os.mkfifo("pipe.obj")
    assert main(arguments) == 2
    assert f"cannot read '{arguments[-1].removeprefix('t=')}': it is no regular file [E0902]" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["targets"], ["--explain", "E0908"]])
def test_light_commands_load_no_heavy_package(arguments: list[str]) -> None:
    program = (
        "import sys; from glslc_multi.cli.main import main; main(sys.argv[1:]);"
        "print(sorted({'networkx', 'numpy', 'pyparsing', 'llvmlite'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=PROJECT_ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "[]"


def test_a_fake_target_compiles_into_the_current_directory(
    fake_target: FakeTarget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene").mkdir()
    (tmp_path / "scene" / "quad.vert").write_text("void main() {}")
    assert main(["scene/quad.vert", "--target", "fake", "--f32", "--variant=new", "-O3"]) == 0
    assert (tmp_path / "quad.fake").read_text() == "vertex as vertex O3 f32=True,copies=1,variant=new\n"
    assert main(["scene/quad.vert", "-S", "--target=fake"]) == 0
    assert capsys.readouterr().out.startswith("; vertex as vertex O2")
    assert main(["scene/quad.vert", "--target=fake", "--copies", "x"]) == 2
    assert "option 'copies' takes a whole number, found 'x' [E0907]" in capsys.readouterr().err


def test_nothing_is_written_when_an_error_occurs(
    fake_target: FakeTarget, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shader = tmp_path / "a.frag"
    shader.write_text("void main() {}")
    output = tmp_path / "a.out"
    assert main([str(shader), "--target", "fake", "-o", str(output)]) == 2
    assert capsys.readouterr().err == (
        "glslc-multi: error: fake has no fragment stage [E0912]\nhelp: it has: vertex, coordinate\n"
    )
    assert list(tmp_path.iterdir()) == [shader]


@pytest.mark.parametrize(("comment", "status"), [(b"// caf\xe9", 0), (b"float caf\xe9;", 1)])
def test_latin1_is_read_with_a_warning_and_has_no_place_outside_of_comments(
    comment: bytes, status: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shader = b"\xef\xbb\xbfvoid main() { gl_Position = vec4(0.0); }\n" + comment
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(shader), encoding="utf-8"))
    assert main(["-", "--emit", "ir", "--stage", "vertex", "--diagnostics-format=short"]) == status
    warning, *errors = capsys.readouterr().err.splitlines()
    place = f"<stdin>:2:{comment.index(0xE9) + 1}"
    assert warning == f"{place}: warning: the byte 0xe9 is not UTF-8: the file is read as Latin-1 [W0155]"
    assert errors == [f"{place}: error: character 'é' (U+00E9) is not allowed in a shader [E0101]"] * status


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["--explain", "E0301"], ["targets"]])
def test_a_closed_pipe_is_a_message(arguments: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "glslc_multi.entry", *arguments]
    run = subprocess.run(command, cwd=PROJECT_ROOT, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert run.returncode == 2
    assert run.stderr == "glslc-multi: error: cannot write '-': broken pipe [E0913]\n"


def test_a_preamble_takes_what_uniforms_alone_decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scaled.vert"
    file.write_text("uniform float a, b; attribute vec4 p;\nvoid main() { gl_Position = p * sin(a * b); }\n")
    assert main([str(file), "--emit", "ir"]) == 0
    assert "@preamble" not in capsys.readouterr().out
    assert main([str(file), "--emit", "ir", "-fpreamble"]) == 0
    preamble = capsys.readouterr().out.partition("func @preamble")[2]
    assert "fsin" in preamble
