"""The site: it is built without a warning, has all pages, loads nothing from elsewhere, and works in a browser."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.browser import WEBGL, browser
from tests.glslc_multi.playground.static import built_folder, static_server
from tests.shared_data import PROJECT_ROOT
from website import build

#: What a page loads by itself, from an address that is not of the site.
_ELSEWHERE = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?((?:https?:)?//[^\"' >]+)")
_WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
_RESULTS = "[...document.querySelectorAll('.md-search-result__title, .md-search-result h1')].map(e => e.textContent)"


def test_every_page_of_the_documentation_is_there(site: Path) -> None:
    pages = [page.relative_to(PROJECT_ROOT) for page in PROJECT_ROOT.glob("docs/**/*.md")]
    built = [page.with_name("index.html") if page.name == "README.md" else page.with_suffix(".html") for page in pages]
    assert len(built) > 50
    assert [str(page) for page in built if not (site / page).is_file()] == []


def test_every_page_of_the_documentation_can_be_reached_by_the_navigation() -> None:
    listed = set(re.findall(r"\bdocs/\S+\.md$", build.CONFIGURATION.read_text(encoding="utf-8"), re.MULTILINE))
    pages = {page.relative_to(PROJECT_ROOT).as_posix() for page in PROJECT_ROOT.glob("docs/**/*.md")}
    assert listed - {"docs/api.md"} == pages


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    found = {address for page in site.rglob("*.html") for address in _ELSEWHERE.findall(page.read_text("utf-8"))}
    assert found == set()


def test_an_address_elsewhere_is_seen() -> None:
    page = '<script src="https://a/b.js"></script><link rel=stylesheet href=//a/c.css><a href="https://d/">d</a>'
    assert _ELSEWHERE.findall(page) == ["https://a/b.js", "//a/c.css"]


@pytest.mark.parametrize("link", ["missing.md", "faq.md#missing"])
def test_a_link_that_leads_nowhere_stops_it(site: Path, link: str, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    shutil.copytree(site.with_name("site-pages"), pages)
    page = pages / "docs" / "install.md"
    page.write_text(page.read_text(encoding="utf-8") + f"\n[a link]({link})\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="missing"):
        build.run_generator(pages, tmp_path / "site")


@pytest.mark.parametrize("has_playground", [True, False])
def test_the_front_page_begins_with_the_playground(has_playground: bool) -> None:
    text = build.front_page("# title\n\nwhat it is\n", has_playground)
    assert ("<iframe" in text) is has_playground
    assert ("make playground" in text) is not has_playground
    assert text.index("# title") < text.index("playground") < text.index("what it is")


@pytest.mark.thorough
def test_it_works_as_files_in_a_browser(site: Path) -> None:
    with browser() as window:
        for name in ("index", "docs/machines/3ds", "docs/command-line", "gallery/09_phong", "docs/api"):
            for width in (1400, 390):
                window.resize(width, 900)
                window.open(site / f"{name}.html")
                assert (name, width, window.run(f"return {_WIDER}")) == (name, width, 0)
        window.resize(1400, 900)
        window.open(site / "index.html")
        window.click(".md-search__input")
        window.type("combiner")
        results = window.wait_for(f"{_RESULTS}.length > 3 && {_RESULTS}")
        assert any("fragment" in title.lower() for title in results)
        assert window.problems() == []


@pytest.mark.thorough
def test_the_playground_compiles_on_the_front_page(site: Path, tmp_path: Path) -> None:
    playground = built_folder()
    build.build(tmp_path / "site", playground, has_pictures=False)
    inside = "document.querySelector('.playground iframe').contentDocument"
    with static_server(tmp_path / "site") as address, browser(*WEBGL) as window:
        window.open(address)
        window.wait_for(f"!!{inside}?.querySelector('.pane[data-target=agal] [role=option] code')")
        assert window.problems() == []
        window.resize(390, 844)
        assert window.run("return document.querySelector('.playground iframe').offsetWidth") == 0
        window.click(".playground .md-button")
        window.wait_for("document.title === 'glslc-multi playground'")
