"""All targets in one file: each page is there as it is alone, and a browser shows one at a time."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from glslc_multi.backends.registry import target_names
from glslc_multi.cli.main import main
from tests.browser import browser
from tests.shared_data import PROJECT_ROOT

SHADER = PROJECT_ROOT / "examples" / "shaders" / "11_plasma.frag"


class Frames(HTMLParser):
    """The pages inside, by title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.pages: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        facts = dict(attributes)
        if tag == "iframe":
            self.pages[facts["title"] or ""] = facts["srcdoc"] or ""


def test_every_page_is_the_one_of_its_target(tmp_path: Path) -> None:
    book, alone = tmp_path / "all.html", tmp_path / "one.html"
    assert main(["explain", str(SHADER), "--target", "all", "-o", str(book)]) == 0
    text = book.read_text(encoding="utf-8")
    pages = Frames(text).pages
    for name in target_names():
        if name in pages:
            assert main(["explain", str(SHADER), "--target", name, "-o", str(alone)]) == 0
            assert pages[name] == alone.read_text(encoding="utf-8")
        else:
            assert f"<span>{name}: " in text
    assert "agal" in pages and "theia: 7 instructions too many" in text


def test_a_browser_shows_one_page_at_a_time(tmp_path: Path) -> None:
    book = tmp_path / "all.html"
    assert main(["explain", str(SHADER), "--target", "all", "-o", str(book)]) == 0
    with browser() as window:
        window.open(book)
        shown = "return [...document.querySelectorAll('iframe')].filter(f => f.offsetHeight > 100).map(f => f.title)"
        first = window.run(shown)
        assert len(first) == 1
        window.click("nav button:nth-of-type(2)")
        assert len(window.run(shown)) == 1 and window.run(shown) != first
        assert window.problems() == []


def test_mistakes_of_the_shader_are_told_once(tmp_path: Path) -> None:
    shader = tmp_path / "a.frag"
    shader.write_text("void main() { gl_FragColor = nothing; }")
    assert main(["explain", str(shader), "--target", "all", "-o", str(tmp_path / "a.html")]) == 1
    assert not (tmp_path / "a.html").exists()
