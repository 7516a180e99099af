"""Lit pixels of the simulated machine beside formulas of vectors, and the library's table of a fading lamp."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.pica200.isa.fragment.container import read
from glslc_multi.backends.pica200.isa.fragment.decode import decode, registers_after
from glslc_multi.backends.pica200.isa.fragment.entries import light_entry_at
from glslc_multi.backends.pica200.isa.fragment.floats import F20
from tests.backends.pica200.citro3d.tables import quadratic_attenuation
from tests.backends.pica200.codegen.fragment.units.lighting.formulas import SCENES, meant, values
from tests.backends.pica200.codegen.fragment.units.lighting.shaders import DECLARED, unit_vectors

#: Directions and places of lights are floats of 16 bits: parts of a step, where a function is steep.
_INPUTS = 1.5
_PIXELS = 300


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_what_its_formula_says(name: str) -> None:
    scene = SCENES[name]
    compiled = glslc_multi.compile(scene.source, target="pica200", stage="fragment")
    random = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(3):
        uniforms, varyings = values(random, _PIXELS)
        found = compiled.run(varyings, uniforms, engine="simulator")["gl_FragColor"]
        wanted = meant(scene, uniforms, varyings)
        assert np.ptp(wanted) > 30, "something is to be seen"
        assert np.abs(255 * found[:, :3] - wanted).max() <= (compiled.stats.error_steps or 0.0) + _INPUTS


def test_a_lamp_fades_by_the_table_of_the_library() -> None:
    body = "gl_FragColor = vec4(u_diffuse * picaFading(vec3(1.0, 2.0, 0.5) - v_position, 0.5, 0.25, 6.0), 1.0);"
    compiled = glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment")
    table, scale, bias = quadratic_attenuation(0.0, 6.0, 0.5, 0.25)
    writes = read(compiled.binary)
    found = registers_after(writes)
    assert [F20.value_of(found[place]) for place in (0x14B, 0x14A)] == [F20.value_of(F20.pattern_of(scale)), bias]
    mine, theirs = (_along(entries) for entries in (decode(writes).tables["distance0"], table))
    assert np.abs(mine - theirs).max() < 1e-3


def test_the_bound_counts_the_digits_of_what_distances_are_multiplied_by() -> None:
    """The 20 bits of 1/3.9888 are off by nearly half a digit, seen where a line of the table is steep."""
    source = """
        precision highp float;
        varying vec3 v_position;
        void main() {
            float d = min(length(vec3(1.0, 2.0, 0.5) - v_position), 3.9888);
            gl_FragColor = vec4(vec3(clamp(d * 256.0 / 3.9888 - 250.0, 0.0, 1.0)), 1.0);
        }
    """
    compiled = glslc_multi.compile(source, target="pica200", stage="fragment")
    distances = np.linspace(250, 251, _PIXELS)[:, None] / 256 * 3.9888
    ways = unit_vectors(np.random.default_rng(3), _PIXELS)
    found = compiled.run({"v_position": [1.0, 2.0, 0.5] - distances * ways}, engine="simulator")["gl_FragColor"]
    worst = 255 * np.abs(found[:, :1] - (distances * 256 / 3.9888 - 250)).max()
    assert 3 < worst <= (compiled.stats.error_steps or 0.0) < 12 * worst


def _along(entries: Any) -> Any:
    """What a table says at both ends of its lines."""
    return np.array([light_entry_at(entry, part) for entry in entries for part in (0, 1)])


def test_how_much_darker_rounder_highlights_are() -> None:
    """The table of the documentation, over all normals that see light and eye."""
    text = Path("docs/pica200-lighting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 3
    away, around = np.meshgrid(np.linspace(0, np.pi / 2, 2000), np.linspace(0, np.pi / 2, 300))
    normal = np.sin(away) * np.cos(around), np.sin(away) * np.sin(around), np.cos(away)
    for shininess, *steps in [map(int, row) for row in rows]:
        for angle, expected in zip((30, 60, 90, 120, 150), steps, strict=True):
            half = np.radians(angle / 2)
            to_light, to_eye = (side * np.sin(half) * normal[0] + np.cos(half) * normal[2] for side in (1, -1))
            reflected = 2 * to_light * to_eye - np.cos(2 * half)
            rounder = 2 * normal[2] ** 2 - 1
            seen = (to_light > 0) & (to_eye > 0)
            assert (rounder - reflected)[seen].max() < 1e-9, "never brighter"
            darker = np.maximum(reflected, 0) ** shininess - np.maximum(rounder, 0) ** shininess
            assert abs(255 * darker[seen].max() - expected) <= 1
