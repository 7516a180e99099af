"""Where diagnostics are shown, what stands beside them, and which fixes are offered where."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.glslc_multi.lsp.marked import URI, Marked, marked

pytest.importorskip("lsprotocol", reason="the extra 'lsp' is not installed")

from lsprotocol import types as lsp

from glslc_multi.compiler.diagnostics import Diagnostic, Fix, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.costs import Cost, Place, Refusal
from glslc_multi.lsp.diagnose import actions, diagnostics, without_overlaps
from tests.glslc_multi.lsp.test_navigate import shader

START = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
INCLUDES = "#extension GL_GOOGLE_include_directive : require\nprecision highp float;\n"


def related(found: lsp.Diagnostic) -> list[tuple[str, str]]:
    """The files and messages that stand beside a diagnostic."""
    return [(Path(each.location.uri).name, each.message) for each in found.related_information or ()]


def at(text: Marked, offset: int) -> lsp.Range:
    """A cursor."""
    place = text.analysis.lines.range_at(offset, offset).start
    return lsp.Range(place, place)


def titles(found: list[lsp.CodeAction]) -> list[str]:
    return [each.title for each in found]


# --------------------------------------------------------------------------------------- places
def test_what_is_wrong_in_an_included_file_is_shown_at_the_line_that_includes_it(tmp_path: Path) -> None:
    part = tmp_path / "part.glsl"
    part.write_text("// twice\nfloat a;\nfloat a;\nfloat half_of(float x) { return x / 2; }\n")
    text = marked(f'{INCLUDES}«#include "part.glsl"»\nvoid main() {{}}\n', str(tmp_path / "a.frag"))
    twice, divided = diagnostics(text.analysis, [], URI)
    for found in (twice, divided):
        assert text.offsets(found.range) == text.marks[0]
    assert twice.message.startswith(f"{part}:3:7: 'a' is already declared in this scope")
    assert divided.message.startswith(f"{part}:4:35: '/' cannot combine float and int\nhelp: ")
    # The mistake itself comes first.
    assert [name for name, _ in related(twice)] == ["part.glsl", "part.glsl"]
    first, second = twice.related_information or ()
    assert first.location.uri == second.location.uri == part.as_uri()
    assert (first.location.range.start.line, second.location.range.start.line) == (2, 1)
    assert first.message.startswith("'a' is already declared in this scope")
    # An edit of another file is not offered here.
    assert actions(text.analysis, URI, twice.range) == []


def test_what_is_wrong_in_the_text_itself_names_no_file() -> None:
    text = marked(shader("float a;", "a = 1.0 / «b»;"))
    (found,) = diagnostics(text.analysis, [], URI)
    assert text.offsets(found.range) == text.marks[0]
    assert found.message.startswith("'b' is not declared") and found.related_information is None


def test_a_macro_stands_beside_what_it_makes_wrong_unless_no_file_has_it() -> None:
    written = marked(shader("#define HALF (v / 2)\nvarying float v;", "gl_FragColor = vec4(«HALF»);"))
    (found,) = diagnostics(written.analysis, [], URI)
    assert written.offsets(found.range) == written.marks[0]
    assert related(found) == [("a.frag", "in expansion of macro 'HALF'")]
    assert actions(written.analysis, URI, found.range) == []
    options = FrontEndOptions(defines={"HALF": "(v / 2)"})
    given = Analysis(shader("varying float v;", "gl_FragColor = vec4(HALF);"), "/shaders/a.frag", "fragment", options)
    assert [related(each) for each in diagnostics(given, [], URI)] == [[]]


@pytest.mark.parametrize(
    ("place", "is_there"),
    [(None, False), (("/shaders/other.glsl", 4, 3, 4, 7), False), (("/shaders/a.frag", 4, 3, 4, 7), True)],
)
def test_what_a_target_refuses_is_shown_at_its_place_or_at_the_start(place: Place | None, is_there: bool) -> None:
    text = marked(shader("uniform vec4 u;", "gl_FragColor = u;"))
    there = lsp.Range(lsp.Position(3, 2), lsp.Position(3, 6))
    refusals = (Refusal("E0800", "too long", "shorten it", place), Refusal("E0801", "too wide", "", place))
    found = diagnostics(text.analysis, [Cost("agal", False, "", refusals=refusals)], URI)
    assert [each.range for each in found] == [there if is_there else START] * 2
    assert [each.message for each in found] == ["agal: too long\nhelp: shorten it", "agal: too wide"]


# ---------------------------------------------------------------------------------------- fixes
def test_a_fix_is_offered_from_its_first_letter_to_behind_its_last() -> None:
    text = marked(shader("uniform float u_share;", "gl_FragColor = vec4(«u_shar»);"))
    (start, end), fix = text.marks[0], ["Fix: write 'u_share'"]
    assert titles(actions(text.analysis, URI, at(text, start))) == fix
    assert titles(actions(text.analysis, URI, at(text, end))) == fix
    assert actions(text.analysis, URI, at(text, start - 1)) == actions(text.analysis, URI, at(text, end + 1)) == []


def test_a_certain_fix_is_named_by_its_help_and_all_are_offered_where_one_is() -> None:
    text = marked(shader("varying float v;", "gl_FragColor = vec4(1 «-» v, 2 «*» v, 0, 1);"))
    one, *others = (actions(text.analysis, URI, at(text, mark[0])) for mark in text.marks)
    every = "Take all fixes of this file"
    assert titles(one) == ["Fix: there are no implicit conversions: make the left operand float", every]
    assert [titles(each)[-1] for each in others] == [every]
    assert actions(text.analysis, URI, START) == []
    alone = marked(shader("varying float v;", "gl_FragColor = vec4(1 «-» v);"))
    assert every not in titles(actions(alone.analysis, URI, at(alone, alone.marks[0][0])))


def test_what_a_macro_writes_is_not_edited_where_it_is_used() -> None:
    text = marked("#version 300 es\n#define IN varying\nIN highp vec4 p;\nvoid main() {}\n")
    (found,) = diagnostics(text.analysis, [], URI)
    assert "'varying' is a reserved word" in found.message
    assert actions(text.analysis, URI, found.range) == []


def test_a_message_of_no_place_and_a_fix_without_help() -> None:
    """The front end reports none of them so far; an entry need have neither."""
    text = marked("void main() {}  «// end»")
    span = Span(text.analysis.file, 1, 17, 1, 23)
    fix = Diagnostic(names.UNDECLARED_NAME, "too long", span, notes=("really",), fixes=(Fix(span, "// the end"),))
    text.analysis.diagnostics = (Diagnostic(names.UNDECLARED_NAME, "of no place"), fix)
    nowhere, here = diagnostics(text.analysis, [], URI)
    assert (nowhere.range, nowhere.message) == (START, "of no place")
    assert (text.offsets(here.range), here.message) == (text.marks[0], "too long\nnote: really")
    assert titles(actions(text.analysis, URI, here.range)) == ["Fix: write '// the end'"]


def test_edits_that_are_taken_together_are_apart() -> None:
    """An editor refuses edits that overlap (LSP 3.17, TextEdit[])."""

    def edit(start: int, end: int, text: str) -> lsp.TextEdit:
        return lsp.TextEdit(lsp.Range(lsp.Position(0, start), lsp.Position(0, end)), text)

    apart = [edit(0, 0, "a"), edit(0, 4, "b"), edit(4, 4, "c"), edit(4, 5, "d")]
    assert without_overlaps([*reversed(apart), edit(4, 4, "c"), edit(0, 4, "b"), edit(2, 6, "e")]) == apart
    assert without_overlaps([edit(2, 3, "a"), edit(0, 4, "b")]) == [edit(0, 4, "b")]
    assert without_overlaps([edit(1, 1, "a"), edit(1, 1, "a"), edit(1, 1, "b")]) == [edit(1, 1, "a"), edit(1, 1, "b")]
