"""The formats of vertex data, against the manual's table."""

from __future__ import annotations

from glslc_multi.backends.xenos.isa.instructions import XENOS

#: Number -> the widths of components, the lowest bits first; whether they are floats.
FORMATS = {
    6: ((8, 8, 8, 8), False),
    7: ((10, 10, 10, 2), False),
    16: ((11, 11, 10), False),
    17: ((10, 11, 11), False),
    25: ((16, 16), False),
    26: ((16, 16, 16, 16), False),
    31: ((16, 16), True),
    32: ((16, 16, 16, 16), True),
    33: ((32,), False),
    34: ((32, 32), False),
    35: ((32, 32, 32, 32), False),
    36: ((32,), True),
    37: ((32, 32), True),
    38: ((32, 32, 32, 32), True),
    57: ((32, 32, 32), True),
}


def test_each_format_has_the_components_of_its_name() -> None:
    assert {code: tuple(layout) for code, layout in XENOS.layouts.items()} == FORMATS
    # All are whole dwords.
    assert {layout.size % 4 for layout in XENOS.layouts.values()} == {0}
