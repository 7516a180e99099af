"""Default values by names: matrices that belong together, and the meanings of names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.preview_defaults import attribute_source, uniforms_of


def module(declaration: str, use: str) -> Module:
    text = f"attribute vec4 p; {declaration}; void main() {{ gl_Position = p + vec4({use}); }}"
    return lower_source(make_source(text, "a.vert", "vertex"), FrontEndOptions(), DiagnosticSink())


def default(type_: str, name: str, width: int = 64, height: int = 64) -> Any:
    component = "" if type_ == "float" else "[0][0]" if type_.startswith("mat") else ".x"
    (value,) = uniforms_of([module(f"uniform {type_} {name}", name + component)], width, height).values()
    return value


def matrix(name: str, size: int = 4, **window: int) -> Array:
    return np.array(default(f"mat{size}", name, **window))


def test_the_normal_matrix_turns_and_the_others_turn_with_it() -> None:
    turned = matrix("u_normalMatrix", 3)
    np.testing.assert_allclose(turned @ turned.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turned) == pytest.approx(1)
    eye = matrix("u_modelView")
    np.testing.assert_allclose(eye[:3, :3], turned)
    assert eye[3].tolist() == [0, 0, 0, 1] and eye[2, 3] < 0
    np.testing.assert_allclose(matrix("u_mvp"), matrix("u_projection") @ eye)
    assert matrix("u_model").tolist() == np.eye(4).tolist()


def test_what_is_seen_is_a_little_from_above_and_from_the_side() -> None:
    """The y axis still points up, and towards the eye; so does the x axis, to the right."""
    x, y, _ = matrix("u_normalMatrix", 3).T
    assert y[1] > abs(y[2]) > 0 < y[2]
    assert x[0] > abs(x[2]) > 0


@pytest.mark.parametrize(("width", "height"), [(64, 64), (128, 64), (64, 128)])
def test_the_projection_has_its_planes_at_1_and_20(width: int, height: int) -> None:
    """And an angle of 40 degrees along the shorter side."""
    projection = matrix("u_projection", width=width, height=height)
    half = np.tan(np.radians(20))
    for distance, depth in ((1.0, -1.0), (20.0, 1.0)):
        reach = half * distance * np.array([width, height]) / min(width, height)
        x, y, z, w = projection @ [*reach, -distance, 1.0]
        np.testing.assert_allclose([x / w, y / w, z / w, w], [1, 1, depth, distance])


@pytest.mark.parametrize(
    ("names", "value"),
    [
        ("u_shininess glossiness exponent", 24),
        ("reach u_radius", 8),
        ("u_time phase scroll", 0),
        ("threshold u_cutoff", 0.5),
        ("u_near fogStart", 1),
        ("u_far fogEnd", 20),
        ("density", 0.1),
        ("amount", 1),
    ],
)
def test_numbers_by_their_names(names: str, value: float) -> None:
    assert [default("float", name) for name in names.split()] == [value] * len(names.split())


def test_vectors_by_their_names() -> None:
    assert default("vec2", "u_resolution") == [256, 256]
    assert default("vec2", "u_texelSize") == [256, 256]
    assert default("vec2", "u_texel") == [1 / 32] * 2
    x, y, z = default("vec3", "u_lightDirection")
    assert min(x, y, z) > 0
    assert default("vec3", "u_lightColor") == default("vec3", "u_diffuseLight")
    assert default("vec3", "u_eye")[2] == -matrix("u_view")[2, 3]
    assert len({tuple(default("vec3", name)) for name in ("ambient", "specular", "u_tint", "fogColour", "other")}) == 4


@pytest.mark.parametrize(
    ("name", "source"),
    [
        *(("a_normal", "normal"), ("a_texCoord0", "uv"), ("uv", "uv"), ("st", "uv"), ("a_color", "colour")),
        *(("clr", "colour"), ("a_position", "position"), ("vertex", "position")),
        *(("aVertexPosition", "position"), ("aVertexTexture", "uv"), ("anything", "position")),
        *(("weights", (1, 0, 0, 0)), ("boneIndices", (0, 0, 0, 0)), ("a_tangent", (1, 0, 0, 1))),
    ],
)
def test_attributes_by_their_names(name: str, source: object) -> None:
    made = module(f"attribute vec4 {name}", name)
    assert attribute_source(made.variables[name]) == source


_COLOURS = "u_ambient specular lightColor diffuseLight tint colour color albedo baseTint fogColour"


@pytest.mark.parametrize("name", _COLOURS.split())
def test_colours_are_opaque_and_shown_as_they_are(name: str) -> None:
    """Each component is what a screen can show, and none is black."""
    found = default("vec4", name)
    assert len(found) == 4 and found[3] == 1
    assert all(0 < component <= 1 for component in found)


@pytest.mark.parametrize("name", "normal u_normalMatrix inverseTranspose".split())
def test_matrices_of_normals_have_no_place(name: str) -> None:
    found = matrix(name, 4)
    assert found[3].tolist() == [0, 0, 0, 0] and found[:3, 3].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("names", "same_as"),
    [
        ("u_mvp modelViewProj modelview_projection worldViewProj viewProjection camera anything", "u_mvp"),
        ("modelView worldview mv", "u_modelView"),
        ("proj u_projection", "u_projection"),
        ("view u_view", "u_modelView"),
        ("bone joint palette skin texture uv shadow model world object", "u_model"),
    ],
)
def test_matrices_by_their_names(names: str, same_as: str) -> None:
    for name in names.split():
        assert matrix(name).tolist() == matrix(same_as).tolist()


def test_elements_of_arrays_have_values_of_their_own_names() -> None:
    """Of an array of matrices all are the identity, whatever they are called."""
    assert uniforms_of([module("uniform mat2 u_mvp[2]", "u_mvp[1][0][0]")], 8, 8) == {
        "u_mvp[0]": [[1, 0], [0, 1]],
        "u_mvp[1]": [[1, 0], [0, 1]],
    }
    assert uniforms_of([module("uniform float u_radius[3]", "u_radius[2]")], 8, 8) == {
        f"u_radius[{n}]": 8 for n in range(3)
    }
    parts = "struct Part { vec3 amount; float radius[2]; }; uniform Part u_parts[2]"
    found = uniforms_of([module(parts, "u_parts[1].radius[1] + u_parts[0].amount.x")], 8, 8)
    radii = {f"u_parts[{n}].radius[{m}]": 8 for n in range(2) for m in range(2)}
    assert {name: value for name, value in found.items() if "radius" in name} == radii
    assert {name for name in found if "radius" not in name} == {"u_parts[0].amount", "u_parts[1].amount"}


def test_depths_go_from_0_to_1() -> None:
    made = module("uniform float u_one", "gl_DepthRange.near + gl_DepthRange.far * gl_DepthRange.diff")
    wanted = {"gl_DepthRange.near": 0, "gl_DepthRange.far": 1, "gl_DepthRange.diff": 1}
    assert uniforms_of([made], 8, 8) == wanted


def test_smaller_vectors_and_larger_ones_of_one_number() -> None:
    assert default("vec2", "u_shininess") == [24, 24]
    assert default("vec4", "u_radius") == [8, 8, 8, 8]
    assert default("vec4", "u_lightDirection")[3] == 0


def test_what_has_a_value_by_itself_is_given_none() -> None:
    text = "#version 330\nin vec4 p; uniform float a = 2.0; uniform float b; void main() { gl_Position = p * a * b; }"
    made = lower_source(make_source(text, "a.vert", "vertex"), FrontEndOptions(), DiagnosticSink())
    assert set(uniforms_of([made], 8, 8)) == {"b"}
