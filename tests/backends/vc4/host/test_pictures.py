"""Pictures that the simulator draws from the lists and memory of generated host code are those of the rasteriser, which
knows the shaders by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.runtime.raster import draw, stage_of
from glslc_multi.runtime.shader import CompiledProgram
from glslc_multi.runtime.textures import Texture
from tests.backends.vc4.host import harness, painter
from tests.backends.vc4.host.harness import Scene, Texels
from tests.backends.vc4.host.pairs import bare_addresses

VERTEX = """
attribute vec4 a_position; attribute vec3 a_color; attribute vec2 a_uv;
uniform mat4 u_matrix; varying vec3 v_color; varying vec2 v_uv;
void main() { gl_Position = u_matrix * a_position; v_color = a_color; v_uv = a_uv; }
"""
PLAIN = """
precision mediump float; varying vec3 v_color; varying vec2 v_uv; uniform float u_gain;
void main() {
    float edge = gl_FrontFacing ? 0.0 : 0.5;
    gl_FragColor = vec4(v_color * u_gain, fract(gl_FragCoord.y / 16.0) + edge * v_uv.x);
}
"""
TEXTURED = """
precision mediump float; varying vec3 v_color; varying vec2 v_uv;
uniform sampler2D u_maps[2]; uniform samplerCube u_sky;
void main() {
    vec4 near = texture2D(u_maps[0], v_uv) + texture2D(u_maps[1], v_uv * 3.0);
    gl_FragColor = near * 0.4 + 0.2 * textureCube(u_sky, v_color - 0.5);
}
"""
DITHERED = """
precision mediump float; varying vec3 v_color; varying vec2 v_uv; uniform float u_gain;
float threshold(vec2 pixel) {
    int table[8];
    table[0] = 0; table[1] = 5; table[2] = 2; table[3] = 7; table[4] = 3; table[5] = 6; table[6] = 1; table[7] = 4;
    return (float(table[int(mod(pixel.x, 2.0) + 2.0 * mod(pixel.y, 4.0))]) + 0.5) / 8.0;
}
void main() { gl_FragColor = vec4(step(threshold(gl_FragCoord.xy), v_color * u_gain), v_uv.x); }
"""
#: Two triangles that overlap, one of each winding; the second one in perspective.
CORNERS = [
    [-0.9, -0.8, 0.1, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
    [0.8, -0.7, 0.2, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
    [-0.2, 0.9, 0.3, 1.0, 0.0, 0.0, 1.0, 0.5, 1.0],
    [-1.2, 1.4, 0.4, 2.0, 1.0, 1.0, 0.0, 0.0, 1.0],
    [1.8, 1.6, -0.2, 2.0, 0.0, 1.0, 1.0, 1.0, 1.0],
    [0.3, -0.6, 0.0, 0.8, 1.0, 0.0, 1.0, 0.5, 0.0],
]
MATRIX = [0.9, 0.1, 0.0, 0.0, -0.1, 0.9, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.05, 0.0, 0.0, 1.0]


def scene(**changes: object) -> Scene:
    uniforms: dict[str, list[float]] = {"u_matrix": MATRIX, "u_gain": [0.75]}
    return Scene(CORNERS, uniforms, **changes)  # type: ignore[arg-type]


def words_of(pixels: Array) -> list[int]:
    return [int(word) for word in np.ascontiguousarray(pixels).view("<u4").reshape(-1)]


def picture(made: CompiledProgram, given: Scene, textures: Mapping[str, object], triangles: Sequence[int]) -> Array:
    """What the rasteriser draws by names, as rows of memory."""
    uniforms = {"u_matrix": list(given.uniforms["u_matrix"]), "u_gain": given.uniforms["u_gain"][0]}
    vertex, fragment = (stage_of(made.stages[name], "simulator", uniforms, textures) for name in ("vertex", "fragment"))
    table = np.array(given.vertices)
    attributes = {"a_position": table[:, :4], "a_color": table[:, 4:7], "a_uv": table[:, 7:]}
    background = tuple((given.clear >> 8 * channel & 255) / 255 for channel in range(4))
    size = {"width": given.width, "height": given.height}
    colour = np.empty((given.height, given.width, 4))
    colour[:] = background
    cull = {"VC4_CULL_NOTHING": "none", "VC4_CULL_BACK": "back", "VC4_CULL_FRONT": "front"}[given.cull]
    # There is no test of depths: the later triangle is in front.
    for triangle in np.array(triangles).reshape(-1, 1, 3):
        nothing = (float("nan"),) * 4
        drawn = draw(vertex, fragment, attributes, triangle, background=nothing, cull=cull, **size).colour  # type: ignore[arg-type]
        colour = np.where(np.isnan(drawn), colour, drawn)
    return np.floor(colour * 255 + 0.5).astype(np.uint8)


@pytest.fixture
def both(tmp_path: Path, driver: Sequence[str]) -> Callable[[CompiledProgram, Scene], Array]:
    """Draws with the kernel's driver and without, and compares."""

    def drawn(made: CompiledProgram, given: Scene) -> Array:
        stages = {name: shader.artifact for name, shader in made.stages.items()}
        image = harness.draw_with_kernel(tmp_path / "drm", stages, given, driver)
        found = painter.paint(image)
        ((state, _),) = painter.draw_calls(image)
        assert state.record is not None
        bare = harness.draw_bare(tmp_path / "bare", stages, given, bare_addresses(image, state.record))
        assert np.array_equal(painter.paint(bare), found)
        return found

    return drawn


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"cull": "VC4_CULL_BACK"},
        {"cull": "VC4_CULL_FRONT", "clear": 0x80402010},
        {"indices": (3, 4, 5, 2, 1, 0), "width": 132, "height": 70},
    ],
    ids=str,
)
def test_lists_draw_the_picture(both: Callable[[CompiledProgram, Scene], Array], changes: dict[str, object]) -> None:
    made = glslc_multi.link(VERTEX, PLAIN, target="vc4")
    given = scene(**changes)
    found = both(made, given)
    expected = picture(made, given, {}, given.indices or range(6))
    assert len(np.unique(expected.reshape(-1, 4), axis=0)) > 100
    assert np.array_equal(found, expected)


def test_tables_of_constants_are_in_memory(both: Callable[[CompiledProgram, Scene], Array]) -> None:
    made = glslc_multi.link(VERTEX, DITHERED, target="vc4")
    assert len(made.stages["fragment"].artifact.reflection.literals) == 8
    given = scene()
    assert np.array_equal(both(made, given), picture(made, given, {}, range(6)))


def test_rows_from_the_top_are_the_picture_upside_down(both: Callable[[CompiledProgram, Scene], Array]) -> None:
    """Which side faces the viewer stays as it is; pixels count from the top."""
    fragment = PLAIN.replace("gl_FragCoord.y", "gl_FragCoord.x")
    made = glslc_multi.link(VERTEX, fragment, target="vc4")
    for cull in ("VC4_CULL_NOTHING", "VC4_CULL_BACK"):
        found = both(made, scene(top_first=True, cull=cull))
        expected = picture(made, scene(cull=cull), {}, range(6))
        differ = np.any(found[::-1] != expected, axis=2)
        # Pixels whose centre is on an edge may change sides.
        assert differ.sum() <= 4


@pytest.mark.parametrize("size", [4, 16, 32, 96])
def test_textures_are_where_the_chip_looks(both: Callable[[CompiledProgram, Scene], Array], size: int) -> None:
    """Of all sizes: blocks row by row, one tile, and many."""
    random = np.random.default_rng(size)
    made = glslc_multi.link(VERTEX, TEXTURED, target="vc4")
    levels = [random.integers(0, 256, (max(size >> n, 1), max(size >> n, 1), 4), dtype=np.uint8) for n in range(3)]
    other = random.integers(0, 256, (16, 40, 4), dtype=np.uint8)
    sky = random.integers(0, 256, (6, size, size, 4), dtype=np.uint8)
    flat = np.concatenate([level.reshape(-1, 4) for level in levels])
    texels = {
        "u_maps": [
            Texels(size, size, 3, words_of(flat), nearest=True),
            Texels(40, 16, 1, words_of(other), nearest=size > 32),
        ],
        "u_sky": [Texels(size, size, 1, words_of(sky), nearest=True, faces=6)],
    }
    named = {
        "u_maps[0]": Texture(levels[0], "nearest", "repeat", levels[1:]),
        "u_maps[1]": Texture(other, "nearest" if size > 32 else "linear", "repeat"),
        "u_sky": Texture(sky, "nearest", "clamp"),
    }
    given = scene(textures=texels)
    assert np.array_equal(both(made, given), picture(made, given, named, range(6)))
