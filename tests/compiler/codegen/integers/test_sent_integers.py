"""Ints between linked stages on machines without ints: the vertex stage keeps to what the fragment stage expects."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError

_BOTH = [
    name
    for name in target_names()
    if load_target(name).whole_numbers is not None and {"vertex", "fragment"} <= set(load_target(name).stages)
]
#: Machines whose fragment stage computes with ints.
_TARGETS = [name for name in _BOTH if name != "pica200"]


def _linked(body: str, target: str, *, inexact: bool = False) -> glslc_multi.CompiledProgram:
    vertex = f"#version 300 es\nin int n; in uint u; flat out int v; flat out uint w; void main() {{ {body} }}"
    fragment = (
        "#version 300 es\nprecision highp float; flat in highp int v; flat in highp uint w; out vec4 c;"
        "void main() { c = vec4(v * 200 < 0, w * 200u == 0u, 0, 1); }"
    )
    return glslc_multi.link(vertex, fragment, target=target, inexact_integers=inexact)


def _codes(found: CompileError) -> list[str]:
    return [diagnostic.code for diagnostic in found.diagnostics if diagnostic.severity == "error"]


@pytest.mark.parametrize(
    "body", ["v = n; w = u;", "v = clamp(n * 200, -500, 60000); w = u % 7u;", "v = -n; w = u & 1u;"]
)
@pytest.mark.parametrize("target", _TARGETS)
def test_what_keeps_to_the_promise_is_taken(target: str, body: str) -> None:
    assert _linked(f"{body} gl_Position = vec4(0.0);", target).stages["fragment"].binary


@pytest.mark.parametrize("body", ["v = n * 200; w = u;", "v = n; w = u * 2u;", "v = n; w = u - 1u;"])
@pytest.mark.parametrize("target", _TARGETS)
def test_what_does_not_is_refused(target: str, body: str) -> None:
    """`v * 200` wraps around in the fragment stage, which takes v to be small; u - 1u is 4294967295 for u = 0."""
    with pytest.raises(CompileError) as caught:
        _linked(f"{body} gl_Position = vec4(0.0);", target)
    assert _codes(caught.value) == ["E0718"]


@pytest.mark.parametrize("target", _TARGETS)
def test_ints_of_any_size_may_be_compared_and_converted(target: str) -> None:
    vertex = (
        "#version 300 es\nin vec2 a; flat out int v; flat out uint w; void main() { v = int(a.x); w = uint(a.y);"
        "gl_Position = vec4(0.0); }"
    )
    fragment = (
        "#version 300 es\nprecision highp float; flat in highp int v; flat in highp uint w; out vec4 c;"
        "uniform vec4 k[4]; void main() { c = k[v] + vec4(v > 3, float(w), w == 4u ? v : 2, 1); }"
    )
    assert glslc_multi.link(vertex, fragment, target=target).stages["fragment"].binary
    with pytest.raises(CompileError) as caught:
        glslc_multi.link(vertex, fragment.replace("w == 4u", "(v & 8) == 8"), target=target)
    assert _codes(caught.value) == ["E0718"]


def test_it_can_be_had_with_a_warning() -> None:
    shader = _linked("v = n * 200; w = u; gl_Position = vec4(0.0);", "agal", inexact=True)
    assert [diagnostic.code for diagnostic in shader.diagnostics if diagnostic.code == "W0718"] == ["W0718"]


def test_ints_that_nobody_reads_may_be_of_any_size() -> None:
    vertex = "#version 300 es\nin int n; flat out int v; void main() { v = n * 200; gl_Position = vec4(0.0); }"
    fragment = "#version 300 es\nprecision highp float; out vec4 c; void main() { c = vec4(1.0); }"
    assert glslc_multi.link(vertex, fragment, target="agal").stages["vertex"].binary
