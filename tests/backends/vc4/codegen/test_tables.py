"""Local arrays of constants at variable indices, read from memory, against the same choice in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import Request, TargetOptions
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.program import Program
from glslc_multi.runtime.simulator import Simulated, run_artifact

#: Indices below the first element, at all elements, and beyond the last.
_INDICES = np.arange(-9, 23, dtype=np.int64)
_HEAD = "#version 300 es\nprecision highp float; precision highp int; in float x; out highp vec4 o;"
_FLOATS = [0.5, -3.25, 7.0, 2.0**100, -(2.0**-100), 0.0, 1.5, 9.75]
_INTS = [7, -1, 2**31 - 1, -(2**31), 2**24 + 1, 0, 0x7FC00001, 0x00800000 - 3]


def _compile(body: str, declarations: str = "", **request: Any) -> tuple[Artifact, Module, TargetOptions]:
    source = f"{_HEAD} {declarations} void main() {{ int i = int(x); {body} }}"
    module = lower_source(make_source(source, "test.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
    options = checked_options(
        TARGET, "fragment", Request(target_options={"output": "raw"}, **request), DiagnosticSink()
    )
    artifact = compile_module(clone_module(module), TARGET, options, Request(**request), DiagnosticSink())
    return artifact, module, options


def _run(body: str, declarations: str = "", uniforms: Mapping[str, Any] | None = None) -> tuple[Artifact, Array]:
    artifact, module, options = _compile(body, declarations)
    shader = Simulated(TARGET, artifact, module, options.values)
    lanes = len(_INDICES)
    found = run_artifact(shader, {"x": _INDICES.astype(np.float32)}, uniforms or {}, lanes=lanes, quads=True)
    return artifact, found["o"]


def _in_memory(artifact: Artifact) -> int:
    return sum(literal.location.space == "buffer" for literal in artifact.reflection.literals)


def _nearest(numbers: list[Any]) -> Array:
    """The element of each index, the first or the last where there is none."""
    return np.array(numbers)[np.clip(_INDICES, 0, len(numbers) - 1)]


def test_floats() -> None:
    table = ", ".join(map(repr, _FLOATS))
    artifact, found = _run(f"const float t[8] = float[]({table}); o = vec4(t[i]);")
    assert _in_memory(artifact) == 8
    assert found[:, 0].tolist() == _nearest(_FLOATS).astype(np.float32).tolist()


@pytest.mark.parametrize("shift", [0, 16])
def test_ints_keep_their_bits(shift: int) -> None:
    """Those of NaN and of numbers too small for floats, too."""
    table = ", ".join("int(0x80000000u)" if n == -(2**31) else str(n) for n in _INTS)
    artifact, found = _run(f"const int t[8] = int[]({table}); o = vec4((t[i] >> {shift}) & 0xffff);")
    assert _in_memory(artifact) == 8
    assert found[:, 0].tolist() == (_nearest(_INTS) >> shift & 0xFFFF).tolist()


def test_bools() -> None:
    truths = [True, False, False, True, False, True, True, False, True]
    table = ", ".join(str(truth).lower() for truth in truths)
    artifact, found = _run(f"const bool t[9] = bool[]({table}); o = vec4(t[i] ? 3.0 : 5.0);")
    assert _in_memory(artifact) == 9
    assert found[:, 0].tolist() == np.where(_nearest(truths), 3.0, 5.0).tolist()


def test_vectors_and_columns_have_a_slice_for_each_component() -> None:
    body = """
        vec2 t[5]; t[0] = vec2(1.0, -2.0); t[1] = vec2(3.0, 4.0); t[2] = vec2(-5.0, 6.0); t[3] = vec2(7.0, 8.0);
        t[4] = vec2(9.0, 0.5);
        mat4x2 m[2]; m[0] = mat4x2(0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0);
        m[1] = mat4x2(-0.5, -1.0, -1.5, -2.0, -2.5, -3.0, -3.5, -4.0);
        o = vec4(t[i], m[i > 2 ? 1 : 0][i]);
    """
    artifact, found = _run(body)
    assert _in_memory(artifact) == 10 + 16
    assert found[:, 0].tolist() == _nearest([1.0, 3.0, -5.0, 7.0, 9.0]).tolist()
    assert found[:, 1].tolist() == _nearest([-2.0, 4.0, 6.0, 8.0, 0.5]).tolist()
    signs = np.where(_INDICES > 2, -1.0, 1.0)
    assert found[:, 2].tolist() == (signs * _nearest([0.5, 1.5, 2.5, 3.5])).tolist()
    assert found[:, 3].tolist() == (signs * _nearest([1.0, 2.0, 3.0, 4.0])).tolist()


def test_a_table_stands_beside_arrays_of_uniforms() -> None:
    """The words of both are in one space, and the map tells whose they are."""
    numbers = [2.0, 0.25, -1.0]
    body = "const float t[4] = float[](1.0, 3.0, 2.0, 8.0); o = vec4(t[i] * u[i], u[i], 0.0, 0.0);"
    artifact, found = _run(body, "uniform float u[3];", {"u": numbers})
    assert found[:, 0].tolist() == (_nearest([1.0, 3.0, 2.0, 8.0]) * _nearest(numbers)).tolist()
    assert found[:, 1].tolist() == _nearest(numbers).tolist()
    given = [place.index for binding in artifact.reflection.uniforms for place in binding.locations]
    made = [literal.location.index for literal in artifact.reflection.literals]
    assert sorted(given + made) == list(range(7))
    assert [binding.name for binding in artifact.reflection.uniforms] == ["u"]


def test_a_table_of_more_elements_than_can_be_chosen_between() -> None:
    numbers = [(37 * n) % 101 / 4 for n in range(100)]
    fill = " ".join(f"t[{n}] = {number};" for n, number in enumerate(numbers))
    artifact, found = _run(f"float t[100]; {fill} o = vec4(t[3 * i + 20]);")
    assert _in_memory(artifact) == 100
    assert found[:, 0].tolist() == np.array(numbers)[np.clip(3 * _INDICES + 20, 0, 99)].tolist()


def test_a_table_in_a_skipped_arm_of_a_loop() -> None:
    body = """
        float sum = 0.0;
        for (int k = 0; k < n; k++) {
            const float t[4] = float[](1.0, 3.0, 2.0, 8.0);
            if (x > float(k)) sum += t[k & 3] * t[i & 3];
        }
        o = vec4(sum);
    """
    _, found = _run(body, "uniform int n;", {"n": 11})
    table = np.array([1.0, 3.0, 2.0, 8.0])
    wanted = [sum(table[k & 3] * table[i & 3] for k in range(11) if i > k) for i in _INDICES]
    assert found[:, 0].tolist() == wanted


def test_an_engine_uploads_the_words_with_those_of_uniforms() -> None:
    source = f"{_HEAD} void main() {{ const int t[4] = int[](7, -1, 2, 8); o = vec4(float(t[int(x)])); }}"
    words = (
        Program.of(glslc_multi.compile(source, stage="fragment", target="vc4")).new_values().words("fragment", "buffer")
    )
    assert words[:, 0].tolist() == [7, 0xFFFFFFFF, 2, 8]


@pytest.mark.parametrize("level", [0, 1, 2])
def test_what_is_compiled_at_each_level_is_the_source(level: int) -> None:
    artifact, _, _ = _compile(
        "const float t[4] = float[](1.0, -3.0, 2.0, -0.5); o = vec4(t[i]);", optimisation=level, proof="full"
    )
    assert artifact.stats.verdict is not None
    assert artifact.stats.verdict.outcome == "equal"
