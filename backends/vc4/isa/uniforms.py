"""The uniform stream: what each of its words is, by kind.

A program reads one word after the other; a slot that is no number names what the host puts there.  The parameters of a
texture also say how it is sampled: whether the shader gives the level of detail, and, in tests, which channel it reads
as a float.  Their names in the register map are made and read here.
"""

from __future__ import annotations

from collections.abc import Mapping
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
#: Distance of two buffers: room for 24576 of them, each of at most 32768 words.
BUFFER_SPACING = 1 << 17


def word_of(slot: Uniform) -> int | None:
    """The word that a program reads; None for parameters of textures, whose words only the TMU sees."""
    if isinstance(slot, int):
        return slot & 0xFFFFFFFF
    if slot.kind == "stream":
        return STREAM_ADDRESS
    return BUFFER_ADDRESS + slot.source * BUFFER_SPACING if slot.kind == "buffer" else None


# --- Parameters of textures -------------------------------------------------------------------------------------------


class TextureKind(NamedTuple):
    """How a lookup samples its texture."""

    #: Whether the shader gives the level of detail, which otherwise follows from the neighbouring pixels.
    has_level: bool
    #: The channel that is read as a float; None: all four, as bytes.
    channel: int | None

    @staticmethod
    def of(source: int) -> TextureKind:
        """The kind in a texture slot's `source`."""
        return TEXTURE_KINDS[source % len(TEXTURE_KINDS)]


TEXTURE_KINDS: tuple[TextureKind, ...] = tuple(
    TextureKind(has_level, channel) for has_level in (False, True) for channel in (None, 0, 1, 2, 3)
)
_PARAMETER = "texture_config"


def _suffix(kind: TextureKind) -> str:
    channel = "" if kind.channel is None else f"_{'rgba'[kind.channel]}"
    return ("_lod" if kind.has_level else "") + channel


_KIND_NUMBERS: Mapping[str, int] = {_suffix(kind): number for number, kind in enumerate(TEXTURE_KINDS)}


def texture_parameter(number: int, kind: TextureKind) -> str:
    """The name of one of a lookup's parameters in the register map."""
    return f"{_PARAMETER}{number}{_suffix(kind)}"


def texture_source(unit: int, kind: int) -> int:
    """The `source` of a texture slot: the unit's sampler, and the number of the kind."""
    return len(TEXTURE_KINDS) * unit + kind


def texture_source_of(unit: int, parameter: str) -> int:
    """The same for a parameter of this name."""
    return texture_source(unit, _KIND_NUMBERS[parameter[len(_PARAMETER) + 1 :]])
