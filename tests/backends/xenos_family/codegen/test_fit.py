"""Programs whose values find no registers with operations in pairs keep the order of the source, and say so."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.adreno.codegen.generate import AdrenoGenerator
from glslc_multi.backends.xenos_family.codegen import generate
from glslc_multi.backends.xenos_family.codegen.schedule import dual_issue
from glslc_multi.compiler.analysis.budget import LIMIT
from glslc_multi.compiler.codegen.fit import Exceeded
from glslc_multi.compiler.codegen.regalloc.assign import AGAIN, _Assigner
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink

_LANES = 16


def compiled(count: int) -> glslc_multi.CompiledShader:
    """All of `count` vectors live at once, each beside an operation for the scalar unit."""
    values = [f"vec4 a{k} = v * {k}.5 + sin(v.{'xyzw'[k % 4]} * u.x + {k}.0);" for k in range(count)]
    sums = [f"r = r * a{count - 1 - k} + a{k};" for k in range(count)]
    body = "\n".join([*values, "vec4 r = vec4(0.0);", *sums, "gl_FragColor = r;"])
    source = f"precision highp float; varying vec4 v; uniform vec4 u;\nvoid main() {{\n{body}\n}}"
    return glslc_multi.compile(source, target="adreno", stage="fragment")


def test_a_program_that_fits_in_pairs_is_made_once() -> None:
    assert compiled(40).stats.exceeded == ()


def test_the_order_of_the_source_is_kept_where_pairs_need_too_many_registers() -> None:
    shader = compiled(63)
    assert [error.message for error in shader.stats.exceeded] == ["needs 65 registers, adreno has 64"]
    v = np.linspace(-0.01, 0.01, 4 * _LANES).reshape(_LANES, 4)
    uniforms = {"u": np.array([0.5, 0.0, 0.0, 0.0])}
    wanted = shader.run({"v": v}, uniforms, engine="reference")["gl_FragColor"]
    assert np.allclose(shader.run({"v": v}, uniforms)["gl_FragColor"], wanted, rtol=1e-4, atol=1e-4)


def test_a_program_that_is_too_long_is_not_made_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[frozenset[str]] = []

    def counted(self: AdrenoGenerator, exceeded: Exceeded, sink: DiagnosticSink) -> generate.Code:
        made.append(exceeded)
        return make(self, exceeded, sink)

    make = AdrenoGenerator._make_code
    monkeypatch.setattr(AdrenoGenerator, "_make_code", counted)
    body = "a = a.wxyz * u + a.yzwx;" * 400
    with pytest.raises(CompileError, match="instruction slots"):
        source = f"attribute vec4 x; uniform vec4 u; void main() {{ vec4 a = x; {body} gl_Position = a; }}"
        glslc_multi.compile(source, target="adreno", stage="vertex")
    assert made == [frozenset()]


def test_what_is_too_long_in_any_case_is_refused_before_registers_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """400 vectors are added up in 200 slots at least, which fit; 1000 in 500, which do not."""

    def searched(*_: object) -> None:
        raise AssertionError("registers are searched")

    def compile_sum(count: int) -> None:
        body = "a = a.wxyz * u + a.yzwx;" * count
        source = f"attribute vec4 x; uniform vec4 u; void main() {{ vec4 a = x; {body} gl_Position = a; }}"
        glslc_multi.compile(source, target="adreno", stage="vertex")

    monkeypatch.setattr(generate, "allocate", searched)
    with pytest.raises(CompileError, match="needs at least 501 instruction slots, adreno has 384"):
        compile_sum(1000)
    with pytest.raises(AssertionError, match="searched"):
        compile_sum(400)


def test_registers_are_searched_no_longer_than_there_is_work_to_spend(monkeypatch: pytest.MonkeyPatch) -> None:
    assigned: list[int] = []
    run = _Assigner.run

    def counted(self: _Assigner, order: list[LiveBundle]) -> LiveBundle | None:
        assigned.append(len(order))
        return run(self, order)

    monkeypatch.setattr(_Assigner, "run", counted)
    # Moves of constants come as early as they may, so that there are no registers for them.
    monkeypatch.setattr(dual_issue, "_MOST_PASSED", inf)
    body = "".join(f"a.x = fract(sin(dot(a.xy, vec2({i}.9898, 78.{i}))) * 43758.5453);" for i in range(256))
    source = f"attribute vec4 x; void main() {{ vec4 a = x; {body} gl_Position = a; }}"
    glslc_multi.compile(source, target="xenos", stage="vertex")
    assert len(assigned) > 2
    # Each of both attempts assigns all once without asking.
    assert sum(assigned) - 2 * max(assigned) <= LIMIT // AGAIN


def test_moves_of_constants_come_no_earlier_than_there_are_registers_for_them() -> None:
    """Each of 256 steps reads two constants of its own, which are moved to a register before."""
    body = "".join(f"a.x = fract(sin(dot(a.xy, vec2({i}.9898, 78.{i}))) * 43758.5453);" for i in range(256))
    source = f"attribute vec4 x; void main() {{ vec4 a = x; {body} gl_Position = a; }}"
    assert glslc_multi.compile(source, target="xenos", stage="vertex").stats.exceeded == ()
