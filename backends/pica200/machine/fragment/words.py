"""Where the values stand that all pixels of a draw share: words of 32 bits, in an order that both sides know.

What the host changes from draw to draw is here, so that a translated program need not be made again: constants, the
reference of the alpha test, colours and positions of lights, entries of tables.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS, STAGES

_WIDTH = len(CHANNELS)

#: Bytes: the constants of the stages, a word a channel; then other colours, and the reference of the alpha test.
CONSTANTS = 0
BUFFER_COLOUR, ALPHA_REFERENCE, FOG_COLOUR, BLEND_COLOUR, BORDERS = (_WIDTH * (STAGES + n) for n in range(5))
#: Texture units that have a border.
_UNITS = 3

#: Raw entries.
FOG_TABLE = BORDERS + _WIDTH * _UNITS
FOG_ENTRIES = 128

#: Floats: three a light and value, then what distances are multiplied by and what is added.
LIGHTS = 8
LIGHT_VALUES = ("position", "spot_direction", "specular0", "specular1", "diffuse", "ambient", "attenuation")
AXES = 3
_LIGHT_WORDS = AXES * len(LIGHT_VALUES) - 1
_FIRST_LIGHT = FOG_TABLE + FOG_ENTRIES
AMBIENT = _FIRST_LIGHT + LIGHTS * _LIGHT_WORDS

#: Raw entries of the tables of the lighting unit, by its numbers.
TABLES = 24
ENTRIES = 256
_FIRST_TABLE = AMBIENT + AXES
COUNT = _FIRST_TABLE + TABLES * ENTRIES


def light_value(light: int, name: str) -> int:
    """The first of three words; "attenuation" has two."""
    return _FIRST_LIGHT + light * _LIGHT_WORDS + AXES * LIGHT_VALUES.index(name)


def first_word(space: str, index: int) -> int:
    """The word of the first component of what the register map names so (`run.py` lists the spaces)."""
    if space == "scene_ambient":
        return AMBIENT
    return light_value(index, space) if space in LIGHT_VALUES else CONSTANTS + _WIDTH * index


def table(number: int) -> int:
    """The first entry of a table."""
    return _FIRST_TABLE + number * ENTRIES
