"""Lit scenes, and what their pixels are by formulas of vectors: written from the shaders by hand, with numpy alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from glslc_multi.compiler.records import dataclass
from tests.backends.pica200.codegen.fragment.units.lighting.shaders import unit_vectors

_DECLARED = """
#include <pica200.glsl>
#pragma pica200 range u_radius 2 8
precision highp float;
uniform vec3 u_lamp, u_far, u_spot, u_ambient, u_diffuse, u_specular;
uniform float u_slope, u_radius;
varying vec3 v_normal, v_position;
void main() {
    vec3 n = normalize(v_normal), e = normalize(-v_position);
    vec3 w = u_lamp - v_position, l = normalize(w);
    float c = max(dot(n, l), 0.0), f = max(dot(n, normalize(u_far)), 0.0);
    %s
}
"""

#: A pixel's colour by what the scene has: vectors and numbers by name.
Formula = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is in `main`, and what it means."""

    body: str
    meant: Formula

    @property
    def source(self) -> str:
        return _DECLARED % self.body


def _dot(one: Any, other: Any) -> Any:
    return np.sum(one * other, axis=1, keepdims=True)


def _unit(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def _ramp(low: float, high: float, x: Any) -> Any:
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def _shine(s: Mapping[str, Any], power: float) -> Any:
    return np.maximum(_dot(s["n"], _unit(s["l"] + s["e"])), 0) ** power


SCENES: Mapping[str, Scene] = {
    "by the distance": Scene(
        "gl_FragColor = vec4(u_ambient + u_diffuse * c * picaFading(w, u_slope, 0.25, 6.0), 1.0);",
        lambda s: s["ambient"] + s["diffuse"] * s["c"] / (1 + s["slope"] * s["d"] + 0.25 * s["d"] ** 2),
    ),
    "with the ambient light of a lamp": Scene(
        "float a = max(1.0 - min(length(w), u_radius) / u_radius, 0.0);"
        "gl_FragColor = vec4((u_ambient + u_diffuse * c) * a * a, 1.0);",
        lambda s: (s["ambient"] + s["diffuse"] * s["c"]) * np.clip(1 - s["d"] / s["radius"], 0, 1) ** 2,
    ),
    "with an end that is known": Scene(
        "gl_FragColor = vec4(u_diffuse * c * (4.0 - min(length(w), 4.0)) * 0.25 + u_ambient, 1.0);",
        lambda s: s["diffuse"] * s["c"] * np.maximum(1 - s["d"] / 4, 0) + s["ambient"],
    ),
    "brighter than a table": Scene(
        "gl_FragColor = vec4(u_diffuse * (c + c * min(length(w), 1.0)), 1.0);",
        lambda s: s["diffuse"] * s["c"] * (1 + np.minimum(s["d"], 1)),
    ),
    "twice a far light": Scene(
        "gl_FragColor = vec4(u_ambient + 2.0 * u_diffuse * f, 1.0);",
        lambda s: s["ambient"] + 2 * s["diffuse"] * s["f"],
    ),
    "beside a far light": Scene(
        "float a = 1.0 - smoothstep(1.0, u_radius, min(length(w), u_radius));"
        "gl_FragColor = vec4(u_diffuse * c * a + u_specular * f, 1.0);",
        lambda s: s["diffuse"] * s["c"] * (1 - _ramp(1, s["radius"], s["d"])) + s["specular"] * s["f"],
    ),
    "a spot": Scene(
        "gl_FragColor = vec4(u_ambient + u_diffuse * c * smoothstep(0.2, 0.9, dot(l, normalize(u_spot))), 1.0);",
        lambda s: s["ambient"] + s["diffuse"] * s["c"] * _ramp(0.2, 0.9, _dot(s["l"], s["spot"])),
    ),
    "a highlight": Scene(
        "vec3 s = u_specular * pow(max(dot(n, normalize(l + e)), 0.0), 2.0);"
        "gl_FragColor = vec4(u_diffuse * c + (dot(n, l) > 0.0 ? s : vec3(0.0)), 1.0);",
        lambda s: s["diffuse"] * s["c"] + s["specular"] * _shine(s, 2) * (_dot(s["n"], s["l"]) > 0),
    ),
    "a lamp by where its light goes": Scene(
        "vec3 q = normalize(v_position - u_lamp); float p = pow(max(dot(n, normalize(e - q)), 0.0), 2.0);"
        "gl_FragColor = vec4(u_diffuse * max(dot(n, -q), 0.0) + u_specular * p, 1.0);",
        lambda s: s["diffuse"] * s["c"] + s["specular"] * _shine(s, 2),
    ),
    "a far light by where it goes": Scene(
        "vec3 q = normalize(u_far); float p = pow(max(-dot(n, normalize(q - e)), 0.0), 2.0);"
        "gl_FragColor = vec4(u_diffuse * max(-dot(n, q), 0.0) + u_specular * p, 1.0);",
        lambda s: (
            s["diffuse"] * np.maximum(-_dot(s["n"], s["far"]), 0)
            + s["specular"] * np.maximum(_dot(s["n"], _unit(s["e"] - s["far"])), 0) ** 2
        ),
    ),
    "a highlight that fades": Scene(
        "float a = picaFading(w, 0.0, u_slope, 6.0), p = pow(max(dot(n, normalize(l + e)), 0.0), 2.0);"
        "gl_FragColor = vec4(u_ambient + (u_diffuse * c + u_specular * p) * a, 1.0);",
        lambda s: (
            s["ambient"] + (s["diffuse"] * s["c"] + s["specular"] * _shine(s, 2)) / (1 + s["slope"] * s["d"] ** 2)
        ),
    ),
    "by functions of the header": Scene(
        "float a = picaFading(w, u_slope, 0.3, 4.0) * picaSpot(l, normalize(u_spot), 0.9, -0.5);"
        "float p = pow(max(picaReflected(n, l, e), 0.0), 2.0);"
        "gl_FragColor = vec4(u_ambient + (u_diffuse * c + u_specular * p) * a, 1.0);",
        lambda s: (
            s["ambient"]
            + (s["diffuse"] * s["c"] + s["specular"] * np.maximum(2 * _shine(s, 2) - 1, 0) ** 2)
            * _ramp(-0.5, 0.9, -_dot(s["l"], s["spot"]))
            / (1 + s["slope"] * np.minimum(s["d"], 4) + 0.3 * np.minimum(s["d"], 4) ** 2)
        ),
    ),
    "a light at the eye": Scene(
        "float p = pow(max(picaReflected(n, e, e), 0.0), 3.0);"
        "gl_FragColor = vec4(u_diffuse * max(dot(n, e), 0.0) + u_specular * p, 1.0);",
        lambda s: (
            s["diffuse"] * np.maximum(_dot(s["n"], s["e"]), 0)
            + s["specular"] * np.maximum(2 * np.maximum(_dot(s["n"], s["e"]), 0) ** 2 - 1, 0) ** 3
        ),
    ),
    "a rim": Scene(
        "float r = pow(1.0 - max(dot(n, e), 0.0), 2.0), h = pow(max(dot(n, normalize(l + e)), 0.0), 2.0);"
        "gl_FragColor = vec4(u_diffuse * h + u_specular * r, 1.0);",
        lambda s: s["diffuse"] * _shine(s, 2) + s["specular"] * (1 - np.maximum(_dot(s["n"], s["e"]), 0)) ** 2,
    ),
    "more than a table holds": Scene(
        "gl_FragColor = vec4(u_specular * (0.5 + 1.5 * smoothstep(0.2, 0.7, dot(n, l))), 1.0);",
        lambda s: s["specular"] * (0.5 + 1.5 * _ramp(0.2, 0.7, _dot(s["n"], s["l"]))),
    ),
    "a highlight beyond 1": Scene(
        "gl_FragColor = vec4(vec3(0.9, 0.7, 0.6) * (0.5 + 1.5 * smoothstep(0.2, 0.7, dot(n, l))), 1.0);",
        lambda s: np.array([0.9, 0.7, 0.6]) * (0.5 + 1.5 * _ramp(0.2, 0.7, _dot(s["n"], s["l"]))),
    ),
    "both sides": Scene(
        "gl_FragColor = vec4(u_diffuse * abs(dot(n, l)), 1.0);",
        lambda s: s["diffuse"] * np.abs(_dot(s["n"], s["l"])),
    ),
    "of V and H": Scene(
        "gl_FragColor = vec4(u_diffuse * pow(1.0 - max(dot(e, normalize(l + e)), 0.0), 2.0)"
        " + u_specular * max(dot(n, l), 0.0), 1.0);",
        lambda s: (
            s["diffuse"] * (1 - np.maximum(_dot(s["e"], _unit(s["l"] + s["e"])), 0)) ** 2 + s["specular"] * s["c"]
        ),
    ),
}


def values(random: np.random.Generator, pixels: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Uniforms and varyings."""
    lamp, far, spot = unit_vectors(random, 3)
    uniforms = {
        "u_lamp": lamp * 2.5,
        "u_far": far,
        "u_spot": spot,
        **{name: random.uniform(0.1, 0.4, 3) for name in ("u_ambient", "u_diffuse", "u_specular")},
        "u_slope": random.uniform(0.1, 1),
        "u_radius": random.uniform(2, 8),
    }
    lengths = random.uniform(0.3, 3, (pixels, 1))
    return uniforms, {
        "v_normal": unit_vectors(random, pixels) * lengths,
        "v_position": unit_vectors(random, pixels) * lengths[::-1],
    }


def meant(scene: Scene, uniforms: Mapping[str, Any], varyings: Mapping[str, Any]) -> Any:
    """Red, green and blue of all pixels, in steps of 1/255."""
    way = uniforms["u_lamp"] - varyings["v_position"]
    vectors = {"n": _unit(varyings["v_normal"]), "e": _unit(-varyings["v_position"]), "l": _unit(way)}
    known = {name.removeprefix("u_"): value for name, value in uniforms.items()} | vectors
    known["d"] = np.linalg.norm(way, axis=1, keepdims=True)
    known["c"] = np.maximum(_dot(known["n"], known["l"]), 0)
    known["f"] = np.maximum(_dot(known["n"], known["far"]), 0)
    return 255 * np.clip(scene.meant(known), 0, 1)
