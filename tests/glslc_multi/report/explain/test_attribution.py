"""Every word comes from the line that asked for it; what begins and ends a program is named as such."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.explain.explanation import Explanation, explain
from tests.shared_data import PROJECT_ROOT

SHADERS = sorted(path for path in (PROJECT_ROOT / "examples").rglob("*.*") if path.suffix in (".vert", ".frag"))
#: Most words of no line, and of the line of `main`, which nobody wrote for their sake.
SHARE = 0.03
_MAIN = re.compile(r"void\s+main\s*\(")


def explained(path: Path, target: str) -> Explanation | None:
    source = make_source(path.read_text(encoding="utf-8"), path.name)
    try:
        return explain(source, load_target(target), Request(), DiagnosticSink())
    except CompileError:
        return None


@pytest.mark.parametrize("target", target_names())
def test_few_words_come_from_no_line(target: str) -> None:
    words = lost = 0
    for explanation in filter(None, (explained(path, target) for path in SHADERS)):
        main = {f"0:{line}" for line, text in enumerate(explanation.files[0].lines, start=1) if _MAIN.search(text)}
        placed = [listed for number, listed in enumerate(explanation.words) if number not in explanation.frame]
        words += len(placed)
        lost += sum(set(listed.keys) <= main for listed in placed)
    assert words > 100
    assert lost < SHARE * words


@pytest.mark.parametrize("target", ["agal", "pica200", "adreno", "vc4"])
def test_an_assignment_to_an_output_shows_what_it_costs(target: str) -> None:
    """A copy of an attribute is a word or more; a position through a matrix, four rows."""
    explanation = explained(PROJECT_ROOT / "examples" / "shaders" / "02_vertex_color.vert", target)
    assert explanation is not None
    costs = explanation.words_by_line
    assert costs["0:9"] >= (1 if target == "agal" else 4) and costs["0:10"] >= 1 and "0:8" not in costs


def test_the_frame_is_what_stands_before_and_behind() -> None:
    explanation = explained(PROJECT_ROOT / "examples" / "shaders" / "02_vertex_color.vert", "vc4")
    assert explanation is not None
    names = list(explanation.frame.values())
    assert names == sorted(names, reverse=True) and set(names) == {"prologue", "epilogue"}
    assert all(not explanation.words[number].keys for number in explanation.frame)
