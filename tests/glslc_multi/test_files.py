"""Reading and writing files: what cannot be read or written is a diagnostic, never half a file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi.compiler import own_files
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.files import read_bytes, read_text, write_bytes, write_text, write_together
from tests.shared_data import PROJECT_ROOT


def failure(action: object, *arguments: object) -> str:
    with pytest.raises(CompileError) as caught:
        action(*arguments, DiagnosticSink())  # type: ignore[operator]
    (diagnostic,) = caught.value.diagnostics
    return f"{diagnostic.code} {diagnostic.message}"


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.vert"
    path.write_bytes(b"\xef\xbb\xbfvoid")
    assert read_text(str(path), DiagnosticSink()) == "void"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert failure(read_bytes, str(tmp_path / "none")) == f"E0901 cannot find '{tmp_path / 'none'}'"
    assert failure(read_bytes, str(tmp_path)) == f"E0903 '{tmp_path}' is a directory, expected a file"
    assert failure(read_bytes, "a\0b").startswith("E0902 cannot read 'a\0b': ")
    (tmp_path / "latin").write_bytes(b"//\n// caf\xe9")
    assert failure(read_text, str(tmp_path / "latin")).endswith("line 2 has the byte 0xe9, at offset 9")


def test_an_output_replaces_the_old_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"a longer old content")
    write_bytes(str(path), b"new", DiagnosticSink())
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_keeps_pointing_at_its_file(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write_bytes(str(link), b"new", DiagnosticSink())
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_bytes(os.devnull, b"new", DiagnosticSink())
    assert not Path(os.devnull).is_file()


def test_outputs_that_cannot_be_written(tmp_path: Path) -> None:
    assert failure(write_text, str(tmp_path / "no" / "out"), "x").startswith("E0913 cannot write ")
    assert failure(write_text, str(tmp_path), "x") == f"E0913 cannot write '{tmp_path}': is a directory"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("aux.shbin", "aux.shbin"),
        ("out/Nul .bin", "Nul .bin"),
        ("com1.d/a.bin", "com1.d"),
        ("lit.vert:fog.bin", "lit.vert:fog.bin"),
        ("a..", "a.."),
        ("sub. /a.bin", "sub. "),
    ],
)
def test_names_that_windows_takes_for_others_are_refused(
    name: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(CompileError) as caught:
        write_together([("a.bin", b""), (name, b"")], DiagnosticSink(), makes_folders=True)
    assert caught.value.diagnostics[0].message.endswith(f": Windows has no file of the name '{part}'")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["auxiliary.bin", "a.con", "../c.bin", ".hidden", "com0.bin"])
def test_other_names_are_not(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    monkeypatch.setattr(sys, "platform", "win32")
    write_bytes(name, b"new", DiagnosticSink())
    assert Path(name).read_bytes() == b"new"


def test_folders_of_several_outputs_are_made(tmp_path: Path) -> None:
    files = [(f"{tmp_path}/a/b/{name}", b"new") for name in "xy"]
    write_together(files, DiagnosticSink(), makes_folders=True)
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["x", "y"]


def test_of_outputs_that_cannot_be_written_no_folder_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    for last in (f"{tmp_path}/file/b/y", f"{tmp_path}/a/{'y' * 300}"):
        with pytest.raises(CompileError):
            write_together([(f"{tmp_path}/a/b/x", b"new"), (last, b"new")], DiagnosticSink(), makes_folders=True)
        assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_bytes("-", b"\x00\xff", DiagnosticSink())
    assert capfdbinary.readouterr().out == b"\x00\xff"


# ------------------------------------------------------------------------------- files that are written aside
def test_a_file_with_the_longest_name_is_written(tmp_path: Path) -> None:
    for length in (230, 254, 255):
        path = tmp_path / ("x" * length)
        for text in (b"first", b"second"):
            write_bytes(str(path), text, DiagnosticSink())
            assert path.read_bytes() == text
    with pytest.raises(CompileError):
        write_together([(str(tmp_path / "a"), b"new"), (str(tmp_path / ("x" * 256)), b"new")], DiagnosticSink())
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o444, 0o666])
def test_permissions_stay_as_they_were(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_bytes(str(path), b"new", DiagnosticSink())
    assert (path.read_bytes(), path.stat().st_mode & 0o7777) == (b"new", mode)


def test_new_files_have_the_permissions_that_the_user_wants(tmp_path: Path) -> None:
    for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0, 0o666)):
        old = os.umask(mask)
        try:
            write_bytes(str(tmp_path / f"{mask}"), b"new", DiagnosticSink())
        finally:
            os.umask(old)
        assert (tmp_path / f"{mask}").stat().st_mode & 0o777 == mode


def test_nothing_that_lies_beside_is_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where somebody guesses the name: another one's file is in the way, and stays as it is."""
    (tmp_path / "victim").write_bytes(b"precious")
    monkeypatch.setattr(own_files.system, "urandom", lambda count: bytes(count))
    aside = tmp_path / f".{bytes(8).hex()}.part"
    for make in (aside.symlink_to, aside.hardlink_to):
        make(tmp_path / "victim")
        with pytest.raises(CompileError):
            write_bytes(str(tmp_path / "out"), b"new", DiagnosticSink())
        assert (tmp_path / "victim").read_bytes() == b"precious"
        assert os.path.samefile(aside, tmp_path / "victim")  # noqa: PTH121
        aside.unlink()


def test_names_aside_are_new_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    replace = own_files.system.replace

    def note(old: str, new: str) -> None:
        names.append(old)
        replace(old, new)

    monkeypatch.setattr(own_files.system, "replace", note)
    for _ in range(3):
        write_bytes(str(tmp_path / "out"), b"new", DiagnosticSink())
    assert len(set(names)) == 3


def test_links_as_outputs(tmp_path: Path) -> None:
    """They stay, and what they lead to is written, whether it is there or not; a circle leads nowhere."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "dangling").symlink_to("deep/new")
    write_bytes(str(tmp_path / "dangling"), b"new", DiagnosticSink())
    assert (tmp_path / "dangling").is_symlink()
    assert (tmp_path / "deep" / "new").read_bytes() == b"new"
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert failure(write_text, str(tmp_path / "a"), "x").endswith("too many levels of symbolic links")
    assert (tmp_path / "a").is_symlink()


SHELL_WRITES = {
    "-o /dev/stdout > all": "new",
    "-o /dev/stdout >> all": "old new",
    "-o /dev/stdout | cat > all": "new",
    "-o /dev/fd/1 >> all": "old new",
    "-o all >> all": "old new",
    "-o /dev/stderr 2>> all": "old new",
    "-o >(cat > all; touch done) && until test -e done; do sleep 0.01; done": "new",
    "-o fifo & cat fifo > all": "new",
    "-o other > /dev/null && cat other > all": "new",
    "-o - >> all": "old new",
}


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("redirections", SHELL_WRITES)
def test_outputs_that_a_shell_has_opened(redirections: str, cached: bool, tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    (tmp_path / "a.vert").write_text("new\n")
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "GLSLC_MULTI_CACHE": str(tmp_path / "cache")}
    line = f"{sys.executable} -m glslc_multi.entry a.vert -E {redirections}; wait"
    os.mkfifo(tmp_path / "fifo")
    for _ in range(1 + cached):
        (tmp_path / "all").write_text("old\n")
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert (tmp_path / "all").read_text().split() == SHELL_WRITES[redirections].split()
    assert [path for path in tmp_path.iterdir() if path.suffix == ".part"] == []
