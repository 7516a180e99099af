"""Runs a configuration over many pixels: bytes, coordinates and textures in, colours out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS, STAGES
from glslc_multi.backends.pica200.machine.fragment.execute import DISCARDED, PixelProgram
from glslc_multi.backends.pica200.machine.fragment.register_file import SimulationFault
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Engine, Key, LaneProgram, Lanes, LaneState
from glslc_multi.compiler.records import dataclass, field

#: Texture units that read images.
_UNITS = 3


@dataclass(frozen=True, slots=True)
class Pixels:
    """What pixels bring with them; the first axis of arrays is the pixel."""

    count: int
    #: Bytes, by the sources that no unit makes, and of `destination`: what is in the buffer.
    colours: Mapping[str, Any] = field(default_factory=dict)
    #: Floats: texcoord0, texcoord0w, texcoord1, texcoord2, normalquat, view, and depth from 0 to 1.
    varyings: Mapping[str, Any] = field(default_factory=dict)
    textures: Mapping[int, Texture] = field(default_factory=dict)
    #: Whether pixels 4k to 4k+3 are a block of 2x2.
    quads: bool = False

    def state(self, values: Array) -> LaneState:
        """What an engine begins with."""
        textures = [self.textures.get(unit) for unit in range(_UNITS)]
        return LaneState(self.count, dict(self._rows()), values, textures, self.quads)

    def _rows(self) -> Iterator[tuple[Key, Array]]:
        for source, bytes in self.colours.items():
            for number, channel in enumerate(CHANNELS):
                yield (source, channel), np.ascontiguousarray(np.asarray(bytes)[:, number], np.int32)
        for name, floats in self.varyings.items():
            for component, row in enumerate(np.asarray(floats).reshape(self.count, -1).T):
                yield (name, component), np.ascontiguousarray(row, np.float32)


@dataclass(frozen=True, slots=True)
class Result:
    """What becomes of pixels."""

    #: Bytes, by pixel and channel.
    colours: Array
    #: By pixel, whether the alpha test has taken it away.
    discarded: Array
    #: With a trace, by stage, pixel and channel: what each stage makes, and what it finds in the buffer.
    stages: Array
    buffers: Array


def simulate(set_up: SetUp, values: Array, pixels: Pixels, engine: Engine | None = None) -> Result:
    """Run pixels; `values` are the words of the configuration (`set_up.words_of`).

    `engine` does it, made for this set-up; else it is interpreted.  Raises `SimulationFault` for what has no meaning.
    """
    outputs = (engine or ArrayEngine(maker(set_up), SimulationFault)).run(pixels.state(values))
    traced = range(STAGES if set_up.is_traced else 0)
    return Result(
        _bytes(outputs, "colour"),
        outputs[DISCARDED] != 0,
        np.array([_bytes(outputs, f"stage {number}") for number in traced]),
        np.array([_bytes(outputs, f"buffer {number}") for number in traced]),
    )


def maker(set_up: SetUp) -> Callable[[Lanes], LaneProgram[int]]:
    """What makes the program on the lanes of an engine."""
    return partial(PixelProgram, set_up)


def _bytes(found: Mapping[Key, Array], name: str) -> Array:
    return np.stack([found[name, channel] for channel in CHANNELS], axis=1)
