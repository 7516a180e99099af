"""1D textures as rows of 2D ones: against the evaluator, which has them, on every machine that takes them."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.shader import Engine
from glslc_multi.runtime.textures import Texture

ENGINES: tuple[Engine, ...] = ("reference", "simulator", "translated")
TARGETS = ("adreno", "agal", "vc4", "xenos")
WIDTH = 8
IMAGE = np.random.default_rng(7).integers(0, 256, (WIDTH, 4), dtype=np.uint8)
_HEAD = "#version 330\nin vec4 v; out vec4 c; uniform sampler1D s;\n"
#: Half a step of colours of 8 bits, and what fixed coordinates lose.
NEAR = 2.5 / 255
LOOKUPS = {
    "texture": "texture(s, v.x)",
    "projective": "textureProj(s, vec2(v.x * 2.0, 2.0))",
    "fetch": "texelFetch(s, int(v.y), 0)",
    "size": "vec4(v.x * float(textureSize(s, 0)) / 16.0)",
    "offset": "textureOffset(s, v.x, 2)",
    "twice": "texture(s, texture(s, v.x).x) * 0.5 + texture(s, v.z) * 0.5",
}
LEVELS = {"level": "textureLod(s, v.x, 1.0)", "gradient": "textureGrad(s, v.x, 0.25, 0.125)"}


def run(target: str, lookup: str, texture: Texture) -> tuple[Array, ...]:
    shader = glslc_multi.compile(f"{_HEAD}void main() {{ c = {lookup}; }}", target=target, stage="fragment")
    texels = np.random.default_rng(8).integers(0, WIDTH, (16, 2))
    places = np.column_stack([(texels[:, 0] + 0.5) / WIDTH, texels[:, 0], (texels[:, 1] + 0.5) / WIDTH, texels[:, 1]])
    return tuple(shader.run({"v": places}, textures={"s": texture}, engine=engine)["c"] for engine in ENGINES)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lookup", LOOKUPS)
def test_lookups(lookup: str, target: str) -> None:
    wanted, *found = run(target, LOOKUPS[lookup], Texture(IMAGE, kind="1d"))
    assert np.ptp(wanted) > 0.1
    for each in found:
        np.testing.assert_allclose(each, wanted, atol=NEAR)


@pytest.mark.parametrize("wrap", ["clamp", "repeat", "mirror"])
@pytest.mark.parametrize("target", ["adreno", "vc4", "xenos"])
def test_a_linear_filter_stays_within_the_row(target: str, wrap: str) -> None:
    wanted, *found = run(target, "texture(s, v.x * 3.0 - 1.0)", Texture(IMAGE, "linear", wrap, kind="1d"))
    for each in found:
        np.testing.assert_allclose(each, wanted, atol=NEAR)


@pytest.mark.parametrize(
    ("target", "lookup"), [("adreno", "level"), ("vc4", "level"), ("xenos", "level"), ("xenos", "gradient")]
)
def test_levels(target: str, lookup: str) -> None:
    texture = Texture(IMAGE, "nearest_mipmap_nearest", kind="1d", mips=True)
    wanted, *found = run(target, LEVELS[lookup], texture)
    for each in found:
        np.testing.assert_allclose(each, wanted, atol=NEAR)


@pytest.mark.parametrize("target", ["adreno", "vc4", "xenos"])
def test_a_bias_goes_by_steps_along_the_row(target: str) -> None:
    """A quarter of the row, two texels, is level 1; half a level more rounds to level 2 (ES 3.0 section 3.8.10.4)."""
    source = f"{_HEAD}void main() {{ c = texture(s, v.x, 0.75); }}"
    shader = glslc_multi.compile(source, target=target, stage="fragment")
    places = np.repeat(np.array([0.1, 0.35, 0.1, 0.35])[:, None], 4, axis=1)
    texture = Texture(IMAGE, "nearest_mipmap_nearest", kind="1d", mips=True)
    wanted = texture.levels[2][0, 0, (places[:, 0] * 2).astype(int)]
    for engine in ENGINES:
        found = shader.run({"v": places}, textures={"s": texture}, engine=engine, quads=True)["c"]
        np.testing.assert_allclose(found, wanted, atol=NEAR)


@pytest.mark.parametrize("target", ["adreno", "vc4", "xenos"])
def test_vertex_shaders_have_rows(target: str) -> None:
    source = "#version 330\nin float p; uniform sampler1D s; void main() { gl_Position = texture(s, p); }"
    shader = glslc_multi.compile(source, target=target, stage="vertex")
    places = {"p": (np.arange(WIDTH) + 0.5) / WIDTH}
    for engine in ENGINES:
        found = shader.run(places, textures={"s": Texture(IMAGE, kind="1d")}, engine=engine)["gl_Position"]
        np.testing.assert_allclose(found, IMAGE / 255, atol=NEAR)


@pytest.mark.parametrize("target", TARGETS)
def test_rows_of_an_array_by_an_index(target: str) -> None:
    source = "#version 120\nvarying vec4 v; uniform sampler1D s[2]; uniform int k;"
    source += "void main() { gl_FragColor = texture1D(s[k], v.x); }"
    shader = glslc_multi.compile(source, target=target, stage="fragment")
    places = np.repeat((np.arange(WIDTH) + 0.5)[:, None] / WIDTH, 4, axis=1)
    textures = {"s[0]": Texture(IMAGE, kind="1d"), "s[1]": Texture(255 - IMAGE, kind="1d")}
    for engine in ENGINES:
        found = shader.run({"v": places}, {"k": 1}, textures=textures, engine=engine)["gl_FragColor"]
        np.testing.assert_allclose(found, (255 - IMAGE) / 255, atol=NEAR)


@pytest.mark.parametrize("target", TARGETS)
def test_the_map_says_that_it_is_a_row(target: str) -> None:
    source = "#version 330\nin vec4 v; out vec4 c; uniform sampler1D s[2]; uniform sampler2D t;"
    source += "void main() { c = texture(s[0], v.x) + texture(s[1], v.y) + texture(t, v.xy); }"
    reflection = glslc_multi.compile(source, target=target, stage="fragment").reflection
    assert {binding.name: binding.type for binding in reflection.samplers} == {"s": "sampler1D", "t": "sampler2D"}
    state = reflection.host_state or {}
    assert state["s.height"] == 1 and "t.height" not in state


@pytest.mark.parametrize(
    ("target", "sampler", "lookup"),
    [
        ("theia", "sampler1D", "texture(s, v.x)"),
        ("pica200", "sampler1D", "texture(s, v.x)"),
        ("xenos", "sampler1DArray", "texture(s, v.xy)"),
        ("vc4", "isampler1D", "vec4(texture(s, v.x))"),
        ("theia", "sampler1DShadow", "vec4(texture(s, v.xyz))"),
    ],
)
def test_what_is_no_row(target: str, sampler: str, lookup: str) -> None:
    source = _HEAD.replace("sampler1D", sampler) + f"void main() {{ c = {lookup}; }}"
    with pytest.raises(CompileError) as refused:
        glslc_multi.compile(source, target=target, stage="fragment")
    assert "E0702" in [found.code for found in refused.value.diagnostics]
