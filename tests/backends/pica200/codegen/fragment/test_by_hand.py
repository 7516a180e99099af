"""Shaders that were fitted by hand first: the compiler takes no more stages, and stays within its bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.runtime.shader import CompiledShader
from tests.backends.pica200.codegen.fragment.pixels import bound_of, compiled, difference, refused

_DECLARED = """
uniform sampler2D u_a, u_b, u_c;
uniform vec3 u_light, u_dark, u_mid, u_bright, u_ambient;
uniform float u_k;
varying vec2 v_uv, v_uv1, v_uv2;
varying vec4 v_color;
void main() {
    vec4 a = texture2D(u_a, v_uv), b = texture2D(u_b, v_uv1);
    vec3 n = a.rgb * 2.0 - 1.0, l = v_color.rgb * 2.0 - 1.0;
    vec3 low = 2.0 * a.rgb * b.rgb, high = 1.0 - 2.0 * (1.0 - a.rgb) * (1.0 - b.rgb);
"""
#: Statements -> how many stages they take by hand, and which.
_BY_HAND = {
    # A zero takes the place of a channel: the mask is a constant.
    "gl_FragColor = vec4(a.rg, 0.0, 1.0);": (1, "MODULATE(a, (1, 1, 0)); a constant"),
    "gl_FragColor = a.bgra;": (2, "INTERPOLATE(a.b, a, (1, 0, 0)); INTERPOLATE(a.r, previous, (0, 0, 1))"),
    # Steep ramps: SUBTRACT x4 and, where that is not enough, ADD of a value to itself x4, which is 8.
    "gl_FragColor = vec4(a.rgb, clamp((a.a - 0.5) * 32.0 + 0.5, 0.0, 1.0));": (2, "SUBTRACT x4; ADD x4"),
    "gl_FragColor = vec4(a.rgb, clamp((a.a - 0.5) * 256.0, 0.0, 1.0));": (3, "SUBTRACT x4; ADD x4; ADD x4"),
    "gl_FragColor = vec4(a.rgb, clamp((a.a - 0.3) / (0.9 - 0.4), 0.0, 1.0));": (1, "SUBTRACT x2"),
    # Light by a direction.
    "gl_FragColor = vec4(vec3(max(dot(n, normalize(u_light)), 0.0)), 1.0);": (1, "DOT3(a, l/2 + 1/2)"),
    "gl_FragColor = vec4(b.rgb * clamp(dot(n, normalize(u_light)), 0.0, 1.0), b.a);": (2, "DOT3; MODULATE"),
    "gl_FragColor = vec4(b.rgb * min(max(dot(n, l), 0.0) + 0.25, 1.0), 1.0);": (2, "DOT3; ADD_MULTIPLY"),
    "float d = clamp(dot(n, l), 0.0, 1.0); d = d * d; gl_FragColor = vec4(b.rgb + d * d * b.a, 1.0);": (
        4,
        "DOT3; MODULATE; MODULATE; MULTIPLY_ADD(previous, b.a, b)",
    ),
    "gl_FragColor = vec4(vec3(pow(clamp(dot(n, l), 0.0, 1.0), 8.0)), 1.0);": (4, "DOT3; three MODULATE"),
    # y = max(2a - 1, 0) to the buffer; min(2a, 1) b; that and y (1 - b).
    "gl_FragColor = vec4(mix(low, high, step(0.5, a.rgb)), a.a);": (
        3,
        "SUBTRACT x2; ADD_MULTIPLY(a, a, b); MULTIPLY_ADD(buffer, 1 - b, previous)",
    ),
}


def _random_uniforms(shader: CompiledShader, seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    uniforms = [variable for variable in shader.module.variables.values() if variable.storage == "uniform"]
    return {v.name: random.random(v.type.width) if v.type.width > 1 else random.random() for v in uniforms}


@pytest.mark.parametrize("statements", _BY_HAND)
def test_no_more_stages_than_by_hand(statements: str) -> None:
    shader = compiled(f"{_DECLARED}    {statements}\n}}")
    assert shader.stats.instructions <= _BY_HAND[statements][0], _BY_HAND[statements][1]
    for seed in range(4):
        assert difference(shader, _random_uniforms(shader, seed)) <= bound_of(shader) + 0.01


def test_a_dot_product_that_counts_has_a_term_that_is_not_negative() -> None:
    """Terms are rounded by half a step, and up by one more where they are negative, which two of three may be."""
    shader = compiled(f"{_DECLARED}    gl_FragColor = vec4(vec3(max(dot(n, l), 0.0)), 1.0);\n}}")
    assert bound_of(shader) == 3.5
    x, y = (np.random.default_rng(25).integers(0, 256, (2, 200_000, 3)) * 2 - 255).astype(int)
    found = np.clip(np.trunc((x * y + 128) / 256).sum(axis=1), 0, 255)
    meant = np.clip((x * y / 255).sum(axis=1), 0, 255)
    assert 3 < np.abs(found - meant).max() <= 3.5


#: Choices that jump by themselves, and not in the pixel.
_CONTINUOUS = {
    "overlay by step": "gl_FragColor = vec4(mix(low, high, step(0.5, a.rgb)), a.a);",
    "overlay by choices": "gl_FragColor = vec4(a.r < 0.5 ? low.r : high.r, a.g < 0.5 ? low.g : high.g,"
    " a.b >= 0.5 ? high.b : low.b, a.a);",
    "hard light by sums": "vec3 s = step(vec3(0.5), b.rgb); gl_FragColor = vec4(low * (1.0 - s) + s * high, a.a);",
    "a ramp by sign": "gl_FragColor = vec4(sign(a.rgb - 0.5) * (a.rgb - 0.5), a.a);",
    "three pieces": "float x = a.r; float y = x < 0.25 ? x * 2.0 : x < 0.5 ? 0.75 - x : 0.25;"
    " gl_FragColor = vec4(vec3(y), 1.0);",
    "a mask from 0": "gl_FragColor = vec4(b.rgb * (step(0.5, a.a) * (2.0 * a.a - 1.0)), 1.0);",
}


@pytest.mark.parametrize("statements", _CONTINUOUS.values(), ids=_CONTINUOUS)
def test_choices_that_do_not_jump_are_clamps(statements: str) -> None:
    shader = compiled(f"{_DECLARED}    {statements}\n}}")
    assert difference(shader) <= bound_of(shader) + 0.01


@pytest.mark.parametrize(
    "statements",
    [
        "gl_FragColor = vec4(step(1.0, a.rgb + b.rgb), 1.0);",
        "gl_FragColor = vec4(mix(low, high, step(0.4, a.rgb)), a.a);",
        "gl_FragColor = vec4(a.r < 0.25 ? a.r * 2.0 : 0.5 - a.r, a.gba);",
        "gl_FragColor = a; if (step(0.5, b.r) + a.a < 0.75) discard;",
    ],
)
def test_what_jumps_is_refused_where_it_does(statements: str) -> None:
    code, message, line = refused(f"{_DECLARED}    {statements}\n}}")
    assert (code, line) == ("E0723", 11)
    assert "a choice that jumps" in message
