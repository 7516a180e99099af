"""Classes of words against the specifications, pieces of texts against the compiler's own lexer."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.editor.highlight import html_lines, pieces
from glslc_multi.editor.words import all_word_classes, word_classes
from glslc_multi.frontends.glsl.language.versions import language_of
from glslc_multi.frontends.glsl.preprocess.lexer import lex
from tests.shared_data import PROJECT_ROOT, shared_root

#: Word -> version -> class, read in the specifications; None where it is an ordinary name.
SPECIFIED: dict[str, dict[int, str | None]] = {
    "attribute": {100: "qualifier", 300: "reserved", 120: "qualifier"},
    "flat": {100: "reserved", 300: "qualifier", 130: "qualifier", 110: None},
    "switch": {100: "reserved", 300: "keyword"},
    "uvec2": {100: None, 300: "type", 120: None, 130: "type"},
    "texture2D": {100: "function", 300: None, 110: "function"},
    "textureLod": {100: None, 300: "function", 130: "function"},
    "gl_FragColor": {100: "variable", 300: None, 330: "variable"},
    "gl_MaxDrawBuffers": {100: "constant", 300: "constant"},
    "true": {100: "constant", 330: "constant"},
    "struct": {100: "type", 330: "type"},
    "discard": {100: "keyword", 330: "keyword"},
    "goto": {100: "reserved", 330: "reserved"},
    "samplerExternalOES": {100: "type", 300: "type", 330: None},
    "main": {100: None},
}
FILES = [
    path
    for folder in (PROJECT_ROOT / "examples" / "shaders", shared_root() / "corpus")
    for path in sorted(folder.rglob("*"))
    if path.suffix in (".vert", ".frag", ".geom")
]


@pytest.mark.parametrize("word", SPECIFIED)
def test_words_are_what_the_specifications_say(word: str) -> None:
    for version, kind in SPECIFIED[word].items():
        assert word_classes(version).get(word) == kind, version


def test_of_all_versions_a_word_counts_before_a_reserved_word() -> None:
    assert all_word_classes()["flat"] == "qualifier"
    assert all_word_classes()["goto"] == "reserved"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_pieces_are_the_tokens_of_the_lexer(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\r\n", "\n").replace("\\\n", "")
    lexed = lex(SourceFile(path.name, text), language_of(text), 1024, DiagnosticSink())
    found = [piece for piece in pieces(text) if piece.kind not in ("comment", "directive")]
    names = {piece.start + len(piece.text) - len(word): word for piece in pieces(text) if piece.kind == "directive"
             for word in re.findall(r"\w+$", piece.text)}  # fmt: skip
    expected = [(start, word) for start, word in zip(lexed.starts, lexed.texts, strict=True) if start not in names]
    assert [(piece.start, piece.text) for piece in found] == expected


def test_numbers_and_comments() -> None:
    text = "#version 100\nfloat a=1.e-5+.5;/*x\ny*/// z\n"
    assert [(piece.kind, piece.text) for piece in pieces(text)] == [
        ("directive", "#version"), ("number", "100"), ("type", "float"), ("name", "a"), ("operator", "="),
        ("number", "1.e-5"), ("operator", "+"), ("number", ".5"), ("operator", ";"), ("comment", "/*x\ny*/"),
        ("comment", "// z"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "/* open\nend", 'a<b && c>"d" // <e>\n', "\0\ud800 é 1.0f\r\n#", "\\\n//\\\nx\n"])
def test_html_is_the_same_text(text: str) -> None:
    shown = "\n".join(html_lines(text))
    assert unescape(re.sub(r"</?span[^>]*>", "", shown)) == text
    for line in html_lines(text):
        assert line.count("<span") == line.count("</span>")
