"""What a program asks of a texture: whether it gives the level itself, and whether it wants one channel alone.

The kind stands in the name of the parameter in the uniform stream, and in the number that the simulator knows the
texture by.
"""

from __future__ import annotations

from typing import NamedTuple

#: Beginning of the names of parameters; a digit and the kind's ending follow.
_CONFIG = "texture_config"


class TextureKind(NamedTuple):
    """A way to read a texture."""

    #: Whether the level of detail is given, not found from the neighbours.
    is_exact: bool
    #: The channel that is wanted as a float; None: all, as bytes.
    channel: int | None

    @staticmethod
    def of(source: int) -> TextureKind:
        """The kind of a simulator's number."""
        return tuple(KINDS.values())[source % len(KINDS)]


#: Endings of the names of parameters -> what they ask.
KINDS = {
    level + channel: TextureKind(bool(level), "rgba".find(channel[1:]) if channel else None)
    for level in ("", "_lod")
    for channel in ("", "_r", "_g", "_b", "_a")
}
_NUMBERS = {suffix: number for number, suffix in enumerate(KINDS)}


def source_of(unit: int, parameter: str) -> int:
    """The simulator's number of the texture in a unit, for a parameter of this name."""
    return len(KINDS) * unit + _NUMBERS[parameter[len(_CONFIG) + 1 :]]
