"""Which coordinates units take, how, and what they leave: bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile, SimulationFault
from glslc_multi.backends.pica200.machine.fragment.set_up import set_up_of, words_of
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels, simulate
from glslc_multi.backends.pica200.machine.fragment.texture_units import samplers_of
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.records import replace
from tests.backends.pica200.machine.fragment.helpers import configuration, of, wraps_of, write

#: Texel (x, y) of the plain image, y upwards.
_SIZE = 4
_IMAGE = np.array([[[10 * x, 10 * y, 7, 200] for x in range(_SIZE)] for y in range(_SIZE)], np.uint8)
_ALL_ON = {"unit0": 1, "unit1": 1, "unit2": 1}


def texels(
    writes: Sequence[Write], varyings: Mapping[str, Sequence[float]], images: Mapping[int, object] | None = None
) -> list[list[int]]:
    """What the three units read for one pixel."""
    registers = RegisterFile(writes)
    textures = {
        unit: Texture(image, wrap=wraps_of(registers, unit))
        for unit, image in (images or dict.fromkeys(range(3), _IMAGE)).items()
    }
    samplers = samplers_of(registers)
    found = replace(configuration(*map(of, samplers)), unit_writes=tuple(writes))
    pixels = Pixels(1, {}, {name: [values] for name, values in varyings.items()}, textures)
    result = simulate(set_up_of(found, samplers=samplers, is_traced=True), words_of(found), pixels)
    stages: list[list[int]] = result.stages[:3, 0].tolist()
    return stages


_COORDINATES = {"texcoord0": (0.1, 0.1), "texcoord1": (0.4, 0.1), "texcoord2": (0.9, 0.6), "texcoord0w": (2.0,)}


@pytest.mark.parametrize(("bit", "third"), [(0, [30, 20, 7, 200]), (1, [10, 0, 7, 200])])
def test_units_have_coordinates_of_their_own(bit: int, third: list[int]) -> None:
    found = texels([write("TEXUNIT_CONFIG", **_ALL_ON, unit2_texcoord1=bit)], _COORDINATES)
    assert found == [[0, 0, 7, 200], [10, 0, 7, 200], third]


def test_a_unit_that_is_off_reads_nothing() -> None:
    assert texels([write("TEXUNIT_CONFIG", unit1=1)], _COORDINATES) == [[0] * 4, [10, 0, 7, 200], [0] * 4]


def test_projection() -> None:
    writes = [write("TEXUNIT_CONFIG", **_ALL_ON), write("TEXUNIT0_PARAM", type="projection")]
    assert texels(writes, {**_COORDINATES, "texcoord0": (1.2, 1.6)})[0] == [20, 30, 7, 200]


def test_the_sides_of_a_cube() -> None:
    sides = np.array([np.full((2, 2, 4), 10 * side, np.uint8) for side in range(6)])
    writes = [write("TEXUNIT_CONFIG", **_ALL_ON), write("TEXUNIT0_PARAM", type="cube", wrap_s="border")]
    images = {0: sides, 1: _IMAGE, 2: _IMAGE}
    for side, (x, y, z) in enumerate(((2, 1, -1), (-2, 1, 1), (1, 2, 1), (-1, -2, 0), (1, 1, 2), (0, 1, -2))):
        direction = {**_COORDINATES, "texcoord0": (x, y), "texcoord0w": (z,)}
        assert texels(writes, direction, images)[0] == [10 * side] * 4


@pytest.mark.parametrize(
    ("wrap", "expected"),
    [("edge", [30, 0, 7, 200]), ("repeat", [0, 30, 7, 200]), ("mirrored", [30, 0, 7, 200]), ("border", [1, 2, 3, 4])],
)
def test_beyond_the_edges(wrap: str, expected: list[int]) -> None:
    writes = [
        write("TEXUNIT_CONFIG", **_ALL_ON),
        write("TEXUNIT1_PARAM", wrap_s=wrap, wrap_t=wrap),
        write("TEXUNIT1_BORDER_COLOR", r=1, g=2, b=3, a=4),
    ]
    assert texels(writes, {**_COORDINATES, "texcoord1": (1.1, -0.1)})[1] == expected


def test_a_border_is_where_it_is_wanted() -> None:
    writes = [
        write("TEXUNIT_CONFIG", **_ALL_ON),
        write("TEXUNIT1_PARAM", wrap_s="border", wrap_t="edge"),
        write("TEXUNIT1_BORDER_COLOR", r=1, g=2, b=3, a=4),
    ]
    assert texels(writes, {**_COORDINATES, "texcoord1": (0.1, 2.0)})[1] == [0, 30, 7, 200]
    assert texels(writes, {**_COORDINATES, "texcoord1": (-0.01, 0.5)})[1] == [1, 2, 3, 4]


def test_shadow_maps_are_a_fault() -> None:
    with pytest.raises(SimulationFault, match="shadow_2d are not simulated"):
        samplers_of(RegisterFile([write("TEXUNIT0_PARAM", type="shadow_2d")]))


def test_filtered_texels_are_rounded_to_the_nearest_byte() -> None:
    image = np.array([[[0, 0, 0, 255], [3, 255, 1, 255]]], np.uint8)
    samplers = samplers_of(RegisterFile([write("TEXUNIT_CONFIG", **_ALL_ON)]))
    found = configuration(of("texture0"))
    pixels = Pixels(1, {}, {"texcoord0": [[0.5, 0.5]]}, {0: Texture(image, filter="linear")})
    result = simulate(set_up_of(found, samplers=samplers), words_of(found), pixels)
    assert result.colours.tolist() == [[2, 128, 1, 255]]
