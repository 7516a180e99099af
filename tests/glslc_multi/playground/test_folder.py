"""The folder that is served: what is listed, read and watched, and nothing outside of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from glslc_multi.playground import folder
from glslc_multi.playground.folder import Folder, changed, is_text


@pytest.fixture
def served(tmp_path: Path) -> Folder:
    """Shaders, what they include, and links inside and out."""
    root = tmp_path / "served"
    for name in ("b.frag", "a.vert", "sub/c.frag", ".hidden/d.vert", "notes.txt", "noise.glsl"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "secret.vert").write_text("secret")
    (root / "out.vert").symlink_to(tmp_path / "secret.vert")
    (root / "inner.vert").symlink_to(root / "a.vert")
    (root / "away").symlink_to(tmp_path)
    (root / "folder.vert").mkdir()
    os.mkfifo(root / "pipe.vert")
    return Folder(root.resolve())


def test_shaders_are_listed_in_order(served: Folder) -> None:
    assert served.names() == ["a.vert", "b.frag", "inner.vert", "sub/c.frag"]


def test_more_than_so_many_are_not_listed(served: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "MOST_FILES", 2)
    assert len(served.names()) == 2
    monkeypatch.setattr(folder, "MOST_FILES", 1000)
    # The folder itself has nine entries, the one below it another.
    monkeypatch.setattr(folder, "_MOST_ENTRIES", 3)
    assert served.names() == ["a.vert", "b.frag", "inner.vert"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.vert", "a.vert"),
        ("sub/c.frag", "sub/c.frag"),
        ("sub/../a.vert", "a.vert"),
        ("inner.vert", "a.vert"),
        ("none.vert", None),
        ("notes.txt", None),
        ("out.vert", None),
        ("away/secret.vert", None),
        ("../secret.vert", None),
        ("/etc/passwd", None),
        ("folder.vert", None),
        ("pipe.vert", None),
        ("a\0.vert", None),
        ("n" * 5000 + ".vert", None),
        ("", None),
    ],
)
def test_only_shaders_of_the_folder_are_read(served: Folder, name: str, text: str | None) -> None:
    assert served.read(name) == text


def test_a_mark_of_utf_8_is_no_text_and_other_bytes_are_shown(served: Folder) -> None:
    (served.root / "a.vert").write_bytes(b"\xef\xbb\xbfvoid \xff")
    assert served.read("a.vert") == "void \ufffd"


def test_of_a_long_file_the_beginning_is_read(served: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "LONGEST", 3)
    assert served.read("a.vert") == "a.v"


def test_what_shaders_include_is_watched(served: Folder) -> None:
    assert sorted(served.states()) == ["a.vert", "b.frag", "inner.vert", "noise.glsl", "sub/c.frag"]
    assert served.states()["a.vert"][1] == len("a.vert")


def test_changes_are_what_is_new_other_or_gone(served: Folder) -> None:
    before = served.states()
    assert changed(before, served.states()) == []
    (served.root / "b.frag").unlink()
    (served.root / "new.vert").write_text("new")
    (served.root / "noise.glsl").write_text("longer than before")
    assert changed(before, served.states()) == ["b.frag", "new.vert", "noise.glsl"]


@pytest.mark.parametrize(
    ("name", "is_it"), [("a.vert", True), ("ä.vert", True), ("\udcff.vert", False), ("a\ud800", False)]
)
def test_names_that_can_be_sent(name: str, is_it: bool) -> None:
    assert is_text(name) == is_it
