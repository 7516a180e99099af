"""Compiled shaders: what they compute, by numpy; which tokens they are; what is refused, and how."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.agal.isa.validate import validate, validate_pair
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_program
from glslc_multi.frontends.registry import make_source
from tests.backends.agal.compiled import LANES, build, compiled, dyadic, mnemonics, refusal, run

LIGHT = """
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec2 a_place;
uniform mat4 u_matrix;
uniform mat3 u_turn;
varying vec3 v_normal;
varying vec2 v_place;
void main() {
    v_normal = u_turn * a_normal;
    v_place = a_place;
    gl_Position = u_matrix * vec4(a_position, 1.0);
}
"""


def test_matrices_are_uploaded_by_rows() -> None:
    shader = build(LIGHT, "vertex")
    position, normal, place = dyadic(1, LANES, 3), dyadic(2, LANES, 3), dyadic(3, LANES, 2)
    matrix, turn = dyadic(4, 4, 4), dyadic(5, 3, 3)
    found = run(
        shader,
        {"a_position": position, "a_normal": normal, "a_place": place},
        {"u_matrix": matrix, "u_turn": turn},
    )
    homogeneous = np.concatenate([position, np.ones((LANES, 1))], axis=1)
    assert np.array_equal(found["gl_Position"], homogeneous @ matrix.T)
    assert np.array_equal(found["v_normal"], normal @ turn.T)
    assert np.array_equal(found["v_place"], place)
    whole, part = shader.artifact.reflection.uniforms
    assert [(at.index, at.column, at.transform) for at in whole.locations] == [(n, n, "transpose") for n in range(4)]
    assert [at.index for at in part.locations] == [4, 5, 6]


def test_an_attribute_has_one_in_its_missing_last_component() -> None:
    assert sorted(mnemonics(compiled(LIGHT, "vertex"))) == ["m33", "m44", "mov", "mov"]


def test_a_matrix_turns_directions_in_one_token() -> None:
    source = """
    attribute vec3 a_normal;
    uniform mat4 u_model;
    varying vec3 v_normal;
    void main() { v_normal = (u_model * vec4(a_normal * 2.0, 0.0)).xyz; gl_Position = vec4(0.0); }
    """
    shader = build(source, "vertex")
    normal, model = dyadic(1, LANES, 3), dyadic(2, 4, 4)
    found = run(shader, {"a_normal": normal}, {"u_model": model})
    assert np.array_equal(found["v_normal"], 2 * normal @ model[:3, :3].T)
    assert "m33" in mnemonics(shader.artifact)


def test_the_second_of_two_matrices_stays_in_columns() -> None:
    source = """
    attribute vec4 a_position;
    uniform mat4 u_projection, u_model;
    void main() { mat4 both = u_projection * u_model; gl_Position = both * a_position + both[1]; }
    """
    shader = build(source, "vertex")
    position, first, second = dyadic(1, LANES, 4), dyadic(2, 4, 4), dyadic(3, 4, 4)
    found = run(shader, {"a_position": position}, {"u_projection": first, "u_model": second})
    both = first @ second
    assert np.allclose(found["gl_Position"], position @ both.T + both[:, 1])
    # Each column of the product is one m44; putting columns together from rows takes a dozen more.
    assert mnemonics(shader.artifact).count("m44") >= 4 and len(mnemonics(shader.artifact)) <= 16


def test_a_chain_of_matrices_is_a_token_for_each() -> None:
    source = """
    attribute vec4 a_position;
    uniform mat4 u_projection, u_model;
    void main() { gl_Position = u_projection * u_model * a_position; }
    """
    shader = build(source, "vertex")
    position, first, second = dyadic(1, LANES, 4), dyadic(2, 4, 4), dyadic(3, 4, 4)
    found = run(shader, {"a_position": position}, {"u_projection": first, "u_model": second})
    assert np.allclose(found["gl_Position"], position @ second.T @ first.T)
    assert mnemonics(shader.artifact) == ["m44", "m44"]


def test_two_constants_never_meet() -> None:
    source = """
    precision highp float;
    uniform vec4 u_a; uniform vec4 u_b;
    void main() { gl_FragColor = u_a * u_b + sqrt(u_a) - u_b * u_b; }
    """
    shader = build(source, "fragment")
    a, b = np.abs(dyadic(1, 4)), dyadic(2, 4)
    expected = np.tile(a * b + np.sqrt(a) - b * b, (LANES, 1))
    assert np.allclose(run(shader, {}, {"u_a": a, "u_b": b})["gl_FragColor"], expected, rtol=1e-6, atol=1e-6)
    assert validate(shader.artifact.binary, "fragment") == []


def test_a_pair_is_linked() -> None:
    fragment = """
    precision highp float;
    varying vec2 v_place;
    varying vec3 v_normal;
    void main() { gl_FragColor = vec4(v_normal * v_place.x, v_place.y); }
    """
    sources = make_source(LIGHT, "a.vert", "vertex"), make_source(fragment, "a.frag", "fragment")
    stages = compile_program(*sources, load_target("agal"), Request(), DiagnosticSink()).stages
    assert validate_pair(stages["vertex"].binary, stages["fragment"].binary) == []
    places = [
        {binding.name: binding.locations[0].index for binding in stages[stage].reflection.varyings}
        for stage in ("vertex", "fragment")
    ]
    assert places[0] == places[1] == {"v_place": 0, "v_normal": 1}


def test_literals_fill_free_components_when_asked() -> None:
    source = "precision highp float; uniform vec3 u; void main() { gl_FragColor = vec4(u, 0.5); }"
    apart, packed = (compiled(source, "fragment", agal_pack_literals=value) for value in (False, True))
    assert [literal.location.index for literal in apart.reflection.literals] == [1]
    assert [(at.location.index, at.location.components) for at in packed.reflection.literals] == [(0, "w")]
    found = run(build(source, "fragment", agal_pack_literals=True), {}, {"u": [1, 2, 3]})["gl_FragColor"]
    assert np.array_equal(found, np.tile([1, 2, 3, 0.5], (LANES, 1)))


def test_colours_up_to_the_last_one_are_written() -> None:
    source = """
    #extension GL_EXT_draw_buffers : enable
    precision highp float;
    void main() { gl_FragData[1] = vec4(1.0, 2.0, 3.0, 4.0); }
    """
    artifact = compiled(source, "fragment", agal_version=2)
    assert mnemonics(artifact) == ["mov", "mov"]


@pytest.mark.parametrize(
    ("source", "stage", "options", "message", "help"),
    [
        (
            "#extension GL_OES_standard_derivatives : enable\nprecision highp float; varying float v;"
            "void main() { gl_FragColor = vec4(dFdx(v)); }",
            "fragment",
            {},
            "derivatives in version 1",
            "--agal-version 2",
        ),
        (
            "precision highp float; varying float v; void main() {"
            "float s = v; while (s < 8.0) s = s * 2.0 + v; gl_FragColor = vec4(s); }",
            "fragment",
            {"agal_version": 3},
            "a loop that is not unrolled",
            "let --agal-loop-limit N end it",
        ),
        (
            "precision highp float; uniform vec4 u[40]; varying float v; void main() {"
            "vec4 s = vec4(0.0); for (int i = 0; i < 40; i++) s += u[i] * v; gl_FragColor = s; }",
            "fragment",
            {},
            "needs 40 constant registers, agal 1 has 28",
            "--agal-version 2 would do",
        ),
        (
            "attribute vec4 a; uniform sampler2D s; void main() { gl_Position = texture2D(s, a.xy); }",
            "vertex",
            {},
            "texture lookups in vertex shaders",
            "fragment shader",
        ),
    ],
)
def test_refusals(source: str, stage: str, options: dict[str, object], message: str, help: str) -> None:
    found = refusal(source, stage, **options)
    assert message in found.message
    assert help in (found.help or "")
    assert found.span is not None


def test_the_map_of_glsl2agal() -> None:
    keys = compiled(LIGHT, "vertex").map_keys
    assert keys["varnames"] == {
        "a_position": "va0",
        "a_normal": "va1",
        "a_place": "va2",
        "u_matrix": "vc0",
        "u_turn": "vc4",
        "v_normal": "v0",
        "v_place": "v1",
        "gl_Position": "op",
    }
    assert keys["types"]["vc4"] == "mat3"  # type: ignore[index]
    assert "m44 op" in str(keys["agalasm"])


INSTANCED = """#extension GL_EXT_draw_instanced : require
attribute vec4 a_position;
uniform mat4 u_places[3];
uniform vec4 u_colours[6];
varying vec4 v_colour;
void main() {
    v_colour = u_colours[gl_InstanceIDEXT * 2 + 1] * float(gl_InstanceIDEXT);
    gl_Position = u_places[gl_InstanceIDEXT] * a_position;
}
"""


def test_the_number_of_the_instance() -> None:
    shader = build(INSTANCED, "vertex", agal_version=3)
    position, places, colours = dyadic(1, LANES, 4), dyadic(2, 3, 4, 4), dyadic(3, 6, 4)
    number = np.arange(LANES) % 3
    found = run(
        shader,
        {"a_position": position, "gl_InstanceIDEXT": number},
        {"u_places": places.transpose(0, 2, 1).ravel(), "u_colours": colours.ravel()},
    )
    assert np.array_equal(found["gl_Position"], np.einsum("lij,lj->li", places[number], position))
    assert np.array_equal(found["v_colour"], colours[number * 2 + 1] * number[:, None])
    (binding,) = shader.artifact.reflection.inputs
    assert (binding.name, binding.locations[0].space) == ("gl_InstanceIDEXT", "iid")


@pytest.mark.parametrize("version", [1, 2])
def test_the_number_of_the_instance_needs_version_3(version: int) -> None:
    refused = refusal(INSTANCED.replace("u_places[gl_InstanceIDEXT]", "u_places[0]"), "vertex", agal_version=version)
    assert "before version 3" in refused.message
    assert refused.help is not None and "--agal-version 3" in refused.help


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("opt", [0, 2])
def test_depth_and_several_colours(version: int, opt: int) -> None:
    source = """#extension GL_EXT_frag_depth : require
    #extension GL_EXT_draw_buffers : require
    precision highp float;
    varying vec4 v;
    void main() {
        gl_FragDepthEXT = v.x * 0.5 + v.y;
        for (int i = 0; i < 4; i++) gl_FragData[i] = v * float(i);
        if (v.z > 0.0) gl_FragData[2] = v.wzyx;
    }"""
    v = dyadic(6, LANES, 4)
    found = run(build(source, "fragment", opt=opt, agal_version=version), {"v": v}, {})
    assert np.array_equal(found["gl_FragDepthEXT"], v[:, 0] * 0.5 + v[:, 1])
    colours = np.stack([v * number for number in range(4)], axis=1)
    colours[v[:, 2] > 0, 2] = v[v[:, 2] > 0, ::-1]
    assert np.array_equal(found["gl_FragData"], colours)
