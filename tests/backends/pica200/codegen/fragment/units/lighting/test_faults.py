"""Faults planted in the set-up of the lighting unit, one register at a time: each is seen in the pixels of a scene."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.pica200.isa.fragment.container import read, write
from glslc_multi.backends.pica200.isa.fragment.floats import F20
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.compiler.records import replace
from tests.backends.pica200.codegen.fragment.units.lighting.formulas import SCENES, meant, values

#: What is wrong -> a scene, a register, a field of it, and what stands there.
FAULTS = {
    "lit from both sides": ("by the distance", "LIGHT0_CONFIG", "two_sided", 1),
    "a far light": ("by the distance", "LIGHT0_CONFIG", "directional", 1),
    "highlights on the far side": ("a highlight", "LIGHTING_CONFIG0", "clamp_highlights", 0),
    "no highlights on the far side": ("a highlight that fades", "LIGHTING_CONFIG0", "clamp_highlights", 1),
    "a geometric factor": ("a highlight", "LIGHT0_CONFIG", "geometric_factor0", 1),
    "another configuration": ("a spot", "LIGHTING_CONFIG0", "configuration", 2),
    "one light too few": ("beside a far light", "LIGHTING_NUM_LIGHTS", "last", 0),
    "the same light twice": ("beside a far light", "LIGHTING_LIGHT_PERMUTATION", "slot1", 0),
    "an index with a sign": ("a highlight", "LIGHTING_LUTINPUT_ABS", "signed_d0", 1),
    "an index without a sign": ("a spot", "LIGHTING_LUTINPUT_ABS", "signed_sp", 0),
    "the scale of a table": ("a highlight beyond 1", "LIGHTING_LUTINPUT_SCALE", "rr", 0),
    "V.H instead of N.H": ("a highlight", "LIGHTING_LUTINPUT_SELECT", "d0", 1),
    "N.V instead of N.H": ("a highlight", "LIGHTING_LUTINPUT_SELECT", "d0", 2),
    "N.H instead of V.H": ("of V and H", "LIGHTING_LUTINPUT_SELECT", "d0", 0),
    "N.L instead of L.S": ("a spot", "LIGHTING_LUTINPUT_SELECT", "sp", 3),
    "no spot": ("a spot", "LIGHTING_CONFIG1", "no_spot0", 1),
    "no distance": ("by the distance", "LIGHTING_CONFIG1", "no_distance0", 1),
    "no table": ("a highlight", "LIGHTING_CONFIG1", "no_d0", 1),
    "bias of the distance": ("with an end that is known", "LIGHT0_ATTENUATION_BIAS", "bias", F20.pattern_of(0.25)),
    "scale of the distance": ("with an end that is known", "LIGHT0_ATTENUATION_SCALE", "scale", 0),
    "another table": ("a spot", "LIGHTING_LUT_INDEX", "table", 9),
    "a table that is moved": ("a spot", "LIGHTING_LUT_INDEX", "entry", 40),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen(fault: str) -> None:
    name, register, field, number = FAULTS[fault]
    scene = SCENES[name]
    compiled = glslc_multi.compile(scene.source, target="pica200", stage="fragment")
    bound = compiled.stats.error_steps or 0.0
    faulty = replace(
        compiled, artifact=replace(compiled.artifact, binary=_planted(compiled.binary, register, field, number))
    )
    uniforms, varyings = values(np.random.default_rng(5), 300)
    wanted = meant(scene, uniforms, varyings)
    found, wrong = (each.run(varyings, uniforms, engine="simulator")["gl_FragColor"] for each in (compiled, faulty))
    assert np.abs(255 * found[:, :3] - wanted).max() <= bound + 1.5
    assert np.abs(255 * wrong[:, :3] - wanted).max() > bound + 5.5


def _planted(binary: bytes, name: str, field: str, number: int) -> bytes:
    """The same with another number in the first write to a register."""
    writes, register = list(read(binary)), BY_NAME[name]
    place = next(n for n, each in enumerate(writes) if each.register == register.address)
    part = register.format.by_name[field]
    word = writes[place].value & ~part.mask | part.insert(number)
    assert word != writes[place].value
    writes[place] = replace(writes[place], value=word)
    return write(writes)
