"""One budget for the work that multiplies: what it counts, and that equal work is done once."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.analysis.budget import COPY, LIMIT, budgeted, spend
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.trips import MAX_WORK, trip_counts
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.passes.base import CostModel
from glslc_multi.frontends.registry import make_source


def module_of(body: str) -> Module:
    """A vertex shader of version 1.00 with values in registers."""
    text = f"attribute vec4 x;\nuniform vec4 u;\nvoid main() {{\nvec4 a = x;\n{body}\ngl_Position = a;\n}}\n"
    module = lower_source(make_source(text, "a.vert", "vertex"), FrontEndOptions(), DiagnosticSink())
    return optimise(module, 1)


def endless(starts: list[float]) -> str:
    """A loop that counts away from its limit for each start."""
    return "\n".join(
        f"for (float z = {start}; z < 10.0; z -= 1.0) {{ a += u; if (a.x > 2.0) break; }}" for start in starts
    )


def test_no_more_is_spent_than_there_is() -> None:
    with budgeted():
        assert spend(LIMIT - 1)
        assert not spend(2)
        assert spend(1)
        assert not spend(1)
        with budgeted():
            assert spend(LIMIT)


def test_loops_that_count_alike_are_counted_once() -> None:
    module = module_of(endless([0.0] * 20))
    with budgeted():
        for _ in range(3):
            assert AnalysisManager(module.main).get(trip_counts) == {}
        assert spend(LIMIT - MAX_WORK)


def test_loops_that_differ_are_counted_apart() -> None:
    """In start, step or test."""
    loops = [
        ("0.0", "z < 2.0", "0.5"),
        ("1.0", "z < 2.0", "0.5"),
        ("0.0", "z < 2.0", "0.25"),
        ("0.0", "z <= 2.0", "0.5"),
    ]
    module = module_of("\n".join(f"for (float z = {a}; {test}; z += {step}) a += u;" for a, test, step in loops))
    with budgeted():
        counts = [count.stays for count in AnalysisManager(module.main).get(trip_counts).values()]
    assert sorted(counts) == [2, 4, 5, 8]


def test_loops_beyond_the_budget_have_no_count() -> None:
    starts = [float(start) for start in range(LIMIT // MAX_WORK + 4)]
    module = module_of(endless(starts) + "for (int i = 0; i < 3; i++) a *= u;")
    with budgeted():
        assert AnalysisManager(module.main).get(trip_counts) == {}
        assert not spend(MAX_WORK)


def test_copies_of_loops_come_out_of_the_budget() -> None:
    """They are all unrolled, or as many as there is work for, and the rest stay loops."""
    costs = CostModel(unroll_budget=1 << 20)
    for count, has_loops in ((2, False), (200, True)):
        module = module_of("for (int i = 0; i < 200; i++) a = a * u + float(i) * x.y;\n" * count)
        optimise(module, 2, costs=costs)
        size = sum(1 for _ in module.main.instructions())
        assert (len(module.main.blocks) > 1) is has_loops
        assert size < LIMIT // COPY * 2


def test_calls_beyond_the_budget_are_refused() -> None:
    functions = "vec4 f0(vec4 p) { return p; }" + "".join(
        f"vec4 f{i + 1}(vec4 p) {{ return f{i}(p) + f{i}(p * u); }}\n" for i in range(20)
    )
    text = f"attribute vec4 x;\nuniform vec4 u;\n{functions}void main() {{ gl_Position = f20(x); }}"
    module = lower_source(make_source(text, "a.vert", "vertex"), FrontEndOptions(), DiagnosticSink())
    with pytest.raises(CompileError, match=f"the shader takes more than {LIMIT // COPY} operations"):
        optimise(module, 1)
