"""Fragment shaders with functions of varyings that generated images hold: what is in `main`, and what is promised."""

from __future__ import annotations

from collections.abc import Mapping

DECLARED = """
precision highp float;
uniform sampler2D u_texture;
uniform vec3 u_tint, u_fog;
uniform float u_strength;
varying vec4 v_color;
varying vec2 v_uv;
varying float v_distance, v_other;
void main() {
    vec4 t = texture2D(u_texture, v_uv);
    %s
}
"""
#: Name -> what is in `main`, ranges, stages, and how many texture units.
BODIES: Mapping[str, tuple[str, str, int, int]] = {
    "vignette": (
        "vec2 c = v_uv - 0.5;gl_FragColor = vec4(t.rgb * u_tint * clamp(1.0 - u_strength * dot(c, c), 0.0, 1.0), t.a);",
        "",
        2,
        2,
    ),
    "fog of a varying": (
        "gl_FragColor = vec4(mix(u_fog, t.rgb, exp2(-u_strength * v_distance)), t.a);",
        "v_distance=0..20",
        1,
        2,
    ),
    "smooth fog": (
        "gl_FragColor = vec4(mix(v_color.rgb, u_fog, smoothstep(2.0, 15.0, v_distance)), v_color.a);",
        "v_distance=-2..20",
        1,
        1,
    ),
    "a fifth number": ("gl_FragColor = vec4(mix(u_fog, v_color.rgb, v_distance), v_color.a);", "", 1, 1),
    "below zero": ("gl_FragColor = vec4(t.rgb * (0.5 + 0.5 * sin(6.0 * v_distance)), t.a);", "", 1, 2),
    "two images": (
        "gl_FragColor = vec4(t.rgb * sqrt(v_distance * 0.9 + 0.1) * cos(v_other), t.a);",
        "",
        2,
        3,
    ),
    "one image with four channels": (
        "gl_FragColor = vec4(sin(v_distance), cos(v_distance), exp(-v_distance), 1.0 / (1.0 + v_distance));",
        "",
        2,
        1,
    ),
    "of two varyings": ("gl_FragColor = vec4(t.rgb, 1.0) * sqrt(v_distance * v_other * 0.9 + 0.1);", "", 1, 2),
    "components in another order": ("vec2 s = sin(v_uv); gl_FragColor = vec4(s.yx, s.y, t.a);", "", 2, 2),
}
#: Functions that jump, with what is promised.
JUMPS: Mapping[str, tuple[str, str]] = {
    "bands": ("gl_FragColor = vec4(fract(v_distance * 4.0) < 0.5 ? u_tint : u_fog, 1.0);", ""),
    "dashes": ("if (mod(v_distance, 3.0) > 2.0) discard; gl_FragColor = vec4(u_tint, 1.0);", "v_distance=0..12"),
    "dashes of an alpha beyond 1": (
        "if (mod(v_distance, 3.0) > 2.0) discard; gl_FragColor = vec4(u_tint, 2.75 + u_strength);",
        "v_distance=0..12",
    ),
    "dashes that are see-through": (
        "if (mod(v_distance, 3.0) > 2.0) discard; gl_FragColor = vec4(u_tint, 0.25 + 0.75 * u_strength);",
        "v_distance=0..12",
    ),
    "a checkerboard": (
        "vec2 c = floor(v_uv * 4.0); gl_FragColor = vec4(mod(c.x + c.y, 2.0) > 0.5 ? u_tint : u_fog, 1.0);",
        "",
    ),
}

#: Leaves what the shaders read.
VERTEX = """
attribute vec4 a_corner, a_color;
varying vec4 v_color;
varying vec2 v_uv;
varying float v_distance, v_other;
void main() {
    gl_Position = vec4(a_corner.xy * 2.0 - 1.0, 0.0, 1.0);
    v_color = a_color;
    v_uv = a_corner.xy;
    v_distance = a_corner.z;
    v_other = a_corner.y;
}
"""
