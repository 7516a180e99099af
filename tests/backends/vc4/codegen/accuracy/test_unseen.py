"""Functions with the unit's 13 bits: what a pixel of bytes shows of them, and where there are more bits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source

#: What may be wrong before the rounding to a byte, and a little for the rounding of sums.
_QUARTER, _ROUNDING = 0.25, 0.01
_COUNT = 4096
_HEAD = "precision highp float; uniform highp sampler2D t; varying vec4 v;"

#: A colour of v.x from 0 to 1, v.y from 1 to 8, v.z from -4 to 4; what it is; does the unit compute all of it?
_COLOURS: dict[str, tuple[Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray], bool]] = {
    "clamp(1.0 / v.y, 0.0, 1.0)": (lambda x, y, z: 1 / y, True),
    "sqrt(v.x)": (lambda x, y, z: np.sqrt(x), True),
    "inversesqrt(v.y)": (lambda x, y, z: 1 / np.sqrt(y), True),
    "pow(clamp(v.x, 0.0, 1.0), 2.2)": (lambda x, y, z: x**2.2, True),
    "pow(clamp(v.x, 0.0, 1.0), 1.0 / 2.2)": (lambda x, y, z: x ** (1 / 2.2), True),
    "exp2(v.z)": (lambda x, y, z: np.exp2(z), True),
    # The ends of what is shown are large numbers, and their errors with them.
    "exp2(v.z) * 40.0 - 39.5": (lambda x, y, z: np.exp2(z) * 40 - 39.5, False),
    "39.5 - sqrt(v.y) * 20.0": (lambda x, y, z: 39.5 - np.sqrt(y) * 20, False),
    "sqrt(v.y) * v.y * 9.0 - 60.0": (lambda x, y, z: np.sqrt(y) * y * 9 - 60, False),
    "40.0 / v.y - 10.0": (lambda x, y, z: 40 / y - 10, False),
    "20.0 * inversesqrt(v.y) - 10.0": (lambda x, y, z: 20 / np.sqrt(y) - 10, False),
    "log2(v.y) * 20.0 - 30.0": (lambda x, y, z: np.log2(y) * 20 - 30, False),
    "mean(pow(v.y, v.z), 0.25, sqrt(v.y), clamp(v.x, 0.0, 1.0))": (
        lambda x, y, z: (y**z * 0.25 + np.sqrt(y) * x) / (y**z + np.sqrt(y)),
        True,
    ),
    "mean(pow(v.y, clamp(v.z, -1.0, 2.0)), 0.25, sqrt(v.y), clamp(v.x, 0.0, 1.0))": (
        lambda x, y, z: (y ** np.clip(z, -1, 2) * 0.25 + np.sqrt(y) * x) / (y ** np.clip(z, -1, 2) + np.sqrt(y)),
        True,
    ),
    # What decides must be exact.
    "sqrt(v.y) < 1.75 ? 0.0 : 1.0": (lambda x, y, z: np.where(np.sqrt(y) < 1.75, 0.0, 1.0), False),
    "fract(exp2(v.z) * 3.0)": (lambda x, y, z: np.exp2(z) * 3 % 1, False),
    # A loop of which nobody knows how often it runs.
    "looped(v.y)": (lambda x, y, z: np.sqrt(np.sqrt(np.sqrt(y))), False),
}
_MEAN = "float mean(float w, float x, float u, float y) { return (w * x + u * y) / (w + u); }"
_LOOPED = "uniform int n; float looped(float x) { for (int i = 0; i < n; i++) x = sqrt(x); return x; }"


def _shown(colour: str, functions: str, **inputs: np.ndarray) -> tuple[np.ndarray, int]:
    text = f"{_HEAD} {_MEAN} {_LOOPED if 'looped' in colour else ''} void main() {{ gl_FragColor = vec4({colour}); }}"
    shader = glslc_multi.compile(text, stage="fragment", target="vc4", options={"functions": functions})
    uniforms = {"n": np.array(3)} if "looped" in colour else {}
    return shader.run(inputs, uniforms)["gl_FragColor"][:, 0] * 255.0, shader.stats.instructions


@pytest.mark.parametrize("colour", _COLOURS)
def test_a_pixel_shows_a_quarter_of_a_step_at_most(colour: str) -> None:
    formula, is_enough = _COLOURS[colour]
    random = np.random.default_rng(3)
    v = random.uniform([0.0, 1.0, -4.0, 0.0], [1.0, 8.0, 4.0, 1.0], (_COUNT, 4)).astype("f4")
    wanted = np.clip(formula(*v.astype("f8").T[:3]), 0.0, 1.0) * 255.0
    found, words = _shown(colour, "needed", v=v)
    _, most = _shown(colour, "precise", v=v)
    assert (words < most) == is_enough
    # Next to a jump either side may be seen.
    near = np.abs(found - wanted) if "fract" not in colour and "<" not in colour else _away(found - wanted)
    assert near.max() <= 0.5 + _QUARTER + _ROUNDING


def _away(difference: np.ndarray) -> np.ndarray:
    """Leave out the few pixels that lie on a jump, where the last bit decides."""
    return np.sort(np.abs(difference))[: -_COUNT // 1000]


def test_what_discards_pixels_has_more_digits() -> None:
    # Between two numbers of 13 bits.
    edge = np.log2(9.0005)
    text = f"{_HEAD} void main() {{ if (exp2(v.y) < 9.0005) discard; gl_FragColor = vec4(v.x); }}"
    v = np.random.default_rng(5).uniform(edge - 1e-3, edge + 1e-3, (_COUNT, 4)).astype("f4")
    found = glslc_multi.compile(text, stage="fragment", target="vc4").run({"v": v}, {})["discarded"]
    # A power that is wrong by 6e-6 of itself is one of another exponent, by 9e-6.
    assert (found == (v[:, 1] < edge))[np.abs(v[:, 1] - edge) > 3e-5].all()


def test_code_without_a_colour_has_all_digits() -> None:
    """A shader that only discards pixels, and what the host computes of uniforms."""
    text = f"{_HEAD} void main() {{ if (sqrt(v.y) < 1.75) discard; }}"
    near = np.array([[0.0, 1.75**2 * (1 + side * 2**-16), 0.0, 0.0] for side in (-1, 1)], np.float32)
    shader = glslc_multi.compile(text, stage="fragment", target="vc4")
    assert shader.run({"v": near}, {})["discarded"].tolist() == [True, False]
    text = f"{_HEAD} uniform float u; void main() {{ gl_FragColor = vec4(v.x * sqrt(u)); }}"
    shader = glslc_multi.compile(text, stage="fragment", target="vc4", preamble=True)
    assert round(shader.run({"v": np.ones((1, 4), np.float32)}, {"u": 0.36})["gl_FragColor"][0, 0] * 255) == 153


def test_raw_outputs_have_all_digits() -> None:
    options = {"output": "raw"}
    text = f"{_HEAD} void main() {{ gl_FragColor = vec4(sqrt(v.x)); }}"
    shader = glslc_multi.compile(text, stage="fragment", target="vc4", options=options)
    v = np.random.default_rng(4).uniform(0.01, 1.0, (_COUNT, 4)).astype("f4")
    found = shader.run({"v": v}, {})["gl_FragColor"][:, 0]
    assert np.abs(found / np.sqrt(v[:, 0].astype("f8")) - 1.0).max() < 2e-7


@pytest.mark.parametrize("colour", ["pow(v.x, 2.2)", "v.x / v.y"])
def test_precise_code_has_all_digits(colour: str) -> None:
    text = f"{_HEAD} void main() {{ gl_FragColor = vec4({colour}); }}"
    source = make_source(text, "test.frag", "fragment")
    words = [
        compile_source(source, load_target("vc4"), Request(precise=precise), DiagnosticSink()).stats.instructions
        for precise in (False, True)
    ]
    assert words[0] < words[1]


def test_a_texture_of_bytes_lies_between_0_and_1() -> None:
    """Gamma corrections of texels, there and back: all bytes come back."""
    colour = "pow(0.5 * pow(texture2D(t, v.xy).r, 2.2) + 0.5 * pow(texture2D(t, v.zw).r, 2.2), 1.0 / 2.2)"
    text = f"{_HEAD} void main() {{ gl_FragColor = vec4({colour}); }}"
    texels = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(4, axis=2)
    at = (np.stack(np.meshgrid(np.arange(16), np.arange(16)), axis=-1).reshape(-1, 2) + 0.5) / 16
    shader = glslc_multi.compile(text, stage="fragment", target="vc4")
    v = np.concatenate([at, at], axis=1).astype("f4")
    found = shader.run({"v": v}, {}, {"t": Texture(texels)})["gl_FragColor"][:, 0] * 255.0
    precise = glslc_multi.compile(text, stage="fragment", target="vc4", options={"functions": "precise"})
    assert shader.stats.instructions < precise.stats.instructions / 2
    assert np.array_equal(np.round(found), np.arange(256))
