"""Ints are right up to 2^14 - 1, of uniforms between -2^10 and 2^10; what may be larger is refused."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi

_SHADER = """#version 300 es
precision highp float;
uniform int n;
out vec4 colour;
void main() {{ int r = {}; colour = vec4({}, 0.0, 0.0, 1.0); }}"""


@pytest.mark.parametrize(
    ("expression", "n", "value"),
    [("n * 15 + 1023", 1024, 16383), ("n * -15 - 1023", 1024, -16383), ("n * 15", -1024, -15360)],
)
def test_the_largest_that_is_exact(expression: str, n: int, value: int) -> None:
    made = glslc_multi.compile(_SHADER.format(expression, f"float(r == {value})"), target="theia", stage="fragment")
    for given, expected in ((n, 1.0), (n - 1 if n > 0 else n + 1, 0.0)):
        found = made.run({}, {"n": given})["colour"]
        assert np.abs(found[:, 0] - expected).max() < 0.01


@pytest.mark.parametrize("expression", ["n * 15 + 1024", "n * -16", "n * 31", "n * n"])
def test_one_more_is_refused(expression: str) -> None:
    with pytest.raises(glslc_multi.CompileError) as raised:
        glslc_multi.compile(_SHADER.format(expression, "float(r)"), target="theia", stage="fragment")
    assert [each.entry.code for each in raised.value.diagnostics] == ["E0715"]
