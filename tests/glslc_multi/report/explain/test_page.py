"""The page: it is one file, its text is safe, and in a real browser lines and words light up together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.explain.explanation import explain
from glslc_multi.report.explain.page import page
from tests.browser import Browser, browser
from tests.glslc_multi.report.explain.shaders import SHADERS, TEXTS, VERTEX, explained

_VOID = {"meta"}


class Outline(HTMLParser):
    """Elements and attributes of a page, whose elements must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in attributes]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attributes]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, attribute: str) -> set[str]:
        return {value for _, name, value in self.attributes if name == attribute and value is not None}


@pytest.mark.parametrize("target", SHADERS)
def test_the_page_stands_alone(target: str) -> None:
    text = page(explained(target))
    outline = Outline(text)
    assert not outline.values("src") and not outline.values("href")
    assert "http" not in text and "@import" not in text
    shown = {key for keys in outline.values("data-k") for key in keys.split()}
    assert shown == {f"0:{line}" for line in range(1, len(TEXTS[SHADERS[target]].splitlines()) + 1)}


def test_no_text_of_the_shader_is_markup() -> None:
    shader = VERTEX.replace("void main() {", "void main() { // </script><em>&amp; </style>")
    outline = Outline(page(explain(make_source(shader, "<em>.vert"), load_target("agal"), Request(), DiagnosticSink())))
    assert "em" not in outline.tags


@pytest.mark.parametrize("words", [["--emit", "html"], ["-o", "out.html"]])
def test_from_the_command_line(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.vert").write_text(VERTEX, encoding="utf-8")
    command = ["a.vert", "--target", "pica200", *words]
    assert main(command if "--emit" in words else ["explain", *command]) == 0
    text = capsys.readouterr().out or Path("out.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    Outline(text)


# ------------------------------------------------------------------------------------------ in a browser
@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as window:
        yield window


def lit(window: Browser, section: str) -> list[str]:
    """The texts that are lit up in a section."""
    script = "return [...document.querySelectorAll(arguments[0])].map(each => each.querySelector('code').textContent)"
    found: list[str] = window.run(script, f"#{section} .lit")
    return found


@pytest.mark.parametrize("target", SHADERS)
def test_pointing_at_lines_and_words(target: str, window: Browser, tmp_path: Path) -> None:
    explanation = explained(target)
    (tmp_path / "page.html").write_text(page(explanation), encoding="utf-8")
    window.open(tmp_path / "page.html")
    line, _ = explanation.words_by_line.most_common(1)[0]
    window.point_at(f'#source [data-k="{line}"]')
    assert lit(window, "code") == [listed.word.text for listed in explanation.words if line in listed.keys]
    number = next(number for number, listed in enumerate(explanation.words) if line in listed.keys)
    window.point_at(f'#code [data-w="{number}"]')
    source = TEXTS[SHADERS[target]].splitlines()
    lines = sorted({int(key.split(":")[1]) for key in explanation.words[number].keys})
    assert lit(window, "source") == [source[line - 1] for line in lines]
    shown = window.run("return document.getElementById('word').textContent")
    assert explanation.words[number].word.text in shown
    assert all(row.name in shown for row, _ in explanation.words[number].word.parts[0].fields)
    assert window.problems() == []


def test_steps_and_what_is_new_in_them(window: Browser, tmp_path: Path) -> None:
    explanation = explained("pica200")
    (tmp_path / "page.html").write_text(page(explanation), encoding="utf-8")
    window.open(tmp_path / "page.html")
    last = len(explanation.steps)
    window.click(f"#names button:nth-child({last})")
    shown = window.run("return [...document.querySelectorAll('#step div')].map(each => each.textContent)")
    assert shown == [line.text or " " for line in explanation.steps[-1].lines]
    new = window.run("return [...document.querySelectorAll('#step .new')].map(each => each.textContent)")
    before = {line.text for line in explanation.steps[-2].lines}
    assert new == [text for text in shown if text not in before]


def test_a_click_holds_and_escape_lets_go(window: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page(explained("pica200")), encoding="utf-8")
    window.open(tmp_path / "page.html")
    window.click('#source [data-k="0:7"]')
    window.point_at('#source [data-k="0:6"]')
    assert all(re.match("mul ", text) for text in lit(window, "code"))
    window.press("\ue00c")
    window.point_at('#source [data-k="0:6"]')
    assert all(re.match("dp4 ", text) for text in lit(window, "code"))


TEXTURED = """precision mediump float;
uniform sampler2D u_picture;
varying vec2 v_place; // a < b
void main() { gl_FragColor = texture2D(u_picture, v_place); }
"""


def test_source_in_colours_and_samplers_by_name() -> None:
    source = make_source(TEXTURED, "a.frag")
    text = page(explain(source, load_target("agal"), Request(), DiagnosticSink()))
    assert '<span class="g-type">sampler2D</span> u_picture;' in text
    assert '<span class="g-comment">// a &lt; b</span>' in text
    (lookup,) = (line for line in re.findall(r"<code>tex .*?</code>", text))
    assert "fs0" in lookup and "; u_picture<" in lookup
