"""`glslc-multi fmt`: files in place, or what would change; what is not safe stays."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from glslc_multi.cli.main import main

ROUGH = b"void main(){\r\nif(true){\r\ngl_Position=vec4(1) ; // \xff\r\n}\r\n}"
SMOOTH = b"void main() {\r\n    if (true) {\r\n        gl_Position = vec4(1); // \xff\r\n    }\r\n}"
#: A name that a backslash continues on the next line.
UNSAFE = b"void ma\\\nin() { }\n"


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.vert"
    path.write_bytes(ROUGH)
    return path


def test_a_file_is_laid_out_in_place(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "a.vert"]) == 0
    assert file.read_bytes() == SMOOTH
    assert main(["fmt", "--check", "--diff", "a.vert"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("flags", "indentation"), [(["--indent", "2"], b"  "), (["--tabs"], b"\t")])
def test_the_indentation_is_chosen(flags: list[str], indentation: bytes, file: Path) -> None:
    assert main(["fmt", *flags, "a.vert"]) == 0
    assert file.read_bytes() == SMOOTH.replace(b"    ", indentation)


def test_check_changes_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "a.vert"]) == 1
    assert "'a.vert' is not in the regular layout [E0962]" in capsys.readouterr().err
    assert file.read_bytes() == ROUGH


def test_diff_prints_what_would_change(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("void main(){}\nint a;\nint  b;", encoding="utf-8")
    assert main(["fmt", "--diff", "a.vert"]) == 0
    assert capsys.readouterr().out == (
        "--- a.vert\n+++ a.vert\n@@ -1,3 +1,3 @@\n-void main(){}\n+void main() {}\n int a;\n"
        "-int  b;\n\\ No newline at end of file\n+int b;\n\\ No newline at end of file\n"
    )
    assert file.read_text(encoding="utf-8") == "void main(){}\nint a;\nint  b;"


def test_standard_input_is_printed(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ROUGH), encoding="utf-8"))
    assert main(["fmt", "-"]) == 0
    assert capsysbinary.readouterr().out == SMOOTH


def test_files_change_together_or_not_at_all(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file.parent / "b.vert").write_bytes(UNSAFE)
    assert main(["fmt", "a.vert", "b.vert"]) == 1
    assert "'b.vert' cannot be laid out safely [E0963]" in capsys.readouterr().err
    assert file.read_bytes() == ROUGH
    assert main(["fmt"]) == 2
