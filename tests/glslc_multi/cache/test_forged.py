"""Entries that somebody else made: a hit writes what the command line names, and reads what nobody else can write."""

from __future__ import annotations

import io
import marshal
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.cache.key import run_key
from glslc_multi.cache.lookup import Lookup, digest, entry_path, read_entry, write_entry
from glslc_multi.cache.naming import may_write, words_of
from glslc_multi.compiler.native.cache import ObjectCache
from tests.glslc_multi.cache.conftest import RunCommand

WORDS = ("a.vert", "--target", "pica200", "-o", "a.out")
KEY = bytes(range(32))


@pytest.fixture
def forge(folder: Path, tmp_path: Path) -> Callable[..., None]:
    """Put entries into the cache by which a run of these words wrote something."""
    (folder / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }\n")
    (folder / "deep").mkdir()

    def put(path: str, words: tuple[str, ...] = WORDS, names: tuple[str, ...] = ("a.vert",)) -> None:
        place = str(tmp_path / "cache" / "runs")
        found = Lookup(place, run_key(list(words), dict(os.environ)), list(words))
        write_entry(place, found.key, [name.encode() for name in names])
        write_entry(place, found.content_key(list(names), {}), [path.encode(), b"forged"])

    return put


@pytest.mark.parametrize(
    "path",
    ["other.txt", "../a.out", "deep/a.out", "a.vert", "a", "b.out", ".a.out", "aa.out", "deep/../x", "", "a.out/x"],
)
def test_a_hit_writes_only_what_the_command_line_names(
    path: str, forge: Callable[..., None], folder: Path, tmp_path: Path, run_command: RunCommand
) -> None:
    forge(path)
    before = {each for each in tmp_path.rglob("*") if "cache" not in each.parts}
    run = run_command(*WORDS)
    assert (run.hit, run.status, run.err) == (False, 0, "")
    assert b"forged" not in (folder / "a.out").read_bytes()
    assert {each for each in tmp_path.rglob("*") if "cache" not in each.parts} == before | {folder / "a.out"}
    assert "gl_Position" in (folder / "a.vert").read_text()
    assert run_command(*WORDS).hit


def test_the_entry_of_the_test_would_be_replayed(
    forge: Callable[..., None], folder: Path, run_command: RunCommand
) -> None:
    forge("a.out")
    assert run_command(*WORDS).hit
    assert (folder / "a.out").read_text() == "forged"


def test_standard_input_is_not_read_unless_it_is_named(
    forge: Callable[..., None], run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    forge("a.out", names=("-", "a.vert"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"unread"), encoding="utf-8"))
    run = run_command(*WORDS)
    assert (run.hit, run.status, sys.stdin.read()) == (False, 0, "unread")


NAMED = {
    "a.vert": ["a.shbin", "a.out.json", "a.d"],
    "src/a.vert": ["a.shbin", "src/a.i"],
    "-o out/lit.bin": ["out/lit.bin", "out/lit.vertex.bin", "out/lit.bin.json", "out/lit.d", "./out/lit.bin"],
    "-oout/x": ["out/x"],
    "--reflect=m/a.json": ["m/a.json"],
    "-MFdeps/r": ["deps/r"],
    "a.frag --target agal -o out/{stem}.{target}": ["out/a.agal", "out/a.agal.json", "out/a.d"],
    "a.frag --target all -o {target}/{stem}-x": ["vc4/a-x"],
    "my-lamp.frag --emit host": ["my_lamp.h", "my_lamp_draw.c"],
    "a.frag --emit host -o made/": ["made/vc4_draw.h", "made/a.c"],
    "a.frag --emit host -o deep": ["deep/vc4_draw.h"],
    "- --save-temps": ["stdin.i"],
    "@words": ["b.out"],
}
NOT_NAMED = {
    "a.vert": ["src/a.shbin", "/a.shbin", "ab.shbin", "b", "../a.shbin"],
    "-o out/lit.bin": ["lib/lit.bin", "out/deep/lit.bin", "out/light.bin", "/out/lit.bin"],
    "a.frag -I include/": ["include/x.h"],
    "a.frag --emit host -o made/": ["made/.profile", "made/deep/a.c", "x.c", "made/../x.c"],
    "a.frag -o {stem}.{target}": ["../a.agal", "b.agal"],
    "..": ["...x", "../x"],
    "-": ["-.x", "_.x"],
}


@pytest.mark.parametrize(
    ("words", "named"), [(words, True) for words in NAMED] + [(words, False) for words in NOT_NAMED]
)
def test_what_a_command_line_names(words: str, named: bool, folder: Path) -> None:
    (folder / "words").write_text("a.vert -o b.out")
    (folder / "deep").mkdir()
    paths = (NAMED if named else NOT_NAMED)[words]
    known = words_of(words.split())
    assert [path for path in paths if may_write(known, path) != named] == []


def test_runs_that_write_other_files_are_not_kept(folder: Path, run_command: RunCommand) -> None:
    """In a response file, what is quoted is not understood."""
    (folder / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }\n")
    (folder / "words").write_text("a.vert --target pica200 -o 'my file'")
    for _ in range(2):
        run = run_command("@words")
        assert (run.hit, run.status, run.err) == (False, 0, "")


# --------------------------------------------------------------------------------------- who can write
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757, 0o733])
def test_a_folder_that_others_may_write_is_not_used(
    mode: int, forge: Callable[..., None], folder: Path, tmp_path: Path, run_command: RunCommand
) -> None:
    forge("a.out")
    (tmp_path / "cache" / "runs").chmod(mode)
    run = run_command(*WORDS)
    assert (run.hit, run.status, run.err) == (False, 0, "")
    assert b"forged" not in (folder / "a.out").read_bytes()


@pytest.mark.parametrize("whose", ["the folder", "the entry"])
def test_what_belongs_to_somebody_else_is_not_used(
    whose: str, forge: Callable[..., None], tmp_path: Path, run_command: RunCommand
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    forge("a.out")
    runs = tmp_path / "cache" / "runs"
    for path in [runs] if whose == "the folder" else [each for each in runs.rglob("*") if each.is_file()]:
        os.chown(path, 12345, -1)
    assert not run_command(*WORDS).hit


def test_a_folder_behind_a_link_is_not_used(
    forge: Callable[..., None], tmp_path: Path, run_command: RunCommand
) -> None:
    forge("a.out")
    runs = tmp_path / "cache" / "runs"
    runs.rename(tmp_path / "elsewhere")
    runs.symlink_to(tmp_path / "elsewhere")
    assert not run_command(*WORDS).hit


def test_folders_are_made_for_this_user_alone(folder: Path, tmp_path: Path, run_command: RunCommand) -> None:
    (folder / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }\n")
    old = os.umask(0)
    try:
        run_command(*WORDS)
    finally:
        os.umask(old)
    made = [tmp_path / "cache", *(path for path in (tmp_path / "cache").rglob("*") if path.is_dir())]
    assert len(made) >= 4
    assert {path.stat().st_mode & 0o777 for path in made} == {0o700}


# --------------------------------------------------------------------------------------- what is read
def _damaged(path: Path, kind: str) -> None:
    whole = path.read_bytes()
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.with_name("real").write_bytes(whole)
        path.symlink_to("real")
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "open to others":
        path.write_bytes(whole)
        path.chmod(0o666)
    elif kind == "endless":
        with path.open("wb") as file:
            file.truncate(1 << 40)


KINDS = ["pipe", "folder", "link", "device", "open to others", "endless"]


@pytest.mark.parametrize("kind", KINDS)
def test_entries_are_plain_files_of_a_bounded_size(
    kind: str, forge: Callable[..., None], tmp_path: Path, run_command: RunCommand
) -> None:
    forge("a.out")
    for path in [each for each in (tmp_path / "cache").rglob("*") if each.is_file()]:
        _damaged(path, kind)
    run = run_command(*WORDS)
    assert (run.hit, run.status, run.err) == (False, 0, "")


@pytest.mark.parametrize("kind", KINDS)
def test_code_that_is_executed_is_a_plain_file_of_a_bounded_size(kind: str, tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path / "host")
    cache.put("abcdef", b"code")
    assert cache.get("abcdef") == b"code"
    _damaged(tmp_path / "host" / "ab" / "cdef", kind)
    assert cache.get("abcdef") is None


def test_code_of_a_folder_that_others_may_write_is_not_executed(tmp_path: Path) -> None:
    ObjectCache(tmp_path / "host").put("abcdef", b"code")
    (tmp_path / "host").chmod(0o777)
    assert ObjectCache(tmp_path / "host").get("abcdef") is None


@pytest.mark.parametrize(
    "names", [("a\0b",), ("a\0b\0",), ("\0",), ("deep",), ("",), ("a.vert", "a.vert"), ("/dev/tty",)]
)
def test_odd_names_give_no_traceback(
    names: tuple[str, ...], forge: Callable[..., None], run_command: RunCommand
) -> None:
    forge("other", names=names)
    run = run_command(*WORDS)
    assert (run.hit, run.status, run.err) == (False, 0, "")


ODD: list[Any] = [None, 1, {}, [1], [None, None], [["a"]], [("a.out", 5)], ["a.out"], [("x",)]]
VALUES: list[bytes] = [
    b"",
    bytes(7),
    bytes(8),
    b"\xff" * 8,
    (5).to_bytes(8, "little") + b"four",
    (1).to_bytes(8, "little") + b"\xff",
    bytes(24),
    *map(marshal.dumps, ODD),
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("entry", ["names", "result"])
def test_odd_values_give_no_traceback(
    value: bytes, entry: str, forge: Callable[..., None], tmp_path: Path, run_command: RunCommand
) -> None:
    forge("a.out")
    place = str(tmp_path / "cache" / "runs")
    found = Lookup(place, run_key(list(WORDS), dict(os.environ)), list(WORDS))
    key = found.key if entry == "names" else found.content_key(["a.vert"], {})
    Path(entry_path(place, key)).write_bytes(digest(key + value) + value)
    run = run_command(*WORDS)
    assert (run.hit, run.status, run.err) == (False, 0, "")


@pytest.mark.parametrize("value", [[], [b""], [b"a", b"", b"\0" * 1000]])
def test_values_come_back(value: list[bytes], tmp_path: Path) -> None:
    write_entry(str(tmp_path), KEY, value)
    assert read_entry(str(tmp_path), KEY) == value
