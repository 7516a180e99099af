"""A picture from the calls of a program: what its last draw leaves, by the simulators of both units, with nothing but
what the calls hold: code, uniforms, vertices, combiners, lights, textures."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.backends.pica200.isa.fragment.decode import decode
from glslc_multi.backends.pica200.isa.program import SEMANTICS, Program
from glslc_multi.backends.pica200.machine.fragment.host_words import bytes_of
from glslc_multi.backends.pica200.machine.fragment.rasteriser import at_corners
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp, set_up_of, words_of
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels
from glslc_multi.backends.pica200.machine.fragment.simulate import simulate as simulate_pixels
from glslc_multi.backends.pica200.machine.fragment.texture_units import Sampler
from glslc_multi.backends.pica200.machine.simulate import Uniforms, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.runtime.raster import Stage, draw
from tests.backends.pica200.host.registers import registers_of
from tests.backends.pica200.host.stub import Call, writes_of
from tests.backends.pica200.host.texels import rows_of_texels

_FLOATS = 3
_WRAPS = {0: "clamp", 2: "repeat"}


def picture_of(calls: Iterable[Call]) -> Array:
    """The colour buffer with its alpha, the upper row first: it may stand on its side, as the screens do."""
    calls = list(calls)
    last = {name: rest for name, *rest in calls}
    outputs = _outputs(_program(last["file"]), _vertex_inputs(last), _uniforms(calls))
    wraps = {unit: _WRAPS[wrap] for name, *rest in calls if name == "wrap" for unit, wrap in [rest]}
    textures = dict(_texture(rest, wraps) for name, *rest in calls if name == "image")
    writes, _ = writes_of(calls)
    configuration = decode(writes)
    set_up = set_up_of(configuration, samplers={f"texture{unit}": Sampler(unit, unit) for unit in textures})
    vertex = Stage(lambda inputs: outputs, frozenset())
    corners: dict[str, Callable[[Array], Array]] = {name: partial(at_corners, name) for name in outputs}
    (width, height), (_, clear, _) = last["target"], last["clear"]
    background = list(int(clear).to_bytes(4, "big"))
    pixels = partial(_pixels, set_up, words_of(configuration), textures, background)
    fragment = Stage(pixels, frozenset(outputs) - {"gl_Position"}, at_corners=corners)
    triangles = np.arange(len(outputs["gl_Position"])).reshape(-1, 3)
    red, green, blue, alpha = (byte / 255 for byte in background)
    size = {"width": width, "height": height}
    frame = draw(vertex, fragment, {}, triangles, **size, background=(red, green, blue, alpha), cull="back")
    return frame.to_bytes()


def _program(words: Iterable[int]) -> Program:
    data = struct.pack(f"<{len(list(words))}I", *words)
    program = read(data, "<calls>", DiagnosticSink())
    assert program is not None
    return program


def _vertex_inputs(last: Mapping[str, list[Any]]) -> dict[int, Array]:
    """Input registers: the buffer's components are loaders, and these are the registers that a permutation says."""
    registers, *formats = last["attributes"]
    stride, count, loaders = last["buffer"]
    numbers = np.array(last["vertices"], np.uint32).view(np.float32).reshape(-1, stride // 4)
    found, at = {}, 0
    for place in range(count):
        loader = loaders >> 4 * place & 0xF
        format, width = formats[2 * loader : 2 * loader + 2]
        assert format == _FLOATS
        values = np.tile(np.array([0, 0, 0, 1], np.float32), (len(numbers), 1))
        values[:, :width] = numbers[:, at : at + width]
        found[registers >> 4 * loader & 0xF] = values
        at += width
    return found


def _uniforms(calls: Iterable[Call]) -> Uniforms:
    spaces: dict[str, dict[int, Any]] = {"c": {}, "i": {}, "b": {}}
    for (stage, space, number), words in registers_of(calls).items():
        if stage == "vertex":
            spaces[space][number] = np.array(words, np.uint32).view(np.float32) if space == "c" else words
    bools = {number: bool(words[0]) for number, words in spaces["b"].items()}
    return Uniforms(spaces["c"], spaces["i"], bools)


def _outputs(program: Program, inputs: Mapping[int, Array], uniforms: Uniforms) -> dict[str, Array]:
    """What the rasteriser takes, by the program's table of outputs."""
    result = simulate(program, inputs, uniforms).outputs
    found = {}
    for output in program.executables[0].outputs:
        components = [number for number in range(4) if output.mask >> number & 1]
        found[SEMANTICS[output.semantic]] = result[:, output.register][:, components]
    found["gl_Position"] = found.pop("position")
    return found


def _texture(image: list[int], wraps: Mapping[int, str]) -> tuple[int, Texture]:
    unit, width, height, is_linear, *texels = image
    rows = rows_of_texels(np.array(texels, np.uint32), width, height).astype(np.uint8)
    return unit, Texture(rows, "linear" if is_linear else "nearest", wraps.get(unit, "clamp"))


def _pixels(
    set_up: SetUp,
    values: Array,
    textures: Mapping[int, Texture],
    background: list[int],
    inputs: Mapping[str, Array],
    quads: bool = False,
) -> dict[str, Array]:
    """What opaque pixels are; those that are blended find nothing but the background."""
    # Without inputs all pixels are one.
    count = len(next(iter(inputs.values()), [0]))
    colour = bytes_of(np.abs(inputs.get("color", np.zeros((count, 4)))))
    varyings = {name: np.asarray(value, np.float32) for name, value in inputs.items() if name != "color"}
    colours = {"primary": colour, "destination": np.tile(background, (count, 1))}
    result = simulate_pixels(set_up, values, Pixels(count, colours, varyings, textures, quads))
    return {"gl_FragColor": result.colours / 255, "discarded": result.discarded}
