"""Whole programs: vertex shader, rasteriser and combiners simulated, beside the meaning of the source."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.runtime.raster import Frame, draw, stage_of
from glslc_multi.runtime.shader import CompiledProgram
from tests.backends.pica200.codegen.fragment.link.pairs import smooth_image
from tests.backends.pica200.codegen.fragment.link.test_values import DECLARATIONS, UNIFORMS, VERTEX

SIZE = 24
TRIANGLES = np.array([[0, 1, 2], [2, 1, 3]])
#: Corners of a square that is seen at an angle: w differs, so that perspective counts.
ATTRIBUTES: dict[str, Array] = {
    "a_position": np.array([[-1, -1, 0, 1], [2, -2, 0, 2], [-1, 1, 0, 1], [2, 2, 0, 2]], float),
    "a_uv": np.array([[0, 0], [0.5, 0], [0, 0.5], [0.5, 0.5]]),
    "a_color": np.array([[0, 0.25, 0.5, 1], [1, 0.5, 0.25, 0.5], [0.5, 1, 1, 0.25], [0.25, 0, 0.75, 0.75]]),
    "a_normal": np.array([[0.5, 0.5, 1], [-0.5, 0.5, 1], [0.5, -0.5, 1], [-0.5, -0.5, 1]]),
}
#: What pixels do -> further steps of 1/255 for inputs that are bytes already when combiners get them.
PROGRAMS = {
    "gl_FragColor = texture2D(u_a, v_uv) * v_color;": 2,
    "gl_FragColor = texture2D(u_a, v_uv) * texture2D(u_b, v_uv);": 2,
    "gl_FragColor = texture2D(u_a, v_uv * 2.0 + u_scroll * sin(u_time)) * v_color;": 2,
    "gl_FragColor = texture2D(u_a, (u_map * vec3(v_uv, 1.0)).xy);": 2,
    "gl_FragColor = texture2D(u_a, u_mirror ? -v_uv : v_uv + u_steps[1]);": 2,
    "gl_FragColor = texture2DProj(u_a, v_place);": 2,
    "gl_FragColor = texture2D(u_a, v_uv) * texture2D(u_b, v_place.xy / v_place.w * 0.5 + 0.5);": 2,
    "gl_FragColor = textureCube(u_sky, normalize(v_normal)) * texture2D(u_a, v_uv);": 2,
    "gl_FragColor = vec4(mix(texture2D(u_a, v_uv).rgb, v_tint, v_fade), 1.0);": 2,
    "gl_FragColor = texture2D(u_a, v_uv) * (v_color * 0.5 + vec4(v_tint, v_fade) * u_time * 0.5);": 3,
    "gl_FragColor = mix(texture2D(u_a, v_uv), texture2D(u_a, v_uv * 3.0), 0.25);": 2,
}


def program(body: str) -> CompiledProgram:
    fragment = f"precision highp float;\n{DECLARATIONS}void main() {{ {body} }}"
    return glslc_multi.link(VERTEX, fragment, target="pica200")


def frame(compiled: CompiledProgram, engine: Any) -> Frame:
    flat = {f"u_{name}": Texture(smooth_image(number), "linear") for number, name in enumerate("abc")}
    textures = flat | {"u_sky": Texture(np.stack([smooth_image(face) for face in range(6)]), "linear", kind="cube")}
    uniforms = UNIFORMS | {"$viewport": (SIZE / 2,) * 4}
    vertex, fragment = (stage_of(shader, engine, uniforms, textures) for shader in compiled.stages.values())
    return draw(vertex, fragment, ATTRIBUTES, TRIANGLES, width=SIZE, height=SIZE)


@pytest.mark.parametrize("body", PROGRAMS)
@pytest.mark.parametrize("engine", ["simulator", "translated"])
def test_the_picture_is_that_of_the_source(body: str, engine: str) -> None:
    compiled = program(body)
    assert list(compiled.stages) == ["vertex", "fragment"]
    bound = compiled.stages["fragment"].stats.error_steps
    assert bound is not None
    allowed = bound + PROGRAMS[body]
    wanted, found = (np.clip(frame(compiled, e).colour, 0, 1) * 255 for e in ("reference", engine))
    assert np.max(np.abs(wanted - found)) <= allowed
    assert np.ptp(wanted) > 20, "something is to be seen"


def test_colours_are_limited_at_the_vertices() -> None:
    """Before they are interpolated: what the source means is something else there."""
    fragment = "precision highp float; varying vec3 v_light; void main() { gl_FragColor = vec4(v_light, 1.0); }"
    vertex = """
        attribute vec4 a_position;
        attribute vec2 a_uv;
        varying vec3 v_light;
        void main() { gl_Position = a_position; v_light = vec3(a_uv.x * 6.0, a_uv.x * 4.0 - 1.0, 0.0); }"""
    compiled = glslc_multi.link(vertex, fragment, target="pica200")
    wanted, found = (np.moveaxis(frame(compiled, engine).colour, -1, 0) for engine in ("reference", "simulator"))
    # 0 to 3 is 0 to 1 at the vertices, and -1 to 1 is 1 at all of them.
    assert np.allclose(found[0], wanted[0] / 3, atol=0.01)
    assert np.allclose(found[1], 1, atol=0.01)
    assert np.ptp(wanted[1]) > 1
