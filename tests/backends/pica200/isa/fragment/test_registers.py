"""The table of registers, and the short floats in them."""

from __future__ import annotations

import math
import random
import struct

import pytest

from glslc_multi.backends.pica200.isa.fragment.document import PAGE, page
from glslc_multi.backends.pica200.isa.fragment.floats import F16, F20, F24, F31, FLOATS, FloatFormat
from glslc_multi.backends.pica200.isa.fragment.registers import BY_ADDRESS, BY_NAME, REGISTERS
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES


def test_every_register_once() -> None:
    assert len(REGISTERS) == len(BY_ADDRESS) == len(BY_NAME)


def test_addresses_of_the_public_map() -> None:
    """Section 2 of the notes, by ranges."""
    ranges = (
        [0x040, 0x04D, 0x04E, 0x061, 0x062, 0x06A, 0x06D, 0x080],
        [*range(0x081, 0x08C), 0x08E, 0x08F, *range(0x091, 0x097), *range(0x099, 0x09F)],
        [*range(0x0A8, 0x0AE), *range(0x0AF, 0x0B8)],
        [base + place for base in (0x0C0, 0x0C8, 0x0D0, 0x0D8) for place in range(5)],
        [0x0E0, 0x0E1, *range(0x0E4, 0x0E7), *range(0x0E8, 0x0F0), *range(0x0F0, 0x0F5), *range(0x0F8, 0x0FE)],
        [*range(0x100, 0x108), 0x118, *range(0x120, 0x127), 0x130],
        [0x140 + 16 * light + place for light in range(8) for place in range(12) if place != 8],
        [0x1C0, *range(0x1C2, 0x1C7), *range(0x1C8, 0x1D0), 0x1D0, 0x1D1, 0x1D2, 0x1D9],
    )
    assert [register.address for register in REGISTERS] == [address for part in ranges for address in part]


def test_layouts_have_names_of_their_own() -> None:
    layouts = {register.format.name: register.layout for register in REGISTERS}
    assert all(register.layout == layouts[register.format.name] for register in REGISTERS)


def test_reference_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m glslc_multi.backends.pica200.isa.fragment.document"


def test_choices_fit_into_their_fields() -> None:
    for register in REGISTERS:
        for name, codes in register.layout.codes.items():
            low, high = register.format.by_name[name].range
            assert all(low <= code <= high for code in codes), (register.name, name)
            assert len(set(codes.values())) == len(codes)


def test_tables_have_registers() -> None:
    for table in TABLES.values():
        assert BY_ADDRESS[table.index_register].name.endswith(("_INDEX", "PROCTEX_LUT"))
        for address in table.data_registers:
            assert "LUT_DATA" in BY_ADDRESS[address].name


@pytest.mark.parametrize(
    ("form", "value", "pattern"),
    [
        # Halves as IEEE 754 has them.
        (F16, 1.0, 0x3C00),
        (F16, -1.5, 0xBE00),
        # Cut off, not rounded.
        (F16, 1 + 0.75 * 2**-10, 0x3C00),
        # Below the smallest exponent.
        (F16, 2.0**-16, 0),
        (F16, -(2.0**-16), 0x8000),
        # The smallest exponent keeps its mantissa.
        (F16, 1.5 * 2**-15, 0x0200),
        # So does the largest one.
        (F16, 1.5 * 2**16, 0x7E00),
        # Above the largest exponent.
        (F16, 2.0**17, 0x7C00),
        (F16, math.inf, 0x7C00),
        (F20, 1.0, 0x3F000),
        (F20, 1e300, 0x7F000),
        (F24, -1.0, 0xBF0000),
        (F31, 1.0, 0x1F800000),
    ],
)
def test_short_floats(form: FloatFormat, value: float, pattern: int) -> None:
    assert form.pattern_of(value) == pattern


@pytest.mark.parametrize("form", FLOATS.values(), ids=lambda form: form.name)
def test_patterns_and_numbers(form: FloatFormat) -> None:
    source = random.Random(1)
    for _ in range(500):
        pattern = source.randrange(1 << form.size)
        assert form.is_writable(pattern) == math.isfinite(form.value_of(pattern))


def test_half_is_the_usual_one() -> None:
    for pattern in range(0x0400, 0x7C00):
        assert F16.value_of(pattern) == struct.unpack("<e", struct.pack("<H", pattern))[0]
