"""Runs a recorded AGAL program in the simulator against GLSL in the evaluator, on the same values.

The names of the GLSL are those of a converter: attributes `va0`, varyings `v0`, a constant as `uniform vec4 vc0`,
the rows of a matrix as the columns of `uniform mat4 vc0`, constants that are read by index as
`uniform vec4 vc8[128]` from the smallest offset on, and textures as `sampler0`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glslc_multi.backends.agal.isa.container import pack, unpack
from glslc_multi.backends.agal.isa.instructions import BY_NAME, SAMPLER, SECOND_LOW, find
from glslc_multi.backends.agal.isa.program import Sampler, decode
from glslc_multi.backends.agal.isa.registers import BY_TYPE, CONSTANT, Stage
from glslc_multi.backends.agal.machine.sampling import with_sampler
from glslc_multi.backends.agal.machine.simulate import simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import replace
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.textures import Texture
from tests.frontends.glsl.shaders import compile_shader

_LANES = 64
_TOLERANCE = 1e-5
#: Output of the GLSL -> register; varyings have the same name in both.
_OUTPUTS = {"gl_Position": "op", "gl_FragColor": "oc"}


def compare_with_glsl(stage: Stage, data: bytes, source: str) -> str:
    """What differs between the program and the GLSL, "" when nothing does."""
    module = compile_shader(source, filename="recorded.glsl", stage=stage, sink=DiagnosticSink(max_errors=0))
    data = _without_bias(data)
    values = _Values(module, stage, data)
    wanted = run_module(
        module, values.inputs, values.uniforms, values.state_textures, lanes=_LANES, quads=stage == "fragment"
    )
    found = simulate(data, values.inputs, values.constants, values.textures, lanes=_LANES, quads=stage == "fragment")
    discarded = wanted.pop("discarded", np.zeros(_LANES, dtype=np.bool_))
    if not np.array_equal(discarded, found.discarded):
        return "other lanes are discarded"
    for name, expected in wanted.items():
        register = _OUTPUTS.get(name, name)
        if register not in found.outputs:
            return f"{register} is not written"
        if not _agree(found.outputs[register][~discarded], expected[~discarded]):
            return f"{register} differs from {name}"
    return ""


def _agree(found: Array, expected: Array) -> bool:
    return bool(np.allclose(found, expected, rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True))


class _Values:
    """Random values under the names of both sides."""

    def __init__(self, module: Module, stage: Stage, data: bytes) -> None:
        self._random = np.random.default_rng(7)
        self.inputs: dict[str, Array] = {}
        self.uniforms: dict[str, Any] = {}
        self.textures: dict[str, Texture] = {}
        self.state_textures: dict[str, Texture] = {}
        bank = BY_TYPE[stage, CONSTANT]
        file = self._random.uniform(-1.0, 1.0, (bank.size(1) + 128, 4)).round(4)
        self.constants = {bank.spell(number): file[number] for number in range(bank.size(1))}
        # Reads past the file give its last register in the simulator.
        file[bank.size(1) :] = file[bank.size(1) - 1]
        samplers = _samplers(data)
        for variable in module.variables.values():
            if variable.storage == "sampler":
                self._add_texture(variable.name, samplers)
            elif variable.storage == "uniform":
                self.uniforms[variable.name] = self._uniform(variable, file, bank.names[0])
            elif variable.storage == ("attribute" if stage == "vertex" else "varying"):
                self.inputs[variable.name] = self._random.uniform(0.0, 3.0, (_LANES, 4)).round(4)

    def _add_texture(self, name: str, samplers: dict[int, Sampler]) -> None:
        sampler = samplers[int(name.removeprefix("sampler"))]
        shape = (6, 8, 8, 4) if sampler.dimension else (8, 8, 4)
        texture = Texture(self._random.uniform(0.0, 1.0, shape), mips=True)
        self.textures[f"fs{sampler.number}"] = texture
        self.state_textures[name] = with_sampler(texture, sampler)

    def _uniform(self, variable: Variable, file: Array, prefix: str) -> Any:
        if variable.name == "vcPositionScale":
            return np.ones(4)
        first = int(variable.name.removeprefix(prefix))
        if variable.dims:
            return file[first : first + variable.length]
        # Users give matrices as [row, column] or as flat columns; the registers are the columns here.
        return file[first] if variable.columns == 1 else file[first : first + variable.columns].ravel()


def _without_bias(data: bytes) -> bytes:
    """The program without level of detail bias, which the converter does not write into the GLSL."""
    program = unpack(data)
    bias = SAMPLER.by_name["bias"].mask << SECOND_LOW
    words = (word & ~bias if find(word) is BY_NAME["tex"] else word for word in program.words)
    return pack(replace(program, words=tuple(words)))


def _samplers(data: bytes) -> dict[int, Sampler]:
    tokens = (decode(word) for word in unpack(data).words)
    found = (token.sampler for token in tokens if token is not None)
    return {sampler.number: sampler for sampler in found if sampler is not None}
