"""`--watch`: a run at the start and after each change of a file that counts, and none otherwise."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from glslc_multi.cli.main import main
from tests.shared_data import PROJECT_ROOT

SHADER = """#extension GL_GOOGLE_include_directive : require
#include "scale.glsl"
attribute vec4 p;
void main() { gl_Position = p * SCALE; }
"""


#: Interrupts count, also where the tests run in the background of a shell, which turns them off for all it starts.
_START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from glslc_multi.cli.main import main
sys.exit(main())
"""


class Watcher:
    """The command under way, and the lines that it prints."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        command = [sys.executable, "-c", _START, *words, "--watch", "--color=never"]
        self.process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}, stderr=subprocess.PIPE, text=True
        )
        self.lines: Queue[str] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.put(line.rstrip("\n"))

    def run(self) -> list[str]:
        """The lines up to the end of the next run."""
        found: list[str] = []
        while not found or not re.match(r"\d\d:\d\d:\d\d ", found[-1]):
            found.append(self.lines.get(timeout=60))
        return found

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@pytest.fixture
def watcher(tmp_path: Path) -> Iterator[Watcher]:
    (tmp_path / "a.vert").write_text(SHADER)
    (tmp_path / "scale.glsl").write_text("#define SCALE 2.0\n")
    watcher = Watcher(tmp_path, ["a.vert", "--target", "pica200", "-o", "out"])
    yield watcher
    watcher.process.kill()
    watcher.process.wait()


def test_runs_follow_the_files(watcher: Watcher, tmp_path: Path) -> None:
    (first,) = watcher.run()
    assert re.fullmatch(r"[\d:]+ vertex: instructions 2, code words 2, .*", first)
    old = (tmp_path / "out").read_bytes()

    (tmp_path / "scale.glsl").write_text("#define SCALE 2.0 + p.x * p\n")
    (changed,) = watcher.run()
    assert re.search(r"vertex: instructions (\d+) \(\+\d+\)", changed)
    new = (tmp_path / "out").read_bytes()
    assert new != old

    (tmp_path / "a.vert").write_text(SHADER.replace("SCALE;", "SCALE + x;"))
    *messages, last = watcher.run()
    assert "a.vert:4:41: error: 'x' is not declared [E0301]" in messages[0]
    assert last.endswith("not compiled; waiting for changes")
    assert (tmp_path / "out").read_bytes() == new

    (tmp_path / "a.vert").write_text(SHADER)
    assert watcher.run()[-1].endswith("compiled, the statistics are the same")
    assert watcher.interrupt() == 130


def test_the_same_contents_are_no_change(watcher: Watcher, tmp_path: Path) -> None:
    watcher.run()
    (tmp_path / "a.vert").write_text(SHADER)
    (tmp_path / "other.vert").write_text(SHADER)
    with pytest.raises(Empty):
        watcher.lines.get(timeout=1)


def test_a_file_that_appears(watcher: Watcher, tmp_path: Path) -> None:
    watcher.run()
    (tmp_path / "scale.glsl").unlink()
    assert any("scale.glsl" in line for line in watcher.run())
    (tmp_path / "scale.glsl").write_text("#define SCALE 3.0\n")
    assert watcher.run()[-1].endswith("compiled, the statistics are the same")


def test_the_shader_may_vanish_for_a_moment(watcher: Watcher, tmp_path: Path) -> None:
    """As it does where an editor saves by renaming."""
    watcher.run()
    (tmp_path / "a.vert").rename(tmp_path / "saved")
    *messages, last = watcher.run()
    assert "cannot find 'a.vert' [E0901]" in messages[0]
    assert last.endswith("not compiled; waiting for changes")
    (tmp_path / "saved").rename(tmp_path / "a.vert")
    assert watcher.run()[-1].endswith("compiled, the statistics are the same")


def test_the_project_file_is_watched(tmp_path: Path) -> None:
    project = tmp_path / "glslc-multi.toml"
    project.write_text('targets = ["pica200"]\ndefines.SCALE = 2.0\n')
    (tmp_path / "a.vert").write_text(SHADER.replace('#include "scale.glsl"', ""))
    watcher = Watcher(tmp_path, ["a.vert", "-o", "out"])
    try:
        watcher.run()
        old = (tmp_path / "out").read_bytes()
        project.write_text('targets = ["pica200"]\ndefines.SCALE = 3.0\n')
        assert watcher.run()[-1].endswith("compiled, the statistics are the same")
        assert (tmp_path / "out").read_bytes() != old
        project.write_text("targets = 1")
        assert any("'targets' is not a list of texts" in line for line in watcher.run())
        project.write_text('targets = ["pica200"]\ndefines.SCALE = 2.0\n')
        watcher.run()
        assert (tmp_path / "out").read_bytes() == old
        (tmp_path / "a.vert").rename(tmp_path / "saved")
        assert any("cannot find 'a.vert' [E0901]" in line for line in watcher.run())
    finally:
        watcher.process.kill()
        watcher.process.wait()


def test_standard_input_cannot_be_watched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-", "--stage", "vertex", "--target", "agal", "--watch"]) == 2
    assert "'-' and '--watch' cannot be used together [E0916]" in capsys.readouterr().err
