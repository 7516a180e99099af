"""Lookups with gradients of the shader's own, and which fetches pixels beside the drawn ones need."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.backends.xenos_family.machine.fetch import fetches_of
from glslc_multi.backends.xenos_family.target import FamilyTarget
from glslc_multi.runtime.shader import CompiledShader, Engine
from glslc_multi.runtime.textures import Texture

TARGETS = ("adreno", "xenos")
HEAD = "#version 300 es\nprecision highp float; in vec4 v, w; uniform sampler2D s, t; uniform samplerCube k;\n"
#: Gradients of a few texels up to a whole texture, and none at all.
SCALES = (0.0, 0.05, 0.2, 0.7)


def _compile(target: str, body: str) -> CompiledShader:
    return glslc_multi.compile(HEAD + f"out vec4 c; void main() {{ {body} }}", target=target, stage="fragment")


def _fetches(shader: CompiledShader) -> list[tuple[str, Any]]:
    machine = cast("FamilyTarget", load_target(shader.reflection.target))
    return list(fetches_of(machine.unpack(shader.binary)))


# --- Gradients --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("engine", ["simulator", "translated"])
@pytest.mark.parametrize(
    "lookup", ["textureGrad(s, v.xy, w.xy * 1.5, w.zy)", "textureGrad(k, v.xyz * 3.0, w.xyz, w.yzx)"]
)
def test_gradients_choose_the_level(target: str, engine: Engine, lookup: str) -> None:
    """Each level has a colour of its own, so that the level seen is the level meant; directions have any length."""
    random = np.random.default_rng(3)
    faces = random.random((6, 16, 16, 4))
    name, image = ("k", faces) if "(k" in lookup else ("s", faces[0])
    textures = {name: Texture(image, filter="linear_mipmap_linear", mips=True)}
    lanes = 16 * len(SCALES)
    scale = np.repeat(SCALES, 16)[:, None]
    inputs = {"v": random.uniform(-1, 1, (lanes, 4)), "w": random.uniform(-1, 1, (lanes, 4)) * scale}
    shader = _compile(target, f"c = {lookup};")
    found = shader.run(inputs, {}, textures, engine=engine)["c"]
    wanted = shader.run(inputs, {}, textures, engine="reference")["c"]
    np.testing.assert_allclose(found, wanted, atol=1e-5)


@pytest.mark.parametrize("target", TARGETS)
def test_gradients_are_set_right_before_the_lookup_that_computes_with_them(target: str) -> None:
    found = _fetches(_compile(target, "c = textureGrad(t, v.xy, w.xy, w.zw);"))
    assert [name for name, _ in found] == ["SET_GRADIENTS_H", "SET_GRADIENTS_V", "SAMPLE"]
    assert [(row["reg_gradients"], row["comp_lod"]) for _, row in found][-1] == (1, 1)


@pytest.mark.parametrize("target", TARGETS)
def test_gradients_in_vertex_programs(target: str) -> None:
    source = """#version 300 es
in vec4 p; uniform sampler2D s; out vec4 c; void main() { gl_Position = p; c = textureGrad(s, p.xy, p.zw, p.wz); }"""
    shader = glslc_multi.compile(source, target=target, stage="vertex")
    textures = {"s": Texture(np.random.default_rng(1).random((8, 8, 4)), filter="linear_mipmap_linear", mips=True)}
    inputs = {"p": [[0.1, 0.2, 0.3, 0.2], [0.8, 0.4, 0.0, 0.1]]}
    wanted = shader.run(inputs, {}, textures, engine="reference")["c"]
    np.testing.assert_allclose(shader.run(inputs, {}, textures)["c"], wanted, atol=1e-5)


# --- Pixels beside the drawn ones -------------------------------------------------------------------------------------

#: Body -> of each lookup and derivative, in the order of the words, whether it may leave out neighbours.
BODIES = [
    ("c = texture(s, v.xy);", [1]),
    ("c = texture(t, texture(s, v.xy).xy);", [0, 1]),
    ("c = textureLod(t, texture(s, v.xy).xy, 0.0);", [1, 1]),
    ("c = textureLod(t, textureLod(s, v.xy, 0.0).xy, 0.0) + texture(s, v.xy);", [1, 1, 1]),
    ("c = texture(t, textureLod(s, v.xy, 0.0).xy, 1.5);", [0, 1]),
    ("c = dFdx(texture(s, v.xy));", [0, 1, 1]),
    ("c.x = dFdx(dFdx(v.x * v.y));", [0, 1]),
    ("c = texture(t, v.xy + dFdy(v.x));", [0, 1]),
    ("c = textureGrad(t, texture(s, v.xy).xy, w.xy, w.zw);", [1, None, None, 1]),
    ("vec2 p = v.xy; if (texture(s, v.xy).x > 0.5) { for (int i = 0; i < 200; i++) p = fract(p * p + w.xy); }"
     "c = texture(t, p);", [0, 1]),
    ("c = v; if (texture(s, v.xy).x > 0.5) { for (int i = 0; i < 200; i++) c = fract(c * c + w); }", [1]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "valid_only"), BODIES)
def test_what_is_derived_is_fetched_for_all_four_pixels(body: str, valid_only: list[int | None]) -> None:
    fetches = _fetches(_compile("xenos", body))
    found = [None if name.startswith("SET") else row["fetch_valid_only"] for name, row in fetches]
    assert found == valid_only


@pytest.mark.parametrize("body", [body for body, _ in BODIES])
def test_adreno_never_leaves_pixels_out(body: str) -> None:
    assert {row["fetch_valid_only"] for _, row in _fetches(_compile("adreno", body))} == {0}
