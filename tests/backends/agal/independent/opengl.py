"""AGAL 1 on a GPU driver that is not ours: OpenFL's reader of AGAL makes GLSL, which Mesa's software GPU executes.

`reader.py` makes the GLSL; `OpenGl` runs it without a window.  Vertex programs run by transform feedback; of fragment
programs every lane is a point of one pixel.  What the reader writes about constants: a register is a `vec4`, four
registers that matrix instructions read a `mat4` whose columns they are, and registers read by index an array that
begins at the offset of the index.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import moderngl
import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.target import MachineInputs, MachineOutputs

_NAME = re.compile(r"(\D+)(\d+)")
#: In no result: a pixel that still has it was discarded.
_NOTHING = -12345.0


def for_opengl(text: str) -> str:
    """The reader's text as desktop GLSL."""
    return text.replace("#version 100", "#version 150")


class OpenGl:
    """A context without a window."""

    def __init__(self) -> None:
        options: dict[str, Any] = {"backend": "egl"}
        self.context: Any = moderngl.create_context(standalone=True, **options)

    def run(self, glsl: str, stage: str, inputs: MachineInputs) -> MachineOutputs:
        """What a program leaves in the registers of its outputs."""
        run = self._vertices if stage == "vertex" else self._pixels
        return run(glsl, inputs)

    def _vertices(self, glsl: str, inputs: MachineInputs) -> MachineOutputs:
        names = ["gl_Position", *(f"v{number}" for number in _varyings(glsl))]
        program = self.context.program(vertex_shader=glsl, varyings=names)
        self._upload(program, inputs)
        # With no framebuffer bound, the driver writes zeros.
        self._target(inputs.lanes).use()
        buffer = self.context.buffer(reserve=16 * len(names) * inputs.lanes)
        self._vertex_array(program, inputs.inputs.get("va", {}), "va").transform(buffer, vertices=inputs.lanes)
        values = np.frombuffer(buffer.read(), np.float32).reshape(inputs.lanes, len(names), 4)
        found = {name: values[:, place] for place, name in enumerate(names)}
        position = found.pop("gl_Position")
        return MachineOutputs({"op": {0: position}, "v": {int(name[1:]): value for name, value in found.items()}})

    def _pixels(self, glsl: str, inputs: MachineInputs) -> MachineOutputs:
        program = self.context.program(vertex_shader=_points(_varyings(glsl)), fragment_shader=glsl)
        self._upload(program, inputs)
        target = self._target(inputs.lanes)
        target.use()
        target.clear(_NOTHING, _NOTHING, _NOTHING, _NOTHING)
        varyings: dict[int, Array] = dict(inputs.inputs.get("v", {}))
        places = np.zeros((inputs.lanes, 4), np.float32)
        places[:, 0] = (np.arange(inputs.lanes) + 0.5) / inputs.lanes * 2 - 1
        places[:, 3] = 1
        vertices = self._vertex_array(program, varyings | {-1: places}, "a")
        vertices.render(moderngl.POINTS, vertices=inputs.lanes)
        colours = np.frombuffer(target.read(components=4, dtype="f4"), np.float32).reshape(inputs.lanes, 4)
        return MachineOutputs({"oc": {0: colours}}, (colours == _NOTHING).all(axis=1))

    def _target(self, lanes: int) -> Any:
        """A row of pixels in float32."""
        return self.context.framebuffer([self.context.texture((lanes, 1), 4, dtype="f4")])

    def _vertex_array(self, program: Any, values: Mapping[int, Array], prefix: str) -> Any:
        """Attributes by register; the compiler may have dropped some."""
        contents = []
        for number, value in values.items():
            name = f"{prefix}{number}" if number >= 0 else "place"
            if program.get(name, None) is not None:
                contents.append((self.context.buffer(_four(value).tobytes()), "4f", name))
        return self.context.vertex_array(program, contents)

    def _upload(self, program: Any, inputs: MachineInputs) -> None:
        """Constants and textures; `vcPositionScale` is the reader's own."""
        constants = {space: dict(file) for space, file in inputs.constants.items()}
        for name in list(program):
            member = program[name]
            if not isinstance(member, moderngl.Uniform):
                continue
            if name == "vcPositionScale":
                member.write(np.ones(4, np.float32).tobytes())
            elif name.startswith("sampler"):
                self._bind(member, int(name.removeprefix("sampler")), inputs.textures)
            else:
                member.write(_registers(constants, name, member).tobytes())

    def _bind(self, member: Any, unit: int, textures: Mapping[int, Texture]) -> None:
        image = textures[unit].levels[0][0]
        height, width = image.shape[:2]
        texture = self.context.texture((width, height), 4, image.astype(np.float32).tobytes(), dtype="f4")
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.repeat_x = texture.repeat_y = False
        texture.use(unit)
        member.value = unit


def _varyings(glsl: str) -> list[int]:
    return [int(number) for number in re.findall(r"^varying vec4 v(\d+);", glsl, re.MULTILINE)]


def _points(varyings: Sequence[int]) -> str:
    """A vertex shader that hands attributes on."""
    declared = "".join(f"attribute vec4 a{number}; varying vec4 v{number};\n" for number in varyings)
    copied = "".join(f"v{number} = a{number};\n" for number in varyings)
    return f"#version 150\nattribute vec4 place;\n{declared}void main() {{ gl_Position = place;\n{copied}}}\n"


def _four(values: Array) -> Array:
    """Values by lane as four components."""
    return np.ascontiguousarray(values, np.float32).reshape(len(values), 4)


def _registers(constants: Mapping[str, Mapping[int, Any]], name: str, member: Any) -> Array:
    """The constants that a uniform stands for: one register, the four of a matrix, or all from an offset on."""
    match = _NAME.match(name)
    assert match is not None, f"{name} is no register"
    space, first = match[1], int(match[2])
    count = member.array_length * member.dimension // 4
    contents = np.zeros((count, 4), np.float32)
    for number, values in constants.get(space, {}).items():
        if first <= number < first + count:
            contents[number - first, : len(values)] = values
    return contents
