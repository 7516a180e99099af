"""Generated shaders on the simulator, against the evaluator in the machine's own arithmetic: bit for bit.

    python -m tests.backends.theia.generated --count 2000 [--variant icarus] [-O 2]

What is compared bit for bit is the legalised module, so that only code generation is judged.  The results themselves
are those of float32 where the generator calls them exact, and within bounds that `error_bounds.py` computes elsewhere.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from random import Random
from typing import Any, NamedTuple

import numpy as np

from glslc_multi.backends.theia.codegen.generate import TheiaGenerator
from glslc_multi.backends.theia.isa.registers import VARIANTS, Variant
from glslc_multi.backends.theia.machine.fixed_point import FIXED_POINT
from glslc_multi.backends.theia.machine.run import prepare
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.backends.theia.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic, quiet
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, optimise
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import Result, evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import MachineInputs
from glslc_multi.runtime.simulator import Simulated, run_artifact
from tests.backends.theia.error_bounds import Bounded
from tests.compiler.passes.trials import Trial, glsl_trials
from tests.generators import glsl

_STEP = 2.0**-17
#: A larger bound says nothing about the colour of a pixel.
USEFUL = 1 / 256
#: What every sampler reads: the machine has square textures without alpha.
_TEXTURE = Texture(np.dstack([np.arange(48).reshape(4, 4, 3) / 64, np.ones((4, 4))]), wrap="clamp")


class Refused(Exception):
    """The machine cannot hold or do what the program asks for; the text is the code."""


def shaders(seed: int, statements: int = 5) -> Iterator[tuple[glsl.Program, Trial]]:
    """Generated fragment shaders, endlessly; their values as users write them, and by variable."""
    for number in count(seed + seed % 2, 2):
        trial = next(glsl_trials(number, statements=statements))
        program = glsl.generate(Random(number), "fragment", statements)
        is_cube = {name: texture["kind"] == "cube" for name, texture in program.textures.items()}
        textures = {name: own if is_cube[name] else [_TEXTURE] * len(own) for name, own in trial.textures.items()}
        yield program, replace(trial, textures=textures)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a program's code computes, besides what it should."""

    complaint: str
    #: Of the numbers that need not be those of float32 exactly: the differences, and the bounds computed for them.
    errors: Array
    bounds: Array
    #: Pixels for which there is no bound, since it does not tell which branch they take.
    lost: int


def complaint_about(program: glsl.Program, trial: Trial, variant: Variant = "trunk", optimisation: int = 2) -> str:
    """What is wrong with the code of a program; "" when all is well."""
    return compare(program, trial, variant, optimisation).complaint


def compare(program: glsl.Program, trial: Trial, variant: Variant = "trunk", optimisation: int = 2) -> Comparison:
    """Compile, run, and compare with both meanings."""
    request = Request(optimisation, target_options={"output": "raw", "variant": variant, "wrap": "clamp"})
    options = checked_options(TARGET, "fragment", request, DiagnosticSink())
    try:
        costs = TARGET.costs(options)
        optimised = optimise(trial.build(), optimisation, costs=costs)
        generator = TheiaGenerator(optimised, costs, options)
        artifact, module = generator.generate(DiagnosticSink()), generator.module
        simulated = Simulated(TARGET, artifact, trial.build(), options.values)
        is_sampled = bool(artifact.reflection.samplers)
        values = program.inputs, program.uniforms, dict.fromkeys(program.textures if is_sampled else (), _TEXTURE)
        found = run_artifact(simulated, *values, lanes=trial.lanes, fill=True)
    except CompileError as error:
        raise Refused(error.diagnostics[-1].code) from None
    legal = replace(trial, inputs=_legal_inputs(artifact, module, trial, variant))
    machine = _evaluated(module, legal, FIXED_POINT[variant])
    meant = _evaluated(trial.build(), trial, LANES)
    exact = _difference(machine.result.outputs, machine.result.discarded, found)
    return _compared(exact, trial, machine, meant, found)


class _Evaluated(NamedTuple):
    """A module's results, with a bound for each number and the pixels of which nothing is known."""

    result: Result
    errors: Mapping[str, Array]
    lost: Array


def _evaluated(module: Module, trial: Trial, base: LaneArithmetic) -> _Evaluated:
    sampled = {
        i.address.variable.name
        for function in module.functions.values()
        for i in function.instructions()
        if i.op is ops.TEXTURE
    }
    inputs, uniforms = (
        {name: value for name, value in values.items() if name in module.variables}
        for values in (trial.inputs, trial.uniforms)
    )
    textures = {name: texture for name, texture in trial.textures.items() if name in sampled}
    arithmetic = Bounded(base, trial.lanes)
    with quiet():
        size: Any = {"lanes": trial.lanes, "quads": trial.quads}
        result = evaluate(module, inputs, uniforms, textures, **size, arithmetic=arithmetic)
    return _Evaluated(result, arithmetic.errors(result), arithmetic.lost)


def _compared(
    complaint: str, trial: Trial, machine: _Evaluated, meant: _Evaluated, found: Mapping[str, Array]
) -> Comparison:
    """Outputs that are exact are those of float32, others are within the bounds."""
    known = ~(meant.result.discarded | machine.lost | meant.lost)
    errors, bounds = [np.zeros(0)], [np.zeros(0)]
    for name, value in meant.result.outputs.items():
        key = name if name in found else f"{name}[0]"
        got = np.asarray(found[key]).reshape(value.shape)[known]
        error = np.abs(got - value[known].astype(np.float64))
        bound = (machine.errors[name] + meant.errors[name])[known]
        if not (error <= bound * (1 + 1e-9) + 1e-12).all():
            complaint = complaint or f"{name}: off by {error.max()}, where {bound[error > bound].min()} is allowed"
        if name not in trial.approximate and error.any():
            complaint = complaint or f"{name}: exact, but not that of float32"
        errors.append(error.ravel())
        bounds.append(bound.ravel())
    lost = int((~known & ~meant.result.discarded).sum())
    return Comparison(complaint, np.concatenate(errors), np.concatenate(bounds), lost)


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
            given[variable.name] = _row(variable, machine)
    return given


def _row(variable: Variable, machine: Machine) -> Array:
    register = int(variable.name[1:].partition(":")[0])
    row = np.broadcast_to(machine.row_of(register), (3, machine.count))
    lanes = row[: variable.type.width].T * _STEP
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--statements", type=int, default=5)
    parser.add_argument("--variant", default="trunk", choices=VARIANTS)
    parser.add_argument("-O", dest="optimisation", type=int, default=2)
    found = parser.parse_args()
    refused: Counter[str] = Counter()
    compared: list[Comparison] = []
    for program, trial in islice(shaders(found.seed, found.statements), found.count):
        try:
            compared.append(compare(program, trial, found.variant, found.optimisation))
        except Refused as refusal:
            refused[str(refusal)] += 1
            continue
        if compared[-1].complaint:
            print(f"failed: {trial.name}: {compared[-1].complaint}")
    failed = sum(bool(each.complaint) for each in compared)
    print(_summary(compared))
    print("refused: " + (", ".join(f"{code}: {count}" for code, count in refused.most_common()) or "none"))
    print(f"{len(compared) - failed} passed, {failed} failed, {refused.total()} refused")
    raise SystemExit(1 if failed else 0)


def _summary(compared: Sequence[Comparison]) -> str:
    """How good the bounds are."""
    errors, bounds = (np.concatenate([getattr(each, part) for each in compared]) for part in ("errors", "bounds"))
    is_useful = bounds < USEFUL
    lost = sum(each.lost > 0 for each in compared)
    programs = sum(not (each.bounds < USEFUL).all() for each in compared)
    worst = errors[is_useful].max(initial=0.0), bounds[is_useful].max(initial=0.0)
    return (
        f"bounds: {is_useful.mean():.2%} of {bounds.size} numbers have one below {USEFUL}; largest error there "
        f"{worst[0]:.1e}, largest bound {worst[1]:.1e}; {programs} of {len(compared)} programs have larger ones, "
        f"{lost} have pixels without"
    )


if __name__ == "__main__":
    main()


__all__ = ["Comparison", "Refused", "compare", "complaint_about", "shaders"]
