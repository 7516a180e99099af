"""Unrolling looks through a deep nest of loops about once, however many of them stay."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.passes.base import CostModel, PassContext
from glslc_multi.compiler.passes.control_flow import loop_unroll
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.frontends.registry import make_source


def _looked_through(levels: int, monkeypatch: pytest.MonkeyPatch) -> float:
    """Instructions of loops that are looked through to see how long they are, for each that there is in the end."""
    looked = 0
    count = loop_unroll._is_known

    def counted(*arguments: object) -> bool:
        nonlocal looked
        looked += 1
        return count(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(loop_unroll, "_is_known", counted)
    opened = "".join(f"for (int i{level} = 0; i{level} < 2; i{level}++) {{ " for level in range(levels))
    text = (
        f"attribute vec4 v; void main() {{ vec4 a = v; {opened} a = a * v + v.wzyx; {'}' * levels} gl_Position = a; }}"
    )
    module = lower_source(make_source(text, "nest.vert"), FrontEndOptions(), DiagnosticSink())
    pipeline = parse_pipeline("mem2reg,simplify-cfg,loop-unroll", DiagnosticSink())
    run_pipeline(module, pipeline, PassContext(CostModel(loops=False)))
    monkeypatch.undo()
    return looked / sum(1 for _ in module.main.instructions())


def test_loops_that_stay_around_long_ones_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = _looked_through(14, monkeypatch), _looked_through(28, monkeypatch)
    assert few > 0.5
    assert many < 1.5 * few
