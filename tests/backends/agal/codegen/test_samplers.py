"""What lookups read: defaults, pragmas and the compiler option."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.program import decode
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.textures import Texture
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


# --- Level 0 ----------------------------------------------------------------------------------------------------------

_ES = "#version 300 es\nprecision highp float; in vec2 v; out vec4 c; uniform sampler2D m;\n"
_OLD = "precision highp float; varying vec2 v; uniform sampler2D m;\n"
_BASE = {
    "textureLod": f"{_ES} void main() {{ c = textureLod(m, v, 0.0); }}",
    "below": f"{_ES} void main() {{ c = textureLod(m, v, -3.5); }}",
    "folded": f"{_ES} const int n = 2; void main() {{ c = textureLod(m, v, float(n) * 0.5 - 1.0); }}",
    "textureProjLod": f"{_ES} void main() {{ c = textureProjLod(m, vec3(v * 2.0, 2.0), 0.0); }}",
    "unrolled": f"{_ES} void main() {{ c = vec4(0); for (int i = 0; i < 2; i++) c += textureLod(m, v, 0.0) * .5; }}",
    "texture2DLodEXT": f"#extension GL_EXT_shader_texture_lod : require\n{_OLD}"
    "void main() { gl_FragColor = texture2DLodEXT(m, v, 0.0); }",
    "texture2DLod": "#version 120\n#extension GL_ARB_shader_texture_lod : require\n"
    "varying vec2 v; uniform sampler2D m; void main() { gl_FragColor = texture2DLod(m, v, 0.0); }",
}
_BOTH = f"{_ES} void main() {{ c = textureLod(m, v, 0.0)\n+ texture(m, v); }}"


def _far_apart() -> tuple[np.ndarray[Any, Any], Texture]:
    """Coordinates so far apart in quads that the hardware would read a small level; a texture with other small ones."""
    image = np.arange(64.0).reshape(4, 4, 4)
    places = (np.random.default_rng(3).integers(0, 4, (LANES, 2)) * 2 + 1) / 8
    return places, Texture(image, "nearest_mipmap_nearest", mips=[image[::2, ::2] + 100.0, image[::4, ::4] + 200.0])


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("spelling", _BASE)
def test_level_0_has_no_mip_levels(spelling: str, version: int) -> None:
    places, texture = _far_apart()
    shader = build(_BASE[spelling], "fragment", agal_version=version)
    column, row = (places * 4).astype(int).T
    (found,) = (
        value
        for name, value in run(shader, {"v": places}, {}, {"m": texture}, quads=True).items()
        if name != "discarded"
    )
    np.testing.assert_array_equal(found, np.arange(64.0).reshape(4, 4, 4)[row, column])
    assert shader.artifact.reflection.host_state == {"samplers": "fs0", "base_level": "fs0"}


@pytest.mark.parametrize("how", ["option", "pragma", "host", "ignored"])
def test_level_0_whoever_names_the_sampler(how: str) -> None:
    """A named mip mode and a state that the host sets give way."""
    options: dict[str, dict[str, Any]] = {
        "option": {"agal_samplers": "m: nearest, miplinear"},
        "host": {"agal_host_samplers": True},
        "ignored": {"agal_samplers": "m: ignoresampler"},
    }
    source = _BASE["texture2DLodEXT"]
    source = source.replace("precision", "\n#pragma agal sampler(m, nearest, miplinear)\nprecision", how == "pragma")
    places, texture = _far_apart()
    shader = build(source, "fragment", agal_version=2, **options.get(how, {}))
    column, row = (places * 4).astype(int).T
    found = run(shader, {"v": places}, {}, {"m": texture}, quads=True)["gl_FragColor"]
    np.testing.assert_array_equal(found, np.arange(64.0).reshape(4, 4, 4)[row, column])
    assert [fields[2] for fields in samplers(shader.artifact)] == [0]


def test_the_filter_of_level_0_is_that_of_magnification() -> None:
    image = np.array([[0.0, 8.0]])
    texture = Texture(image, ("nearest_mipmap_linear", "linear"), "clamp", mips=True)
    shader = build(_BASE["textureLod"], "fragment")
    places = np.column_stack([np.linspace(0.0, 1.0, LANES), np.full(LANES, 0.5)])
    wanted = np.clip((places[:, 0] - 0.25) * 2.0, 0.0, 1.0) * 8.0
    found = run(shader, {"v": places}, {}, {"m": texture}, quads=True)["c"]
    np.testing.assert_allclose(found[:, 0], wanted, rtol=1e-6)


def test_two_samplers_one_of_them_at_level_0() -> None:
    source = _BOTH.replace("texture(m", "texture(n").replace("sampler2D m;", "sampler2D m, n;")
    places, texture = _far_apart()
    shader = build(source, "fragment")
    found = run(shader, {"v": places}, {}, {"m": texture, "n": texture}, quads=True)["c"]
    column, row = (places * 4).astype(int).T
    base = np.arange(64.0).reshape(4, 4, 4)[row, column]
    assert np.any(found - base != base)
    assert shader.artifact.reflection.host_state == {"samplers": "fs0,fs1", "base_level": "fs0"}


def test_level_0_beside_levels_of_the_hardware() -> None:
    """All lookups of a sampler have the same word (runtime error 3696)."""
    found = refusal(_BOTH, "fragment")
    assert found.message == "agal 1 cannot express level 0 and levels that the hardware chooses of 'm'"
    assert found.span is not None and found.span.line in (3, 4)
    named = build(_BOTH, "fragment", agal_samplers="m: nearest, mipnone")
    places, texture = _far_apart()
    column, row = (places * 4).astype(int).T
    colour = run(named, {"v": places}, {}, {"m": texture}, quads=True)["c"]
    np.testing.assert_array_equal(colour, 2.0 * np.arange(64.0).reshape(4, 4, 4)[row, column])


def test_level_0_beside_texels_by_number() -> None:
    """These demand textures without other levels."""
    source = _BOTH.replace("texture(m, v)", "texelFetch(m, ivec2(1, 2), 0)")
    image = np.arange(64.0).reshape(4, 4, 4)
    places, _ = _far_apart()
    column, row = (places * 4).astype(int).T
    found = run(build(source, "fragment"), {"v": places}, {}, {"m": Texture(image)}, quads=True)["c"]
    np.testing.assert_array_equal(found, image[row, column] + image[2, 1])


@pytest.mark.parametrize("level", ["0.001", "1.0", "v.x", "0.0 / 0.0"])
def test_other_levels_are_refused(level: str) -> None:
    source = f"{_ES} void main() {{ c = textureLod(m, v, {level}); }}"
    assert "an explicit level of detail" in refusal(source, "fragment").message


def test_cube_maps_always_have_levels() -> None:
    """Runtime error 3704."""
    source = f"{_ES} uniform samplerCube s; void main() {{ c = textureLod(s, v.xyy, 0.0); }}"
    assert "a cube map without mip levels" in refusal(source, "fragment").message
