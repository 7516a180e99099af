"""Drawing: coverage, interpolation, clipping and depth, against what geometry says about each pixel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.meshes import sphere
from glslc_multi.runtime.raster import Array, Frame, Stage, draw, stage_of
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.shader import Engine, compile_shader
from glslc_multi.runtime.textures import Texture
from tests.runtime.test_reference import lowered

SIZE = 32
PASS = Stage(lambda inputs: {"gl_Position": inputs["place"], "v": inputs["v"]}, frozenset({"place", "v"}))
SCREEN = np.array([[-1.0, -1, 0, 1], [1, -1, 0, 1], [1, 1, 0, 1], [-1, 1, 0, 1]])
BOTH = np.array([[0, 1, 2], [0, 2, 3]])


def shown(inputs: Mapping[str, Array], quads: bool = False) -> dict[str, Array]:
    """A fragment shader that shows `v` and counts as covered by its alpha."""
    assert quads and len(inputs["v"]) % 4 == 0
    colour = np.concatenate([inputs["v"], np.ones((len(inputs["v"]), 1))], axis=1)
    return {"gl_FragColor": colour, "discarded": np.zeros(len(colour), np.bool_)}


def picture(place: Any, triangles: Any, v: Any = None, run: Any = shown, **options: Any) -> Frame:
    place = np.asarray(place, dtype=np.float64)
    values = np.zeros((len(place), 3)) if v is None else np.asarray(v, dtype=np.float64)
    fragment = Stage(run, frozenset({"v", "gl_FragCoord", "gl_FrontFacing"}))
    attributes = {"place": place, "v": values}
    return draw(PASS, fragment, attributes, np.asarray(triangles), width=SIZE, height=SIZE, **options)


def test_triangles_that_share_edges_cover_every_pixel_once() -> None:
    """A fan around a corner of the pixel grid: each triangle alone, then the sum."""
    angles = np.linspace(0, 2 * np.pi, 14)[:-1]
    rim = np.stack([3 * np.cos(angles), 3 * np.sin(angles), 0 * angles, 1 + 0 * angles], axis=1)
    place = np.concatenate([[[0, 0, 0, 1]], rim])
    covered = [picture(place, [[0, 1 + k, 1 + (k + 1) % 13]]).colour[:, :, 3] for k in range(13)]
    assert (np.sum(covered, axis=0) == 1).all()


def test_pixel_centres_on_edges_belong_to_one_side() -> None:
    """Edges along the centres of a row and a column."""
    middle = 1.0 / SIZE
    for axis in (0, 1):
        low, high = SCREEN.copy(), SCREEN.copy()
        low[:, axis] = np.where(SCREEN[:, axis] > 0, middle, -1)
        high[:, axis] = np.where(SCREEN[:, axis] > 0, 1, middle)
        parts = [picture(place, BOTH).colour[:, :, 3] for place in (low, high)]
        assert (parts[0] + parts[1] == 1).all()


@pytest.mark.parametrize("triangles", [BOTH, BOTH[:, ::-1]])
def test_pixel_centres_on_edges_belong_to_the_left_and_the_upper_edge(triangles: Array) -> None:
    """A square from the centre of pixel (4, 4) to that of (8, 8)."""
    place = np.array([[x, y, 0, 1] for x, y in ((4.5, 4.5), (8.5, 4.5), (8.5, 8.5), (4.5, 8.5))])
    place[:, :2] = place[:, :2] * 2 / SIZE - 1
    covered = picture(place, triangles).colour[:, :, 3] == 1
    wanted = np.zeros((SIZE, SIZE), np.bool_)
    wanted[5:9, 4:8] = True
    assert (covered == wanted).all()


def test_values_are_linear_in_space_not_on_the_screen() -> None:
    """A floor that goes away from the eye: w is the distance, and the value is where on the floor a ray hits."""
    near, far = 1.0, 4.0
    place = [[-near, -near, 0, near], [near, -near, 0, near], [far, 0, 0, far], [-far, 0, 0, far]]
    frame = picture(place, BOTH, [[near, 0, 0], [near, 0, 0], [far, 0, 0], [far, 0, 0]])
    y = -1 + (np.arange(SIZE // 2) + 0.5) * 2 / SIZE
    # On the screen 1 / w runs linearly from 1 / near at y = -1 to 1 / far at y = 0.
    wanted = 1 / (1 / near + (y + 1) * (1 / far - 1 / near))
    np.testing.assert_allclose(frame.colour[: SIZE // 2, SIZE // 2, 0], wanted, rtol=1e-9)


def test_what_is_behind_the_eye_is_clipped() -> None:
    """The same floor beginning behind the eye shows the same where both are seen."""

    def floor(start: float) -> Frame:
        ends = (start, 4.0)
        place = [[x * 8, -1, w - 1, w] for w in ends for x in (-1, 1)]
        return picture(place, [[0, 1, 3], [0, 3, 2]], [[w, 0, 0] for w in ends for _ in range(2)])

    whole, cut = floor(0.6), floor(-3.0)
    seen = whole.colour[:, :, 3] == 1
    assert seen.any() and (cut.colour[:, :, 3] == 1)[seen].all()
    np.testing.assert_allclose(cut.colour[seen], whole.colour[seen], rtol=1e-9)
    assert not picture([[0, 0, -2, 1], [1, 0, -2, 1], [0, 1, -2, 1]], [[0, 1, 2]]).colour.any()


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_nearest_is_seen_in_whatever_order(order: list[int]) -> None:
    """Two squares that cut each other: one at depth 0, one that leans from -1 to 1 in x."""
    leaning = SCREEN.copy()
    leaning[:, 2] = SCREEN[:, 0] / 2
    squares = [np.array(BOTH), np.array(BOTH) + 4]
    frame = picture(
        np.concatenate([SCREEN, leaning]),
        np.concatenate([squares[k] for k in order]),
        [[1, 0, 0]] * 4 + [[0, 1, 0]] * 4,
    )
    assert (frame.colour[:, : SIZE // 2, 1] == 1).all() and (frame.colour[:, SIZE // 2 :, 0] == 1).all()
    x = -1 + (np.arange(SIZE) + 0.5) * 2 / SIZE
    np.testing.assert_allclose(frame.depth[3], (np.minimum(x / 2, 0) + 1) / 2, atol=1e-12)


def test_discarded_pixels_show_what_is_behind() -> None:
    def holes(inputs: Mapping[str, Array], quads: bool = False) -> dict[str, Array]:
        is_even = np.floor(inputs["gl_FragCoord"][:, 0]) % 2 == 0
        return dict(shown(inputs, quads=quads)) | {"discarded": (inputs["v"][:, 0] == 1) & is_even}

    near = SCREEN - [0, 0, 0.5, 0]
    frame = picture(np.concatenate([near, SCREEN]), [*BOTH, *(BOTH + 4)], [[1, 0, 0]] * 4 + [[0, 1, 0]] * 4, run=holes)
    assert (frame.colour[:, ::2, 1] == 1).all() and (frame.colour[:, 1::2, 0] == 1).all()


def test_culling_and_the_side_that_faces_the_viewer() -> None:
    turned = BOTH[:, ::-1]
    assert picture(SCREEN, BOTH, cull="back").colour.any() and not picture(SCREEN, turned, cull="back").colour.any()
    assert picture(SCREEN, turned, cull="front").colour.any() and not picture(SCREEN, BOTH, cull="front").colour.any()


FRAGMENT = """
#extension GL_OES_standard_derivatives : require
precision highp float;
varying vec3 v;
void main() { gl_FragColor = vec4(dFdx(v.x), dFdy(v.x), v.z, 1.0); }
"""


def test_derivatives_at_the_edges_of_triangles() -> None:
    """Helper pixels continue the plane, so that derivatives are the same up to the edge."""
    module = lowered(FRAGMENT, "fragment")

    def run(inputs: Mapping[str, Array], quads: bool = False) -> dict[str, Array]:
        return run_module(module, {"v": inputs["v"]}, {}, quads=quads)

    place = [[-0.9, -0.8, 0, 1], [0.7, -0.5, 0, 1], [-0.1, 0.9, 0, 1]]
    values = [[3 * x + 5 * y, 0, 1] for x, y, _, _ in place]
    frame = picture(place, [[0, 1, 2]], values, run=run)
    seen = frame.colour[:, :, 3] == 1
    np.testing.assert_allclose(frame.colour[seen][:, 0], 3 * 2 / SIZE, rtol=1e-3)
    np.testing.assert_allclose(frame.colour[seen][:, 1], 5 * 2 / SIZE, rtol=1e-3)


def test_bytes_have_the_top_row_first() -> None:
    frame = Frame(np.array([[[0.0, 0, 0, 1]], [[1.5, 0.5, -1, 1]]]), np.zeros((2, 1)))
    assert frame.to_bytes().tolist() == [[[255, 128, 0, 255]], [[0, 0, 0, 255]]]


LIT_VERTEX = """
uniform struct Light { vec3 direction; float ambient; } light;
attribute vec3 position;
attribute vec3 normal;
attribute vec2 uv;
varying float v_light;
varying vec2 v_uv;
void main() {
    v_light = light.ambient + max(dot(normal, light.direction), 0.0);
    v_uv = uv;
    gl_Position = vec4(position.xy, -position.z * 0.5, 1.0);
}
"""
LIT_FRAGMENT = """
precision mediump float;
uniform sampler2D u_map;
uniform vec3 u_tints[2];
varying float v_light;
varying vec2 v_uv;
void main() { gl_FragColor = vec4(texture2D(u_map, v_uv).rgb * u_tints[1] * v_light, 1.0); }
"""


def test_compiled_shaders_draw_the_same_on_every_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "")
    vertex, fragment = (
        compile_shader(make_source(text, "test", stage), load_target("agal"), Request())
        for text, stage in ((LIT_VERTEX, "vertex"), (LIT_FRAGMENT, "fragment"))
    )
    uniforms = {"light": {"direction": [0, 0, 1], "ambient": 0.25}, "u_tints[0]": [9, 9, 9], "u_tints[1]": [1, 0.5, 1]}
    textures = {"u_map": Texture(np.full((1, 1, 3), 0.5))}
    mesh = sphere()
    attributes = {"position": mesh.position, "normal": mesh.normal, "uv": mesh.uv}
    engines: tuple[Engine, ...] = ("reference", "jit")
    frames = [
        draw(
            stage_of(vertex, engine, uniforms),
            stage_of(fragment, engine, uniforms, textures),
            attributes,
            mesh.triangles,
            width=SIZE,
            height=SIZE,
        )
        for engine in engines
    ]
    np.testing.assert_array_equal(frames[0].colour, frames[1].colour)
    # The middle of the sphere faces the light; beside it nothing is drawn.
    np.testing.assert_allclose(frames[0].colour[SIZE // 2, SIZE // 2], np.array([1, 0.5, 1, 1.6]) * 0.625, atol=5e-3)
    assert not frames[0].colour[0, 0].any()


def test_flat_values_are_those_of_the_last_vertex() -> None:
    """A triangle whose corners differ has one colour: the int of its third vertex; the host gives a block as bytes."""
    vertex = """#version 300 es
        in vec4 place; in int number; flat out int shade;
        void main() { gl_Position = place; shade = number; }"""
    fragment = """#version 300 es
        precision highp float;
        flat in highp int shade; uniform Scale { float unit; };
        out vec2 colour;
        void main() { colour = vec2(float(shade) * unit, 0.5); }"""
    target = load_target("vc4")
    stages = [
        compile_shader(make_source(text, f"a.{suffix}"), target, Request())
        for text, suffix in ((vertex, "vert"), (fragment, "frag"))
    ]
    uniforms = {"Scale": np.array([0.25, 0, 0, 0], "<f4").tobytes()}
    first, second = (stage_of(stage, "reference", uniforms) for stage in stages)
    frame = draw(first, second, {"place": SCREEN, "number": np.array([4, 3, 2, 1])}, BOTH, width=8, height=8)
    assert frame.colour[0, 7].tolist() == [0.5, 0.5, 0, 1]
    assert frame.colour[7, 0].tolist() == [0.25, 0.5, 0, 1]


def test_a_rasteriser_may_change_values_at_the_corners() -> None:
    """Values that are limited before they are interpolated: not the same as after."""
    values = np.array([[4.0, -1, 0], [0.0, -1, 0], [0.0, -1, 0], [4.0, -1, 0]])
    fragment = Stage(shown, frozenset({"v"}), at_corners={"v": lambda corners: np.minimum(np.abs(corners), 1.0)})
    attributes = {"place": SCREEN, "v": values}
    found = draw(PASS, fragment, attributes, BOTH, width=SIZE, height=SIZE).colour
    np.testing.assert_allclose(found[5, :, 0], 1 - (np.arange(SIZE) + 0.5) / SIZE)
    assert (found[:, :, 1] == 1).all()


def test_compiled_stages_have_the_rasteriser_of_their_target() -> None:
    text = "precision mediump float; varying vec4 v_color; void main() { gl_FragColor = v_color; }"
    target = load_target("vc4")
    shader = compile_shader(make_source(text, "a.frag"), target, Request())
    found = stage_of(shader, "simulator", {}).at_corners
    assert found.keys() == {"v_color"}
    corners = np.ones((1, 3, 4))
    assert found["v_color"](corners) is corners
    assert not stage_of(shader, "reference", {}).at_corners


@pytest.mark.parametrize(("z", "is_seen"), [(1.0, True), (1.001, False), (-1.0, True)])
def test_what_lies_on_the_far_plane_is_seen_where_the_shader_says_another_depth(z: float, is_seen: bool) -> None:
    """OpenGL ES 2.0 section 2.13: the volume is closed; by its own depth, 1, no pixel is nearer than the frame's."""

    def nearer(inputs: Mapping[str, Array], quads: bool = False) -> dict[str, Array]:
        return shown(inputs, quads) | {"gl_FragDepthEXT": np.full(len(inputs["v"]), 0.5)}

    place = SCREEN.copy()
    place[:, 2] = z
    # At the near plane itself nothing is inside of it.
    place[:, 2] += 1e-9 if z == -1.0 else 0.0
    assert (picture(place, BOTH, run=nearer).colour[:, :, 3] == is_seen).all()
