"""Names of the source: values keep them where these can be had, and nothing else changes."""

from __future__ import annotations

import re

import pytest

import glslc_multi

_HEAD = "#version 300 es\nprecision highp float; uniform int n; in vec4 v; out vec4 c;"


def _names(body: str, head: str = "", version: str = "300es") -> list[str]:
    source = f"{_HEAD} {head} void main() {{ {body} }}"
    text = glslc_multi.optimise(source, stage="fragment", version=version, proof="full")
    found = re.findall(r"(?:float|int|vec\d) (\w+) = ", text.partition("void main")[2])
    assert len(set(found)) == len(found)
    return found


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("vec4 light = sin(v); c = light * light;", ["light"]),
        ("float a = sin(v.x), b = cos(v.y); c = vec4(a, b, a, b);", ["a", "b"]),
        ("vec4 light; light = sin(v); c = light * light;", ["light"]),
        ("vec4 light = v; light += v.wzyx; c = light * light;", ["light"]),
        ("vec3 light = sin(v.xyz); light.z *= 2.0; c = vec4(light, light.z);", ["light", "light_0"]),
        ("c = v; for (int i = 0; i < n; i++) c += sin(v * float(i));", ["c_0", "i"]),
        # A part of what a variable gets has no name, nor has what is no variable's.
        ("vec4 light = sin(v) * cos(v.wzyx); c = light * light;", ["light"]),
        ("c = sin(v) * sin(v);", ["t0"]),
        ("c = vec4(sin(v.x)); if (v.y == sin(v.x)) c = v;", ["t0"]),
    ],
)
def test_values_have_the_names_of_their_variables(body: str, names: list[str]) -> None:
    assert _names(body) == names


def test_names_of_functions_that_are_inlined() -> None:
    head = "vec3 twice(vec3 q) { vec3 w = sin(q); return w * w; }"
    assert _names("c = vec4(twice(v.xyz) + twice(v.zyx), 1.0);", head) == ["w", "w_0"]


def test_names_that_have_a_meaning_in_some_version_are_not_taken() -> None:
    # `filter` is reserved in ES 3.00, `noise1` a function in desktop GLSL; macros have the names of their own text.
    assert _names("vec4 noise1 = sin(v); c = noise1 * noise1;") == ["t0"]
    source = (
        "precision highp float; varying vec4 v; void main() { vec4 filter = sin(v); gl_FragColor = filter * filter; }"
    )
    assert "vec4 t0 = sin(v);" in glslc_multi.optimise(source, stage="fragment", version="300es")


def test_components_may_have_the_name_of_a_variable() -> None:
    body = "float x = v.x; float y = v.y; for (int i = 0; i < n; i++) { float t = x; x = y + v.x; y = t * v.y; }"
    assert _names(f"{body} c = vec4(x, y, v.yx);") == ["x", "y", "i", "old0"]
