"""Reading and writing files: what cannot be read or written is a diagnostic, never half a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.files import read_bytes, read_text, write_bytes, write_text, write_together


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
