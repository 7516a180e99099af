"""Tables of functions; `python -m tests.golden` compares with recorded ones."""

from __future__ import annotations

import math

import pytest

from glslc_multi.backends.pica200.isa.fragment.registers.fog import ENTRY as FOG
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import ENTRY as LIGHT
from tests.backends.pica200.citro3d import tables


@pytest.mark.parametrize(
    ("value", "difference", "fields"),
    [
        (0.5, 0.25, (2048, 512, 0)),
        (0.5, -0.25, (2048, 512, 1)),
        # What does not fit is held to the ends.
        (1.0, 1.0, (4095, 2047, 0)),
        (-1.0, -2.0, (0, 2047, 1)),
        # Cut off, not rounded.
        (0.9999 / 4096, 0.9999 / 2048, (0, 0, 0)),
        (math.inf, -math.inf, (4095, 2047, 1)),
    ],
)
def test_light_entry(value: float, difference: float, fields: tuple[int, int, int]) -> None:
    assert tuple(LIGHT.format.decode(tables.light_entry(value, difference)).values()) == fields


def test_table_of_a_line() -> None:
    table = tables.light_table(lambda x: x / 2)
    assert [LIGHT.format.decode(entry)["value"] for entry in table] == [8 * n for n in range(256)]
    assert {LIGHT.format.decode(entry)["difference"] for entry in table} == {4}


def test_signed_tables_begin_with_what_is_positive() -> None:
    table = tables.spotlight(1.0)
    values = [LIGHT.format.decode(entry)["value"] for entry in table]
    # x is place / 128, from the middle on it is negative; cos(1) is 69.2 / 128.
    assert [place for place, value in enumerate(values) if value] == [*range(70, 128)]


def test_fog_by_distance() -> None:
    table = tables.fog_table(lambda distance: 1 / distance, 1, 16)
    values = [FOG.format.decode(entry)["value"] for entry in table]
    # Depth 0 is the far plane.
    assert values[0] == 2048 // 16
    assert values == sorted(values)


def test_attenuation() -> None:
    table, scale, bias = tables.quadratic_attenuation(1, 5, 0, 1)
    assert (scale, bias) == (0.25, -0.25)
    assert LIGHT.format.decode(table[0])["value"] == 2048


@pytest.mark.parametrize("numbers", [(0, 0, 0, 0), (1, 1, 1, 1), (1e30, -1e30, 1e30, 1e30), (-1, 0, -1, 0)])
def test_odd_numbers_have_tables_too(numbers: tuple[float, float, float, float]) -> None:
    assert len(tables.quadratic_attenuation(*numbers)[0]) == 256
    assert len(tables.exponential_fog(*numbers)) == 128
    assert len(tables.phong(numbers[0])) == 256
    assert len(tables.phong(-1e30)) == 256
