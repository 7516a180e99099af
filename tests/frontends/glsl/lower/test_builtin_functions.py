"""Built-in functions at run time against numpy: every function, and the forms with scalar arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.frontends.glsl.library.functions import function_names
from tests.frontends.glsl.lower.harness import run, run_fragment

A, B, C = np.array([0.25, -0.5, 0.75]), np.array([0.5, 0.125, -0.25]), np.array([0.1, 0.9, 0.4])
M, N = np.arange(9.0).reshape(3, 3), np.arange(9.0).reshape(3, 3) * 0.5 - 1.0
INTS, OTHERS = np.array([1, -2, 3]), np.array([1, 2, -3])
BOOLS, FLAGS = np.array([True, False, True]), np.array([True, True, False])
S = 0.375


def smoothstep(low: Any, high: Any, x: Any) -> Any:
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def refract(i: Any, n: Any, eta: float) -> Any:
    cosine = n @ i
    k = 1.0 - eta * eta * (1.0 - cosine * cosine)
    return np.zeros_like(i) if k < 0.0 else eta * i - (eta * cosine + np.sqrt(k)) * n


#: Call over the names a, b, c (vec3), m, n (mat3), i, j (ivec3), p, q (bvec3), s (float) -> expected value.
CASES: dict[str, Any] = {
    "radians(a)": np.radians(A),
    "degrees(a)": np.degrees(A),
    "sin(a)": np.sin(A),
    "cos(a)": np.cos(A),
    "tan(a)": np.tan(A),
    "asin(a)": np.arcsin(A),
    "acos(a)": np.arccos(A),
    "atan(a)": np.arctan(A),
    "atan(a, b)": np.arctan2(A, B),
    "pow(c, a)": C**A,
    "exp(a)": np.exp(A),
    "log(c)": np.log(C),
    "exp2(a)": np.exp2(A),
    "log2(c)": np.log2(C),
    "sqrt(c)": np.sqrt(C),
    "inversesqrt(c)": 1.0 / np.sqrt(C),
    "abs(a)": np.abs(A),
    "sign(a)": np.sign(A),
    "floor(a * 4.0)": np.floor(A * 4.0),
    "ceil(a * 3.0)": np.ceil(A * 3.0),
    "fract(a * 3.0)": A * 3.0 - np.floor(A * 3.0),
    "mod(a, b)": np.mod(A, B),
    "mod(a, s)": np.mod(A, S),
    "min(a, b)": np.minimum(A, B),
    "min(a, s)": np.minimum(A, S),
    "max(a, b)": np.maximum(A, B),
    "max(a, s)": np.maximum(A, S),
    "clamp(a, -c, c)": np.clip(A, -C, C),
    "clamp(a, -0.375, s)": np.clip(A, -S, S),
    "mix(a, b, c)": A * (1.0 - C) + B * C,
    "mix(a, b, s)": A * (1.0 - S) + B * S,
    "step(a, b)": (B >= A).astype(float),
    "step(s, b)": (B >= S).astype(float),
    "smoothstep(-c, c, a)": smoothstep(-C, C, A),
    "smoothstep(-0.375, s, a)": smoothstep(-S, S, A),
    "vec3(length(a))": [np.linalg.norm(A)] * 3,
    "vec3(length(-s))": [S] * 3,
    "vec3(distance(a, b))": [np.linalg.norm(A - B)] * 3,
    "vec3(dot(a, b))": [A @ B] * 3,
    "vec3(dot(s, s))": [S * S] * 3,
    "cross(a, b)": np.cross(A, B),
    "normalize(a)": A / np.linalg.norm(A),
    "vec3(normalize(-s))": [-1.0] * 3,
    "faceforward(a, b, c)": A if C @ B < 0.0 else -A,
    "faceforward(a, b, -c)": A if -C @ B < 0.0 else -A,
    "reflect(a, b)": A - 2.0 * (B @ A) * B,
    "refract(a, b, s)": refract(A, B, S),
    "refract(a, b, 4.0)": refract(A, B, 4.0),
    "matrixCompMult(m, n)[1]": (M * N)[:, 1],
    "vec3(lessThan(a, b))": A < B,
    "vec3(lessThan(i, j))": INTS < OTHERS,
    "vec3(lessThanEqual(a, b))": A <= B,
    "vec3(lessThanEqual(i, j))": INTS <= OTHERS,
    "vec3(greaterThan(a, b))": A > B,
    "vec3(greaterThan(i, j))": INTS > OTHERS,
    "vec3(greaterThanEqual(a, b))": A >= B,
    "vec3(greaterThanEqual(i, j))": INTS >= OTHERS,
    "vec3(equal(a, a.xxz))": A[[0, 0, 2]] == A,
    "vec3(equal(i, j))": INTS == OTHERS,
    "vec3(equal(p, q))": BOOLS == FLAGS,
    "vec3(notEqual(a, a.xxz))": A[[0, 0, 2]] != A,
    "vec3(notEqual(i, j))": INTS != OTHERS,
    "vec3(notEqual(p, q))": BOOLS != FLAGS,
    "vec3(any(p), any(not(p)), any(notEqual(p, p)))": [1.0, 1.0, 0.0],
    "vec3(all(p), all(equal(p, p)), all(q))": [0.0, 1.0, 0.0],
    "vec3(not(p))": ~BOOLS,
}
VALUES: dict[str, Any] = {
    "a": A,
    "b": B,
    "c": C,
    "m": M,
    "n": N,
    "i": INTS,
    "j": OTHERS,
    "p": BOOLS,
    "q": FLAGS,
    "s": S,
}


@pytest.mark.parametrize("call", CASES)
def test_function(call: str) -> None:
    np.testing.assert_allclose(run(f"result = {call};", "vec3", **VALUES), CASES[call], rtol=3e-6, atol=1e-7)


def test_every_function_has_a_case() -> None:
    texts = "\n".join((*CASES, *LOOKUPS, *VERTEX_LOOKUPS, *DERIVATIVES))
    of_geometry = ["EmitVertex", "EndPrimitive"]
    assert [name for name in function_names(100) if f"{name}(" not in texts] == of_geometry, "see test_geometry.py"


# ---------------------------------------------------------------------------------------- textures
SIZE = 8
RAMP = np.zeros((SIZE, SIZE, 4))
RAMP[..., 0] = (np.arange(SIZE) / 10.0)[None, :]
RAMP[..., 1] = (np.arange(SIZE) / 10.0)[:, None]
#: Every level holds its number in the blue channel.
LEVELS = [
    np.concatenate([RAMP[:s, :s, :2], np.full((s, s, 1), k), np.ones((s, s, 1))], 2) for k, s in enumerate((8, 4, 2, 1))
]
MAP = Texture(LEVELS[0], "nearest_mipmap_nearest", "clamp", LEVELS[1:])
#: Every face holds its number in the red channel, every level in the blue one.
FACES = [np.stack([np.full((s, s, 4), [f, 0.0, k, 1.0]) for f in range(6)]) for k, s in enumerate((8, 4, 2, 1))]
CUBE = Texture(FACES[0], "nearest_mipmap_nearest", "clamp", FACES[1:])

#: The pixels of the quad are one texel apart, so the automatic level is 0.
QUAD = np.array([[2.5, 4.5], [3.5, 4.5], [2.5, 5.5], [3.5, 5.5]]) / SIZE
EXTENSION = "#extension GL_EXT_shader_texture_lod : require\n"
#: Fragment shader expression over `uv` -> colour of pixel 0.
#: Along the cube's +x face one pixel is 1/8 texel (level -3), so a bias of 5 is level 2.
LOOKUPS: dict[str, list[float]] = {
    "texture2D(map, uv)": [0.2, 0.4, 0.0, 1.0],
    "texture2D(map, uv, 2.0)": [0.0, 0.1, 2.0, 1.0],
    "texture2DProj(map, vec3(uv * 2.0, 2.0))": [0.2, 0.4, 0.0, 1.0],
    "texture2DProj(map, vec4(uv * 4.0, 9.0, 4.0))": [0.2, 0.4, 0.0, 1.0],
    "texture2DProj(map, vec3(uv * 2.0, 2.0), 1.0)": [0.1, 0.2, 1.0, 1.0],
    "texture2DProj(map, vec4(uv * 2.0, 9.0, 2.0), 1.0)": [0.1, 0.2, 1.0, 1.0],
    "texture2DLodEXT(map, uv, 1.0)": [0.1, 0.2, 1.0, 1.0],
    "texture2DProjLodEXT(map, vec3(uv * 2.0, 2.0), 1.0)": [0.1, 0.2, 1.0, 1.0],
    "texture2DProjLodEXT(map, vec4(uv * 2.0, 9.0, 2.0), 1.0)": [0.1, 0.2, 1.0, 1.0],
    "texture2DGradEXT(map, uv, vec2(0.5, 0.0), vec2(0.0))": [0.0, 0.1, 2.0, 1.0],
    "texture2DProjGradEXT(map, vec3(uv * 2.0, 2.0), vec2(0.25, 0.0), vec2(0.0))": [0.1, 0.2, 1.0, 1.0],
    "texture2DProjGradEXT(map, vec4(uv * 2.0, 9.0, 2.0), vec2(0.25, 0.0), vec2(0.0))": [0.1, 0.2, 1.0, 1.0],
    "textureCube(cube, vec3(uv - 0.5, -4.0))": [5.0, 0.0, 0.0, 1.0],
    "textureCube(cube, vec3(4.0, uv - 0.5), 5.0)": [0.0, 0.0, 2.0, 1.0],
    "textureCubeLodEXT(cube, vec3(uv - 0.5, 4.0), 2.0)": [4.0, 0.0, 2.0, 1.0],
    "textureCubeGradEXT(cube, vec3(uv - 0.5, 4.0), vec3(4.0, 0.0, 0.0), vec3(0.0))": [4.0, 0.0, 2.0, 1.0],
}
VERTEX_LOOKUPS: dict[str, list[float]] = {
    "texture2D(map, uv)": [0.2, 0.4, 0.0, 1.0],
    "texture2DLod(map, uv, 1.0)": [0.1, 0.2, 1.0, 1.0],
    "texture2DProjLod(map, vec3(uv * 2.0, 2.0), 1.0)": [0.1, 0.2, 1.0, 1.0],
    "texture2DProjLod(map, vec4(uv * 2.0, 9.0, 2.0), 1.0)": [0.1, 0.2, 1.0, 1.0],
    "textureCubeLod(cube, vec3(uv - 0.5, 4.0), 2.0)": [4.0, 0.0, 2.0, 1.0],
}
#: Fragment shader expression over `uv` -> differences it takes of `uv` per pixel, as (x, y).
DERIVATIVES: dict[str, tuple[float, float]] = {
    "dFdx(uv)": (1.0 / SIZE, 0.0),
    "dFdy(uv)": (0.0, 1.0 / SIZE),
    "fwidth(uv * -2.0)": (2.0 / SIZE, 2.0 / SIZE),
}
SAMPLERS = "uniform sampler2D map; uniform samplerCube cube; varying vec2 uv;\n"


def _bound(call: str) -> dict[str, Texture | list[Texture]]:
    return {"map": MAP} if "(map" in call else {"cube": CUBE}


@pytest.mark.parametrize("call", LOOKUPS)
def test_lookup(call: str) -> None:
    source = f"{SAMPLERS} void main() {{ gl_FragColor = {call}; }}"
    color = run_fragment(source, {"uv": QUAD}, textures=_bound(call), head=EXTENSION).outputs["gl_FragColor"][0]
    np.testing.assert_allclose(color, LOOKUPS[call], atol=1e-6)


@pytest.mark.parametrize("call", VERTEX_LOOKUPS)
def test_lookup_in_a_vertex_shader(call: str) -> None:
    functions = "uniform sampler2D map; uniform samplerCube cube;"
    color = run(f"result = {call};", functions=functions, textures=_bound(call), uv=QUAD[0])
    np.testing.assert_allclose(color, VERTEX_LOOKUPS[call], atol=1e-6)


@pytest.mark.parametrize("call", DERIVATIVES)
def test_derivative(call: str) -> None:
    source = f"varying vec2 uv; void main() {{ gl_FragColor = vec4({call}, 0.0, 0.0); }}"
    head = "#extension GL_OES_standard_derivatives : enable\n"
    color = run_fragment(source, {"uv": QUAD}, head=head).outputs["gl_FragColor"]
    np.testing.assert_allclose(color[:, :2], [DERIVATIVES[call]] * 4, atol=1e-7)
