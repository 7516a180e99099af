"""Runs a compiled fragment shader: values by the locations of its register map in, colours out.

| space | what is there |
| --- | --- |
| color, lighting0, lighting1 | colours that the rasteriser, or lighting set up by the host, gives a pixel: 0 to 1 |
| texcoord0, texcoord0w, texcoord1, texcoord2, normalquat, view | coordinates and directions |
| window | z is gl_FragCoord.z; with the map of depth that the register map asks for, fog sees 1 - z |
| texture | unit of a sampler; unit 0 is a cube by the sampler's type, and projective where there is a texcoord0w |
| tev 0 to 5, 6, 8 | colours that the host computes: constants of the stages, of the buffer, of fog |
| tev 7 | x: the reference of the alpha test |
| draw | 0: x is 0 where the host decides that nothing is drawn |
| position, spot_direction, specular0, specular1, diffuse, ambient, attenuation | a light's, by its number |
| scene_ambient | 0: the colour that no light has |
| lut | the table of the lighting unit of this number: its values at the ends of all lines |
| fog | 0: the fog table, likewise |
| image | 4 * unit + channel: a channel of a generated image, its texels row by row from the lower left one on |
| color (output) | 0: the colour, bytes over 255 |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from backends.pica200.isa.fragment.combiners import CHANNELS
from backends.pica200.isa.fragment.container import read
from backends.pica200.isa.fragment.decode import decode
from backends.pica200.isa.fragment.program import Configuration
from backends.pica200.isa.fragment.rounding import WHOLE
from backends.pica200.machine.fragment.host_words import DRAW_SPACE, bytes_of, words_of_draw
from backends.pica200.machine.fragment.images import IMAGE_SPACE, generated_images
from backends.pica200.machine.fragment.register_file import RegisterFile
from backends.pica200.machine.fragment.set_up import SetUp, set_up_of
from backends.pica200.machine.fragment.simulate import Pixels, maker, simulate
from backends.pica200.machine.fragment.texture_units import Sampler, coordinate_of
from compiler.artifact import Artifact, Reflection
from compiler.execution.program import Engine
from compiler.records import replace
from compiler.target import MachineInputs, MachineOutputs

#: Space -> the source of which it is the colour.
_COLOURS = {"color": "primary", "lighting0": "lighting0", "lighting1": "lighting1"}
#: Space -> components.
_VARYINGS = {"texcoord0": 2, "texcoord0w": 1, "texcoord1": 2, "texcoord2": 2, "normalquat": 4, "view": 3}
#: What the lighting unit finds where a vertex shader does not write what no table asks for.
_UNWRITTEN = {"normalquat": (0.0, 0.0, 0.0, 1.0), "view": (0.0, 0.0, 1.0)}


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
    reflection = artifact.reflection
    values = words_of_draw(_configuration(artifact.binary), reflection, inputs.constants)
    textures = {**inputs.textures, **generated_images(reflection, inputs.constants)}
    result = simulate(set_up, values, _pixels(replace(inputs, textures=textures)), engine)
    discarded = result.discarded if _is_drawn(inputs) else np.ones(inputs.lanes, np.bool_)
    return MachineOutputs({"color": {0: result.colours / float(WHOLE)}}, discarded)


def _is_drawn(inputs: MachineInputs) -> bool:
    """What is decided for all pixels by the host, which draws nothing then."""
    given = inputs.constants.get(DRAW_SPACE, {}).get(0)
    return given is None or float(given[0]) > 0.5


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
    for binding in reflection.uniforms:
        for unit in (place.index // len(CHANNELS) for place in binding.locations if place.space == IMAGE_SPACE):
            yield f"texture{unit}", Sampler(unit, coordinate_of(registers, unit))


# --- Pixels -----------------------------------------------------------------------------------------------------------


def _pixels(inputs: MachineInputs) -> Pixels:
    """What pixels bring: the rasteriser makes colours absolute, limits them to 1, and rounds them to bytes."""
    given = {space: file[0] for space, file in inputs.inputs.items() if 0 in file}
    # Stages that are there for their buffer alone read some colour.
    given.setdefault("color", np.zeros((inputs.lanes, len(CHANNELS))))
    colours = {source: bytes_of(np.abs(given[space])) for space, source in _COLOURS.items() if space in given}
    varyings = {space: given[space][:, :width] for space, width in _VARYINGS.items() if space in given}
    if "window" in given:
        varyings["depth"] = 1 - given["window"][:, 2]
    for space, value in _UNWRITTEN.items():
        varyings.setdefault(space, np.tile(np.asarray(value, np.float32), (inputs.lanes, 1)))
    return Pixels(inputs.lanes, colours, varyings, inputs.textures, inputs.quads)
