"""About how many cycles a program takes: how often words run, by branches, loops and procedures."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.analysis.trips import CountedLoop
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.isa.listing import CodeWord
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.cycles import estimated_cycles

_TEN = range(10)


def _words(changed: dict[int, CodeWord]) -> list[CodeWord]:
    """Ten words of one cycle but for some."""
    return [changed.get(number, CodeWord(str(number), "", ())) for number in _TEN]


def _word(**flow: object) -> CodeWord:
    return CodeWord("", "", (), **flow)  # type: ignore[arg-type]


def test_each_word_runs_once() -> None:
    assert estimated_cycles(_words({3: _word(cycles=4)})) == 9 + 4


def test_arms_run_every_other_time() -> None:
    # Words 1 and 2 are one arm, 4 to 7 the other.
    branches = {0: _word(skips=(range(1, 4),)), 3: _word(skips=(range(4, 8),))}
    assert estimated_cycles(_words(branches)) == 3 + 7 / 2 - 0.5
    # An arm in an arm.
    branches = {0: _word(skips=(range(1, 9),)), 4: _word(skips=(range(5, 9),))}
    assert estimated_cycles(_words(branches)) == 2 + 4 / 2 + 4 / 4


def test_loops_run_eight_times_or_as_often_as_is_known() -> None:
    words = _words({5: _word(repeats=range(2, 6))})
    assert estimated_cycles(words) == 6 + 4 * 8
    line = SourceFile("a.vert", "one two three")
    inner, outer, outside = (Span(line, 1, first, 1, first + 3) for first in (0, 4, 8))
    origins = [(outside,), (outside,), (inner,), (inner,), (inner,), (), (outer,), (outer,), (outer,), (outside,)]
    loops = (CountedLoop(3, frozenset([inner])), CountedLoop(20, frozenset([inner, outer])))
    assert estimated_cycles(words, origins, loops) == 6 + 4 * 3
    assert estimated_cycles(words, origins, loops[1:]) == 6 + 4 * 20
    nested = _words({5: _word(repeats=range(2, 6)), 8: _word(repeats=range(2, 9))})
    assert estimated_cycles(nested, origins, loops) == 3 + 20 * (3 + 4 * 3)
    # Words of elsewhere do not belong to a loop of the source.
    origins[4] = (outside,)
    assert estimated_cycles(words, origins, loops) == 6 + 4 * 8


def test_procedures_run_as_often_as_they_are_called() -> None:
    calls = {0: _word(runs=range(8, 10)), 2: _word(runs=range(8, 10)), 9: _word(runs=range(6, 8))}
    # Eight and nine run twice, and make six and seven run.
    assert estimated_cycles(_words(calls)) == 6 + 2 * 2 + 2 * 2


_LOOP = """
attribute vec4 p; uniform mat4 m[ROUNDS]; varying vec4 c;
void main() {
    vec4 v = vec4(0.0);
    for (int i = 0; i < ROUNDS; i++) v += m[i] * p;
    c = v;
    gl_Position = v;
}
"""


@pytest.mark.parametrize("target", ["pica200", "adreno", "xenos", "vc4"])
def test_a_loop_counts_by_its_rounds(target: str) -> None:
    # Two rounds more are as many cycles more, and there is little beside the loop.
    few, more, most = (_cycles(_LOOP.replace("ROUNDS", str(n)), target) for n in (17, 19, 21))
    assert most - more == more - few > 0
    assert few > 8 * (more - few)


def _cycles(source: str, name: str) -> int:
    target, sink = load_target(name), DiagnosticSink()
    artifact = compile_source(make_source(source, "a.vert", "vertex"), target, Request(proof="off"), sink)
    return estimated_cycles(target.list_words(artifact.binary, {}), artifact.origins, artifact.loops)
