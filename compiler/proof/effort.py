"""The proof of a compilation, as the driver asks for it: how much of it, and what becomes of its verdict."""

from __future__ import annotations

from compiler.artifact import Artifact, Verdict
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage
from compiler.options import FULL_PROOF, QUICK_PROOF, TargetOptions
from compiler.proof.compare import FULL, LIMIT, QUICK, prove
from compiler.proof.draw import Part
from compiler.proof.snapshot import Snapshot
from compiler.records import dataclass, replace
from compiler.target import Target


@dataclass(frozen=True, slots=True)
class Effort:
    """How many draws count, and how long their paths may be."""

    draws: int
    steps: int


EFFORTS = {QUICK_PROOF: Effort(QUICK, 10_000), FULL_PROOF: Effort(FULL, LIMIT)}


def proven(
    artifact: Artifact, source: Snapshot, target: Target, options: TargetOptions, proof: str, sink: DiagnosticSink
) -> Artifact:
    """The artifact with the verdict on its code; an error where that computes something else than its source."""
    verdict = _verdict(artifact, source, target, options, EFFORTS[proof])
    if verdict.outcome == "differs":
        sink.report(
            usage.PROOF_FAILED,
            help="please report what `glslc-multi reduce` makes of it; --proof=off gives out the code all the same",
            notes=verdict.notes,
            target=target.name,
            what=verdict.reason,
        )
        sink.raise_if_errors()
    return replace(artifact, stats=replace(artifact.stats, verdict=verdict))


def _verdict(artifact: Artifact, source: Snapshot, target: Target, options: TargetOptions, effort: Effort) -> Verdict:
    code = target.machine_code(artifact, options.values)
    if code is None:
        return Verdict("unknown", f"{target.name} has no proofs of the {options.stage} stage")
    linked = options.linked
    reads = None if linked is None else {Part(v.name, v.element, v.column, v.component) for v in linked.varyings}
    preamble = None if artifact.preamble is None else Snapshot(artifact.preamble)
    return prove(source, artifact.reflection, code, effort.draws, effort.steps, reads, preamble)
