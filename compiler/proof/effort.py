"""The proof of a compilation, as the driver asks for it: how much of it, and what becomes of its verdict."""

from __future__ import annotations

from contextlib import suppress

from compiler.artifact import Artifact, Reflection, Verdict
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage
from compiler.ir.module import Module
from compiler.options import FULL_PROOF, QUICK_PROOF, TargetOptions
from compiler.proof.compare import FULL, LIMIT, QUICK, prove
from compiler.proof.draw import Draw, Part
from compiler.proof.numbers import Redraw, Unsupported
from compiler.proof.operations import Decisions, SourceOperations
from compiler.proof.reference import Reference
from compiler.proof.registers import COMPONENTS, parts
from compiler.records import dataclass, replace
from compiler.target import Target

#: Inputs and tests that a message names.
_MOST_INPUTS, _MOST_TESTS = 12, 8


@dataclass(frozen=True, slots=True)
class Effort:
    """How many draws count, and how long their paths may be."""

    draws: int
    steps: int


EFFORTS = {QUICK_PROOF: Effort(QUICK, 10_000), FULL_PROOF: Effort(FULL, LIMIT)}


def proven(
    artifact: Artifact, source: Module, target: Target, options: TargetOptions, proof: str, sink: DiagnosticSink
) -> Artifact:
    """The artifact with the verdict on its code; an error where that computes something else than its source.

    `source` is the module as the front end has left it.
    """
    verdict = _verdict(artifact, source, target, options, EFFORTS[proof])
    if verdict.outcome == "differs":
        draw = Draw(verdict.seed or 0)
        sink.report(
            usage.PROOF_FAILED,
            help="please report what `glslc-multi reduce` makes of it; --proof=off gives out the code all the same",
            notes=[*_inputs(artifact.reflection, draw), *_path(source, draw)],
            target=target.name,
            what=verdict.reason,
        )
        sink.raise_if_errors()
    return replace(artifact, stats=replace(artifact.stats, verdict=verdict))


def _verdict(artifact: Artifact, source: Module, target: Target, options: TargetOptions, effort: Effort) -> Verdict:
    code = target.machine_code(artifact, options.values)
    if code is None:
        return Verdict("unknown", f"{target.name} has no proofs of the {options.stage} stage")
    linked = options.linked
    reads = None if linked is None else {Part(v.name, v.element, v.column, v.component) for v in linked.varyings}
    return prove(source, artifact.reflection, code, effort.draws, effort.steps, reads, artifact.preamble)


def _inputs(reflection: Reflection, draw: Draw) -> list[str]:
    """Values of the draw, as a message shows them."""
    given = (*reflection.attributes, *reflection.uniforms)
    if reflection.stage == "fragment":
        given += reflection.varyings
    shown: dict[str, float] = {}
    for _, part, binding, _ in parts(given):
        value = draw.number(part).value if binding.kind == "float" else draw.whole(part, binding.kind)
        column = f", column {part.column}" if part.column else ""
        element = binding.element_name(part.element)
        shown[f"{element}{column}.{COMPONENTS[part.component]}"] = value
    lines = [f"with {name} = {value:.9g}" for name, value in shown.items()]
    more = len(lines) - _MOST_INPUTS
    return lines[:_MOST_INPUTS] + ([f"and {more} inputs more"] if more > 0 else [])


def _path(source: Module, draw: Draw) -> list[str]:
    """Which way the source goes with these inputs, as a message shows it."""
    reference = Reference(source, draw, SourceOperations(Decisions(), 0.0), LIMIT)
    with suppress(Redraw, Unsupported):
        reference.run()
    shown = [f"line {span.line} {'yes' if taken else 'no'}" for span, taken in reference.path[:_MOST_TESTS]]
    more = len(reference.path) - _MOST_TESTS
    return [f"tests on the way: {', '.join(shown)}{f', and {more} more' if more > 0 else ''}"] if shown else []
