"""The slots in a file: the last part of a container."""

from __future__ import annotations

from glslc_multi.backends.xenos.isa.container import read
from glslc_multi.backends.xenos_family.isa.container import slots_of


def read_slots(data: bytes) -> list[int]:
    """Big-endian dwords as slots; raises `BadContainer`."""
    return slots_of(read(data).code)
