"""What compiled fragment shaders compute, on the simulator, is within the bound of what they mean."""

from __future__ import annotations

from typing import Any

import pytest

import glslc_multi
from tests.backends.pica200.codegen.fragment.pixels import bound_of, compiled, difference

_DECLARED = """
uniform sampler2D u_a, u_b;
uniform vec4 u_tint;
uniform float u_mix, u_gain;
uniform bool u_on;
uniform int u_count;
uniform vec3 u_list[3];
varying vec2 v_uv;
varying vec4 v_color;
void main() {
    vec4 a = texture2D(u_a, v_uv), b = texture2D(u_b, v_uv);
"""
_UNIFORMS = {
    "u_tint": [0.25, 0.5, 1.0, 0.75],
    "u_mix": 0.3,
    "u_gain": 1.0,
    "u_on": True,
    "u_count": 1,
    "u_list": [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]],
}
#: What is written to gl_FragColor -> how many stages are enough.
_SHADERS = {
    "a": 1,
    "a * b": 1,
    "a * u_tint": 1,
    "mix(a, b, v_color.a)": 1,
    "vec4(a.rgb * b.a, a.a)": 1,
    "vec4(a.aaa, b.g)": 1,
    "vec4(1.0 - a.rgb, 1.0 - a.a)": 1,
    "max(a, b)": 2,
    "min(a, b)": 2,
    "a + b - 2.0 * a * b": 1,
    "1.0 - (1.0 - a) * (1.0 - b)": 1,
    "clamp(a * 4.0, 0.0, 1.0)": 1,
    "min(a * 2.0, 1.0)": 1,
    "vec4(a.rgb * u_tint.rgb * u_mix, 1.0)": 1,
    "a * sin(u_mix) * 0.5 + a * 0.5": 1,
    "a * clamp(u_mix / u_gain, 0.0, 1.0)": 1,
    "a / (u_mix + u_gain + 0.5)": 1,
    "u_on ? a : b": 1,
    "u_on ? a * u_tint : a * v_color": 3,
    "vec4(a.rgb * u_list[u_count], a.a)": 1,
    "vec4(a.rgb / 2.0 + b.rgb * 0.5, 1.0)": 1,
    "vec4(pow(a.r, 2.0), a.g * a.g, a.b * a.b, 1.0)": 1,
    "vec4(v_color.rgb, a.a * v_color.a)": 1,
    "vec4(0.2, 0.4, 0.6, 0.8)": 1,
    "(a - 0.5) * 2.0 + 0.5": 1,
    "vec4(min(a.rgb + b.rgb, 1.0) * v_color.rgb, 1.0)": 1,
    # Of a colour that is written down, each channel could be another formula.
    "vec4(clamp(mix(a.rgb, b.rgb, vec3(0.25, 0.5, 1.0)) + v_color.rgb - 0.5, 0.0, 1.0), 1.0)": 2,
    "vec4(max(a.rgb, vec3(0.25, 0.5, 1.0)) * b.rgb, 1.0)": 2,
    "vec4(min(a.rgb + vec3(0.0, 0.5, 0.25), 1.0) * u_tint.rgb, 1.0)": 2,
    "vec4(a.rgb / vec3(1.0, 2.0, 4.0) * u_tint.rgb, 1.0)": 1,
    "vec4(a.rgb * (u_tint.rgb - u_list[1]), 1.0)": 1,
    # Channels are one formula of numbers whose ranges differ.
    "vec4(a.rgb * min(u_tint.rgb * vec3(0.25, 0.5, 1.0), u_list[0]) * 4.0, 1.0)": 1,
    # With any colour in the place of the literal, what the host computes is too long a sum.
    "vec4(1.0 - (1.0 - mix(1.0 - (1.0 - u_tint.rgb) * (1.0 - vec3(0.25, 0.5, 1.0)), u_tint.rgb, u_tint.rgb))"
    " * (1.0 - u_list[0]), 1.0)": 1,
    # A pixel of the host alone is clamped by the host.
    "vec4(u_tint.rgb * 2.0 - u_list[0], 1.0)": 1,
    # A factor is a row of doublings and one constant.
    "clamp(a * 57.25, 0.0, 1.0)": 3,
    # Beyond 0 and 1 at once, sums are made of halves.
    "vec4(clamp(a.rgb - b.rgb + u_tint.rgb, 0.0, 1.0), 1.0)": 2,
    "vec4(clamp(a.rgb - b.rgb + v_color.a, 0.0, 1.0), 1.0)": 2,
    "vec4(clamp(a.rgb - b.rgb + 0.25, 0.0, 1.0), 1.0)": 2,
    "vec4(clamp(a.rgb - b.rgb + (u_tint.rgb - u_list[1]), 0.0, 1.0), 1.0)": 3,
    # Of numbers of the host that may be negative, constants hold the positive and the negative part.
    "vec4(clamp(a.rgb + (u_tint.rgb - u_list[0]), 0.0, 1.0), 1.0)": 2,
    "vec4(clamp(a.rgb * (u_tint.rgb - u_list[2]) + b.rgb, 0.0, 1.0), 1.0)": 2,
    "vec4(clamp((1.0 - a.rgb) * (u_tint.rgb - u_list[2]) + b.rgb, 0.0, 1.0), 1.0)": 2,
    "vec4(a.rgb, clamp(b.a + (u_mix - u_tint.g), 0.0, 1.0))": 2,
    "vec4(mix(a.rgb * b.rgb, vec3(0.25, -1.0, 1.0), b.rgb), a.a)": 4,
    "vec4(clamp(a.rgb + vec3(0.25, -0.5, 0.5) * u_tint.rgb, 0.0, 1.0), 1.0)": 2,
    # The product is as long a sum as the whole.
    "vec4(clamp(b.rgb - (1.0 - a.rgb) * (1.0 - b.rgb), 0.0, 1.0), 1.0)": 2,
    # One clamp on both sides, from which max(x, 0) has taken -x.
    "clamp(a + b * 0.5 - 0.25, 0.0, 1.0)": 2,
    # The sum is doubled before the product.
    "vec4(min((a.rgb + u_tint.rgb) * 2.0, 1.0) * b.rgb, 1.0)": 2,
    # Colour and alpha are one number, by one function.
    "vec4(clamp((a.a - 0.3) * 16.0, 0.0, 1.0))": 2,
}


@pytest.mark.parametrize("result", _SHADERS)
def test_values(result: str) -> None:
    shader = compiled(f"{_DECLARED}    gl_FragColor = {result};\n}}")
    assert difference(shader, _UNIFORMS) <= bound_of(shader) + 0.01
    assert shader.stats.instructions <= _SHADERS[result]


@pytest.mark.parametrize("opt", [0, 1, 2, 3, "s"])
def test_every_level_takes_out_what_combiners_lack(opt: Any) -> None:
    text = """precision mediump float;
    uniform sampler2D u_a;
    varying vec2 v_uv;
    float half_of(float x) { return x * 0.5; }
    void main() {
        vec4 sum = vec4(0.0);
        for (int i = 0; i < 2; i++) sum += half_of(1.0) * texture2D(u_a, v_uv);
        gl_FragColor = sum;
    }"""
    shader = glslc_multi.compile(text, filename="a.frag", target="pica200", opt=opt)
    assert difference(shader) <= bound_of(shader) + 0.01
    assert shader.stats.instructions == 1


def test_a_preamble_that_was_asked_for_makes_no_difference() -> None:
    text = f"precision mediump float;{_DECLARED} gl_FragColor = a * sin(u_mix * u_gain) * u_tint; }}"
    shaders = [
        glslc_multi.compile(text, filename="a.frag", target="pica200", preamble=preamble) for preamble in (False, True)
    ]
    assert shaders[0].binary == shaders[1].binary
    for shader in shaders:
        assert difference(shader, _UNIFORMS) <= bound_of(shader) + 0.01


def test_an_image_at_two_coordinates_has_two_units() -> None:
    text = """
    uniform sampler2D u_a;
    varying vec2 v_uv, v_uv1;
    void main() { gl_FragColor = texture2D(u_a, v_uv) * texture2D(u_a, v_uv1); }"""
    shader = compiled(text)
    (sampler,) = shader.reflection.samplers
    assert [location.index for location in sampler.locations] == [0, 1]
    assert difference(shader) <= bound_of(shader) + 0.01


def test_several_colours_share_the_primary_one() -> None:
    text = """
    varying vec3 v_light;
    varying float v_fade;
    void main() { gl_FragColor = vec4(v_light * v_fade, 1.0); }"""
    shader = compiled(text)
    places = {b.name: [(p.space, p.components) for p in b.locations] for b in shader.reflection.varyings}
    assert places == {"v_light": [("color", "xyz")], "v_fade": [("color", "w")]}
    assert difference(shader) <= bound_of(shader) + 0.01


def test_what_nobody_reads_is_no_varying() -> None:
    text = """
    uniform sampler2D u_a;
    varying vec2 v_uv;
    varying vec4 v_a, v_b;
    void main() { gl_FragColor = vec4(texture2D(u_a, v_uv).rgb * v_a.rgb, v_b.a); }"""
    shader = compiled(text)
    assert {b.name for b in shader.reflection.varyings} == {"v_uv", "v_a", "v_b"}
    assert difference(shader) <= bound_of(shader) + 0.01


def test_a_literal_that_is_next_to_nothing_may_be_left_out() -> None:
    shader = compiled(
        f"{_DECLARED}    gl_FragColor = vec4(clamp((1.0 - v_color.rgb) * 4.0 - 6.1e-5, 0.0, 1.0), a.a);\n}}"
    )
    assert shader.stats.instructions == 1
    # 6.1e-5 is a sixty-fourth of a step.
    assert difference(shader, _UNIFORMS) <= bound_of(shader) + 1 / 64
