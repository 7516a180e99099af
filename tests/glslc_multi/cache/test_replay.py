"""A run that happened is done again: the same files, the same streams; and nothing else is replayed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi.cache import key
from tests.glslc_multi.cache.conftest import RunCommand
from tests.shared_data import PROJECT_ROOT

VERTEX = """uniform mat4 m; attribute vec4 p; varying vec4 v_color;
void main() { gl_Position = m * p; v_color = p; }
"""
FRAGMENT = """precision mediump float; varying vec4 v_color;
void main() { gl_FragColor = v_color; }
"""
WITH_INCLUDE = """#extension GL_GOOGLE_include_directive : require
#include "part.glsl"
void main() { gl_Position = vec4(SCALE); }
"""
PREPROCESS = ("a.vert", "-E", "-I", "first", "-I", "second", "-o", "a.out")


@pytest.fixture
def shader(folder: Path) -> Path:
    path = folder / "a.vert"
    path.write_text(VERTEX)
    return path


@pytest.fixture
def including(folder: Path) -> Path:
    (folder / "a.vert").write_text(WITH_INCLUDE)
    for name in ("first", "second"):
        (folder / name).mkdir()
    part = folder / "second" / "part.glsl"
    part.write_text("#define SCALE 2.0\n")
    return part


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "words",
    [
        ["a.vert", "-E"],
        ["a.vert", "--emit", "ir", "-o", "-"],
        ["a.vert", "--target", "pica200"],
        ["a.vert", "--target", "pica200", "-S", "--stats"],
        ["a.vert", "--target", "agal", "-o", "a.bin", "--reflect", "a.json", "--stats", "json"],
        ["a.vert", "--target", "pica200", "--target", "agal", "-o", "{stem}.{target}"],
        ["a.vert", "--target", "pica200", "-o", "a.out", "-MD", "-MP", "--save-temps"],
        ["a.vert", "--target", "agal", "--emit", "header", "-o", "a.h"],
        ["a.vert", "--target", "all"],
        ["link", "a.vert", "a.frag", "--target", "adreno", "--color=always"],
        ["@words"],
    ],
)
def test_the_second_run_does_what_the_first_did(
    words: list[str], shader: Path, folder: Path, run_command: RunCommand
) -> None:
    (folder / "a.frag").write_text(FRAGMENT)
    (folder / "words").write_text("a.vert --target pica200 -o a.out")
    inputs = files_of(folder)
    first = run_command(*words)
    written = files_of(folder)
    assert (first.hit, first.status) == (False, 0)
    assert first.out or written != inputs
    for name in written.keys() - inputs.keys():
        (folder / name).unlink()
    second = run_command(*words)
    assert second.hit
    assert (second.out, second.err) == (first.out, first.err)
    assert files_of(folder) == written


def test_what_changes_the_result_is_a_miss(shader: Path, run_command: RunCommand) -> None:
    words = ("a.vert", "-E", "-o", "-")
    first = run_command(*words)
    shader.write_text(VERTEX.replace("m * p", "p"), encoding="utf-8")
    second = run_command(*words)
    assert not second.hit
    assert second.out == first.out.replace("m * p", "p")
    assert not run_command(*words, "-DX=1").hit
    assert not run_command(*words, "-DX=2").hit
    shader.write_text(VERTEX, encoding="utf-8")
    again = run_command(*words)
    assert again.hit
    assert again.out == first.out


def test_included_files_count(including: Path, folder: Path, run_command: RunCommand) -> None:
    assert not run_command(*PREPROCESS).hit
    assert run_command(*PREPROCESS).hit
    including.write_text("#define SCALE 3.0\n", encoding="utf-8")
    assert not run_command(*PREPROCESS).hit
    assert "3.0" in (folder / "a.out").read_text()
    including.unlink()
    lost = run_command(*PREPROCESS)
    assert (lost.hit, lost.status) == (False, 1)


def test_a_file_that_appears_where_it_was_looked_for_in_vain_counts(
    including: Path, folder: Path, run_command: RunCommand
) -> None:
    run_command(*PREPROCESS)
    earlier = folder / "first" / "part.glsl"
    earlier.write_text("#define SCALE 5.0\n")
    assert not run_command(*PREPROCESS).hit
    assert "5.0" in (folder / "a.out").read_text()
    earlier.unlink()
    assert run_command(*PREPROCESS).hit
    assert "2.0" in (folder / "a.out").read_text()


def test_two_names_of_one_file_are_not_two_equal_files(folder: Path, run_command: RunCommand) -> None:
    guarded = '#ifndef {0}\n#define {0}\n#include "{1}"\n#endif\n'
    text = guarded.format("ONCE", "b.glsl") + "void main() {}\n"
    (folder / "a.vert").write_text('#extension GL_GOOGLE_include_directive : require\n#include "a.glsl"\n')
    (folder / "a.glsl").write_text(text)
    (folder / "b.glsl").write_text(text)
    assert run_command("a.vert", "-E").status == 0
    (folder / "b.glsl").unlink()
    (folder / "b.glsl").symlink_to("a.glsl")
    cycle = run_command("a.vert", "-E")
    assert (cycle.hit, cycle.status) == (False, 1)


@pytest.mark.parametrize("name", key.ENVIRONMENT)
def test_the_environment_counts(
    name: str, shader: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_command("a.vert", "-E")
    monkeypatch.setenv(name, "123")
    assert not run_command("a.vert", "-E").hit


def test_the_version_counts(shader: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    run_command("a.vert", "-E")
    monkeypatch.setattr(key, "__version__", "99.0")
    assert not run_command("a.vert", "-E").hit


def give_standard_input(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))


def test_standard_input_is_an_input(run_command: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    hits = []
    for text in ("one", "one", "two", "one"):
        give_standard_input(f"#define A {text}\nA", monkeypatch)
        run = run_command("-", "-E")
        assert text in run.out
        hits.append(run.hit)
    assert hits == [False, True, False, True]


def test_standard_output_is_no_input(shader: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    give_standard_input("unread", monkeypatch)
    run_command("a.vert", "-E", "-o", "-")
    assert run_command("a.vert", "-E", "-o", "-").hit
    assert sys.stdin.read() == "unread"


def test_a_pipe_is_read_by_the_run_alone(run_command: RunCommand) -> None:
    for text in ("first", "second", "second"):
        read_end, write_end = os.pipe()
        os.write(write_end, text.encode())
        os.close(write_end)
        run = run_command(f"/dev/fd/{read_end}", "-E")
        os.close(read_end)
        assert not run.hit
        assert text in run.out


def test_failures_are_not_kept(shader: Path, run_command: RunCommand) -> None:
    shader.write_text("void main() { nonsense; }", encoding="utf-8")
    for _ in range(2):
        run = run_command("a.vert", "--emit", "ir")
        assert (run.hit, run.status) == (False, 1)
        assert "nonsense" in run.err


@pytest.mark.parametrize("words", [["targets"], ["--version"], ["--help"], ["opt", "a.sir", "--verify"]])
def test_what_reads_nothing_or_does_more_is_not_kept(words: list[str], shader: Path, run_command: RunCommand) -> None:
    run_command("a.vert", "--emit", "ir", "-o", "a.sir")
    for _ in range(2):
        run = run_command(*words)
        assert (run.hit, run.status) == (False, 0)


@pytest.mark.parametrize("value", ["off", ""])
def test_the_cache_can_be_switched_off(
    value: str, shader: Path, tmp_path: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLSLC_MULTI_CACHE", value)
    assert not any(run_command("a.vert", "-E").hit for _ in range(2))
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


def test_no_cache(shader: Path, folder: Path, tmp_path: Path, run_command: RunCommand) -> None:
    (folder / "words").write_text("--no-cache")
    for flag in ("--no-cache", "@words"):
        assert not any(run_command("a.vert", "-E", flag).hit for _ in range(2))
    assert not (tmp_path / "cache").exists()


def test_an_output_that_cannot_be_written_is_reported_as_ever(
    shader: Path, folder: Path, run_command: RunCommand
) -> None:
    run_command("a.vert", "-E", "-o", "a.out")
    (folder / "a.out").unlink()
    (folder / "a.out").mkdir()
    run = run_command("a.vert", "-E", "-o", "a.out")
    assert (run.hit, run.status) == (False, 2)
    assert "cannot write 'a.out': is a directory [E0913]" in run.err


def test_an_output_that_became_a_name_of_the_input_is_left_to_the_run(
    shader: Path, folder: Path, run_command: RunCommand
) -> None:
    assert run_command("a.vert", "--target", "pica200", "-o", "a.out").status == 0
    (folder / "a.out").unlink()
    (folder / "a.out").symlink_to("a.vert")
    assert not run_command("a.vert", "--target", "pica200", "-o", "a.out").hit


def test_an_output_follows_links_and_leaves_nothing_aside(
    shader: Path, folder: Path, tmp_path: Path, run_command: RunCommand
) -> None:
    (folder / "a.out").symlink_to(tmp_path / "elsewhere")
    run_command("a.vert", "-E", "-o", "a.out")
    (tmp_path / "elsewhere").unlink()
    assert run_command("a.vert", "-E", "-o", "a.out").hit
    assert (tmp_path / "elsewhere").read_text().startswith("uniform mat4 m;")
    assert sorted(path.name for path in folder.iterdir()) == ["a.out", "a.vert"]


def test_an_interrupt_is_quiet(shader: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(words: list[str], environment: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("glslc_multi.entry.cache_folder", interrupt)
    run = run_command("a.vert", "-E")
    assert (run.status, run.out, run.err) == (130, "", "")


def run_process(*words: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "glslc_multi.entry", *words]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}
    return subprocess.run(command, env=environment, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


def test_whole_processes_end_with_the_status_of_the_run(shader: Path) -> None:
    first, second = (run_process("a.vert", "--target", "pica200", "-S", "--stats") for _ in range(2))
    assert first.returncode == second.returncode == 0
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
    assert first.stdout
    assert first.stderr
    failed = run_process("absent.vert", "-E")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == "glslc-multi: error: cannot find 'absent.vert' [E0901]\n"


def test_a_closed_pipe_is_a_message_on_a_hit_too(shader: Path) -> None:
    run_process("a.vert", "-E")
    read_end, write_end = os.pipe()
    os.close(read_end)
    run = run_process("a.vert", "-E", stdout=write_end)
    os.close(write_end)
    assert (run.returncode, run.stderr) == (2, "glslc-multi: error: cannot write '-': broken pipe [E0913]\n")


def test_names_do_not_pile_up(
    including: Path, folder: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glslc_multi.cache.store._MOST_NAMES", 6)
    for number in range(10):
        name = f"part{number}.glsl"
        (folder / name).write_text("#define SCALE 2.0\n")
        (folder / "a.vert").write_text(WITH_INCLUDE.replace("part.glsl", name))
        assert not run_command(*PREPROCESS).hit
        assert run_command(*PREPROCESS).hit


def test_a_file_that_is_right_already_only_gets_a_new_time(shader: Path, folder: Path, run_command: RunCommand) -> None:
    words = ("a.vert", "-E", "-o", "a.out")
    run_command(*words)
    output = folder / "a.out"
    os.utime(output, (1, 1))
    before = output.stat()
    assert run_command(*words).hit
    after = output.stat()
    assert after.st_ino == before.st_ino
    assert after.st_mtime > 1e9
    output.write_text("something else")
    assert run_command(*words).hit
    assert "gl_Position" in output.read_text()


def test_outputs_that_became_one_file_are_left_to_the_run(shader: Path, folder: Path, run_command: RunCommand) -> None:
    (folder / "deep").mkdir()
    (folder / "other").mkdir()
    words = ("a.vert", "--target", "pica200", "-o", "deep/a", "--reflect", "other/a")
    assert run_command(*words).status == 0
    assert run_command(*words).hit
    for path in ("other/a", "deep/a"):
        (folder / path).unlink()
    (folder / "other").rmdir()
    (folder / "other").symlink_to("deep")
    assert not run_command(*words).hit


def test_a_link_is_written_through(shader: Path, folder: Path, run_command: RunCommand) -> None:
    (folder / "deep").mkdir()
    words = ("a.vert", "-E", "-o", "a.out")
    run_command(*words)
    (folder / "a.out").rename(folder / "deep" / "a.out")
    (folder / "a.out").symlink_to("deep/a.out")
    (folder / "deep" / "a.out").write_text("something else")
    assert run_command(*words).hit
    assert (folder / "a.out").is_symlink()
    assert "gl_Position" in (folder / "deep" / "a.out").read_text()
