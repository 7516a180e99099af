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

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment.artifact import (
    COLOURS,
    DRAW_SPACE,
    configuration_of,
    set_up_of_artifact,
)
from glslc_multi.backends.pica200.machine.fragment.host_words import bytes_of, words_of_draw
from glslc_multi.backends.pica200.machine.fragment.images import generated_images
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels, maker, simulate
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.execution.program import Engine
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import MachineInputs, MachineOutputs

#: Space -> components.
_VARYINGS = {"texcoord0": 2, "texcoord0w": 1, "texcoord1": 2, "texcoord2": 2, "normalquat": 4, "view": 3}
#: What the lighting unit finds where a vertex shader does not write what no table asks for.
_UNWRITTEN = {"normalquat": (0.0, 0.0, 0.0, 1.0), "view": (0.0, 0.0, 1.0)}


def run(artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
    """Run the bytes of `artifact` on all pixels."""
    return _run(artifact, set_up_of_artifact(artifact, options), inputs, None)


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from glslc_multi.compiler.native.programs import TranslatedCode

    set_up = set_up_of_artifact(artifact, options)
    engine = TranslatedCode(maker(set_up))
    return lambda inputs: _run(artifact, set_up, inputs, engine)


def _run(artifact: Artifact, set_up: SetUp, inputs: MachineInputs, engine: Engine | None) -> MachineOutputs:
    reflection = artifact.reflection
    values = words_of_draw(configuration_of(artifact.binary), reflection, inputs.constants)
    textures = {**inputs.textures, **generated_images(reflection, inputs.constants)}
    result = simulate(set_up, values, _pixels(replace(inputs, textures=textures)), engine)
    # What is decided for all pixels by the host, which draws nothing then.
    given = inputs.constants.get(DRAW_SPACE, {}).get(0)
    discarded = result.discarded if given is None or float(given[0]) > 0.5 else np.ones(inputs.lanes, np.bool_)
    return MachineOutputs({"color": {0: result.colours / float(WHOLE)}}, discarded)


# --- Pixels -----------------------------------------------------------------------------------------------------------


def _pixels(inputs: MachineInputs) -> Pixels:
    """What pixels bring: the rasteriser makes colours absolute, limits them to 1, and rounds them to bytes."""
    given = {space: file[0] for space, file in inputs.inputs.items() if 0 in file}
    # Stages that are there for their buffer alone read some colour.
    given.setdefault("color", np.zeros((inputs.lanes, len(CHANNELS))))
    colours = {source: bytes_of(np.abs(given[space])) for space, source in COLOURS.items() if space in given}
    varyings = {space: given[space][:, :width] for space, width in _VARYINGS.items() if space in given}
    if "window" in given:
        varyings["depth"] = 1 - given["window"][:, 2]
    for space, value in _UNWRITTEN.items():
        varyings.setdefault(space, np.tile(np.asarray(value, np.float32), (inputs.lanes, 1)))
    return Pixels(inputs.lanes, colours, varyings, inputs.textures, inputs.quads)
