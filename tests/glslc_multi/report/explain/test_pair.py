"""Two shaders that are linked: both on one page, with the code that linking makes and the lines of both."""

from __future__ import annotations

from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.explain.explanation import Explanation, costs_of, explain_program
from glslc_multi.report.explain.page import page
from glslc_multi.report.explain.terminal import listing
from tests.browser import browser
from tests.glslc_multi.report.explain.shaders import VERTEX
from tests.glslc_multi.report.explain.test_book import Frames
from tests.glslc_multi.report.explain.test_page import Outline, lit

FRAGMENT = """\
precision mediump float;
varying vec4 v_color;
uniform sampler2D u_pictures[2];
void main() {
    gl_FragColor = v_color
        * texture2D(u_pictures[1], v_color.xy);
}
"""


GEOMETRY_VERTEX = "attribute vec4 p; varying vec4 v_color; void main() { gl_Position = p; v_color = p * 0.5; }"
GEOMETRY = """\
#pragma geometry(triangles)
attribute vec4 v_color[3];
varying vec4 color;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_PositionIn[i];
        color = v_color[i];
        EmitVertex();
    }
    EndPrimitive();
}
"""


def explained(target: str) -> tuple[Explanation, ...]:
    sources = make_source(VERTEX, "a.vert"), make_source(FRAGMENT, "a.frag")
    return explain_program(sources, load_target(target), Request(), DiagnosticSink())


@pytest.mark.parametrize("target", ["agal", "vc4", "pica200", "xenos"])
def test_every_stage_has_the_words_that_linking_makes(target: str) -> None:
    made = glslc_multi.link(VERTEX, FRAGMENT, target=target).stages
    found = explained(target)
    assert [each.stage for each in found] == [*made]
    for each, shader in zip(found, made.values(), strict=True):
        listed = load_target(target).list_words(shader.binary, {})
        assert [word.word.text for word in each.words] == [word.text for word in listed]
        assert [file.name for file in each.files] == ["a.vert", "a.frag"]
        assert {key[0] for word in each.words for key in word.keys} == {str(each.own_file)}
        # A stage has its own steps, and its own last machine code.
        assert each.steps[0].name == "front end" and each.steps[1].name == "link"
    assert sum(costs_of(found).values()) == sum(bool(word.keys) for each in found for word in each.words)


@pytest.mark.parametrize("target", [name for name in target_names() if name != "theia"])
def test_an_element_of_an_array_of_samplers_is_named(target: str) -> None:
    fragment = explained(target)[-1]
    named = {name for word in fragment.words for name in word.samplers}
    assert named == {"u_pictures[1]"}
    assert "; u_pictures[1]" in listing(*explained(target))


def test_two_stages_made_of_one_shader_are_told_apart() -> None:
    vertex, coordinate, _ = explained("vc4")
    assert len(vertex.words) != len(coordinate.words)
    assert vertex.pressure is not None and coordinate.pressure is not None
    assert len(vertex.pressure.moments) != len(coordinate.pressure.moments)


def test_a_vertex_and_a_geometry_shader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.vert").write_text(GEOMETRY_VERTEX, encoding="utf-8")
    Path("a.geom").write_text(GEOMETRY, encoding="utf-8")
    assert main(["explain", "a.vert", "a.geom", "--target", "pica200"]) == 0
    text = capsys.readouterr().out
    assert "\nvertex\naddress" in text and "\ngeometry\naddress" in text


def test_all_targets_of_a_pair_are_in_one_file(tmp_path: Path) -> None:
    for name, text in (("a.vert", VERTEX), ("a.frag", FRAGMENT)):
        (tmp_path / name).write_text(text)
    shaders = [str(tmp_path / "a.vert"), str(tmp_path / "a.frag")]
    book, alone = tmp_path / "all.html", tmp_path / "one.html"
    assert main(["explain", *shaders, "--target", "all", "-o", str(book)]) == 0
    pages = Frames(book.read_text(encoding="utf-8")).pages
    assert {"agal", "vc4", "xenos", "adreno", "pica200"} <= {*pages}
    assert main(["explain", *shaders, "--target", "vc4", "-o", str(alone)]) == 0
    assert pages["vc4"] == alone.read_text(encoding="utf-8")
    Outline(pages["vc4"])


@pytest.mark.parametrize("words", [["a.vert", "a.frag", "b.frag"], ["a.vert", "a.frag", "--stage", "vertex"]])
def test_what_is_no_pair(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("a.vert", VERTEX), ("a.frag", FRAGMENT), ("b.frag", FRAGMENT)):
        Path(name).write_text(text, encoding="utf-8")
    assert main(["explain", *words, "--target", "agal"]) == 2


def test_in_a_browser_words_of_both_stages_lead_to_their_own_shader(tmp_path: Path) -> None:
    stages = explained("vc4")
    (tmp_path / "page.html").write_text(page(*stages), encoding="utf-8")
    with browser() as window:
        window.open(tmp_path / "page.html")
        # A line of the vertex shader has words in two stages.
        window.point_at('#source [data-k="0:7"]')
        expected = [word.word.text for each in stages[:2] for word in each.words if "0:7" in word.keys]
        assert lit(window, "code") == expected
        number = next(number for number, word in enumerate(stages[2].words) if "1:6" in word.keys)
        window.point_at(f'#code [data-stage="2"] [data-w="{number}"]')
        lines = [FRAGMENT.splitlines()[int(key[2:]) - 1] for key in sorted(stages[2].words[number].keys)]
        assert lit(window, "source") == lines
        assert stages[2].words[number].word.text in window.run("return document.getElementById('word').textContent")
        headings = "return [...document.querySelectorAll('#names h3')].map(each => each.textContent)"
        assert window.run(headings) == ["vertex", "coordinate", "fragment"]
        window.click("#names button:last-child")
        shown = window.run("return [...document.querySelectorAll('#step div')].map(each => each.textContent)")
        assert shown == [line.text or " " for line in stages[2].steps[-1].lines]
        assert window.problems() == []
