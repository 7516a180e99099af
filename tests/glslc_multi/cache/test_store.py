"""Entries on disk: damaged, torn, abandoned or too many, they never give a wrong value or a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from glslc_multi.cache import store
from glslc_multi.cache.lookup import cache_folder, entry_path, read_entry, write_entry
from tests.glslc_multi.cache.conftest import RunCommand
from tests.shared_data import PROJECT_ROOT

KEY = bytes(range(32))
VALUE = [b"a.out", b"binary", b"", b"-", b"text"]


def entries(folder: Path) -> list[Path]:
    return [path for path in (folder / "runs").rglob("*") if path.is_file()]


def test_every_changed_byte_and_every_length_is_noticed(tmp_path: Path) -> None:
    write_entry(str(tmp_path), KEY, VALUE)
    assert read_entry(str(tmp_path), KEY) == VALUE
    path = Path(entry_path(str(tmp_path), KEY))
    whole = path.read_bytes()
    damaged = [whole[:length] for length in range(len(whole))]
    damaged += [whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :] for at in range(len(whole)) for bit in (1, 128)]
    damaged += [whole + b"\0", whole + whole, b"\0" * len(whole)]
    for content in damaged:
        path.write_bytes(content)
        assert read_entry(str(tmp_path), KEY) is None


def test_an_entry_under_another_name_is_not_used(tmp_path: Path) -> None:
    write_entry(str(tmp_path), KEY, VALUE)
    other = Path(entry_path(str(tmp_path), KEY[::-1]))
    other.parent.mkdir(parents=True)
    Path(entry_path(str(tmp_path), KEY)).rename(other)
    assert read_entry(str(tmp_path), KEY[::-1]) is None


@pytest.mark.parametrize("damage", [b"", b"\xff" * 200, None])
def test_a_run_with_damaged_entries_is_a_run(
    damage: bytes | None, folder: Path, tmp_path: Path, run_command: RunCommand
) -> None:
    (folder / "a.vert").write_text("void main() {}\n")
    first = run_command("a.vert", "-E")
    for path in entries(tmp_path / "cache"):
        path.write_bytes(path.read_bytes()[:-1] if damage is None else damage)
    second = run_command("a.vert", "-E")
    assert (second.hit, second.status, second.out) == (False, 0, first.out)
    third = run_command("a.vert", "-E")
    assert (third.hit, third.out) == (True, first.out)


def test_a_cache_that_cannot_be_written_is_no_cache(
    folder: Path, tmp_path: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.vert").write_text("void main() {}\n")
    (tmp_path / "file").touch()
    monkeypatch.setenv("GLSLC_MULTI_CACHE", str(tmp_path / "file" / "below"))
    for _ in range(2):
        run = run_command("a.vert", "-E")
        assert (run.hit, run.status, run.err) == (False, 0, "")


def test_a_folder_that_can_only_be_read_still_answers(
    folder: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.vert").write_text("void main() {}\n")
    first = run_command("a.vert", "-E")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "read-only file system")

    monkeypatch.setattr(os, "utime", refuse)
    monkeypatch.setattr(os, "makedirs", refuse)
    assert run_command("a.vert", "-E") == type(first)(True, 0, first.out, "")
    other = run_command("a.vert", "-E", "-DX")
    assert (other.hit, other.status, other.err) == (False, 0, "")


WRITER = """
import sys
from glslc_multi.cache.lookup import write_entry
folder, letter, count = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
print("ready", flush=True)
for number in range(count):
    write_entry(folder, bytes([number % 8]) * 32, [b"-", letter * 20_000])
"""


def start_writer(folder: Path, letter: str, count: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-c", WRITER, str(folder), letter, str(count)]
    writer = subprocess.Popen(words, cwd=PROJECT_ROOT, stdout=subprocess.PIPE)
    assert writer.stdout is not None
    writer.stdout.readline()
    return writer


def values(folder: Path) -> list[bytes]:
    """What the entries say that can be read."""
    found = [read_entry(str(folder), bytes([number]) * 32) for number in range(8)]
    return [entry[1] for entry in found if entry is not None]


def test_racing_writers_leave_whole_entries(tmp_path: Path) -> None:
    writers = [start_writer(tmp_path, letter, 300) for letter in "xyz"]
    seen: set[bytes] = set()
    while any(writer.poll() is None for writer in writers):
        seen.update(values(tmp_path))
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(values(tmp_path)) == 8
    assert seen <= {letter * 20_000 for letter in (b"x", b"y", b"z")}


def test_killed_writers_leave_whole_entries(tmp_path: Path) -> None:
    for delay in (0.0, 0.01, 0.03):
        writer = start_writer(tmp_path, "k", 1_000_000)
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        assert set(values(tmp_path)) <= {b"k" * 20_000}
        for path in tmp_path.rglob("*"):
            assert path.is_dir() or path.name.endswith(".part") or path.stat().st_size > 20_000


def test_what_a_killed_writer_left_is_removed_in_time(tmp_path: Path) -> None:
    write_entry(str(tmp_path), KEY, VALUE)
    kept = Path(entry_path(str(tmp_path), KEY))
    old, new = kept.with_name(".old.1.part"), kept.with_name(".new.2.part")
    for path in (old, new):
        path.touch()
    os.utime(old, (0, 0))
    store.trim(str(tmp_path), 1 << 20)
    assert sorted(path.name for path in kept.parent.iterdir()) == sorted([new.name, kept.name])


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    keys = [bytes([number]) * 32 for number in range(10)]
    for age, key in enumerate(keys):
        write_entry(str(tmp_path), key, [b"-", bytes(1000)])
        os.utime(entry_path(str(tmp_path), key), (1000 - age, 1000 - age))
    assert read_entry(str(tmp_path), keys[9]) is not None  # which marks it as used
    store.trim(str(tmp_path), 9000)
    left = [key for key in keys if os.path.exists(entry_path(str(tmp_path), key))]  # noqa: PTH110
    assert left == [*keys[:5], keys[9]]


def test_a_folder_within_its_limit_is_left_alone(tmp_path: Path) -> None:
    write_entry(str(tmp_path), KEY, VALUE)
    store.trim(str(tmp_path), 1000)
    store.trim(str(tmp_path / "absent"), 1000)
    assert read_entry(str(tmp_path), KEY) == VALUE


def test_new_results_bound_the_folder(
    folder: Path, tmp_path: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LIMIT", 2000)
    monkeypatch.setattr(store, "_RARELY", 1)
    (folder / "a.vert").write_text("void main() {}\n")
    for number in range(20):
        run_command("a.vert", "-E", f"-DX={number}")
    assert 0 < sum(path.stat().st_size for path in entries(tmp_path / "cache")) <= 2000


def test_results_of_a_session_stay(
    folder: Path, tmp_path: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_RARELY", 1)
    (folder / "a.vert").write_text("void main() {}\n")
    counts = []
    for number in range(5):
        run_command("a.vert", "-E", f"-DX={number}")
        counts.append(sum(1 for _ in entries(tmp_path / "cache")))
    assert counts == sorted(set(counts))


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"GLSLC_MULTI_CACHE": "/x", "XDG_CACHE_HOME": "/y"}, "/x/runs"),
        ({"XDG_CACHE_HOME": "/y"}, "/y/glslc-multi/runs"),
        ({"GLSLC_MULTI_CACHE": "off"}, None),
        ({"GLSLC_MULTI_CACHE": ""}, None),
    ],
)
def test_where_the_cache_is(environment: dict[str, str], expected: str | None) -> None:
    assert cache_folder([], environment) == expected
    assert cache_folder(["a.vert", "--no-cache"], environment) is None


@pytest.mark.parametrize("relative", [{}, {"XDG_CACHE_HOME": "y"}])
def test_the_usual_folder(relative: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder([], relative) == "/home/someone/.cache/glslc-multi/runs"
