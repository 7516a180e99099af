"""What both stages of a pair read: fetch constants, so that a number means one texture, and loop constants."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.backends.xenos_family.machine.fetch import fetches_of
from glslc_multi.backends.xenos_family.target import FamilyTarget
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.textures import Texture

VERTEX = """attribute vec4 p; uniform sampler2D {samplers}; varying vec4 v;
void main() {{ v = {sum}; gl_Position = p; }}"""
FRAGMENT = """precision highp float; varying vec4 v; uniform sampler2D {samplers};
void main() {{ gl_FragColor = v + {sum}; }}"""
#: Samplers of the vertex stage, of the fragment stage, and the numbers that they have.
CASES = [
    ("a", "b", {"a": 1, "b": 0}),
    ("a,b", "b,c", {"a": 2, "b": 0, "c": 1}),
    ("a[2],b", "c,b", {"a": 2, "b": 1, "c": 0}),
    ("a", "a", {"a": 0}),
    ("b,a[3]", "a[3],c[2]", {"a": 0, "b": 5, "c": 3}),
]
TARGETS = ("adreno", "xenos")


def _text(template: str, samplers: str) -> str:
    """A shader that reads every element of its samplers."""
    names = []
    for sampler in samplers.split(","):
        name, _, length = sampler.rstrip("]").partition("[")
        names += [f"{name}[{number}]" for number in range(int(length))] if length else [name]
    return template.format(samplers=samplers, sum=" + ".join(f"texture2D({name}, vec2(0.5))" for name in names))


def _numbers(artifact: Artifact) -> dict[str, int]:
    return {binding.name: binding.locations[0].index for binding in artifact.reflection.samplers}


def _fetched(target: str, artifact: Artifact) -> set[int]:
    """The fetch constants that the words of a program name."""
    machine = load_target(target)
    assert isinstance(machine, FamilyTarget)
    return {row["const_index"] for name, row in fetches_of(machine.unpack(artifact.binary)) if name == "SAMPLE"}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("vertex", "fragment", "numbers"), CASES)
def test_a_number_means_one_texture(target: str, vertex: str, fragment: str, numbers: dict[str, int]) -> None:
    pair = glslc_multi.link(_text(VERTEX, vertex), _text(FRAGMENT, fragment), target=target)
    found: dict[str, int] = {}
    for shader in pair.stages.values():
        own = _numbers(shader.artifact)
        assert all(found.setdefault(name, number) == number for name, number in own.items())
        places = [p.index for binding in shader.reflection.samplers for p in binding.locations]
        assert _fetched(target, shader.artifact) == set(places)
        assert (shader.reflection.limits or {})["samplers"][0] == max(places) + 1
    assert found == numbers


@pytest.mark.parametrize("target", TARGETS)
def test_a_stage_alone_begins_at_0(target: str) -> None:
    shader = glslc_multi.compile(_text(VERTEX, "a,b"), target=target, stage="vertex")
    assert _numbers(shader.artifact) == {"a": 0, "b": 1}


@pytest.mark.parametrize("target", TARGETS)
def test_both_stages_draw_with_their_own_texture(target: str) -> None:
    pair = glslc_multi.link(_text(VERTEX, "a,b"), _text(FRAGMENT, "b,c"), target=target)
    a, b, c = (Texture(np.full((1, 1, 4), level)) for level in (0.125, 0.25, 0.5))
    v = pair.stages["vertex"].run({"p": [[0, 0, 0, 1]]}, textures={"a": a, "b": b})["v"]
    np.testing.assert_array_equal(v, [[0.375] * 4])
    found = pair.stages["fragment"].run({"v": v}, textures={"b": b, "c": c})["gl_FragColor"]
    np.testing.assert_array_equal(found, [[1.125] * 4])


@pytest.mark.parametrize(("target", "limit"), [("adreno", 20), ("xenos", 31)])
def test_both_stages_together_have_as_many_as_one(target: str, limit: int) -> None:
    fragment = _text(FRAGMENT, f"b[{limit - 2}]")
    glslc_multi.link(_text(VERTEX, "a[2]"), fragment, target=target)
    with pytest.raises(CompileError, match=f"needs {limit + 1} samplers, {target} has {limit}"):
        glslc_multi.link(_text(VERTEX, "a[3]"), fragment, target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_a_loop_constant_has_one_count(target: str) -> None:
    vertex = """attribute vec4 p; varying vec4 v; uniform vec4 u;
    void main() { vec4 s = p; for (int i = 0; i < 90; i++) s = fract(s * 1.25 + u); v = s; gl_Position = p; }"""
    fragment = """precision highp float; varying vec4 v; uniform vec4 u;
    void main() { vec4 s = v; for (int i = 0; i < 60; i++) s = fract(s * 1.25 + u);
                  for (int i = 0; i < 70; i++) s = fract(s * 1.5 + u); gl_FragColor = s; }"""
    pair = glslc_multi.link(vertex, fragment, target=target)
    counts: dict[int, int] = {}
    for shader in pair.stages.values():
        for literal in shader.reflection.literals:
            if literal.location.space == "loop":
                assert counts.setdefault(literal.location.index, literal.words[0]) == literal.words[0]
    assert sorted(counts.values()) == [60, 70, 90]
