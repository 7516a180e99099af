"""The proof of a compilation, as the driver asks for it: how much of it, and what becomes of its verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glslc_multi.compiler.artifact import Artifact, Verdict
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.catalogue.limits import INTEGER_MAY_BE_BEYOND, INTEGER_MAY_BE_INEXACT
from glslc_multi.compiler.options import FULL_PROOF, QUICK_PROOF, TargetOptions
from glslc_multi.compiler.proof.compare import FULL, LIMIT, QUICK, Stage, prove
from glslc_multi.compiler.proof.draw import Part
from glslc_multi.compiler.proof.linked import prove_linked
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import Target


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
    return _with(artifact, _accepted(verdict, target, sink))


def proven_as_one(
    stages: Mapping[str, Artifact],
    sources: Mapping[str, Snapshot],
    target: Target,
    options: Mapping[str, TargetOptions],
    proof: str,
    sink: DiagnosticSink,
) -> dict[str, Artifact]:
    """The artifacts of linked stages with the verdict on the first and last one together; the same error.

    Where that is unknown, and of other stages, it is the verdict on each alone.
    """
    together = [stage for stage in ("vertex", "geometry", "fragment") if stage in stages]
    verdict = Verdict("unknown")
    if len(together) == 2:
        verdict = _verdict_on_both(
            [stages[s] for s in together], [sources[s] for s in together], target, options, proof
        )
        verdict = _accepted(verdict, target, sink)
    found: dict[str, Artifact] = {}
    for stage, artifact in stages.items():
        own = verdict if stage in together else Verdict("unknown")
        if own.outcome == "unknown":
            own = _verdict(artifact, sources[stage], target, options[stage], EFFORTS[proof])
            own = _accepted(own, target, sink)
        found[stage] = _with(artifact, verdict if own.outcome == "unknown" and stage in together else own)
    return found


def _accepted(verdict: Verdict, target: Target, sink: DiagnosticSink) -> Verdict:
    """Return the verdict where nobody has to mend anything; an error where code differs."""
    if verdict.outcome != "differs":
        return verdict
    if any(diagnostic.entry in (INTEGER_MAY_BE_INEXACT, INTEGER_MAY_BE_BEYOND) for diagnostic in sink.diagnostics):
        return Verdict("unknown", "integers that the machine may not hold exactly are computed as the warning says")
    sink.report(
        usage.PROOF_FAILED,
        help="please report what `glslc-multi reduce` makes of it; --proof=off gives out the code all the same",
        notes=verdict.notes,
        target=target.name,
        what=verdict.reason,
    )
    raise CompileError(sink.diagnostics)


def _with(artifact: Artifact, verdict: Verdict) -> Artifact:
    return replace(artifact, stats=replace(artifact.stats, verdict=verdict))


def _verdict(artifact: Artifact, source: Snapshot, target: Target, options: TargetOptions, effort: Effort) -> Verdict:
    code = target.machine_code(artifact, options.values)
    if code is None:
        return Verdict("unknown", f"{target.name} has no proofs of the {options.stage} stage")
    linked = options.linked
    reads = None if linked is None else {Part(v.name, v.element, v.column, v.component) for v in linked.varyings}
    stage = Stage(source, artifact.reflection, code, _preamble(artifact))
    return prove(stage, effort.draws, effort.steps, reads)


def _preamble(artifact: Artifact) -> Snapshot | None:
    return None if artifact.preamble is None else Snapshot(artifact.preamble)


def _verdict_on_both(
    artifacts: Sequence[Artifact],
    sources: Sequence[Snapshot],
    target: Target,
    options: Mapping[str, TargetOptions],
    proof: str,
) -> Verdict:
    effort = EFFORTS[proof]
    stages: list[Stage] = []
    for artifact, source in zip(artifacts, sources, strict=True):
        code = target.machine_code(artifact, options[source.module.stage].values)
        if code is None:
            return Verdict("unknown")
        stages.append(Stage(source, artifact.reflection, code, _preamble(artifact)))
    lent = {variable.name for artifact in artifacts for variable in artifact.lent}
    first, second = stages
    verdict = prove_linked(first, second, effort.draws, effort.steps, lent, keeps_flat=target.has_flat_varyings)
    return replace(verdict, linked=True)
