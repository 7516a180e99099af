"""The slots in a file: the last part of a container."""

from __future__ import annotations

from backends.xenos.isa.container import read
from backends.xenos_family.isa.container import slots_of


def read_slots(data: bytes) -> list[int]:
    """Big-endian dwords as slots; raises `BadContainer`."""
    return slots_of(read(data).code)
