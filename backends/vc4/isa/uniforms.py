"""The uniform stream: what stands in each of its slots, by kind.

A program reads one word after the other; a slot that is no plain number says where the host takes it from.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Slot(NamedTuple):
    """A word that the host fills in: a parameter of texture `source`, the address of buffer `source`, or that of the
    stream itself."""

    kind: Literal["texture", "buffer", "stream"]
    source: int = 0


#: A slot, or the word itself.
Uniform = int | Slot

#: Where the simulator puts the stream and the buffers.
STREAM_ADDRESS = 0x20000000
BUFFER_ADDRESS = 0x40000000
#: Distance of two buffers.
BUFFER_SPACING = 1 << 24


def word_of(slot: Uniform) -> int | None:
    """The word that a program reads; None for parameters of textures, whose words only the TMU sees."""
    if isinstance(slot, int):
        return slot & 0xFFFFFFFF
    if slot.kind == "stream":
        return STREAM_ADDRESS
    return BUFFER_ADDRESS + slot.source * BUFFER_SPACING if slot.kind == "buffer" else None
