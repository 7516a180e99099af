"""What lookups read: defaults, pragmas and the compiler option."""

from __future__ import annotations

import numpy as np
import pytest

from backends.agal.isa.container import unpack
from backends.agal.isa.program import decode
from compiler.artifact import Artifact
from runtime.textures import Texture
from tests.backends.agal.compiled import LANES, build, compiled, mnemonics, refusal, run

PLAIN = "attribute vec4 a; void main() { gl_Position = a; }"
TEXTURED = """
#pragma agal sampler(u_map, nearest, clamp, bias=-0.5)
precision highp float;
varying vec2 v;
uniform sampler2D u_map;
void main() { gl_FragColor = texture2D(u_map, v).wzyx; }
"""


def _sampler(artifact: Artifact) -> object:
    tokens = [decode(word) for word in unpack(artifact.binary).words]
    return next(token.sampler for token in tokens if token is not None and token.sampler is not None)


def test_pragmas_set_samplers() -> None:
    sampler = _sampler(compiled(TEXTURED, "fragment"))
    assert (sampler.filter, sampler.wrap, sampler.bias) == (0, 0, -4)  # type: ignore[attr-defined]
    plain = _sampler(compiled(TEXTURED.split("\n", 2)[2], "fragment"))
    assert (plain.filter, plain.mip, plain.wrap, plain.bias) == (1, 0, 1, 0)  # type: ignore[attr-defined]


def test_the_option_overrides_pragmas() -> None:
    sampler = _sampler(compiled(TEXTURED, "fragment", agal_samplers="u_map: linear, bias=0.5; u_map: mipnearest"))
    assert (sampler.filter, sampler.mip, sampler.wrap, sampler.bias) == (1, 1, 0, 4)  # type: ignore[attr-defined]
    assert mnemonics(compiled(PLAIN, "vertex", agal_samplers="u_map: linear"))


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("u_mop: nearest", "there is no sampler 'u_mop'"),
        ("u_map: neerest", "there is no option 'neerest'"),
        ("u_map", "there is no option ''"),
        ("u_map: bias=99", "a bias counts eighths"),
    ],
)
def test_mistakes_in_the_option_of_samplers(option: str, text: str) -> None:
    refused = refusal(TEXTURED, "fragment", agal_samplers=option)
    assert (refused.code, text in refused.message) == ("E0861", True)


def test_textures() -> None:
    image = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    place = (np.random.default_rng(1).integers(0, 4, (LANES, 2)) * 2 + 1) / 8
    found = run(build(TEXTURED, "fragment"), {"v": place}, {}, {"u_map": Texture(image)}, quads=True)
    column, row = (place * 4).astype(int).T
    assert np.allclose(found["gl_FragColor"], image[row, column][:, ::-1] / 255)


@pytest.mark.parametrize(
    ("pragma", "text"),
    [
        ("agal sampler(u_other, nearest)", "there is no sampler 'u_other'"),
        ("agal sampler(u_map, neerest)", "there is no option 'neerest'"),
        ("agal sampler(u_map, bias=0.3)", "a bias counts eighths"),
        ("agal texture(u_map)", "it is none of"),
    ],
)
def test_mistakes_in_pragmas(pragma: str, text: str) -> None:
    source = TEXTURED.replace("agal sampler(u_map, nearest, clamp, bias=-0.5)", pragma)
    assert text in refusal(source, "fragment").message
