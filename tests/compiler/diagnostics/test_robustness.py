"""Any text and any place render in every format, and carets are under the text they mean."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.compiler.diagnostics import Diagnostic, Fix, Label, SourceFile, Span
from glslc_multi.compiler.diagnostics.render import FORMATS, render
from tests.compiler.diagnostics.samples import BAD, problem

TEXTS = st.text(st.sampled_from("ab (;\t\n\r\x1b\u202e\u0301\u2028漢é\udc80"), max_size=60)
POSITIONS = st.integers(1, 70)


@st.composite
def spans(draw: st.DrawFn, text: str) -> Span:
    """Any span, also one that lies outside its file."""
    line, column, end_line, end_column = (draw(POSITIONS) for _ in range(4))
    place = (line, column, end_line, end_column) if draw(st.booleans()) else (1, column, 1, column + end_column)
    return Span(SourceFile("x", text), *place)


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    text = draw(TEXTS)
    labels = [Label(draw(spans(text)), draw(TEXTS)) for _ in range(draw(st.integers(0, 2)))]
    fixes = [Fix(draw(spans(text)), draw(TEXTS)) for _ in range(draw(st.integers(0, 2)))]
    return Diagnostic(BAD, draw(TEXTS), draw(spans(text)), tuple(labels), draw(TEXTS), (draw(TEXTS),), tuple(fixes))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(diagnostics())
def test_everything_renders(diagnostic: Diagnostic) -> None:
    outputs = {format: render([diagnostic], format) for format in FORMATS}
    for format in ("text", "short", "msvc"):
        assert all(line.isprintable() for line in outputs[format].split("\n"))
    assert json.loads(outputs["json"])["code"] == "E0000"
    assert json.loads(outputs["sarif"])["version"] == "2.1.0"


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text(st.sampled_from("a\té漢\u0301"), max_size=12))
def test_carets_stand_under_their_text(before: str) -> None:
    span = Span(SourceFile("x", f"{before}BAD after"), 1, len(before) + 1, 1, len(before) + 4)
    _, quoted, carets = render([problem(span)]).splitlines()
    start, end = quoted.index("BAD"), carets.index("^")
    assert cells(quoted[:start]) == cells(carets[:end])
    assert carets[end:] == "^^^"


def cells(text: str) -> int:
    """How wide a terminal shows the letters of the test."""
    return sum({"漢": 2, "\u0301": 0}.get(letter, 1) for letter in text)
