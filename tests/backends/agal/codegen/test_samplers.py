"""What lookups read: defaults, pragmas and the compiler option."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from backends.agal.isa.container import unpack
from backends.agal.isa.program import decode
from compiler.artifact import Artifact
from compiler.diagnostics import CompileError
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


@pytest.mark.parametrize("from_host", [False, True])
def test_the_map_has_the_words_of_the_text(from_host: bool) -> None:
    artifact = compiled(TEXTURED, "fragment", agal_version=2, agal_host_samplers=from_host)
    found: Any = artifact.map_keys["sampler_states"]
    words = artifact.assembly.partition("<")[2].partition(">")[0].split(",")
    assert words == ["2d", "nearest", "mipnone", "clamp", *(["ignoresampler"] if from_host else []), "-0.5"]
    names = ("dimension", "filter", "mip", "wrap")
    assert found == [
        {"register": 0, **dict(zip(names, words, strict=False)), "bias": -0.5, "ignored": from_host},
    ]
    assert compiled(PLAIN, "vertex").map_keys["sampler_states"] == []


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


# --- Every field ------------------------------------------------------------------------------------------------------

TWO = """
precision highp float;
varying vec4 v;
uniform sampler2D u_map;
uniform samplerCube u_sky;
void main() { gl_FragColor = texture2D(u_map, v.xy) + textureCube(u_sky, v.xyz); }
"""
#: Fields of a token's sampler: dimension, filter, mip, wrap, special, bias.
PLAIN_FIELDS, CUBE_FIELDS = (0, 1, 0, 1, 0, 0), (1, 1, 2, 0, 0, 0)


def samplers(artifact: Artifact) -> list[tuple[int, ...]]:
    """The fields of the samplers of all lookups, by the samplers' numbers."""
    found = {}
    for word in unpack(artifact.binary).words:
        token = decode(word)
        if token is not None and token.sampler is not None:
            sampler = token.sampler
            fields = sampler.dimension, sampler.filter, sampler.mip, sampler.wrap, sampler.special, sampler.bias
            found[sampler.number] = fields
    return [fields for _, fields in sorted(found.items())]


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("nearest", (0, 0, 0, 1, 0, 0)),
        ("anisotropic4x", (0, 3, 0, 1, 0, 0)),
        ("miplinear", (0, 1, 2, 1, 0, 0)),
        ("clamp_u_repeat_v", (0, 1, 0, 2, 0, 0)),
        ("centroid, single", (0, 1, 0, 1, 3, 0)),
        ("clamp, repeat_u_clamp_v", (0, 1, 0, 3, 0, 0)),
        ("bias=15.875", (0, 1, 0, 1, 0, 127)),
        ("bias = -16", (0, 1, 0, 1, 0, -128)),
        ("bias=+0.5, nearest", (0, 0, 0, 1, 0, 4)),
    ],
)
def test_words_of_pragmas_and_of_the_option(words: str, fields: tuple[int, ...]) -> None:
    by_pragma = compiled(f"#pragma agal sampler(u_map, {words})\n{TWO}", "fragment", agal_version=2)
    by_option = compiled(TWO, "fragment", agal_version=2, agal_samplers=f"u_map: {words}")
    assert samplers(by_pragma) == samplers(by_option) == [fields, CUBE_FIELDS]


@pytest.mark.parametrize("bias", ["16", "-16.125", "0.3"])
def test_a_bias_that_no_token_holds(bias: str) -> None:
    refused = refusal(TWO, "fragment", agal_samplers=f"u_map: bias={bias}")
    assert f"a bias counts eighths from -16 to 15.875, found {bias}" in refused.message


def test_samplers_that_nobody_names_are_as_the_host_has_them() -> None:
    for version in (1, 2, 3):
        artifact = compiled(TWO, "fragment", agal_version=version)
        assert samplers(artifact) == [PLAIN_FIELDS, CUBE_FIELDS]
        assert artifact.reflection.host_state == {"samplers": "fs0,fs1"}
    named = compiled(TWO, "fragment", agal_samplers="u_map: nearest; u_sky: mipnearest")
    assert samplers(named) == [(0, 0, 0, 1, 0, 0), (1, 1, 1, 0, 0, 0)]
    assert named.reflection.host_state is None
    assert compiled(TWO, "fragment", agal_samplers="u_map: nearest").reflection.host_state == {"samplers": "fs1"}


def test_the_host_sets_samplers_in_versions_that_can_say_so() -> None:
    """`ignoresampler`, bit 2 of the special field, which version 1 refuses."""
    first, second = (compiled(TWO, "fragment", agal_version=version, agal_host_samplers=True) for version in (1, 2))
    assert samplers(first) == [PLAIN_FIELDS, CUBE_FIELDS]
    assert samplers(second) == [(0, 1, 0, 1, 4, 0), (1, 1, 2, 0, 4, 0)]


def test_elements_of_an_array_have_the_settings_of_their_variable_and_biases_of_their_own() -> None:
    source = """
    #pragma agal sampler(u_maps, nearest, bias=-0.5)
    precision highp float;
    varying vec4 v;
    uniform sampler2D u_maps[3];
    void main() {
        gl_FragColor = texture2D(u_maps[0], v.xy) + texture2D(u_maps[1], v.xy, 0.5) * texture2D(u_maps[2], v.xy, -1.0);
    }
    """
    assert samplers(compiled(source, "fragment")) == [(0, 0, 0, 1, 0, bias) for bias in (-4, 4, -8)]


def test_a_bias_of_zero_is_that_of_the_pragma() -> None:
    source = TWO.replace("v.xy)", "v.xy, 0.0)")
    assert samplers(compiled(source, "fragment", agal_samplers="u_map: bias=1.5"))[0] == (0, 1, 0, 1, 0, 12)


def test_different_biases_are_reported_at_the_second_lookup() -> None:
    source = TWO.replace("v.xy) +", "v.xy)\n* texture2D(u_map, v.zw, 0.5) + texture2D(u_map, v.zw, 0.25) +")
    with pytest.raises(CompileError) as caught:
        compiled(source, "fragment")
    found = caught.value.diagnostics
    assert [diagnostic.message for diagnostic in found] == ["agal 1 cannot express different biases of 'u_map'"] * 2
    assert {diagnostic.span.line for diagnostic in found if diagnostic.span is not None} == {7}


@pytest.mark.parametrize(
    ("option", "suggestion"),
    [("u_mop: nearest", "u_map"), ("u_map: neerest", "nearest"), ("u_ski: clamp", "u_sky")],
)
def test_mistakes_are_answered_with_what_may_be_meant(option: str, suggestion: str) -> None:
    assert suggestion in (refusal(TWO, "fragment", agal_samplers=option).help or "")


def test_pragmas_of_others_are_none_of_ours() -> None:
    assert compiled(f"#pragma other sampler(u_none)\n#pragma optimize(on)\n{TWO}", "fragment")
    assert (
        refusal(f"#pragma agal\n{TWO}", "fragment").code
        == refusal(f"#pragma agal sampler(u_none)\n{TWO}", "fragment").code
    )
