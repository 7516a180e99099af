"""Reflections, distances and truncated numbers are recognised, and what is written of them says the same."""

from __future__ import annotations

import pytest

import glslc_multi


def _line(expression: str) -> str:
    """The last line that is written of a colour, after it has been compared with the source."""
    body = f"out vec4 c; void main() {{ c = vec4({expression}); }}"
    source = f"#version 300 es\nprecision highp float; in vec3 v; in vec3 n; {body}"
    text = glslc_multi.optimise(source, stage="fragment", proof="full")
    return text.splitlines()[-2].strip()


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("reflect(v, n), 1.0", "reflect(v, n), 1.0"),
        ("reflect(-v, n), 1.0", "reflect(-v, n), 1.0"),
        # The sign of the normal does not matter.
        ("reflect(v, -n), 1.0", "reflect(v, n), 1.0"),
        ("reflect(-v, -n), 1.0", "reflect(-v, n), 1.0"),
        ("v - 2.0 * dot(v, n) * n, 1.0", "reflect(v, n), 1.0"),
        ("length(v - n), v", "distance(v, n), v"),
        ("mix(floor(v), ceil(v), lessThan(v, vec3(0.0))), 1.0", "trunc(v), 1.0"),
    ],
)
def test_functions_are_found_again(expression: str, written: str) -> None:
    assert _line(expression) == f"c = vec4({written});"


@pytest.mark.parametrize(
    "expression",
    [
        "v - 3.0 * dot(v, n) * n, 1.0",
        "v + 2.0 * dot(v, n) * n, 1.0",
        "v - 2.0 * dot(v, n) * v, 1.0",
        "v - 2.0 * dot(v, v) * n, 1.0",
        "-v - 2.0 * dot(v, n) * n, 1.0",
        "length(v + n), v",
        "mix(ceil(v), floor(v), lessThan(v, vec3(0.0))), 1.0",
        "mix(floor(v), ceil(v), lessThan(v, vec3(0.0, 0.0, 1.0))), 1.0",
        "mix(floor(v), ceil(n), lessThan(v, vec3(0.0))), 1.0",
    ],
)
def test_what_is_none_stays(expression: str) -> None:
    line = _line(expression)
    assert not any(name in line for name in ("reflect", "distance", "trunc"))


def test_exact_results_stay() -> None:
    source = "#version 120\ninvariant gl_Position; attribute vec3 v; attribute vec3 n;"
    body = "void main() { gl_Position = vec4(v - 2.0 * dot(v, n) * n, length(v - n)); }"
    text = glslc_multi.optimise(f"{source} {body}", stage="vertex")
    assert "reflect" not in text and "distance" not in text
