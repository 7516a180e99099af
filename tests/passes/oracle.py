"""Translation validation: a module must compute the same before and after passes.

A `Trial` is a module that can be built again and again, with values to run it on.  `complaint_about` runs
it on the evaluator, lets a pipeline change another copy (verified after every pass) and runs that.  Trials
come from the generators of IR and GLSL, from check files and from the recorded shaders of the shared data.

    python -m tests.passes.oracle --passes 'inline,sroa,mem2reg' --count 500 --seed 1 [--glsl | --corpus]

A generated module that fails is reduced; the `.sir` file that is left over names pipeline and complaint.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.ir.evaluate import EvaluationError, Result, evaluate, value_shape
from compiler.ir.lanes import Array
from compiler.ir.module import Module
from compiler.ir.parse import parse_module
from compiler.ir.sampling import Texture
from compiler.ir.text import print_module
from compiler.ir.variables import Variable
from compiler.ir.verify import BrokenModule, check, verify_module
from compiler.passes.base import Pass, PassContext
from compiler.passes.pipeline import Pipeline, level, parse_pipeline, print_pipeline
from compiler.passes.runner import Observer, run_pipeline
from frontends.glsl.frontend import compile_shader
from runtime.names import Names, bind, bind_textures
from tests.generators import glsl, ir
from tests.generators.reduce_ir import reduce
from tests.generators.run_glsl import textures_of

#: For approximate outputs.  The GLSL generator keeps intermediate values below 4096, where two float32
#: numbers are 5e-4 apart, so a few operations in another order move a sum by some 1e-3.
ABSOLUTE, RELATIVE = 2e-3, 1e-5
_MAX_STEPS = 200_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A module and its values, as the evaluator takes them."""

    name: str
    build: Callable[[], Module]
    lanes: int
    quads: bool = False
    inputs: Mapping[str, Any] = field(default_factory=dict)
    uniforms: Mapping[str, Any] = field(default_factory=dict)
    textures: Mapping[str, Sequence[Texture]] = field(default_factory=dict)
    #: Outputs that need not agree bit for bit.
    approximate: frozenset[str] = frozenset()

    def run(self, module: Module) -> Result:
        """Values of variables that `module` has lost are left out."""
        inputs, uniforms, textures = (
            {name: value for name, value in values.items() if name in module.variables}
            for values in (self.inputs, self.uniforms, self.textures)
        )
        return evaluate(module, inputs, uniforms, textures, lanes=self.lanes, quads=self.quads, max_steps=_MAX_STEPS)


def complaint_about(trial: Trial, pipeline: Pipeline, context: PassContext | None = None) -> str:
    """What is wrong after `pipeline`; "" when all is well."""
    expected = trial.run(trial.build())
    module = trial.build()
    try:
        run_pipeline(module, pipeline, context, _Watch(is_finished=not verify_module(module, final=True)))
        found = trial.run(module)
    except BrokenModule as broken:
        return f"broken: {broken}"
    except EvaluationError as error:
        return f"fails to run: {error}"
    except Exception as error:
        # A pass that breaks down is a finding like any other, to be reduced and reported.
        return f"crash: {type(error).__name__}: {error}"
    return _difference(trial, expected, found)


class _Watch(Observer):
    """Verifies after every pass."""

    def __init__(self, is_finished: bool) -> None:
        super().__init__()
        self.is_finished = is_finished

    def after(self, pass_: Pass, module: Module, seconds: float) -> None:
        try:
            check(module, final=self.is_finished)
        except BrokenModule as broken:
            raise BrokenModule([replace(f, message=f"{f.message} after {pass_.name}") for f in broken.faults]) from None


def _difference(trial: Trial, expected: Result, found: Result) -> str:
    if not np.array_equal(expected.discarded, found.discarded):
        return f"differs: discarded lanes {expected.discarded.tolist()} became {found.discarded.tolist()}"
    if len(expected.emitted) != len(found.emitted):
        return f"differs: {len(expected.emitted)} emitted vertices and primitives became {len(found.emitted)}"
    lanes = ~expected.discarded
    complaint = _output_difference(trial, expected.outputs, found.outputs, lanes)
    for before, after in zip(expected.emitted, found.emitted, strict=True):
        if not np.array_equal(before.lanes, after.lanes) or (before.outputs is None) != (after.outputs is None):
            return "differs: another lane emits"
        if before.outputs is not None and after.outputs is not None:
            complaint = complaint or _output_difference(trial, before.outputs, after.outputs, before.lanes)
    return complaint


def _output_difference(trial: Trial, before: Mapping[str, Array], after: Mapping[str, Array], lanes: Array) -> str:
    for name, value in before.items():
        one, other = value[lanes], after[name][lanes]
        if not _agree(one, other, name in trial.approximate):
            return f"differs: output {name}\n{one.tolist()} became\n{other.tolist()}"
    return ""


def _agree(one: Array, other: Array, is_approximate: bool) -> bool:
    if not is_approximate:
        return bool(np.array_equal(one, other, equal_nan=True))
    return bool(np.allclose(other, one, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True))


# ---------------------------------------------------------------------------------------------- trials
def ir_trials(seed: int, *, statements: int = 12) -> Iterator[Trial]:
    """Generated modules, endlessly; everything about them is exact."""
    while True:
        yield _ir_trial(seed, statements)
        seed += 1


def _ir_trial(seed: int, statements: int) -> Trial:
    def generate() -> ir.Program:
        return ir.generate(Random(seed), statements=statements, textures=seed % 2 == 0, spans=True)

    program = generate()
    textures = _made_up_textures(program.module, Random(seed))
    return Trial(
        f"IR program {seed}",
        lambda: generate().module,
        program.lanes,
        inputs=program.inputs,
        uniforms=program.uniforms,
        textures=textures,
    )


def glsl_trials(seed: int, *, statements: int = 8) -> Iterator[Trial]:
    """Generated shaders, endlessly, vertex and fragment in turn."""
    while True:
        yield _glsl_trial(seed, statements)
        seed += 1


def _glsl_trial(seed: int, statements: int) -> Trial:
    stage: glsl.Stage = "vertex" if seed % 2 else "fragment"
    program = glsl.generate(Random(seed), stage, statements)
    name = f"GLSL program {seed}"

    def build() -> Module:
        return compile_shader(program.source, filename=name, stage=stage, sink=DiagnosticSink())

    module = build()
    storages = ("varying", "input") if stage == "fragment" else ("attribute", "input")
    return Trial(
        name,
        build,
        glsl.LANES,
        quads=program.quads,
        inputs=bind(_names("input", module, storages), program.inputs, lanes=glsl.LANES, fill=True),
        uniforms=bind(_names("uniform", module, ("uniform",)), program.uniforms, lanes=None, fill=True),
        textures=bind_textures(_names("sampler", module, ("sampler",)), textures_of(program), fill=True),
        approximate=frozenset(output for output, is_exact in program.outputs.items() if not is_exact),
    )


def _names(kind: str, module: Module, storages: Sequence[str]) -> Names:
    variables = [variable for variable in module.variables.values() if variable.storage in storages]
    declared_as = ("uniform",) if kind == "sampler" else storages
    return Names(kind, variables, [d for d in module.declarations if d.storage in declared_as])


def module_trial(name: str, build: Callable[[], Module], seed: int = 0) -> Trial:
    """Any module, with made-up values for whatever it reads."""
    module, random, lanes = build(), Random(seed), 8
    inputs: dict[str, Array] = {}
    uniforms: dict[str, Array] = {}
    written = set(module.outputs())
    for variable in module.interface():
        if variable.storage == "uniform":
            uniforms[variable.name] = _made_up_value(variable, value_shape(variable), random)
        elif variable.storage != "sampler" and variable not in written:
            inputs[variable.name] = _made_up_value(variable, (lanes, *value_shape(variable)), random)
    return Trial(
        name,
        build,
        lanes,
        quads=module.stage == "fragment",
        inputs=inputs,
        uniforms=uniforms,
        textures=_made_up_textures(module, random),
        approximate=frozenset(variable.name for variable in written),
    )


def _made_up_value(variable: Variable, shape: tuple[int, ...], random: Random) -> Array:
    draw: dict[str, Callable[[], float]] = {
        "float": lambda: random.randint(-16, 16) / 4,
        "int": lambda: random.randint(-4, 4),
        "bool": lambda: random.randint(0, 1),
    }
    count = int(np.prod(shape))
    return np.array([draw[variable.type.kind]() for _ in range(count)]).reshape(shape)


def _made_up_textures(module: Module, random: Random) -> dict[str, list[Texture]]:
    """Textures of quarters, without filtering."""
    samplers = [variable for variable in module.variables.values() if variable.storage == "sampler"]
    return {sampler.name: [_made_up_texture(sampler, random) for _ in range(sampler.length)] for sampler in samplers}


def _made_up_texture(sampler: Variable, random: Random) -> Texture:
    faces = (6,) if sampler.type.kind == "samplerCube" else ()
    shape = (*faces, 4, 4, 4)
    texels = [random.randint(0, 4) / 4 for _ in range(int(np.prod(shape)))]
    return Texture(np.array(texels).reshape(shape))


# ------------------------------------------------------------------------------------------- reduction
def reproduce(trial: Trial, pipeline: Pipeline, complaint: str) -> Path:
    """Reduce a trial that fails; the file that is left over, which says how to run it."""
    kind = complaint.partition(":")[0]

    def fails(module: Module) -> bool:
        text = print_module(module)
        candidate = replace(trial, build=lambda: _parse(text))
        try:
            return complaint_about(candidate, pipeline).startswith(kind)
        except EvaluationError:
            return False

    start = trial.build()
    smallest = reduce(start, fails) if fails(start) else start
    folder = Path(tempfile.mkdtemp(prefix="oracle-"))
    path = folder / f"{trial.name.replace(' ', '-')}.sir"
    notes = "".join(f"; {line}\n" for line in [trial.name, *complaint.splitlines()])
    path.write_text(f"; passes: {print_pipeline(pipeline)}\n{notes}{print_module(smallest)}", encoding="utf-8")
    return path


def _parse(text: str) -> Module:
    module = parse_module(text, "<candidate>", DiagnosticSink())
    assert module is not None
    return module


# ------------------------------------------------------------------------------------ the recorded shaders
def corpus_complaints(pipeline: Pipeline, paths: Sequence[Path], count: int) -> Iterator[tuple[str, str]]:
    """Recorded shaders (name, complaint) that agree with their records before the pipeline but not after."""
    from tests.conformance.read_exec import read_record
    from tests.conformance.reference import ReferenceEngine
    from tests.conformance.runner import judge

    before, after = ReferenceEngine(()), ReferenceEngine(pipeline)
    rows = (json.loads(line) for path in paths for line in path.open(encoding="utf-8") if line.strip())
    for row in islice(rows, count):
        record = read_record(row)
        if judge(record, before).status != "passed":
            continue
        outcome = judge(record, after)
        yield record.name, "" if outcome.status == "passed" else outcome.reason


# ------------------------------------------------------------------------------------- the command line
def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.passes.oracle", description=__doc__.partition("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--passes", help="the pipeline to judge")
    what.add_argument("-O", dest="level", type=int, choices=range(4), help="that of an optimisation level")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--statements", type=int, default=12)
    parser.add_argument("--exact", action="store_true", help="no tolerance: the passes do not touch arithmetic")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--glsl", action="store_true", help="generated shaders instead of generated modules")
    kind.add_argument("--corpus", action="store_true", help="the recorded shaders of the shared data")
    arguments = parser.parse_args()
    try:
        pipeline = (
            level(arguments.level) if arguments.passes is None else parse_pipeline(arguments.passes, DiagnosticSink())
        )
    except CompileError as error:
        print(error)
        return 2
    failures = 0
    for name, complaint in _findings(pipeline, arguments):
        if complaint:
            failures += 1
            print(f"{name}: {complaint}")
    print(f"{failures} failures")
    return 1 if failures else 0


def _findings(pipeline: Pipeline, arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    if arguments.corpus:
        from tests.shared_data import shared_root

        folder = shared_root() / "golden" / "reference"
        yield from corpus_complaints(pipeline, [folder / "features.jsonl", folder / "real.jsonl"], arguments.count)
        return
    trials = (glsl_trials if arguments.glsl else ir_trials)(arguments.seed, statements=arguments.statements)
    for trial in islice(trials, arguments.count):
        judged = replace(trial, approximate=frozenset()) if arguments.exact else trial
        complaint = complaint_about(judged, pipeline)
        if complaint:
            complaint += f"\nreduced to {reproduce(judged, pipeline, complaint)}"
        yield trial.name, complaint


if __name__ == "__main__":
    raise SystemExit(main())
