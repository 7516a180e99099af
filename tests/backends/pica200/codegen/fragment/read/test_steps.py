"""Choices by comparisons of bytes are exact for each of them, whatever they are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.runtime.shader import CompiledShader
from glslc_multi.runtime.textures import Texture
from tests.backends.pica200.codegen.fragment.pixels import bound_of, compiled, refused

_TEXT = """
uniform sampler2D u_a;
uniform float u_level, u_part;
uniform vec3 u_fog;
varying vec2 v_uv;
varying vec4 v_color;
void main() {
    vec4 a = texture2D(u_a, v_uv);
    %s
}"""
_BYTES = np.arange(256)
#: On bytes, a little beside them, and in the middle of two.
_LEVELS = [0.0, 1 / 255, 51 / 255, 128 / 255, 1.0, 0.004, 0.2005, 0.5, 100.5 / 255]
#: What is written -> how many stages are enough.
_LIMITS_OF_THE_HOST = {
    "float k = a.r >= u_level ? 1.0 : 0.0; gl_FragColor = vec4(k, k, k, 1.0);": 4,
    "gl_FragColor = vec4(vec3(a.r > u_level ? 1.0 : 0.0), 1.0);": 3,
    "gl_FragColor = vec4(vec3(a.r < u_level ? 1.0 : 0.0), 1.0);": 3,
    "gl_FragColor = vec4(vec3(a.r <= u_level ? 1.0 : 0.0), 1.0);": 4,
    "gl_FragColor = vec4(vec3(u_level < a.r ? 1.0 : 0.0), 1.0);": 3,
    "gl_FragColor = vec4(vec3(step(u_level, a.r)), 1.0);": 4,
    "gl_FragColor = vec4(1.0 - vec3(step(u_level, a.r)), 1.0);": 3,
    "gl_FragColor = vec4(v_color.rgb, 1.0 - step(u_level, a.g * 2.0));": 3,
    "gl_FragColor = vec4(mix(v_color.rgb, u_fog, step(u_level, a.r)), 1.0);": 4,
    "gl_FragColor = vec4(a.r > u_level * u_part ? v_color.rgb : u_fog, 1.0);": 4,
}
_LITERALS = {
    "gl_FragColor = vec4(vec3(step(0.5, a.r)), 1.0);": 3,
    "gl_FragColor = vec4(a.rgb, a.a > 0.2 ? 1.0 : 0.0);": 3,
    "gl_FragColor = vec4(a.rgb, a.a >= 0.2 ? 1.0 : 0.0);": 3,
    "gl_FragColor = vec4(step(vec3(0.2, 0.5, 0.7), a.rgb), 1.0);": 4,
    "gl_FragColor = vec4(vec3(a.r < v_color.g ? 1.0 : 0.0), 1.0);": 3,
    "gl_FragColor = vec4(v_color.rgb * (a.a < 0.3 ? 0.5 : 1.0), 1.0);": 4,
}


def _check(shader: CompiledShader, most: int, uniforms: dict[str, Any]) -> None:
    assert shader.stats.instructions <= most
    names = {variable.name for variable in shader.module.variables.values()}
    colours = np.random.default_rng(7).integers(0, 256, (256, 4))
    texels = np.stack([_BYTES, _BYTES[::-1], np.roll(_BYTES, 77), _BYTES], axis=1).astype(np.uint8)
    inputs = {"v_uv": np.stack([(_BYTES + 0.5) / 256, np.full(256, 0.5)], axis=1), "v_color": colours / 255}
    inputs, uniforms = ({n: v for n, v in each.items() if n in names} for each in (inputs, uniforms))
    images = {"u_a": Texture(texels[None])}
    ours = shader.run(inputs, uniforms, images)["gl_FragColor"]
    meant = shader.run(inputs, uniforms, images, engine="reference")["gl_FragColor"]
    assert 255 * np.abs(ours - meant).max() <= bound_of(shader) + 1e-3


@pytest.mark.parametrize("text", _LIMITS_OF_THE_HOST)
def test_limits_of_the_host(text: str) -> None:
    shader = compiled(_TEXT % text)
    for level in _LEVELS:
        _check(shader, _LIMITS_OF_THE_HOST[text], {"u_level": level, "u_part": 0.75, "u_fog": [0.2, 0.5, 0.9]})


@pytest.mark.parametrize("text", _LITERALS)
def test_limits_that_are_written_down(text: str) -> None:
    _check(compiled(_TEXT % text), _LITERALS[text], {})


def test_the_two_sides_of_a_limit_are_not_one() -> None:
    """Where the byte is the limit neither is 1."""
    text = "gl_FragColor = vec4(vec3((a.r < 0.2 ? 1.0 : 0.0) + (a.r > 0.2 ? 1.0 : 0.0)), 1.0);"
    _check(compiled(_TEXT % text), 6, {})


@pytest.mark.parametrize(
    "text",
    [
        # Floats that should be equal need not be.
        "gl_FragColor = vec4(vec3(a.r - a.g > 0.2 ? 1.0 : 0.0), 1.0);",
        "gl_FragColor = vec4(vec3(1.0 - a.r > u_level ? 1.0 : 0.0), 1.0);",
        "gl_FragColor = vec4(vec3(a.r * a.g > 0.3 ? 1.0 : 0.0), 1.0);",
    ],
)
def test_what_is_no_byte_jumps(text: str) -> None:
    code, message, _ = refused(_TEXT % text)
    assert code == "E0723"
    assert "a choice that jumps" in message
