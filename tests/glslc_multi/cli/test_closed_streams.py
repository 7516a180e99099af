"""Standard streams that are closed, full or gone: a message or silence, the right status, and no traceback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_data import PROJECT_ROOT

VERTEX = "attribute vec2 a_p; void main() { gl_Position = vec4(a_p, 0.5, 1.0); }\n"
FRAGMENT = "precision mediump float; void main() { gl_FragColor = vec4(1.0); }\n"
#: Prints something, each in its way.
PRINTS = [
    "--help",
    "--version",
    "targets",
    "--explain E0901",
    "--completion bash",
    "a.frag -E",
    "a.frag --target agal -S",
    "a.frag --target all",
    "link a.vert a.frag --target agal -S",
    "explain a.frag --target agal",
    "dis a.bin --target agal",
    "as a.s --target agal -o -",
    "opt a.sir",
    "run a.vert --target adreno --inputs v.json",
    "render a.vert a.frag --target adreno --size 8x8 -o -",
    "port a.frag --to 300es",
    "stats diff s.json s.json",
    "batch . --target agal -o out -j 1",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read."""
    made = tmp_path_factory.mktemp("made")
    for name, text in (("a.vert", VERTEX), ("a.frag", FRAGMENT), ("v.json", '{"inputs": {"a_p": [[0, 1]]}}')):
        (made / name).write_text(text)
    for words in ("-S -o a.s", "-o a.bin", "--emit stats -o s.json"):
        assert glslc(made, f"a.frag --target agal {words}").returncode == 0
    assert glslc(made, "a.frag --emit ir -o a.sir").returncode == 0
    return made


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of them, whose cache is empty."""
    return shutil.copytree(made, tmp_path, ignore=shutil.ignore_patterns("cache"), dirs_exist_ok=True)


def glslc(folder: Path, words: str) -> subprocess.CompletedProcess[str]:
    """The command in a shell, with redirections."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    line = f"set -o pipefail; {sys.executable} -m glslc_multi {words}"
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "GLSLC_MULTI_CACHE": str(folder / "cache")}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
    )


@pytest.mark.parametrize("words", PRINTS)
def test_closed_standard_output_is_an_error_of_what_prints(words: str, folder: Path) -> None:
    done = glslc(folder, f"{words} >&-")
    assert (done.returncode, done.stderr) == (2, "glslc-multi: error: cannot write '-': bad file descriptor [E0913]\n")


@pytest.mark.parametrize("words", PRINTS)
def test_closed_standard_error_changes_nothing_else(words: str, folder: Path) -> None:
    known, done = glslc(folder, words), glslc(folder, f"{words} 2>&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.replace("from the cache", "compiled") == known.stdout


STATUSES = {
    "a.frag --target agal -o x >&-": 0,
    "a.frag --target agal -o x 2>&- >&- <&-": 0,
    "a.frag --target agal -o x --stats 2>&-": 0,
    "a.frag --target agal -o x -v <&-": 0,
    "none.frag --target agal 2>&-": 2,
    "a.frag --target agal -o none/x 2>&- >&-": 2,
    "batch . --target agal -o out -j 2 2>&- <&-": 0,
    "a.frag -S --target agal 2>&- >&-": 2,
    "--help | head -1": 0,
    "targets --json | head -1": 0,
    "explain a.frag --target agal | head -1": 0,
    "lsp <&-": 0,
    "lsp < /dev/null >&-": 0,
}


@pytest.mark.parametrize("line", STATUSES)
def test_statuses(line: str, folder: Path) -> None:
    done = glslc(folder, line)
    assert (done.returncode, "internal error" in done.stderr, "Traceback" in done.stderr) == (
        *(STATUSES[line], False),
        False,
    ), done.stderr


def test_closed_standard_input_is_an_error_of_what_reads_it(folder: Path) -> None:
    for words in ("- --stage fragment --target agal -o x", "run a.vert --target adreno --inputs -"):
        done = glslc(folder, f"{words} <&-")
        assert done.returncode == 2
        assert "cannot read '-': bad file descriptor [E0902]" in done.stderr


def test_no_message_gets_into_a_file(folder: Path) -> None:
    """A file that is opened while standard error is closed has its number."""
    (folder / "odd.frag").write_text(FRAGMENT.replace("void", "\n#pragma strange\nvoid"))
    assert glslc(folder, "odd.frag --target agal -o x -MD -v 2>&- >&- <&-").returncode == 0
    assert glslc(folder, "odd.frag --target agal -o y").returncode == 0
    assert (folder / "x").read_bytes() == (folder / "y").read_bytes()
    assert (folder / "x.d").read_text() == "x: \\\n  odd.frag\n"
