"""Two front ends on one shader: by GLSL, and as SPIR-V through glslang; do they mean the same, in algebra?

    python -m tests.proof.front_ends PATH...

Prints what differs, and counts.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.proof.compare import FULL, LIMIT, NEARNESS, NUDGES, THROWN_AWAY
from glslc_multi.compiler.proof.draw import Draw, home
from glslc_multi.compiler.proof.numbers import Number, Redraw, Unsupported, Work
from glslc_multi.compiler.proof.operations import Decisions, MovedOperations, ProofOperations, SourceOperations
from glslc_multi.compiler.proof.quad import Lane, Quad
from glslc_multi.compiler.proof.reference import Reference
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.registry import make_source
from tests.bytes.programs import shaders_in
from tests.conformance.model import Language
from tests.conformance.spirv.compilers import COMMANDS
from tests.conformance.spirv.rewriter import NotTaken
from tests.conformance.spirv.route import module_of

#: Of float32.
_ROUNDING = 2.0**-24


def difference_of(text: str, stage: Stage, way: str = "spirv", draws: int = FULL) -> str:
    """What SPIR-V through glslang means otherwise; "" if nothing; raises `NotTaken` where that is not known."""
    ours = Snapshot(lower_source(make_source(text, "<text>", stage), FrontEndOptions(), DiagnosticSink()))
    theirs = Snapshot(module_of(text, stage, Language(""), way))
    done = 0
    for seed in range(1, draws * THROWN_AWAY):
        try:
            found = _difference(ours, theirs, seed)
        except Redraw:
            continue
        except Unsupported as reason:
            raise NotTaken(str(reason)) from None
        done += 1
        if found or done == draws:
            return found
    raise NotTaken("inputs lie on edges too often")


def _difference(ours: Snapshot, theirs: Snapshot, seed: int) -> str:
    decisions = Decisions()
    first = _run(ours, seed, partial(SourceOperations, decisions, _ROUNDING))
    second = _run(theirs, seed, partial(ProofOperations, decisions, _ROUNDING))
    if first.discarded != second.discarded:
        return f"draw {seed}: one {'discards' if first.discarded else 'keeps'} the pixel"
    if first.discarded:
        return ""
    for variable in ours.module.outputs():
        other = theirs.module.variables.get(variable.name)
        for element in range(variable.length):
            for column in range(variable.columns):
                place = variable, element, column
                values = first.output(*place)
                others = second.output(other, element, column) if other is not None else []
                for component, (a, b) in enumerate(zip(values, others, strict=False)):
                    if not _are_same(a, b) and not _is_loose(ours, seed, place, component, a, b):
                        return f"draw {seed}: {variable.name}[{element}][{column}][{component}] is {a}, by SPIR-V {b}"
                if len(others) < len(values) and variable.role != "point_size":
                    return f"{variable.name} is {values}, by SPIR-V {others}"
    return ""


def _run(
    source: Snapshot, seed: int, operations: Callable[[Lane], ProofOperations], nudge: float = 0.0, way: int = 0
) -> Reference:
    varying = {v.name for v in source.module.variables.values() if v.storage == "varying" and not v.is_flat}

    def run(lane: Lane) -> Reference:
        found = Reference(source, Draw(seed, nudge, way, lane.number, varying), operations(lane), Work(LIMIT))
        found.run()
        return found

    return Quad(run).run(home(seed))


def _are_same(a: object, b: object) -> bool:
    if not (isinstance(a, Number) and isinstance(b, Number)):
        return a == b
    if a.element == b.element or not math.isfinite(a.value):
        return True
    return abs(a.value - b.value) <= NEARNESS * _ROUNDING * max(1.0, abs(a.value))


def _is_loose(
    source: Snapshot, seed: int, place: tuple[object, int, int], component: int, a: object, b: object
) -> bool:
    """Whether a rounding of the inputs moves a result as much as two front ends are apart."""
    if not (isinstance(a, Number) and isinstance(b, Number)):
        return False
    for way in range(NUDGES):
        moved = _run(source, seed, partial(_moved, Decisions(), way), _ROUNDING, way)
        value = moved.output(*place)[component].value  # type: ignore[arg-type]
        if not abs(value - a.value) * 4 < abs(a.value - b.value):
            return True
    return False


def _moved(decisions: Decisions, way: int, lane: Lane) -> MovedOperations:
    return MovedOperations(decisions, _ROUNDING, lane, 0.0, way)


def as_stage(name: str) -> Stage:
    """The stage of a name."""
    return "vertex" if name == "vertex" else "fragment"


def main() -> int:
    """Compare every shader of the paths."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof.front_ends", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--way", choices=COMMANDS, default="spirv")
    parser.add_argument("--draws", type=int, default=4)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for path in arguments.paths:
        for shader in shaders_in(path):
            try:
                found = difference_of(shader.text, as_stage(shader.stage), arguments.way, arguments.draws)
            except (NotTaken, CompileError) as error:
                counts["not compared"] += 1
                reasons[str(error).splitlines()[0][:70]] += 1
                continue
            counts["different" if found else "same"] += 1
            if found:
                print(f"{shader.name}: {found}", flush=True)
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return bool(counts["different"])


if __name__ == "__main__":
    raise SystemExit(main())
