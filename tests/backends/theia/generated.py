"""Generated shaders on the simulator, against the evaluator in the machine's own arithmetic: bit for bit.

    python -m tests.backends.theia.generated --count 2000 [--variant icarus] [-O 2]

What is compared is the legalised module, so that only code generation is judged; the legalised module itself is
compared with the source's meaning in float32 for the outputs that the generator calls exact.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count, islice
from random import Random
from typing import Any

import numpy as np

from backends.theia.fixed_point import FIXED_POINT
from backends.theia.generate import artifact_and_module
from backends.theia.registers import VARIANTS, Variant
from backends.theia.run import prepare
from backends.theia.target import TARGET
from compiler.artifact import Artifact
from compiler.codegen.target import MachineInputs
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.driver import Request, optimise, settle_options
from compiler.ir import ops
from compiler.ir.evaluate import evaluate
from compiler.ir.lanes import Array
from compiler.ir.module import Module
from compiler.ir.sampling import Texture
from compiler.ir.variables import Variable
from compiler.records import replace
from runtime.simulator import Simulated, run_artifact
from tests.generators import glsl
from tests.passes.trials import Trial, glsl_trials

_STEP = 2.0**-17
#: What every sampler reads: the machine has square textures without alpha.
_TEXTURE = Texture(np.dstack([np.arange(48).reshape(4, 4, 3) / 64, np.ones((4, 4))]), wrap="clamp")


class Refused(Exception):
    """The machine cannot hold or do what the program asks for; the text is the code."""


def shaders(seed: int, statements: int = 5) -> Iterator[tuple[glsl.Program, Trial]]:
    """Generated fragment shaders, endlessly; their values as users write them, and by variable."""
    for number in count(seed + seed % 2, 2):
        trial = next(glsl_trials(number, statements=statements))
        textures = {name: [_TEXTURE] * len(own) for name, own in trial.textures.items()}
        yield glsl.generate(Random(number), "fragment", statements), replace(trial, textures=textures)


def complaint_about(program: glsl.Program, trial: Trial, variant: Variant = "trunk", optimisation: int = 2) -> str:
    """What is wrong with the code of a program; "" when all is well."""
    request = Request("theia", optimisation, target_options={"output": "raw", "variant": variant, "wrap": "clamp"})
    options = settle_options(TARGET, "fragment", request, DiagnosticSink())
    try:
        optimised = optimise(trial.build(), optimisation, costs=TARGET.costs(options))
        artifact, module = artifact_and_module(optimised, options, DiagnosticSink())
        simulated = Simulated(TARGET, artifact, trial.build(), options.values)
        is_sampled = bool(artifact.reflection.samplers)
        values = program.inputs, program.uniforms, dict.fromkeys(program.textures if is_sampled else (), _TEXTURE)
        found = run_artifact(simulated, *values, lanes=trial.lanes, fill=True)
    except CompileError as error:
        raise Refused(error.diagnostics[-1].code) from None
    inputs = _legal_inputs(artifact, module, trial, variant)
    uniforms = {name: value for name, value in trial.uniforms.items() if name in module.variables}
    sampled = {i.address.variable.name for i in module.main.instructions() if i.op is ops.TEXTURE}
    textures = {name: texture for name, texture in trial.textures.items() if name in sampled}
    expected = evaluate(module, inputs, uniforms, textures, lanes=trial.lanes, arithmetic=FIXED_POINT[variant])
    return _difference(expected.outputs, expected.discarded, found) or _float_difference(trial, found)


def _legal_inputs(artifact: Artifact, module: Module, trial: Trial, variant: Variant) -> dict[str, Any]:
    """Varyings as given; scene rows as the simulator makes them."""
    given = {name: value for name, value in trial.inputs.items() if name in module.variables}
    machine_inputs = MachineInputs(trial.lanes)
    scene: dict[int, Array] = {}
    for binding in artifact.reflection.inputs:
        for place in binding.locations:
            if place.space == "scene":
                value = np.zeros((trial.lanes, 4))
                own = np.asarray(trial.inputs[binding.name]).reshape(trial.lanes, -1)
                value[:, : own.shape[1]] = own
                scene[place.index] = value
    machine_inputs.inputs = {"scene": scene}
    machine = prepare(artifact, machine_inputs, variant)
    for variable in module.variables.values():
        if variable.name.startswith("$") and variable.storage == "input":
            given[variable.name] = _row(variable, machine.registers)
    return given


def _row(variable: Variable, registers: Array) -> Array:
    register = int(variable.name[1:].partition(":")[0])
    lanes = registers[register, : variable.type.width].T * _STEP
    return lanes if variable.type.width > 1 else lanes[:, 0]


def _difference(expected: Mapping[str, Array], discarded: Array, found: Mapping[str, Array]) -> str:
    if not np.array_equal(discarded, found["discarded"]):
        return f"discarded: expected {discarded.tolist()}, found {found['discarded'].tolist()}"
    for name, value in expected.items():
        key = name if name in found else f"{name}[0]"
        got = np.asarray(found[key]).reshape(value.shape)[~discarded]
        if not np.array_equal(value[~discarded], got):
            lane = int(np.argmax((value[~discarded] != got).reshape(len(got), -1).any(axis=1)))
            return f"{name}: lane {lane}: expected {value[~discarded][lane]}, found {got[lane]}"
    return ""


def _float_difference(trial: Trial, found: Mapping[str, Array]) -> str:
    """Exact outputs are those of float32."""
    module = trial.build()
    if any(variable.type.kind == "samplerCube" for variable in module.variables.values()):
        return ""
    reference = trial.run(module)
    kept = ~reference.discarded
    for name, value in reference.outputs.items():
        key = name if name in found else f"{name}[0]"
        got = np.asarray(found[key]).reshape(value.shape)
        if name not in trial.approximate and not np.array_equal(value[kept], got[kept]):
            return f"{name}: exact, but not that of float32: {value[kept][0]} and {got[kept][0]}"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--statements", type=int, default=5)
    parser.add_argument("--variant", default="trunk", choices=VARIANTS)
    parser.add_argument("-O", dest="optimisation", type=int, default=2)
    found = parser.parse_args()
    refused: Counter[str] = Counter()
    failed = 0
    for program, trial in islice(shaders(found.seed, found.statements), found.count):
        try:
            complaint = complaint_about(program, trial, found.variant, found.optimisation)
        except Refused as refusal:
            refused[str(refusal)] += 1
            continue
        if complaint:
            failed += 1
            print(f"failed: {trial.name}: {complaint}")
    passed = found.count - failed - refused.total()
    print("refused: " + (", ".join(f"{code}: {count}" for code, count in refused.most_common()) or "none"))
    print(f"{passed} passed, {failed} failed, {refused.total()} refused")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()


__all__ = ["Refused", "complaint_about", "shaders"]
