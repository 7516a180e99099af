"""The stages of the compiler in order; this page is the whole compiler at a glance.

    source -> front end -> IR module [-> link with the other stage] -> passes
           -> code generator of the target -> artifact

The driver knows front ends and targets by their contracts (`frontend.py`, `target.py`); callers find them by name and
hand them over.  Every function takes the sink that collects diagnostics, returns a finished result, and raises
`CompileError` where there is none.  Each stage is imported when it is reached, so that asking for less costs less.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from glslc_multi.compiler.analysis.budget import budgeted
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.collector import collector_paused
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.frontend import FrontEndOptions, Prepared, Source
from glslc_multi.compiler.generate import generate_code
from glslc_multi.compiler.options import (
    NO_PROOF,
    PROOFS,
    Request,
    TargetOptions,
    check_macros,
    check_optimisation,
    check_standard,
    resolve_options,
    resolve_stage,
)
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.trace import show
from glslc_multi.compiler.verification import verifying

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.passes.base import CostModel
    from glslc_multi.compiler.proof.snapshot import Snapshot
    from glslc_multi.compiler.target import Target


# ---------------------------------------------------------------------------------------- front end
def prepare(source: Source, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
    """Read the source with everything that it includes; `sink` has what is wrong with it."""
    # Without a stage a source can be read all the same: hardly anything depends on it.
    has_stage = source.stage is not None or source.front_end.takes(source.filename, source.content)
    stage = source_stage(source, sink) if has_stage else None
    check_macros(options, sink)
    check_standard(source.front_end, options, sink)
    sink.raise_if_errors()
    return source.front_end.prepare(source, stage, options, sink)


@collector_paused()
def lower_source(source: Source, options: FrontEndOptions, sink: DiagnosticSink) -> Module:
    """Lower a source to IR: the whole front end."""
    return lower_prepared(prepare(source, options, sink), sink)


def lower_prepared(prepared: Prepared, sink: DiagnosticSink) -> Module:
    """Lower what `prepare` made of a source to IR: the rest of the front end."""
    source = prepared.source
    stage = require_stage(source, sink)
    module = source.front_end.lower(prepared, stage, sink)
    sink.raise_if_errors()
    show("front end", module)
    return module


def source_stage(source: Source, sink: DiagnosticSink) -> str | None:
    """Return the stage that a source is for; None where that was reported."""
    stage = source.stage or source.front_end.stage_of(source.filename, source.content) or None
    return resolve_stage(stage, source.filename, source.front_end.stage_of_suffix, sink)


def require_stage(source: Source, sink: DiagnosticSink) -> str:
    """Return the stage that a source is for, or raise the diagnostic that it is not known."""
    stage = source_stage(source, sink)
    if stage is None:
        sink.raise_if_errors()
    assert stage is not None
    return stage


# ---------------------------------------------------------------------------------------- passes
@collector_paused()
@budgeted()
def optimise(
    module: Module,
    optimisation: int,
    *,
    precise: bool = False,
    preamble: bool = False,
    costs: CostModel | None = None,
    verify_each: bool = False,
) -> Module:
    """Run the passes of an optimisation level on `module`, and move uniform work to a preamble if asked."""
    from glslc_multi.compiler.passes.base import GENERIC_COSTS, PassContext
    from glslc_multi.compiler.passes.pipeline import hoisting, level
    from glslc_multi.compiler.passes.runner import run_pipeline

    pipeline = level(optimisation) + (hoisting() if preamble else ())
    costs = costs or GENERIC_COSTS
    with verifying(verify_each):
        run_pipeline(module, pipeline, PassContext(replace(costs, hoists=costs.hoists or preamble), precise))
    for function in module.functions.values():
        function.renumber()
    return module


def optimise_for(target: Target, module: Module, options: TargetOptions, request: Request) -> None:
    """Run the passes with the costs of the target."""
    if not request.optimisation and module.exact_integers and target.whole_numbers is not None:
        from glslc_multi.compiler.codegen.integers.whole_numbers import simplify_inexact

        simplify_inexact(module, target.whole_numbers)
    optimise(
        module,
        request.optimisation,
        precise=request.precise,
        preamble=request.preamble,
        costs=target.costs(options),
        verify_each=request.verify_each,
    )


# ---------------------------------------------------------------------------------------- whole compilations
@collector_paused()
def compile_source(
    source: Source,
    target: Target,
    request: Request,
    sink: DiagnosticSink,
    read: Callable[[], Prepared] | None = None,
) -> Artifact:
    """Compile one shader from its source; `read` calls `prepare` with the same sink, which it may fill.

    Options come first: what is wrong with them ends the compilation, what is wrong with the text does not yet.
    """
    options = checked_options(target, require_stage(source, sink), request, sink)
    prepared = prepare(source, request.front_end, sink) if read is None else read()
    module = lower_prepared(prepared, sink)
    meaning = optimise_source(module, target, options, request, sink)
    artifact = generate_code(target, module, options, sink)
    return checked_code(artifact, meaning, target, options, request, sink)


def compile_module(
    module: Module, target: Target, options: TargetOptions, request: Request, sink: DiagnosticSink
) -> Artifact:
    """Compile a module that a front end made; its code is compared with it."""
    meaning = optimise_source(module, target, options, request, sink)
    artifact = generate_code(target, module, options, sink)
    return checked_code(artifact, meaning, target, options, request, sink)


def optimise_source(
    module: Module, target: Target, options: TargetOptions, request: Request, sink: DiagnosticSink
) -> Snapshot | None:
    """Run the passes on what a front end made; return what it means, if code is to be compared with that."""
    check_integers(target, module, request, sink)
    meaning = snapshot_for_proof(module, request)
    optimise_for(target, module, options, request)
    return meaning


def checked_code(
    artifact: Artifact,
    meaning: Snapshot | None,
    target: Target,
    options: TargetOptions,
    request: Request,
    sink: DiagnosticSink,
) -> Artifact:
    """Return code with what was reported of it; raise where it computes something else than is meant."""
    artifact = replace(artifact, diagnostics=tuple(sink.diagnostics))
    if meaning is None:
        return artifact
    from glslc_multi.compiler.proof.effort import proven

    return proven(artifact, meaning, target, options, request.proof, sink)


def snapshot_for_proof(module: Module, request: Request) -> Snapshot | None:
    """Keep what code is to be compared with, before the passes change it; None where no proof is wanted."""
    if request.proof == NO_PROOF:
        return None
    from glslc_multi.compiler.proof.snapshot import Snapshot

    return Snapshot(module)


@budgeted()
def check_integers(target: Target, module: Module, request: Request, sink: DiagnosticSink) -> None:
    """Refuse ints that the target may not hold.

    Before the passes, which compute what a branch guards where it is not guarded: nobody looks at those values then.
    """
    if module.exact_integers and target.whole_numbers is not None:
        from glslc_multi.compiler.codegen.integers.whole_numbers import check_whole_numbers

        check_whole_numbers(module, target.name, target.whole_numbers, request.inexact_integers, sink)


# ---------------------------------------------------------------------------------------- options
def checked_options(target: Target, stage: str, request: Request, sink: DiagnosticSink) -> TargetOptions:
    """Check the options of one compilation before any work is done, and return them."""
    check_optimisation(request.optimisation, sink)
    if request.proof not in PROOFS:
        expected = f"one of {', '.join(PROOFS)}"
        sink.report(usage.INVALID_OPTION_VALUE, option="proof", expected=expected, value=request.proof)
    values = resolve_options(target.options, request.target_options, sink)
    if stage not in target.stages:
        has = f"it has: {', '.join(target.stages)}"
        sink.report(usage.STAGE_NOT_ON_TARGET, help=has, target=target.name, stage=stage)
    sink.raise_if_errors()
    return TargetOptions(
        stage,
        request.optimisation,
        values,
        precise=request.precise,
        small=request.small,
        verify_each=request.verify_each,
    )
