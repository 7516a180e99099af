"""Ruffle draws with the effects for Starling what the simulator draws by names.

No registry has Starling: `client/starling.txt` is its documented interface, with what an effect does before and after
it draws.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glslc_multi import link
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.runtime.raster import draw, stage_of
from glslc_multi.runtime.textures import Texture
from tests.backends.agal.host.scenes import SIZE, assert_alike
from tests.backends.agal.host.test_ruffle import player, shown
from tests.backends.agal.host.tools import CLIENT, need_royale, need_ruffle

pytestmark = pytest.mark.thorough

#: Registers are others than those of Starling's own programs: color, texCoords, position; the matrix after a uniform.
_VERTEX = """
COLOR attribute vec2 a_texCoords; attribute vec4 a_position;
uniform vec2 u_tint; uniform mat4 u_mvpMatrix; uniform float u_alpha;
varying vec2 v_uv; varying vec4 v_color;
void main() { gl_Position = u_mvpMatrix * a_position; v_uv = a_texCoords; v_color = MIX; }
"""
_FRAGMENT = """
precision highp float;
varying vec2 v_uv; varying vec4 v_color; uniform vec2 u_tint;
uniform sampler2D u_first;
uniform sampler2D u_other;
void main() {
    vec3 mixed = mix(texture2D(u_first, v_uv).rgb, texture2D(u_other, v_uv.yx).rgb, u_tint.x);
    gl_FragColor = vec4(mixed * v_color.rgb, 1.0);
}
"""
_FORMS = {
    "starling-filter": ("tinted", "", "vec4(u_tint, u_tint.y, 1.0)"),
    "starling-mesh": ("glass", "attribute vec4 color;", "color * u_alpha + vec4(u_tint.y)"),
}
_MATRIX = np.array([[0.75, 0.25, 0, 0.125], [-0.25, 0.875, 0, -0.0625], [0, 0, 1, 0.5], [0, 0, 0, 1]])
_TINT, _ALPHA = (0.375, 0.5), 0.75
_POSITIONS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], np.float32)
#: Inside of the outermost texels, at whose edges textures repeat or do not.
_COORDINATES = np.array([(0.125, 0.875), (0.875, 0.875), (0.125, 0.125), (0.875, 0.125)], np.float32)
_COLORS = np.array([(255, 0, 51, 255), (0, 204, 102, 255), (51, 102, 255, 255), (255, 255, 0, 255)])
_TRIANGLES = np.array([[0, 1, 2], [2, 1, 3]])
_IMAGES = np.random.default_rng(26).integers(0, 256, (2, 4, 4, 3))


def _texts(form: str) -> tuple[str, str]:
    _, color, mixed = _FORMS[form]
    return _VERTEX.replace("COLOR", color).replace("MIX", mixed), _FRAGMENT


def _simulated(form: str) -> Array:
    made = link(*_texts(form), target="agal")
    uniforms = {"u_tint": _TINT, "u_mvpMatrix": _MATRIX, "u_alpha": _ALPHA}
    opaque = np.full((4, 4, 1), 255)
    names = zip(("u_first", "u_other"), ("clamp", "repeat"), _IMAGES, strict=True)
    textures = {name: Texture(np.dstack([image, opaque]) / 255, "linear", wrap) for name, wrap, image in names}
    vertex, fragment = (stage_of(made.stages[name], "simulator", uniforms, textures) for name in ("vertex", "fragment"))
    places = np.hstack([_POSITIONS, [(0, 1)] * len(_POSITIONS)]).astype(np.float32)
    attributes: dict[str, Array] = {
        "a_position": places,
        "a_texCoords": _COORDINATES,
        "color": _COLORS / np.float32(255),
    }
    frame = draw(vertex, fragment, attributes, _TRIANGLES, width=SIZE, height=SIZE, background=(0, 0, 0, 1))
    return frame.to_bytes()


def _client() -> dict[str, str]:
    words = [" ".join(f"0xff{r:02x}{g:02x}{b:02x}," for r, g, b in image.reshape(-1, 3)) for image in _IMAGES]
    vertices = np.hstack([_POSITIONS, _COORDINATES, _COLORS]).tolist()
    return {
        "MATRIX": ", ".join(map(str, _MATRIX.T.reshape(-1).tolist())),
        "FIRST": words[0].removesuffix(","),
        "SECOND": words[1].removesuffix(","),
        "TINT": ", ".join(map(str, _TINT)),
        "ALPHA": str(_ALPHA),
        "VERTICES": ", ".join(map(str, vertices)),
    }


def test_effects_draw_what_the_simulator_draws(tmp_path: Path) -> None:
    need_royale()
    need_ruffle()
    for form, (prefix, _, _) in _FORMS.items():
        stages = {name: stage.artifact for name, stage in link(*_texts(form), target="agal").stages.items()}
        for file in load_target("agal").host_code(HostProgram(stages, prefix), form, DiagnosticSink()):
            (tmp_path / file.name).write_bytes(file.data)
    (tmp_path / "Pictures.as").write_text(fill(CLIENT / "StarlingPictures.as", _client()), encoding="utf-8")
    with player(tmp_path, "starling") as (window, address):
        window.open(address)
        for number, form in enumerate(_FORMS):
            assert_alike(shown(window, number), _simulated(form), form)
