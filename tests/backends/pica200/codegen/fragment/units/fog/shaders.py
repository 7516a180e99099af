"""Shaders that end in fog."""

from __future__ import annotations

from collections.abc import Mapping

DECLARED = """
precision highp float;
#pragma pica200 range u_density 0.25 4
uniform sampler2D u_image;
uniform vec3 u_fog, u_tint;
uniform float u_density, u_near, u_far;
uniform bool u_foggy;
varying vec2 v_uv;
varying vec4 v_color;
void main() {
    vec4 t = texture2D(u_image, v_uv);
    float z = gl_FragCoord.z;
    %s
}
"""

#: Name -> what is in `main`, and how many stages it takes.
BODIES: Mapping[str, tuple[str, int]] = {
    "linear": ("gl_FragColor = vec4(mix(t.rgb, vec3(0.5, 0.6, 0.7), z), t.a);", 1),
    "exponential": ("gl_FragColor = vec4(mix(u_fog, t.rgb, exp2(-8.0 * z)), t.a);", 1),
    "density": ("float f = exp(-u_density * u_density * z * z); gl_FragColor = vec4(mix(u_fog, t.rgb, f), t.a);", 1),
    "between planes": (
        "float f = clamp((0.9 - z) / 0.4, 0.0, 1.0); gl_FragColor = vec4(f * t.rgb + (1.0 - f) * u_fog, 1.0);",
        1,
    ),
    "smooth": (
        "float f = smoothstep(0.2, 0.9, z); gl_FragColor = vec4(mix(t.rgb * v_color.rgb, u_fog, f), t.a * v_color.a);",
        1,
    ),
    "planes of the host": (
        "float f = clamp((u_far - z) / (u_far - u_near + 1.5), 0.0, 1.0);"
        "gl_FragColor = vec4(mix(u_fog, t.rgb * u_tint, f), t.a);",
        1,
    ),
    "halved": ("gl_FragColor = vec4(mix(t.rgb, u_fog, 0.5 * sqrt(z)), t.a);", 1),
    "switched": ("vec3 c = t.rgb; if (u_foggy) c = mix(c, u_fog, z * z); gl_FragColor = vec4(c, t.a);", 1),
    "amount": ("gl_FragColor = vec4(mix(t.rgb * u_tint, u_fog, u_near * z), t.a);", 1),
    "to black": ("gl_FragColor = vec4(t.rgb * (1.0 - z), t.a);", 1),
    "depth alone": ("gl_FragColor = vec4(vec3(1.0 - z), 1.0);", 1),
    "between colours": ("gl_FragColor = vec4(mix(u_fog, u_tint, sqrt(z)), 0.5);", 1),
    "branches": (
        "float f = 1.0; if (z > 0.5) f = min(1.5 - z, 1.0); gl_FragColor = vec4(mix(u_fog, t.rgb, f), t.a);",
        1,
    ),
    "with an alpha test": ("if (t.a < 0.5) discard; gl_FragColor = vec4(mix(t.rgb, u_fog, z), t.a);", 1),
    "of both signs": ("gl_FragColor = vec4(mix(t.rgb, u_fog, 0.5 + 0.25 * sin(4.0 * z)), t.a);", 1),
    "clamped sum": ("gl_FragColor = vec4(mix(u_fog, min(t.rgb + v_color.rgb, 1.0), 1.0 - z), 1.0);", 1),
}


def shader(name: str) -> str:
    return DECLARED % BODIES[name][0]
