"""What goes wrong in practice: one line that says so, the right exit status, and never a file or half of one."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from glslc_multi.cache import system
from glslc_multi.cli.main import main
from tests.shared_data import PROJECT_ROOT

SHADER = b"attribute vec4 p; void main() { gl_Position = p; }\n"
INCLUDING = b'#extension GL_GOOGLE_include_directive : require\n#include "x.glsl"\n' + SHADER
TEN_MEGABYTES = 10 * 1024 * 1024


class Misuse(NamedTuple):
    """A command line in a folder that holds a good shader, `a.vert`."""

    name: str
    words: list[str]
    status: int
    #: Part of the first line.
    message: str
    #: What else is in the folder.
    files: Mapping[str, bytes] = MappingProxyType({})
    stdin: bytes = b""


COMPILE = ["a.vert", "--target", "pica200"]
MISUSES = [
    Misuse("missing file", ["absent.vert", "--target", "pica200"], 2, "cannot find 'absent.vert' [E0901]"),
    Misuse(
        "directory", ["folder", "--stage", "vertex", "--target", "agal"], 2, "is a directory, expected a file [E0903]"
    ),
    Misuse(
        "output in no folder", [*COMPILE, "-o", "no/x"], 2, "cannot write 'no/x': no such file or directory [E0913]"
    ),
    Misuse("output is a directory", [*COMPILE, "-o", "folder"], 2, "cannot write 'folder'"),
    Misuse("output behind a file", [*COMPILE, "-o", "a.vert/x"], 2, "cannot write 'a.vert/x': not a directory [E0913]"),
    Misuse("output without a name", [*COMPILE, "-o", "", "-MD", "-MF", "x", "--save-temps"], 2, "cannot write ''"),
    Misuse("rule for nothing", [*COMPILE, "-o", "", "-MD"], 2, "cannot write ''"),
    Misuse("output with a name that is too long", [*COMPILE, "-o", "x" * 300], 2, "file name too long [E0913]"),
    Misuse(
        "output over the input", [*COMPILE, "-o", "a.vert"], 2, "'a.vert' is an input and would be overwritten [E0925]"
    ),
    Misuse(
        "stages in the wrong order",
        ["link", "b.frag", "a.vert", "--target", "agal"],
        2,
        "the vertex shader comes first [E0965]",
        {"b.frag": b"void main() { gl_FragColor = vec4(1); }"},
    ),
    Misuse(
        "picture of another kind",
        ["render", "a.vert", "a.frag", "--target", "agal", "-o", "a.jpg"],
        2,
        "option '-o' takes the name of a .png file, found 'a.jpg' [E0907]",
    ),
    Misuse("wrong target", ["a.vert", "--target", "toaster"], 2, "unknown target 'toaster' [E0908]"),
    Misuse("no target", ["a.vert"], 2, "no target given [E0909]"),
    Misuse("no input", ["--target", "agal"], 2, "no input file given [E0915]"),
    Misuse("unknown option", [*COMPILE, "--optimise"], 2, "unknown option '--optimise' [E0905]"),
    Misuse("option of another target", [*COMPILE, "--agal-version", "2"], 2, "unknown option '--agal-version' [E0905]"),
    Misuse("option without its value", [*COMPILE, "-o"], 2, "option '-o' needs a value [E0906]"),
    Misuse("wrong level", [*COMPILE, "-O9"], 2, "option '-O' takes one of 0, 1, 2, 3, s, found '9' [E0907]"),
    Misuse(
        "two kinds of output", [*COMPILE, "-S", "--emit", "c"], 2, "'-S' and '--emit c' cannot be used together [E0916]"
    ),
    Misuse("wrong stage", [*COMPILE, "--stage", "vertx"], 2, "unknown stage 'vertx' [E0910]"),
    Misuse(
        "unknown suffix", ["a.glsl", "--target", "agal"], 2, "cannot tell the stage of 'a.glsl'", {"a.glsl": SHADER}
    ),
    Misuse("stage that the target lacks", ["a.vert", "--target", "theia"], 2, "no vertex stage", {"a.vert": SHADER}),
    Misuse(
        "broken UTF-8",
        ["b.vert", "--target", "agal"],
        2,
        "not UTF-8 text: line 2 has the byte 0xff, at offset 4",
        {"b.vert": b"//\0\n\xff"},
    ),
    Misuse("empty shader", ["b.vert", "--target", "agal"], 1, "main", {"b.vert": b""}),
    Misuse("only zero bytes", ["b.vert", "--target", "agal", "--max-errors", "1"], 1, "error", {"b.vert": bytes(4096)}),
    Misuse("empty standard input", ["-", "--stage", "vertex", "--target", "agal"], 1, "main"),
    Misuse("standard input without a stage", ["-", "--target", "agal"], 2, "cannot tell the stage", {}, SHADER),
    Misuse(
        "two outputs to one name",
        ["a.vert", "b.vert", "--target", "agal", "-o", "x"],
        2,
        "'x' would be written twice [E0924]",
        {"b.vert": SHADER},
    ),
    Misuse("macro with a bad name", [*COMPILE, "-D1=2"], 2, "'1=2' does not define a macro [E0919]"),
    Misuse("include that is missing", ["b.vert", "--target", "agal"], 1, "x.glsl", {"b.vert": INCLUDING}),
    Misuse("response file that is missing", ["@words"], 2, "cannot find 'words' [E0901]"),
    Misuse("text where a binary is expected", ["dis", "a.vert", "--target", "pica200"], 1, "error"),
    Misuse("cut-off binary", ["dis", "x.shbin", "--target", "pica200"], 1, "error", {"x.shbin": b"DVLB\x01\x00"}),
    Misuse("explanation over its shader", ["explain", *COMPILE, "-o", "a.vert"], 2, "would be overwritten [E0925]"),
    Misuse("explanation of two", ["explain", *COMPILE, "--target", "agal"], 2, "unexpected argument 'agal' [E0918]"),
    Misuse(
        "standard input that is watched", ["-", *COMPILE[1:], "--watch"], 2, "'-' and '--watch' cannot be used together"
    ),
    Misuse("folder without shaders", ["batch", "folder", "--target", "agal"], 2, "no input file given [E0915]"),
    Misuse("subcommand with a typo", ["lnk", "a.vert"], 2, "cannot find 'lnk' [E0901]"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.vert").write_bytes(SHADER)
    (tmp_path / "folder").mkdir()
    return tmp_path


def contents(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("case", MISUSES, ids=[case.name for case in MISUSES])
def test_misuse(
    case: Misuse, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, data in case.files.items():
        (folder / name).write_bytes(data)
    before = contents(folder)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case.stdin), encoding="utf-8"))
    assert main([*case.words, "--color=never"]) == case.status
    output = capsys.readouterr()
    assert output.out == ""
    errors = [line for line in output.err.splitlines() if "error: " in line]
    assert len(errors) == 1, output.err
    assert case.message in errors[0]
    assert contents(folder) == before


def test_there_are_enough_of_them() -> None:
    assert len(MISUSES) >= 25


def test_an_output_that_may_not_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o500)
    if os.access(closed, os.W_OK):
        pytest.skip("this user may write everywhere")
    assert main([*COMPILE, "-o", "closed/x"]) == 2
    assert "cannot write 'closed/x': permission denied [E0913]" in capsys.readouterr().err


def test_a_full_disk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    assert main([*COMPILE, "-o", "/dev/full"]) == 2
    assert "cannot write '/dev/full': no space left on device [E0913]" in capsys.readouterr().err


# ----------------------------------------------------------------------------------- large inputs
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"// " + b"x" * TEN_MEGABYTES + b"\n" + SHADER, 0),
        # These take seconds at full size: each character is a line or a token.
        (b"\n" * (TEN_MEGABYTES // 20) + SHADER, 0),
        (b"(" * (TEN_MEGABYTES // 20), 1),
        (b"x" * TEN_MEGABYTES, 1),
        (b"\xff" * (TEN_MEGABYTES // 20), 1),
        (bytes(range(256)) + b"\xff" * TEN_MEGABYTES, 2),
    ],
    ids=["comment", "lines", "brackets", "name", "letters", "bytes"],
)
def test_large_inputs(text: bytes, status: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b.vert").write_bytes(text)
    assert main(["b.vert", "--target", "pica200", "-o", "out", "--color=never"]) == status
    # A message about a line of ten megabytes does not print the line.
    assert len(capsys.readouterr().err) < 20_000
    assert (folder / "out").exists() == (status == 0)


# ------------------------------------------------------------------------------------ interrupted
def interrupt_while_writing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    write_all: Callable[[int, bytes], None] = system.write_all

    def write_half(descriptor: int, data: bytes) -> None:
        write_all(descriptor, data[: len(data) // 2])
        raise error

    monkeypatch.setattr(system, "write_all", write_half)


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (OSError(28, "No space left"), 2)])
def test_stopped_in_the_middle_of_a_write(
    error: BaseException, status: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "out").write_bytes(b"old")
    before = contents(folder)
    interrupt_while_writing(monkeypatch, error)
    assert main([*COMPILE, "-o", "out"]) == status
    assert contents(folder) == before


@pytest.mark.parametrize("complete", [0, 1, 2])
def test_a_full_disk_leaves_no_half_set_of_files(
    complete: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["a.vert", "--target", "adreno", "-o", "out", "-MD", "--save-temps"]
    assert main(words) == 0
    old = contents(folder)
    (folder / "a.vert").write_bytes(SHADER.replace(b"= p", b"= -p"))
    changed = {**old, **contents(folder)}
    write_all: Callable[[int, bytes], None] = system.write_all
    written: list[bytes] = []

    def write_some(descriptor: int, data: bytes) -> None:
        if len(written) == complete:
            raise OSError(28, "No space left on device")
        written.append(data)
        write_all(descriptor, data)

    monkeypatch.setattr(system, "write_all", write_some)
    assert main(words) == 2
    assert "no space left on device [E0913]" in capsys.readouterr().err
    assert contents(folder) == changed


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGKILL])
def test_killed_half_way(stop: signal.Signals, folder: Path) -> None:
    before = contents(folder)
    command = [
        sys.executable,
        "-m",
        "glslc_multi.cli.main",
        "-",
        "--stage",
        "vertex",
        "--target",
        "pica200",
        "-o",
        "out",
    ]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    assert process.stdin is not None
    process.stdin.write(SHADER)
    process.stdin.flush()
    time.sleep(0.05)
    process.send_signal(stop)
    assert process.wait() == -stop
    process.stdin.close()
    assert contents(folder) == before


def test_machine_code_is_not_written_to_a_terminal(tmp_path: Path) -> None:
    """Bytes may be commands of the terminal; text is welcome there."""
    pty = pytest.importorskip("pty", reason="needs a system with terminals")
    (tmp_path / "a.vert").write_bytes(SHADER)
    for words, status, shown in (([], 2, b"machine code is no text for a terminal"), (["-S"], 0, b"mov o0")):
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "glslc_multi", "a.vert", "--target", "pica200", "-o", "-", *words]
        run = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}, stdout=theirs,
            stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
        os.close(theirs)
        text = os.read(ours, 1 << 16) if status == 0 else run.stderr
        os.close(ours)
        assert run.returncode == status
        assert shown in text
