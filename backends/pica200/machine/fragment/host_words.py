"""The values of a draw as words: those of the configuration, and over them what the host computes of uniforms.

In: numbers by the locations of the register map (`run.py` lists the spaces), and what is to be done to them there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.fragment.entries import fog_entries, nearest_light_entries
from glslc_multi.backends.pica200.isa.fragment.floats import FLOATS
from glslc_multi.backends.pica200.isa.fragment.program import Configuration
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import SPOT_ONE, signed_field
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE, byte_above
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.artifact import DRAW_SPACE, IMAGE_SPACE
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile
from glslc_multi.backends.pica200.machine.fragment.set_up import words_of
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Location, Reflection

_COMPONENTS = "xyzw"
#: The one table that is not of the lighting unit.
FOG_SPACE = "fog"
#: Tables of the lighting unit by number.
_LIGHT_TABLES = {
    table.number: name for name, table in TABLES.items() if table.index_register == TABLES["d0"].index_register
}


def words_of_draw(
    configuration: Configuration, reflection: Reflection, given: Mapping[str, Mapping[int, Sequence[Any]]]
) -> Array:
    """The words (`words.py`); those of the file remain where the host sets none."""
    found, registers = words_of(configuration), RegisterFile(configuration.unit_writes)
    for location in (place for binding in reflection.uniforms for place in binding.locations):
        numbers = given.get(location.space, {}).get(location.index)
        if numbers is None or location.space in (DRAW_SPACE, IMAGE_SPACE):
            continue
        if location.transform == "table" and location.space == FOG_SPACE:
            found[words.FOG_TABLE : words.FOG_TABLE + words.FOG_ENTRIES] = fog_entries(numbers)
            continue
        if location.transform == "table":
            first = words.table(location.index)
            # A table of its values at the ends of all lines, from -1 on where its index has a sign.
            field = signed_field(_LIGHT_TABLES[location.index])
            is_signed = registers.fields("LIGHTING_LUTINPUT_ABS").get(field, 0)
            found[first : first + words.ENTRIES] = nearest_light_entries(numbers, signed=bool(is_signed))
            continue
        for component in map(_COMPONENTS.index, location.components):
            word = _number(numbers[component], location)
            found[words.first_word(location.space, location.index) + component] = word.view(np.int32)
    return found


def _number(value: float, location: Location) -> Array:
    """A number as registers have it; colours of lights are bytes that count as 0 to 1."""
    form = FLOATS.get(location.transform)
    if form is not None:
        return np.asarray(form.value_of(form.nearest(value)), np.float32)
    if location.transform == "snorm12":
        return np.asarray(np.round(np.clip(value, -1.0, 1.0) * SPOT_ONE) / SPOT_ONE, np.float32)
    if location.transform == "unorm8-up":
        return np.asarray(byte_above(value) / WHOLE, np.float32)
    if location.transform != "unorm8":
        return np.asarray(value, np.float32)
    bytes_ = bytes_of(value)
    return (bytes_ / np.float32(WHOLE)).astype(np.float32) if location.space in words.LIGHT_VALUES else bytes_


def bytes_of(values: Any) -> Array:
    """Bytes of numbers 0 to 1, to nearest; 0 for NaN."""
    scaled = np.floor(np.clip(np.nan_to_num(np.asarray(values, np.float64)), 0.0, 1.0) * WHOLE + 0.5)
    return scaled.astype(np.int32)
