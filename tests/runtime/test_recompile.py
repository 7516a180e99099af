"""What keeps its registers when a text changes, and what cannot."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.runtime.recompile import recompile
from glslc_multi.runtime.shader import CompiledShader

TARGETS = ("agal", "pica200", "adreno", "xenos")


def _text(declared: str, used: str) -> str:
    """A vertex shader: its uniforms, and what is added of them."""
    return f"attribute vec4 p, q; {declared} void main() {{ gl_Position = p + q + {used}; }}"


def _places(shader: CompiledShader) -> dict[str, set[tuple[str, int]]]:
    bindings = (*shader.reflection.attributes, *shader.reflection.uniforms)
    return {binding.name: {(at.space, at.index) for at in binding.locations} for binding in bindings}


def _again(target: str, before: str, after: str) -> tuple[dict[str, set[tuple[str, int]]], ...]:
    shader = glslc_multi.compile(before, target=target, stage="vertex")
    return _places(shader), _places(recompile(shader, after))


_THREE = _text("uniform vec4 a, b, c;", "a + b + c")


@pytest.mark.parametrize("target", TARGETS)
def test_what_goes_leaves_a_gap(target: str) -> None:
    """The others stay where they were, in whatever order they stand now."""
    before, after = _again(target, _THREE, _text("uniform vec4 c, a;", "c + a"))
    assert after == {name: before[name] for name in "pqac"}


@pytest.mark.parametrize("target", TARGETS)
def test_what_comes_takes_a_gap_or_what_is_free(target: str) -> None:
    before, after = _again(target, _THREE, _text("uniform vec4 d, e, c, a;", "d + e + c + a"))
    assert {name: after[name] for name in "pqac"} == {name: before[name] for name in "pqac"}
    places = [place for found in after.values() for place in found]
    assert len(places) == len(set(places)) == 6


@pytest.mark.parametrize("target", TARGETS)
def test_what_has_grown_moves_and_nothing_else(target: str) -> None:
    """A matrix does not fit where a vector was."""
    before, after = _again(target, _THREE, _text("uniform vec4 a; uniform mat4 b; uniform vec4 c;", "a + b * c"))
    assert {name: after[name] for name in "pqac"} == {name: before[name] for name in "pqac"}
    assert len(after["b"]) == 4 and not after["b"] & (after["a"] | after["c"])


@pytest.mark.parametrize("target", TARGETS)
def test_what_has_shrunk_stays(target: str) -> None:
    whole = _text("uniform mat4 m; uniform vec4 a;", "m * a")
    before, after = _again(target, whole, whole.replace("mat4 m", "vec4 m").replace("m * a", "m + a"))
    assert after["m"] == {min(before["m"])} and after["a"] == before["a"]


@pytest.mark.parametrize("target", ["agal", "adreno"])
def test_what_the_source_says_comes_first(target: str) -> None:
    """Attribute q is given the place that p had: p gives way."""
    text = "attribute vec4 p, q; void main() { gl_Position = p - q; }"
    shader = glslc_multi.compile(text, target=target, stage="vertex")
    ((space, index),) = _places(shader)["p"]
    named = f"#version 330\nlayout(location = {index}) in vec4 q; in vec4 p; void main() {{ gl_Position = p - q; }}"
    found = _places(recompile(shader, named))
    assert found["q"] == {(space, index)} != found["p"]


def test_a_uniform_that_is_an_attribute_now_is_another_variable() -> None:
    text = "attribute vec4 p; uniform vec4 a, b; void main() { gl_Position = p + a + b; }"
    before, after = _again("adreno", text, text.replace("uniform vec4 a, b;", "attribute vec4 a; uniform vec4 b;"))
    assert after["b"] == before["b"] and after["p"] == before["p"]
    assert {space for space, _ in after["a"]} == {space for space, _ in after["p"]}
