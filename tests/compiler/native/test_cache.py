"""Compiled code on disk: used again, never when damaged, never in the way."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from glslc_multi.compiler.native import machine
from glslc_multi.compiler.native.cache import ObjectCache, cache_key, default_cache

KEY = cache_key("some", "text")


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_was_put_is_found(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path / "new" / "folder")
    assert cache.get(KEY) is None
    cache.put(KEY, b"code")
    assert cache.get(KEY) == b"code"
    assert cache.get(cache_key("some", "other")) is None
    assert len(entries(tmp_path)) == 1


def test_parts_of_a_key_are_kept_apart() -> None:
    assert cache_key("ab", "c") != cache_key("a", "bc")


@pytest.mark.parametrize("damage", [lambda entry: entry[:-1], lambda entry: entry + b"x", lambda _: b""])
def test_a_damaged_entry_is_not_used_and_is_replaced(tmp_path: Path, damage: object) -> None:
    cache = ObjectCache(tmp_path)
    cache.put(KEY, b"code")
    (entry,) = entries(tmp_path)
    entry.write_bytes(damage(entry.read_bytes()))  # type: ignore[operator]
    assert cache.get(KEY) is None
    cache.put(KEY, b"code")
    assert cache.get(KEY) == b"code"


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ObjectCache(tmp_path / "file")
    cache.put(KEY, b"code")
    assert cache.get(KEY) is None


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLSLC_MULTI_CACHE", str(tmp_path))
    assert default_cache().folder == tmp_path / "host"
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "")
    assert default_cache().folder is None
    monkeypatch.delenv("GLSLC_MULTI_CACHE")
    folder = default_cache().folder
    assert folder is not None and "glslc-multi" in folder.parts


TEXT = "define i64 @answer() {\n  ret i64 42\n}"


def test_code_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ObjectCache(tmp_path)
    compiled: list[str] = []
    original = machine.compile_text

    def compile_text(text: str) -> bytes:
        compiled.append(text)
        return original(text)

    monkeypatch.setattr(machine, "compile_text", compile_text)
    for _ in range(2):
        function = machine.link_function("answer", TEXT, cache)
        assert ctypes.CFUNCTYPE(ctypes.c_int64)(function.address)() == 42
    assert compiled == [TEXT]
    (entry,) = entries(tmp_path)
    entry.write_bytes(b"no code at all")
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(machine.link_function("answer", TEXT, cache).address)() == 42
    assert compiled == [TEXT, TEXT]
