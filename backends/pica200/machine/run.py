"""Runs the bytes of a compiled shader: registers as the runtime fills them, to registers as it reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.backends.pica200.isa.program import Program
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.backends.pica200.machine.simulate import Uniforms, maker, simulate
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.execution.program import Engine
from glslc_multi.compiler.target import MachineInputs, MachineOutputs


def run(artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
    """Every output register, by lane."""
    if artifact.reflection.stage == "fragment":
        from glslc_multi.backends.pica200.machine.fragment import run as pixels

        return pixels.run(artifact, inputs, options)
    return _run(artifact, inputs, f32=_is_f32(options), engine=None)


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    if artifact.reflection.stage == "fragment":
        from glslc_multi.backends.pica200.machine.fragment import run as pixels

        return pixels.translate(artifact, options)
    f32 = _is_f32(options)
    engine = translated(_program(artifact), f32=f32, leaves_state=False)
    return lambda inputs: _run(artifact, inputs, f32=f32, engine=engine)


def translated(program: Program, *, f32: bool = False, leaves_state: bool = True) -> Engine:
    """An engine for the first executable of a program, which runs as code of this computer."""
    from glslc_multi.compiler.native.machine import host
    from glslc_multi.compiler.native.programs import TranslatedCode

    # A vector register holds half as many doubles.
    return TranslatedCode(maker(program, f32=f32, leaves_state=leaves_state), host().width // (1 if f32 else 2))


def _is_f32(options: Mapping[str, Any]) -> bool:
    return bool(options.get("f32", False))


def _program(artifact: Artifact) -> Program:
    program = read(artifact.binary, "<artifact>", DiagnosticSink())
    assert program is not None, "the compiler writes well-formed files"
    return program


def _run(artifact: Artifact, inputs: MachineInputs, *, f32: bool, engine: Engine | None) -> MachineOutputs:
    if "c" in inputs.inputs:
        return _run_one_by_one(artifact, inputs, f32=f32, engine=engine)
    program = _program(artifact)
    registers = dict(inputs.inputs.get("v", {}))
    if not registers:
        registers[0] = np.zeros((inputs.lanes, 4), np.float32)
    # What the host uploads. Of an i register it gives the count; start and step are the program's.
    given = inputs.constants
    ranges: Mapping[int, tuple[int, ...]] = {
        c.register: c.values for c in program.executables[0].constants if c.bank == "i"
    }
    integers = {
        register: (int(values[0]), *ranges.get(register, (0, 0, 0, 0))[1:])
        for register, values in given.get("i", {}).items()
    }
    bools = {register: bool(values[0]) for register, values in given.get("b", {}).items()}
    uniforms = Uniforms(given.get("c", {}), integers, bools)
    result = simulate(program, registers, uniforms, f32=f32, max_steps=inputs.max_steps, engine=engine)
    outputs = {"o": {index: result.outputs[:, index] for index in range(BANKS["o"])}}
    if program.executables[0].stage != "geometry":
        return MachineOutputs(outputs)
    emitted = (result.emitted[lane] for lane in range(len(result.outputs)))
    return MachineOutputs(outputs, triangles=[[(found.winding, found.vertices) for found in lane] for lane in emitted])


def _run_one_by_one(artifact: Artifact, inputs: MachineInputs, *, f32: bool, engine: Engine | None) -> MachineOutputs:
    """Every lane on its own: vertices in c registers, which all lanes of a run share."""
    runs = []
    for lane in range(inputs.lanes):
        vertices = {index: values[lane] for index, values in inputs.inputs["c"].items()}
        constants = {**inputs.constants, "c": {**inputs.constants.get("c", {}), **vertices}}
        own = MachineInputs(1, constants, max_steps=inputs.max_steps)
        runs.append(_run(artifact, own, f32=f32, engine=engine))
    outputs = {"o": {index: np.concatenate([each.outputs["o"][index] for each in runs]) for index in range(BANKS["o"])}}
    return MachineOutputs(outputs, triangles=[lane for each in runs for lane in each.triangles])
