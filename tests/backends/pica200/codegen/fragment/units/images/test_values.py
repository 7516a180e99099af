"""Squares drawn with generated images, on the simulated machine and by what the shaders mean."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.runtime.raster import Frame, draw, stage_of
from glslc_multi.runtime.shader import CompiledProgram
from glslc_multi.runtime.textures import Texture
from tests.backends.pica200.codegen.fragment.link.pairs import smooth_image
from tests.backends.pica200.codegen.fragment.units.images.shaders import BODIES, DECLARED, JUMPS, VERTEX
from tests.shared_data import PROJECT_ROOT

_SIZE = 40
#: Colours of vertices are bytes before the combiners get them.
_COLOUR = 1.0
_UNIFORMS = {"u_tint": [0.9, 0.2, 0.4], "u_fog": [0.1, 0.8, 0.6], "u_strength": 0.75}


def program(body: str, ranges: str) -> CompiledProgram:
    """Linked, since a varying of other limits than 0 to 1 is brought there at the vertices."""
    return glslc_multi.link(VERTEX, DECLARED % body, target="pica200", options={"images": True, "ranges": ranges})


def square(compiled: CompiledProgram, ranges: str, engine: Any) -> Frame:
    """`v_distance` runs over its range."""
    low, high = map(float, ranges.partition("=")[2].split("..")) if ranges else (0.0, 1.0)
    corners = np.array([[0, 0, low, 1], [1, 0, (low + high) / 2, 1], [0, 1, (low + high) / 2, 1], [1, 1, high, 1]])
    attributes = {"a_corner": corners, "a_color": corners[:, [1, 0, 1, 1]]}
    textures = {"u_texture": Texture(smooth_image(1), "linear")}
    vertex, fragment = (stage_of(shader, engine, _UNIFORMS, textures) for shader in compiled.stages.values())
    return draw(vertex, fragment, attributes, np.array([[0, 1, 2], [2, 1, 3]]), width=_SIZE, height=_SIZE)


def off_by(compiled: CompiledProgram, ranges: str) -> Any:
    """Steps of 1/255, by pixel."""
    ours, meant = (square(compiled, ranges, engine).colour for engine in ("simulator", "reference"))
    assert np.ptp(meant) > 0.1, "something is to be seen"
    return 255 * np.abs(ours - np.clip(meant, 0, 1)).max(axis=-1)


@pytest.mark.parametrize("name", BODIES)
def test_a_shader_draws_what_it_means(name: str) -> None:
    body, ranges, stages, units = BODIES[name]
    compiled = program(body, ranges)
    stats = compiled.stages["fragment"].stats
    assert (stats.instructions, (stats.extra or {})["texture_units"]) == (stages, units)
    assert off_by(compiled, ranges).max() <= (stats.error_steps or 0.0) + _COLOUR


@pytest.mark.parametrize("name", JUMPS)
def test_edges_alone_are_elsewhere(name: str) -> None:
    """An edge is at most a texel beside its place: of 64 in sixteen squares, an eighth of all pixels is as near."""
    body, ranges = JUMPS[name]
    compiled = program(body, ranges)
    bound = compiled.stages["fragment"].stats.error_steps or 0.0
    assert (off_by(compiled, ranges) > bound + _COLOUR).mean() < 0.125


def test_the_page_of_the_documentation() -> None:
    page = (PROJECT_ROOT / "docs" / "pica200-fragment.md").read_text()
    (text,) = (each for each in re.findall(r"```glsl\n(.*?)```", page, re.DOTALL) if "v_distance" in each)
    fragment = glslc_multi.link(VERTEX, text, target="pica200", options={"images": True}).stages["fragment"]
    assert fragment.stats.instructions == 1
