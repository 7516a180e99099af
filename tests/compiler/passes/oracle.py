"""Translation validation: a module must compute the same before and after passes.

`complaint_about` runs a trial (see `trials.py`) on the evaluator, lets a pipeline change another copy of its
module, verified after every pass, and runs that.  The recorded shaders of the shared data are judged by
their records: what agreed with another implementation before the passes must do so after them.

    python -m tests.compiler.passes.oracle --passes 'inline,sroa,mem2reg' --count 500 --seed 1 [--glsl | --corpus]

A generated module that fails is reduced; the `.sir` file that is left over names pipeline and complaint.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from glslc_multi.backends.registry import all_passes
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.evaluate import EvaluationError, Result
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import BrokenModule, check, verify_module
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline import Pipeline, level
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.trace import Watcher, watching
from tests.compiler.passes.pipelines import print_pipeline
from tests.compiler.passes.trials import Trial, glsl_trials, ir_trials
from tests.generators.reduce_ir import reduce

#: For approximate outputs.  The GLSL generator keeps intermediate values below 4096, where two float32
#: numbers are 5e-4 apart, so a few operations in another order move a sum by some 1e-3.
ABSOLUTE, RELATIVE = 2e-3, 1e-5


def complaint_about(trial: Trial, pipeline: Pipeline, context: PassContext | None = None) -> str:
    """What is wrong after `pipeline`; "" when all is well."""
    expected = trial.run(trial.build())
    module = trial.build()
    try:
        with watching(_Watch(is_finished=not verify_module(module, final=True))):
            run_pipeline(module, pipeline, context)
        found = trial.run(module)
    except BrokenModule as broken:
        return f"broken: {broken}"
    except EvaluationError as error:
        return f"fails to run: {error}"
    except Exception as error:
        # A pass that breaks down is a finding like any other, to be reduced and reported.
        return f"crash: {type(error).__name__}: {error}"
    return difference(trial, expected, found)


class _Watch(Watcher):
    """Verifies after every pass."""

    def __init__(self, is_finished: bool) -> None:
        self.is_finished = is_finished

    def after(self, step: str, code: object, *, changed: bool) -> None:
        assert isinstance(code, Module)
        try:
            check(code, final=self.is_finished)
        except BrokenModule as broken:
            raise BrokenModule([replace(f, message=f"{f.message} after {step}") for f in broken.faults]) from None


def difference(trial: Trial, expected: Result, found: Result) -> str:
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
    # Made-up inputs may lie outside of a function's domain; a compiler may assume that they do not.
    is_defined = np.isfinite(one)
    return bool(np.allclose(other[is_defined], one[is_defined], rtol=RELATIVE, atol=ABSOLUTE))


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
    """Recorded shaders that agree with their records before the pipeline, with what is wrong after it.

    They are `count` of those in the files, evenly spread.
    """
    from tests.conformance.engines.reference import ReferenceEngine
    from tests.conformance.readers.executions import read_record
    from tests.conformance.runner import judge

    before, after = ReferenceEngine(()), ReferenceEngine(pipeline)
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines[:: max(1, len(lines) // count)]:
        record = read_record(json.loads(line))
        if judge(record, before).status != "passed":
            continue
        outcome = judge(record, after)
        yield record.name, "" if outcome.status == "passed" else outcome.reason


# ------------------------------------------------------------------------------------- the command line
def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.compiler.passes.oracle", description=__doc__.partition("\n")[0]
    )
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
        named = arguments.passes is not None
        pipeline = parse_pipeline(arguments.passes, DiagnosticSink(), all_passes()) if named else level(arguments.level)
    except CompileError as error:
        print(error)
        return 2
    judged = failures = 0
    for name, complaint in _findings(pipeline, arguments):
        judged += 1
        if complaint:
            failures += 1
            print(f"{name}: {complaint}")
    print(f"{judged} judged, {failures} failed")
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
