"""A compiled fragment shader as the machine takes it: its configuration, and what its units do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.container import read
from glslc_multi.backends.pica200.isa.fragment.decode import decode
from glslc_multi.backends.pica200.isa.fragment.program import Configuration
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp, set_up_of
from glslc_multi.backends.pica200.machine.fragment.texture_units import Sampler, coordinate_of
from glslc_multi.compiler.artifact import Artifact, Reflection

#: Space -> the source of which it is the colour.
COLOURS = {"color": "primary", "lighting0": "lighting0", "lighting1": "lighting1"}
#: Not of the pixels: whether there are any.
DRAW_SPACE = "draw"
#: Of generated images; a channel of a unit's image is number 4 * unit + channel.
IMAGE_SPACE = "image"


@lru_cache(maxsize=64)
def configuration_of(binary: bytes) -> Configuration:
    """Read what units do from the file."""
    return decode(read(binary))


def set_up_of_artifact(artifact: Artifact, options: Mapping[str, Any]) -> SetUp:
    """Set up the units as the file and, for what texture units read, the register map say."""
    configuration = configuration_of(artifact.binary)
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
