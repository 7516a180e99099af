"""Entries of tables; `python -m tests.golden` compares with recorded ones."""

from __future__ import annotations

import pytest

from glslc_multi.backends.pica200.isa.fragment.entries import fog_entry
from glslc_multi.backends.pica200.isa.fragment.registers.fog import ENTRY


@pytest.mark.parametrize(
    ("value", "difference", "fields"),
    [
        (0.5, 0.25, (512, 1024)),
        (1.0, -2.5, (-4096, 2047)),
        (2.0, 2.5, (4095, 2047)),
        # Towards zero on both sides.
        (0.0, -0.9 / 2048, (0, 0)),
    ],
)
def test_fog_entry(value: float, difference: float, fields: tuple[int, int]) -> None:
    assert tuple(ENTRY.format.decode(fog_entry(value, difference)).values()) == fields
