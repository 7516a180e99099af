"""Formats of vertex data: how the machine takes an element apart, and the ones that hosts name.

A fetch names a `Layout` by the number in its field `format`; signs, normalisation and the exponent are fields of
their own.  A `StorageFormat` is a choice of all of these under a name of GL, for elements of one to four components.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from glslc_multi.compiler.records import dataclass


class Layout(NamedTuple):
    """Widths of a format's components in bits, the first one lowest."""

    widths: tuple[int, ...]
    is_float: bool = False

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return sum(self.widths) // 8


#: Formats of whole bytes, by the value of the field; the machine's others are for textures.
LAYOUTS: Mapping[int, Layout] = {
    2: Layout((8,)),
    3: Layout((5, 5, 5, 1)),
    4: Layout((5, 6, 5)),
    5: Layout((5, 5, 6)),
    6: Layout((8, 8, 8, 8)),
    7: Layout((10, 10, 10, 2)),
    8: Layout((8,)),
    9: Layout((8,)),
    10: Layout((8, 8)),
    15: Layout((4, 4, 4, 4)),
    16: Layout((8, 8, 8)),
    24: Layout((16,)),
    25: Layout((16, 16)),
    26: Layout((16, 16, 16, 16)),
    30: Layout((16,), True),
    31: Layout((16, 16), True),
    32: Layout((16, 16, 16, 16), True),
    33: Layout((32,)),
    34: Layout((32, 32)),
    35: Layout((32, 32, 32, 32)),
    36: Layout((32,), True),
    37: Layout((32, 32), True),
    38: Layout((32, 32, 32, 32), True),
    57: Layout((32, 32, 32), True),
}


@dataclass(frozen=True, slots=True)
class StorageFormat:
    """How a component is stored."""

    #: Format of the machine for one to four components.
    codes: tuple[int, int, int, int]
    signed: bool = False
    #: Integers are fractions of their largest value, else numbers.
    normalised: bool = False
    #: The power of 2 that the stored number is multiplied with.
    exponent: int = 0

    def size(self, width: int) -> int:
        """Bytes that so many components take; three of 8 or 16 bits take as many as four."""
        return LAYOUTS[self.codes[width - 1]].size


_INTEGERS: Mapping[str, StorageFormat] = {
    "byte": StorageFormat((2, 10, 6, 6), signed=True),
    "ubyte": StorageFormat((2, 10, 6, 6)),
    "short": StorageFormat((24, 25, 26, 26), signed=True),
    "ushort": StorageFormat((24, 25, 26, 26)),
}
NORMALISED = "-norm"
FLOAT = "float"
STORAGE_FORMATS: Mapping[str, StorageFormat] = {
    FLOAT: StorageFormat((36, 37, 57, 38)),
    "half": StorageFormat((30, 31, 32, 32)),
    "fixed": StorageFormat((33, 34, 35, 35), signed=True, exponent=-16),
    **_INTEGERS,
    **{name + NORMALISED: StorageFormat(row.codes, row.signed, normalised=True) for name, row in _INTEGERS.items()},
}
