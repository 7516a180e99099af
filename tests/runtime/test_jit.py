"""The jit engine on GLSL: names in, names out, the same as the reference engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.native.compile import compile_module
from glslc_multi.runtime.jit import run_program
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.textures import Texture
from tests.runtime.test_reference import FRAGMENT, VERTEX, lowered


@pytest.fixture(autouse=True)
def no_cache_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "")


@pytest.mark.parametrize("lanes", [1, 5, 16, 33])
def test_a_vertex_shader(lanes: int) -> None:
    random = np.random.default_rng(3)
    inputs = {"a_position": random.normal(size=(lanes, 3)), "a_unused": np.zeros((lanes, 2))}
    lights = [{"position": [9, 9, 9], "weights": [9, 0.5]}, {"position": [1, 2, 3], "weights": [9, 9]}]
    uniforms = {"lights": lights, "basis": random.normal(size=(3, 3)), "mirrored": 1, "never": 4}
    module = lowered(VERTEX, "vertex")
    found, wanted = run_program(compile_module(module), inputs, uniforms), run_module(module, inputs, uniforms)
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        np.testing.assert_array_equal(found[name], value)


def test_a_program_runs_again_and_again() -> None:
    program = compile_module(lowered(FRAGMENT, "fragment"))
    for level in (0.25, 0.5):
        textures = {"u_maps": [Texture(np.full((1, 1, 4), level)), Texture(np.full((1, 1, 3), level))]}
        found = run_program(program, {"v_uv": [[0, 0], [1, 0]]}, {}, textures)
        assert found["discarded"].tolist() == [False, True]
        assert found["gl_FragColor"][0].tolist() == [2 * level] * 3 + [1 + level]


def test_missing_values_are_errors_unless_filled() -> None:
    program = compile_module(lowered(FRAGMENT, "fragment"))
    with pytest.raises(CompileError, match="varying 'v_uv' is read but was given no value"):
        run_program(program, {}, {})
    with pytest.raises(CompileError, match="sampler 'u_maps' is read but was given no value"):
        run_program(program, {"v_uv": [[0, 0]]}, {})
    assert run_program(program, {}, {}, fill=True)["gl_FragColor"].tolist() == [[0, 0, 0, 2]]


ENDLESS = "attribute float a; void main() { float x = a; while (x < 1.0) x *= 0.5; gl_Position = vec4(x); }"


def test_endless_loops_end_at_their_place() -> None:
    program = compile_module(lowered(ENDLESS, "vertex"))
    assert run_program(program, {"a": [1, 2]}, {})["gl_Position"][1].tolist() == [2] * 4
    with pytest.raises(CompileError, match="did not finish within 1000 steps") as caught:
        run_program(program, {"a": [2, 0.5]}, {}, max_steps=1000)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None and diagnostic.span.line == 1


#: An exit from a loop that lanes take in different rounds, and a branch on a value from the last round.
LEAVES_LATE = """
attribute float a;
uniform float u_step;
varying float v;
void main() {
    float i = 0.0;
    for (int k = 0; ; ++k) {
        i += u_step;
        if (i > a) { if (u_step > 0.5) break; }
    }
    v = i;
    if (i > 3.0) { float s = 0.0; for (int k = 0; k < 400; ++k) s += a; v += s; }
    gl_Position = vec4(i);
}
"""


def test_lanes_that_leave_a_loop_late_keep_their_own_values() -> None:
    a: Any = np.arange(40.0) / 4
    module = lowered(LEAVES_LATE, "vertex")
    found = run_program(compile_module(module), {"a": a}, {"u_step": 1})
    rounds = np.floor(a) + 1
    assert found["gl_Position"][:, 0].tolist() == rounds.tolist()
    assert found["v"].tolist() == np.where(rounds > 3, rounds + 400 * a, rounds).tolist()
