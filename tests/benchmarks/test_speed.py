"""The shaders that speed is measured with, and the table of figures."""

from __future__ import annotations

import pytest

from benchmarks.shaders import Stage, dense, small
from benchmarks.speed import Row, as_markdown
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.frontends.registry import make_source


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_shaders_have_the_lines_that_they_are_named_for_and_no_errors(stage: Stage) -> None:
    for text, lines in ((small(stage), 19), (dense(stage, 40), 40), (dense(stage, 137), 137)):
        assert len(text.splitlines()) == lines
        sink = DiagnosticSink()
        lower_source(make_source(text, "a", stage), FrontEndOptions(), sink)
        assert not sink.diagnostics


def test_peers_get_the_same_code_in_their_dialect() -> None:
    ours, theirs = dense("vertex", 40), dense("vertex", 40, 310)
    assert theirs == "#version 310 es\n" + ours.replace("attribute", "in").replace("varying", "out")


def test_figures_become_tables_by_area() -> None:
    rows = [
        Row("one", "first", 1234.5, "ms", "peer", 0.5, "<= 1"),
        Row("one", "second", 0.0, "ms", note="does not fit"),
        Row("two", "third", 2.25, "MiB"),
    ]
    assert (
        as_markdown(rows)
        == """## One

| | | ratio | goal |
| --- | --- | --- | --- |
| first | 1,234 ms | 0.50 of peer | <= 1 |
| second | does not fit |  |  |

## Two

| | | ratio | goal |
| --- | --- | --- | --- |
| third | 2.2 MiB |  |  |
"""
    )
