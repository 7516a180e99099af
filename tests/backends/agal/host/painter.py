"""Draws what a client recorded on the simulator: the program that it uploaded, and everything else that it set."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from glslc_multi.backends.agal.machine.simulate import simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.runtime.raster import Stage, draw
from glslc_multi.runtime.textures import Texture
from tests.backends.agal.host.recorded import BACK_BUFFER, Device, calls_of

_VARYINGS = frozenset(f"v{number}" for number in range(8))


def paint(printed: str, width: int, height: int) -> Array:
    """The back buffer, (height, width, 4) bytes, the top row first; each target is cleared and drawn to once."""
    device = Device(sizes={BACK_BUFFER: (width, height)})
    for call, words in calls_of(printed):
        if call == "clear":
            device.images[device.target] = np.full((1, 1, 4), np.array(words, float) * 255)
        elif call == "draw":
            device.images[device.target] = drawn(device, device.indices[int(words[0])])
        else:
            device.take(call, words)
    return device.images[BACK_BUFFER]


def drawn(device: Device, indices: Array) -> Array:
    """The target after a draw."""
    vertex, fragment = device.code
    width, height = device.sizes[device.target]
    streams = {f"va{register}": stream.values() for register, stream in device.streams.items()}
    vertex_stage = Stage(partial(_vertices, vertex, _constants(device, "vertex")), frozenset(streams))
    shaded = partial(_pixels, fragment, _constants(device, "fragment"), _textures(device))
    background = tuple(device.images[device.target][0, 0] / 255)
    frame = draw(
        vertex_stage,
        Stage(shaded, _VARYINGS, colour="oc"),
        streams,
        indices.reshape(-1, 3),
        width=width,
        height=height,
        background=background,
    )
    return frame.to_bytes()


def _vertices(code: bytes, constants: Mapping[str, Array], inputs: Mapping[str, Array]) -> Mapping[str, Array]:
    (count,) = {len(values) for values in inputs.values()}
    outputs = simulate(code, inputs, constants, lanes=count).outputs
    return {"gl_Position" if name == "op" else name: value for name, value in outputs.items()}


def _pixels(
    code: bytes,
    constants: Mapping[str, Array],
    textures: Mapping[str, Texture],
    inputs: Mapping[str, Array],
    quads: bool = False,
) -> Mapping[str, Array]:
    (count,) = {len(values) for values in inputs.values()}
    results = simulate(code, inputs, constants, textures, lanes=count, quads=quads)
    return {**results.outputs, "discarded": results.discarded}


def _constants(device: Device, type: str) -> dict[str, Array]:
    return {
        f"{type[0]}c{number}": np.array(row, np.uint32).view(np.float32)
        for (found, number), row in device.constants.items()
        if found == type
    }


def _textures(device: Device) -> dict[str, Texture]:
    images = {sampler: device.images[number] / 255 for sampler, number in device.textures.items()}
    return {f"fs{sampler}": Texture(image, mips=True) for sampler, image in images.items()}
