"""Which files the words of a command line name: inputs, outputs, and what stands beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.cache.naming import inputs_of, may_read, may_write, words_of


@pytest.mark.parametrize(
    ("words", "name", "may"),
    [
        # A word itself, and what -o names, apart or in one word.
        ("lit.vert -o out.bin", "out.bin", True),
        ("lit.vert -oout.bin", "out.bin", True),
        ("lit.vert --reflect map.json", "map.json", True),
        ("lit.vert --reflect=map.json", "map.json", True),
        ("lit.vert -MF lit.d", "lit.d", True),
        ("lit.vert -MFlit.d", "lit.d", True),
        # What begins as an output or an input does.
        ("lit.vert -o out.bin", "out.bin.json", True),
        ("lit.vert -o out.bin", "out.d", True),
        ("lit.vert -o out.bin", "out.vertex.bin", True),
        ("lit.vert", "lit.shbin", True),
        ("sub/lit.vert", "sub/lit.shbin", True),
        ("sub/lit.vert", "lit.shbin", True),
        ("./sub//lit.vert", "sub/lit.shbin", True),
        ("-", "stdin.bin", True),
        # Nothing else.
        ("lit.vert -o out.bin", "other.bin", False),
        ("lit.vert", "li.shbin", False),
        ("lit.vert", "lit", False),
        ("lit.vert", "litt.bin", False),
        ("lit.vert", "other/lit.bin", False),
        ("sub/lit.vert", "other/lit.bin", False),
        ("lit.vert -o sub/out.bin", "sub/other.bin", False),
        ("lit.vert -o sub/out.bin", "/sub/out.bin", False),
        (".vert", "_x.bin", False),
        # A folder of outputs, without hidden files and folders below.
        ("lit.vert -o out/", "out/anything.bin", True),
        ("lit.vert -o out/", "out/.hidden", False),
        ("lit.vert -o out/", "out/sub/anything.bin", False),
        ("lit.vert -o out/", "anything.bin", False),
        ("lit.vert -MF out/", "out/anything.d", True),
        # Patterns, whose target is a part of the name.
        ("lit.vert -o {stem}.{target}.bin", "lit.vc4.bin", True),
        ("lit.vert -o {stem}.{target}.bin", "other.vc4.bin", False),
        ("lit.vert -o out/{target}/{stem}.bin", "out/vc4/lit.bin", True),
        ("lit.vert -o out/{target}/{stem}.bin", "out/vc4/other.bin", False),
    ],
)
def test_what_a_command_line_may_write(words: str, name: str, may: bool) -> None:
    assert may_write(words.split(), name) == may


def test_a_folder_that_is_there_needs_no_stroke(tmp_path: Path) -> None:
    assert may_write(["lit.vert", "-o", str(tmp_path)], f"{tmp_path}/anything.bin")
    assert not may_write(["lit.vert", "-o", f"{tmp_path}/none"], f"{tmp_path}/none/anything.bin")


@pytest.mark.parametrize(
    ("words", "name", "may"),
    [
        ("lit.vert", "lit.vert", True),
        ("--inputs=values.json", "values.json", True),
        ("--inputs=values.json", "alues.json", False),
        ("--texture map=image.png", "image.png", True),
        ("lit.vert", "lit", False),
        ("lit.vert", "other.vert", False),
    ],
)
def test_what_a_command_line_may_read(words: str, name: str, may: bool) -> None:
    assert may_read(words.split(), name) == may


def test_names_of_outputs_are_none_of_inputs() -> None:
    words = "lit.vert -o a.bin --reflect b.json -MF c.d -MT d -MQ e other.frag".split()
    assert inputs_of(words) == ["lit.vert", "-o", "--reflect", "-MF", "-MT", "-MQ", "other.frag"]


def test_words_in_response_files_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In so far as there are such files; of very many words the first thousand."""
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("a.vert\n -o b.bin", encoding="utf-8")
    assert words_of(["c.vert", "@words.txt", "@none.txt"]) == [
        "c.vert",
        "@words.txt",
        "@none.txt",
        "a.vert",
        "-o",
        "b.bin",
    ]
    Path("words.txt").write_text("w " * 2000, encoding="utf-8")
    assert words_of(["c.vert", "@words.txt"]) == ["c.vert", "@words.txt", *["w"] * 998]
    Path("words.txt").write_bytes(b"\xff\xfe")
    assert words_of(["@words.txt"]) == ["@words.txt"]
