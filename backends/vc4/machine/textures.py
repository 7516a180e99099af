"""Textures as the TMUs sample them for a shader that is run with values of the host."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from backends.vc4.isa.uniforms import TEXTURE_KINDS, TextureKind, texture_source
from backends.vc4.machine.peripherals import Sampler, TextureRequest
from compiler.arithmetic import sampling
from compiler.arithmetic.lanes import Array
from compiler.records import dataclass
from compiler.target import MachineInputs


def samplers(inputs: MachineInputs) -> dict[int, Sampler]:
    """The samplers by the source of texture slots."""
    return {
        texture_source(unit, number): _Sampler(texture, kind, inputs.quads)
        for unit, texture in inputs.textures.items()
        for number, kind in enumerate(TEXTURE_KINDS)
    }


@dataclass(frozen=True, slots=True)
class _Sampler:
    """Samples a texture: colours of four bytes, or one channel as a float."""

    texture: sampling.Texture
    kind: TextureKind
    quads: bool

    def __call__(self, request: TextureRequest) -> Array:
        texture = self.texture
        letters = "str" if texture.is_cube else "st"
        shape = request.coordinates["s"].shape
        coordinates = np.stack([_floats(request.coordinates[letter]) for letter in letters])
        level = _floats(request.coordinates["b"]) if "b" in request.coordinates else np.zeros(coordinates.shape[1])
        if not self.kind.has_level and self.quads and texture.needs_level:
            level = level + texture.level_of_detail(coordinates, _step(coordinates, 2), _step(coordinates, 1))
        colours = texture.sample(coordinates, level)
        if self.kind.channel is not None:
            exact: Array = colours[self.kind.channel].astype(np.float32).view(np.uint32).reshape(shape)
            return exact
        return packed_colour(list(colours)).reshape(shape)


def packed_colour(channels: Sequence[Array]) -> Array:
    """Words of four bytes, red in the lowest one."""
    colours = [np.floor(np.clip(values, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint32) for values in channels]
    found: Array = colours[0] | colours[1] << np.uint32(8) | colours[2] << np.uint32(16) | colours[3] << np.uint32(24)
    return found


def _floats(words: Array) -> Array:
    return np.ascontiguousarray(words).view(np.float32).reshape(-1).astype(np.float64)


def _step(coordinates: Array, axis: int) -> Array:
    """Differences to the neighbour in each 2x2 block, the same for both."""
    width, lanes = coordinates.shape
    blocks = coordinates.reshape(width, lanes // 4, 2, 2)
    first, second = (np.take(blocks, [number, number], axis=axis + 1) for number in (0, 1))
    steps: Array = (second - first).reshape(width, lanes)
    return steps
