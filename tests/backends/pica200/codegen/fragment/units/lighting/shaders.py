"""Shaders that light their pixels, and random values for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.sampling import Texture

DECLARED = """
#include <pica200.glsl>
precision highp float;
uniform sampler2D u_texture;
uniform vec3 u_light, u_other, u_eye, u_ambient, u_diffuse, u_specular;
uniform float u_shininess, u_radius, u_slope, u_cutoff;
varying vec2 v_texcoord;
varying vec3 v_normal, v_position, v_view;
varying vec4 v_bent, v_place;
void main() {
    vec4 t = texture2D(u_texture, v_texcoord);
    vec3 n = normalize(v_normal);
    vec3 l = normalize(u_light);
    vec3 v = normalize(v_view);
    %s
}
"""
#: What is promised of uniforms, where a shader reads them.
_RANGES = {"u_ambient": (0, 0.25), "u_diffuse": (0, 0.35), "u_specular": (0, 0.35)}
_SCALAR_RANGES = {"u_shininess": (1, 20), "u_radius": (2, 8), "u_slope": (0, 0.5), "u_cutoff": (0.3, 0.8)}
_HALF = "vec3 h = normalize(l + v);"
_LAMP = "vec3 w = u_light * 3.0 - v_position, s = normalize(w); float c = max(dot(n, s), 0.0);"
_FADING = "picaFading(w, u_slope, u_slope, 6.0)"
#: Name -> what is in `main`, and how many stages it takes.
BODIES: Mapping[str, tuple[str, int]] = {
    "lambert": ("gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(dot(n, l), 0.0)), t.a);", 1),
    "vectors of four numbers": (
        "vec3 m = normalize(v_bent.xyz), s = normalize(u_light * 3.0 - v_place.xyz);"
        " gl_FragColor = vec4(t.rgb * max(dot(m, s), 0.0) * v_bent.w, v_place.w);",
        2,
    ),
    "literals": (
        "gl_FragColor = vec4(t.rgb * (0.25 + 0.75 * max(dot(n, normalize(vec3(1.0, 2.0, 3.0))), 0.0)), t.a);",
        1,
    ),
    "a cosine and its positive part": (
        "float c = dot(n, l); gl_FragColor = vec4(t.rgb * (pow(max(c, 0.0), 3.0) * 0.5 + abs(c) * 0.25), 1.0);",
        1,
    ),
    "a lamp that is looked at from behind": (
        f"{_LAMP} vec3 x = v_position - u_other * 2.0;"
        " gl_FragColor = vec4(t.rgb * (u_diffuse * c + u_specular * max(dot(n, normalize(x)), 0.0)), 1.0);",
        1,
    ),
    "a light beyond 1": ("gl_FragColor = vec4(t.rgb * u_diffuse * clamp(dot(n, u_light * 1.5), 0.0, 1.0), 1.0);", 1),
    "a highlight that is never dark": (
        f"{_HALF} gl_FragColor = vec4(t.rgb * (u_specular * pow(max(dot(n, h), 0.0), 8.0)"
        " + u_diffuse * (pow(max(dot(n, v), 0.0), 3.0) + 0.5)), 1.0);",
        1,
    ),
    "scalars": (
        "float d = max(dot(n, l), 0.0);"
        "gl_FragColor = vec4(t.r * (u_ambient.r + u_diffuse.r * d), t.g * (u_ambient.g + u_diffuse.g * d), d, t.a);",
        2,
    ),
    "saturated": ("gl_FragColor = vec4(t.rgb * clamp(dot(l, n), 0.0, 1.0) * u_diffuse, 1.0);", 1),
    "blinn": (
        f"{_HALF} gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(dot(n, l), 0.0))"
        " + u_specular * pow(max(dot(n, h), 0.0), u_shininess), t.a);",
        1,
    ),
    "clamped highlights": (
        f"{_HALF} vec3 s = dot(n, l) > 0.0 ? u_specular * pow(max(dot(n, h), 0.0), 8.0) : vec3(0.0);"
        "gl_FragColor = vec4(t.rgb * max(dot(n, l), 0.0) + s, t.a);",
        1,
    ),
    "flat highlights": ("gl_FragColor = vec4(dot(n, l) > 0.0 ? u_specular : vec3(0.0), t.a);", 1),
    "highlights of the eye": (
        "float d = max(dot(n, l), 0.0);"
        "gl_FragColor = vec4(d != 0.0 ? u_specular * max(dot(n, v), 0.0) : vec3(0.0), t.a);",
        1,
    ),
    "two lights": (
        "vec3 o = normalize(u_other);"
        "float a = pow(max(dot(n, normalize(l + v)), 0.0), 6.0), b = pow(max(dot(n, normalize(o + v)), 0.0), 6.0);"
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(dot(n, l), 0.0) + u_specular * max(dot(n, o), 0.0))"
        " + u_diffuse * a + u_specular * b, t.a);",
        1,
    ),
    "lamp": (
        "vec3 w = normalize(u_light * 3.0 - v_position);"
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(dot(n, w), 0.0)), t.a);",
        1,
    ),
    "lamp with highlight": (
        "vec3 w = normalize(u_light * 3.0 - v_position), e = normalize(-v_position);"
        "gl_FragColor = vec4(t.rgb * u_diffuse * max(dot(n, w), 0.0)"
        " + u_specular * pow(max(dot(n, normalize(w + e)), 0.0), 5.0), t.a);",
        1,
    ),
    "spot": (
        "vec3 w = normalize(u_light * 3.0 - v_position);"
        "float s = smoothstep(0.2, 0.9, dot(w, normalize(u_other)));"
        "gl_FragColor = vec4(t.rgb * u_diffuse * (max(dot(n, w), 0.0) * s), 1.0);",
        1,
    ),
    "lamp that fades": (f"{_LAMP} gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * c * {_FADING}), t.a);", 1),
    "lamp whose ambient light fades": (
        f"{_LAMP} gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * c) * {_FADING}, t.a);",
        1,
    ),
    "lamp that fades as far as a uniform says": (
        f"{_LAMP} gl_FragColor = vec4(t.rgb * u_diffuse * c * picaFading(w, u_slope, 0.5, u_radius), t.a);",
        1,
    ),
    "lamp that fades in a table of our own": (
        f"{_LAMP} float a = max(1.0 - min(length(w), u_radius) / u_radius, 0.0);"
        "gl_FragColor = vec4(t.rgb * (u_diffuse * c + u_specular) * a * a, t.a);",
        1,
    ),
    "lamp by the length of its way": (
        "vec3 w = u_light * 3.0 - v_position; float d = length(w);"
        "gl_FragColor = vec4(t.rgb * u_diffuse * max(dot(w / d, n), 0.0) * picaFading(w, 1.0, 0.0, u_radius), t.a);",
        1,
    ),
    "lamp without a normal": (
        "float a = picaFading(u_light - v_position, 0.5, 0.5, 5.0);"
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * a), t.a);",
        1,
    ),
    "two lamps that fade": (
        f"{_LAMP} vec3 x = u_other * 2.0 - v_position; float b = max(dot(n, normalize(x)), 0.0);"
        f"gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * c * {_FADING}"
        " + u_specular * b * picaFading(x, 0.0, 0.2, u_radius)), t.a);",
        1,
    ),
    "lamp with a highlight that fades": (
        f"{_LAMP} vec3 e = normalize(-v_position); float a = {_FADING};"
        "float p = pow(max(dot(n, normalize(s + e)), 0.0), 5.0);"
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * c * a) + u_specular * p * a, t.a);",
        1,
    ),
    "lamp that fades, and a rim that does not": (
        f"{_LAMP} vec3 e = normalize(-v_position); float rim = 1.0 - max(dot(n, e), 0.0);"
        f"gl_FragColor = vec4(t.rgb * u_diffuse * c * {_FADING} + u_specular * rim, t.a);",
        1,
    ),
    "spot that fades": (
        f"{_LAMP} float a = picaFading(w, u_slope, 0.2, u_radius) * picaSpot(s, -normalize(u_other), 0.95, u_cutoff);"
        "gl_FragColor = vec4(t.rgb * (u_ambient + (u_specular + u_diffuse * c) * a), t.a);",
        1,
    ),
    "spot along an axis": (
        f"{_LAMP} float a = picaSpot(s, vec3(0.0, -1.0, 0.0), 0.9, -0.5);"
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * c * a), t.a);",
        1,
    ),
    "two spots": (
        f"{_LAMP} vec3 x = normalize(u_other * 2.0 - v_position); float b = max(dot(n, x), 0.0);"
        "float k = smoothstep(u_cutoff, 0.95, dot(s, normalize(u_other)));"
        "float m = pow(max(dot(x, normalize(u_light)), 0.0), 3.0);"
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * c * k + u_specular * b * m), t.a);",
        1,
    ),
    "spot with a highlight": (
        f"{_LAMP} vec3 e = normalize(-v_position); float k = clamp((dot(s, normalize(u_other)) - 0.5) / 0.4, 0.0, 1.0);"
        "float p = pow(max(dot(n, normalize(s + e)), 0.0), 5.0);"
        "gl_FragColor = vec4(t.rgb * u_diffuse * c * k + u_specular * p * k, t.a);",
        1,
    ),
    "light in a varying": ("gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(dot(n, v), 0.0)), 1.0);", 1),
    "light along an axis": (
        "float c = max(dot(n, vec3(0.0, 0.0, -1.0)), 0.0);"
        "gl_FragColor = vec4(t.rgb * (u_diffuse * c + u_specular * pow(max(n.y, 0.0), 3.0)), t.a);",
        1,
    ),
    "wrapped": ("float w = dot(n, l) * 0.5 + 0.5; gl_FragColor = vec4(t.rgb * w * w, t.a);", 1),
    "hemisphere": ("gl_FragColor = vec4(t.rgb * mix(u_ambient, u_diffuse, n.y * 0.5 + 0.5), t.a);", 1),
    "normal as a colour": ("gl_FragColor = vec4(n * 0.5 + 0.5, t.a);", 1),
    "magnitude": ("gl_FragColor = vec4(t.rgb * abs(dot(n, l)), t.a);", 1),
    "other side": ("gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(-dot(n, l), 0.0)), t.a);", 1),
    "away from the eye": ("gl_FragColor = vec4(t.rgb * (0.5 + 0.5 * dot(n, -v)), t.a);", 1),
    "clamp for nothing": (
        "gl_FragColor = vec4(t.rgb * min(0.5 + u_diffuse + u_specular * 2.0 * max(dot(n, l), 0.0), 1.0), t.a);",
        1,
    ),
    "rim": (
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(dot(n, l), 0.0))"
        " + pow(1.0 - max(dot(n, v), 0.0), 3.0), t.a);",
        1,
    ),
    "rim in alpha": (
        "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * max(dot(n, l), 0.0)), 1.0 - max(dot(n, v), 0.0));",
        1,
    ),
    "product of functions": (
        "float a = clamp(dot(n, l) * 4.0, 0.0, 1.0), b = 1.0 - 0.5 * max(dot(n, v), 0.0);"
        "gl_FragColor = vec4(u_specular * (a * b), t.a);",
        1,
    ),
    "fog of light": (
        "gl_FragColor = vec4(mix(u_ambient + u_diffuse * max(dot(n, l), 0.0), u_specular, t.a), 1.0);",
        1,
    ),
    "above one by ranges": ("float x = max(dot(n, l), 0.0); gl_FragColor = vec4(t.rgb * (x * (1.5 - x)), 1.0);", 1),
    "gain": (
        "gl_FragColor = vec4(t.rgb * u_specular * (0.5 + 1.5 * smoothstep(0.2, 0.7, dot(n, l))), 1.0);",
        1,
    ),
    "highlight on a texture": (
        f"{_HALF} vec3 s = u_specular * pow(max(dot(n, h), 0.0), 8.0);"
        "gl_FragColor = vec4(t.rgb * s + u_diffuse * max(dot(n, l), 0.0), 1.0);",
        1,
    ),
    "spot of a highlight alone": (
        f"{_LAMP} float k = smoothstep(0.2, 0.9, dot(s, normalize(u_other)));"
        "float p = pow(max(dot(n, normalize(s + normalize(-v_position))), 0.0), 5.0);"
        "gl_FragColor = vec4(t.rgb * u_diffuse * c + u_specular * p * k, 1.0);",
        1,
    ),
    "fog of a texture": (
        "vec3 c = t.rgb * (u_ambient + u_diffuse * max(dot(n, l), 0.0));"
        "gl_FragColor = vec4(mix(c, u_specular, t.a), 1.0);",
        2,
    ),
}

#: Conditions that jump, and are not whether the surface faces the light.
CONDITIONS = (
    "dot(n, l) - 0.5 > 0.0",
    "0.3 - dot(n, l) > 0.0",
    "-dot(n, l) > 0.0",
    "dot(n, l) * dot(n, l) > 0.0",
    "abs(dot(n, l)) != 0.0",
    "dot(n, l) >= 0.0",
)


def shader(name: str) -> str:
    return with_promises(BODIES[name][0])


def with_promises(body: str) -> str:
    ranges = {**_RANGES, **_SCALAR_RANGES}
    promises = [f"#pragma pica200 range {name} {low} {high}" for name, (low, high) in ranges.items() if name in body]
    return "\n".join([*promises, DECLARED % body])


def unit_vectors(random: np.random.Generator, count: int) -> Any:
    found = random.normal(size=(count, 3))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def uniforms(random: np.random.Generator) -> dict[str, Any]:
    light, other = unit_vectors(random, 2)
    return {
        "u_light": light,
        "u_other": other,
        "u_eye": random.uniform(-2, 2, 3),
        **{name: random.uniform(*limits, 3) for name, limits in _RANGES.items()},
        **{name: random.uniform(*limits) for name, limits in _SCALAR_RANGES.items()},
    }


def varyings(random: np.random.Generator, count: int) -> dict[str, Any]:
    lengths = random.uniform(0.3, 3, (count, 1))
    return {
        "v_texcoord": random.uniform(0, 1, (count, 2)),
        "v_normal": unit_vectors(random, count) * lengths,
        "v_position": unit_vectors(random, count) * lengths[::-1],
        "v_view": unit_vectors(random, count) * lengths[::-1],
        "v_bent": np.hstack([unit_vectors(random, count) * lengths, random.uniform(0, 1, (count, 1))]),
        "v_place": np.hstack([unit_vectors(random, count) * lengths, random.uniform(0, 1, (count, 1))]),
    }


def texture(random: np.random.Generator) -> Texture:
    return Texture(random.integers(0, 256, (16, 16, 4), dtype=np.uint8))
