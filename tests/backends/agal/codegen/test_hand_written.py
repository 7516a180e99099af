"""Programs written by hand for a shader compute in the simulator what the shader does in the evaluator."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.agal.isa.asm import assemble
from glslc_multi.backends.agal.isa.container import pack
from glslc_multi.backends.agal.isa.validate import validate
from glslc_multi.backends.agal.machine.simulate import simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.textures import Texture
from tests.frontends.glsl.shaders import compile_shader
from tests.shared_data import shared_root

LANES = 64
FOLDER = shared_root() / "golden" / "agal" / "counts"
_RECORDS = FOLDER / "counts.json"
_CASES = json.loads(_RECORDS.read_text("utf-8"))["cases"] if _RECORDS.exists() else []
_PROGRAMS = [(case, kind) for case in _CASES for kind in ("reference", "witness") if kind in case]


class Values:
    """Random values under the names of the shader and under registers."""

    def __init__(self, module: Module, program: Mapping[str, Any]) -> None:
        self._random = np.random.default_rng(3)
        self._input_storage = "attribute" if module.stage == "vertex" else "varying"
        self.inputs: dict[str, Array] = {}
        self.uniforms: dict[str, Array] = {}
        self.textures: dict[str, Texture] = {}
        self.registers: dict[str, Array] = {}
        self.constants: dict[str, Any] = dict(program["consts"])
        self.samplers: dict[str, Texture] = {}
        for variable in module.variables.values():
            if variable.name in program["varnames"]:
                self._add(variable, program["varnames"][variable.name])

    def _add(self, variable: Variable, register: str) -> None:
        if variable.storage == "sampler":
            texture = Texture(self._random.uniform(0.0, 1.0, (8, 8, 4)), "linear", "repeat")
            self.textures[variable.name] = self.samplers[register] = texture
        elif variable.storage == "uniform":
            self._add_uniform(variable, register)
        elif variable.storage == self._input_storage:
            width = variable.type.width
            values = self._random.uniform(0.0, 3.9, (LANES, width)).round(3)
            self.inputs[variable.name] = values[:, 0] if width == 1 else values
            self.registers[register] = values

    def _add_uniform(self, variable: Variable, register: str) -> None:
        """One register an element, filled up with zeros; a matrix takes one a row."""
        count, columns, width = variable.length if variable.dims else 1, variable.columns, variable.type.width
        values = self._random.uniform(0.1, 1.0, (count, columns, width)).round(3)
        # Users give matrices as [row, column].
        given = np.swapaxes(values, 1, 2) if columns > 1 else values.reshape(count, width)
        given = given if variable.dims else given[0]
        self.uniforms[variable.name] = given[..., 0] if columns == 1 and width == 1 else given
        rows = np.swapaxes(values, 1, 2).reshape(-1, columns) if columns > 1 else values.reshape(count, width)
        first = int(register[2:])
        for number, row in enumerate(rows):
            self.constants[f"{register[:2]}{first + number}"] = np.pad(row, (0, 4 - len(row)))


@pytest.mark.skipif(not _PROGRAMS, reason="shared data not found: golden/agal/counts (set GLSLC_MULTI_SHARED)")
@pytest.mark.parametrize(("case", "kind"), _PROGRAMS, ids=[case["file"] for case, _ in _PROGRAMS])
def test_a_hand_written_program_computes_what_its_shader_does(case: Mapping[str, Any], kind: str) -> None:
    program, stage = case[kind], case["stage"]
    data = pack(assemble(program["agal"], case["file"], DiagnosticSink(), stage=stage, version=case["version"]))
    assert validate(data, stage) == []
    source = (FOLDER / case["file"]).read_text("utf-8")
    module = compile_shader(source, filename=case["file"], stage=stage, sink=DiagnosticSink(max_errors=0))
    values = Values(module, program)
    wanted = run_module(module, values.inputs, values.uniforms, values.textures, lanes=LANES)
    found = simulate(data, values.registers, values.constants, values.samplers, lanes=LANES)
    kept = ~wanted.pop("discarded", np.zeros(LANES, dtype=np.bool_))
    assert np.array_equal(kept, ~found.discarded)
    registers = {"gl_FragColor": "oc", "gl_Position": "op"} | program["varnames"]
    for name, expected in wanted.items():
        actual = found.outputs[registers[name]][:, : expected.shape[1] if expected.ndim > 1 else 1]
        np.testing.assert_allclose(actual[kept], expected.reshape(LANES, -1)[kept], rtol=2e-5, atol=1e-5, err_msg=name)
