"""Variables of phis: shared where nothing is lost, which is compared with the source each time."""

from __future__ import annotations

import re

import pytest

import glslc_multi
from glslc_multi.backends.glsl import webs

_HEAD = "#version 300 es\nprecision highp float; uniform int n; uniform sampler2D s; in vec4 v; out vec4 c;"


def _written(body: str) -> str:
    source = f"{_HEAD} void main() {{ {body} }}"
    return glslc_multi.optimise(source, stage="fragment", proof="full").partition("void main")[2]


@pytest.mark.parametrize(
    ("body", "variables"),
    [
        # What a loop changes in some rounds only has one variable.
        ("c = v; for (int i = 0; i < n; i++) { if (c.x > 0.5) c = texture(s, c.xy); }", 1),
        # So has what nested loops change.
        ("c = v; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c += sin(c * float(i + j));", 1),
        # The value before the round is wanted after the change.
        ("c = v; vec4 o = v; for (int i = 0; i < n; i++) { o = c; c += sin(c); } c += o;", 2),
        ("vec4 a = v; vec4 b = v.wzyx; for (int i = 0; i < n; i++) { vec4 t = a; a = b; b = t; } c = a - b * b;", 2),
        ("vec4 a = v; c = v; for (int i = 0; i < n; i++) { if (a.x > 0.5) { c += a; a = cos(c); } else c -= a; }", 2),
        (
            "vec2 a = v.xy; vec2 b = v.zw;"
            "for (int i = 0; i < n; i++) { if (a.x > b.x) { vec2 t = a; a = b; b = sin(t); } }"
            "c = vec4(a, b);",
            2,
        ),
    ],
)
def test_as_few_variables_as_there_are_values(body: str, variables: int) -> None:
    assert len(set(re.findall(r"^    vec[24] (\w+) = ", _written(body), re.MULTILINE))) == variables


def test_what_interferes_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "c = v; for (int i = 0; i < n; i++) { vec4 t = c; if (c.y > 0.5) c = texture(s, c.xy); c += t; }"
    assert "c_1" in _written(body)
    monkeypatch.setattr(webs, "_interfere", lambda one, other, live: one.block is other.block)
    with pytest.raises(glslc_multi.CompileError, match="E0960"):
        _written(body)
