"""Runs a compiled fragment shader: values by the locations of its register map in, colours out.

| space | what is there |
| --- | --- |
| color, lighting0, lighting1 | colours that the rasteriser, or lighting set up by the host, gives a pixel: 0 to 1 |
| texcoord0, texcoord0w, texcoord1, texcoord2, normalquat, view | coordinates and directions |
| window | z is the depth that fog sees, 0 to 1 |
| texture | unit of a sampler; unit 0 is a cube by the sampler's type, and projective where there is a texcoord0w |
| tev 0 to 5, 6, 8 | colours that the host computes: constants of the stages, of the buffer, of fog |
| tev 7 | x: the reference of the alpha test |
| position, spot_direction, specular0, specular1, diffuse, ambient | a light's, by its number |
| lut | the table of the lighting unit of this number: its values at the ends of all lines |
| color (output) | 0: the colour, bytes over 255 |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from backends.pica200.isa.fragment.combiners import CHANNELS
from backends.pica200.isa.fragment.container import read
from backends.pica200.isa.fragment.decode import decode
from backends.pica200.isa.fragment.entries import nearest_light_entries
from backends.pica200.isa.fragment.floats import F16
from backends.pica200.isa.fragment.program import Configuration
from backends.pica200.isa.fragment.rounding import byte_above
from backends.pica200.isa.fragment.tables import TABLES
from backends.pica200.machine.fragment import words
from backends.pica200.machine.fragment.arithmetic import WHOLE
from backends.pica200.machine.fragment.register_file import RegisterFile
from backends.pica200.machine.fragment.set_up import SetUp, set_up_of, words_of
from backends.pica200.machine.fragment.simulate import Pixels, maker, simulate
from backends.pica200.machine.fragment.texture_units import Sampler, coordinate_of
from compiler.arithmetic.lanes import Array
from compiler.artifact import Artifact, Location, Reflection
from compiler.execution.program import Engine
from compiler.target import MachineInputs, MachineOutputs

#: Space -> the source of which it is the colour.
_COLOURS = {"color": "primary", "lighting0": "lighting0", "lighting1": "lighting1"}
#: Space -> components.
_VARYINGS = {"texcoord0": 2, "texcoord0w": 1, "texcoord1": 2, "texcoord2": 2, "normalquat": 4, "view": 3}
_UNWRITTEN = {"normalquat": (0.0, 0.0, 0.0, 1.0), "view": (0.0, 0.0, 1.0)}
_COMPONENTS = "xyzw"
_LIGHTING_TABLES = {
    table.number: name for name, table in TABLES.items() if table.index_register == TABLES["d0"].index_register
}


def run(artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
    """Run the bytes of `artifact` on all pixels."""
    return _run(artifact, _set_up(artifact, options), inputs, None)


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from compiler.native.programs import TranslatedCode

    set_up = _set_up(artifact, options)
    engine = TranslatedCode(maker(set_up))
    return lambda inputs: _run(artifact, set_up, inputs, engine)


def _run(artifact: Artifact, set_up: SetUp, inputs: MachineInputs, engine: Engine | None) -> MachineOutputs:
    configuration = _configuration(artifact.binary)
    values, registers = words_of(configuration), RegisterFile(configuration.unit_writes)
    for first, number in _host_values(artifact.reflection, inputs):
        values[first : first + 1].view(number.dtype)[:] = number
    for first, entries in _host_tables(artifact.reflection, inputs, registers):
        values[first : first + len(entries)] = entries
    result = simulate(set_up, values, _pixels(artifact.reflection, inputs), engine)
    return MachineOutputs({"color": {0: result.colours / float(WHOLE)}}, result.discarded)


@lru_cache(maxsize=64)
def _configuration(binary: bytes) -> Configuration:
    return decode(read(binary))


# --- What is known of a shader ----------------------------------------------------------------------------------------


def _set_up(artifact: Artifact, options: Mapping[str, Any]) -> SetUp:
    configuration = _configuration(artifact.binary)
    samplers = dict(_samplers(artifact.reflection, RegisterFile(configuration.unit_writes)))
    return set_up_of(configuration, options.get("rounding", "azahar"), samplers)


def _samplers(reflection: Reflection, registers: RegisterFile) -> Iterator[tuple[str, Sampler]]:
    """By the sources that they are: what the units read, which take filter and wrap from their textures."""
    is_projected = any(place.space == "texcoord0w" for binding in reflection.varyings for place in binding.locations)
    for binding in reflection.samplers:
        for unit in (location.index for location in binding.locations):
            if unit == 0 and binding.type == "samplerCube":
                kind = "cube"
            else:
                kind = "projection" if unit == 0 and is_projected else "2d"
            yield f"texture{unit}", Sampler(unit, coordinate_of(registers, unit), kind)


# --- Values -----------------------------------------------------------------------------------------------------------


def _host_values(reflection: Reflection, inputs: MachineInputs) -> Iterator[tuple[int, Array]]:
    """The words that the host sets for a draw; those of the file remain where it sets none."""
    for binding in reflection.uniforms:
        for location in binding.locations:
            given = inputs.constants.get(location.space, {}).get(location.index)
            first = _first_word(location)
            if given is None or first is None:
                continue
            for letter in location.components:
                component = _COMPONENTS.index(letter)
                yield first + component, _number(given[component], location)


def _number(value: float, location: Location) -> Array:
    """A number as registers have it; colours of lights are bytes that count as 0 to 1."""
    if location.transform == "f16":
        return np.asarray(F16.value_of(F16.nearest(value)), np.float32)
    if location.transform == "unorm8-up":
        return np.asarray(byte_above(value) / WHOLE, np.float32)
    return bytes_of(value) if location.transform == "unorm8" else np.asarray(value, np.float32)


def _host_tables(
    reflection: Reflection, inputs: MachineInputs, registers: RegisterFile
) -> Iterator[tuple[int, Sequence[int]]]:
    """The tables that the host sets, by their first words."""
    is_signed = registers.fields("LIGHTING_LUTINPUT_ABS")
    for location in (place for binding in reflection.uniforms for place in binding.locations):
        given = inputs.constants.get(location.space, {}).get(location.index)
        if location.transform == "table" and given is not None:
            name = _LIGHTING_TABLES[location.index]
            entries = nearest_light_entries(given, signed=bool(is_signed.get(f"signed_{name}")))
            yield words.table(location.index), entries


def _first_word(location: Location) -> int | None:
    """The word of a location's first component; None where the machine does not have it."""
    if location.space == "tev":
        return words.CONSTANTS + len(CHANNELS) * location.index
    if location.space in words.LIGHT_VALUES:
        return words.light_value(location.index, location.space)
    return None


def bytes_of(values: Any) -> Array:
    """Bytes of numbers 0 to 1, to nearest; 0 for NaN."""
    scaled = np.floor(np.clip(np.nan_to_num(np.asarray(values, np.float64)), 0.0, 1.0) * WHOLE + 0.5)
    return scaled.astype(np.int32)


def quaternions_of(normals: Array) -> Array:
    """What turns (0, 0, 1) to each normal."""
    x, y, z = (normals / np.linalg.norm(normals, axis=1, keepdims=True)).T
    turned = np.stack([-y, x, np.zeros_like(x), 1 + z], axis=1)
    turned[z <= -1 + 2.0**-12] = 1, 0, 0, 0
    found: Array = turned / np.linalg.norm(turned, axis=1, keepdims=True)
    return found


def _pixels(reflection: Reflection, inputs: MachineInputs) -> Pixels:
    """What pixels bring: the rasteriser makes colours absolute, limits them to 1, and rounds them to bytes."""
    given = {space: file[0] for space, file in inputs.inputs.items() if 0 in file}
    for location in (place for binding in reflection.varyings for place in binding.locations):
        if location.space in given and location.transform == "quaternion":
            given[location.space] = quaternions_of(given[location.space][:, :3])
        elif location.space in given and location.transform == "negated":
            given[location.space] = -given[location.space]
    colours = {source: bytes_of(np.abs(given[space])) for space, source in _COLOURS.items() if space in given}
    varyings = {space: given[space][:, :width] for space, width in _VARYINGS.items() if space in given}
    # What a set-up of the lighting unit does not look at is not written.
    for space, value in _UNWRITTEN.items():
        varyings.setdefault(space, np.tile(np.asarray(value, np.float32), (inputs.lanes, 1)))
    if "window" in given:
        varyings["depth"] = given["window"][:, 2]
    return Pixels(inputs.lanes, colours, varyings, inputs.textures, inputs.quads)
