"""Words of the uniform stream that several instructions need in a register are moved there once."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.vc4.codegen import folding

_UNIFORMS = {"k": 0.75, "c": np.array([0.5, 0.25, 1.0, 0.125], "f4"), "d": np.array([0.1, 0.2, 0.3, 0.4], "f4")}


def _compile(colour: str) -> glslc_multi.CompiledShader:
    uniforms = "uniform float k; uniform vec4 c; uniform vec4 d;"
    source = f"precision highp float; {uniforms} void main() {{ gl_FragColor = {colour}; }}"
    return glslc_multi.compile(source, stage="fragment", target="vc4", options={"output": "raw"})


def _moves(colour: str) -> int:
    """How many words of the stream are moved to a register."""
    return _compile(colour).assembly.count("unif, unif")


def _colour(colour: str) -> list[float]:
    return list(_compile(colour).run({}, _UNIFORMS)["gl_FragColor"][0])


@pytest.mark.parametrize("w", [5, 31, 32, 33, 69846, 2**31 + 5])
def test_a_choice_between_two_words_is_no_word(w: int) -> None:
    """Moved, and perhaps replaced after that."""
    source = "uniform uint w; out highp vec4 o; void main() { o = vec4(float(clamp(w, 0u, 32u) & 31u)); }"
    shader = glslc_multi.compile(
        f"#version 300 es\nprecision highp float; {source}", stage="fragment", target="vc4", options={"output": "raw"}
    )
    assert shader.run({}, {"w": np.uint32(w)})["o"][0, 0] == min(w, 32) & 31


def test_a_word_of_several_products_is_moved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _moves("c * k") == 1
    monkeypatch.setattr(folding, "_REACH", 0)
    assert _moves("c * k") == 4


@pytest.mark.parametrize(
    ("colour", "values"),
    [
        ("c * k", [0.375, 0.1875, 0.75, 0.09375]),
        # Which operand is moved does not change which one is subtracted.
        ("c - k", [-0.25, -0.5, 0.25, -0.625]),
        ("k - c", [0.25, 0.5, -0.25, 0.625]),
        ("vec4(c.x - d.x, d.y - c.x, c.x * d.z, max(d.w, c.x))", [0.4, -0.3, 0.15, 0.5]),
        ("vec4(c.x * c.x, c.x - c.y, c.y - c.z, c.z * c.x)", [0.25, 0.25, -0.75, 0.5]),
    ],
)
def test_values(colour: str, values: list[float]) -> None:
    np.testing.assert_allclose(_colour(colour), values, rtol=1e-6)
