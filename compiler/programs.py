"""Programs of several stages: sources linked with each other, compiled, and proven as one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING

from glslc_multi.compiler.analysis.budget import budgeted
from glslc_multi.compiler.artifact import Artifact, Program
from glslc_multi.compiler.collector import collector_paused
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import (
    check_integers,
    checked_options,
    compile_module,
    lower_source,
    optimise_for,
    snapshot_for_proof,
)
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.generate import generate_code
from glslc_multi.compiler.options import NO_PROOF, Request, TargetOptions
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.trace import making, show

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.ir.variables import Variable
    from glslc_multi.compiler.linking.match import LinkedPair
    from glslc_multi.compiler.proof.snapshot import Snapshot
    from glslc_multi.compiler.target import Target


@collector_paused()
def compile_program(vertex: Source, second: Source, target: Target, request: Request, sink: DiagnosticSink) -> Program:
    """Compile a vertex shader with the fragment or geometry shader that belongs to it."""
    for stage in target.linked_stages(second.stage):
        checked_options(target, stage, request, sink)
    first, other = (lower_source(source, request.front_end, sink) for source in (vertex, second))
    return compile_modules(first, other, target, request, sink)


@collector_paused()
def compile_modules(vertex: Module, second: Module, target: Target, request: Request, sink: DiagnosticSink) -> Program:
    """Compile what the front end made of two such shaders to the stages that the target makes of them."""
    if second.stage == "geometry":
        return _compile_geometry(vertex, second, target, request, sink)
    return compile_linked(_link(vertex, second, target.machine_varyings, sink), target, request, sink)


@collector_paused()
def compile_linked(pair: LinkedPair, target: Target, request: Request, sink: DiagnosticSink) -> Program:
    """Compile two modules that were linked."""
    options = {stage: checked_options(target, stage, request, sink) for stage in target.program_stages}
    modules = list(dict.fromkeys(map(pair.of_stage, target.program_stages)))
    for module in modules:
        check_integers(target, module, request, sink)
    _check_sent_integers(target, pair, request, sink)
    # A module may become several stages.
    known = {module: snapshot_for_proof(module, request) for module in modules}
    sources = {stage: known[pair.of_stage(stage)] for stage in options}
    stages = _stages_of(pair, target, options, request, sink)
    stages = _prove_as_one(stages, sources, target, options, request, sink)
    return Program(stages, tuple(sink.diagnostics))


@budgeted()
def _check_sent_integers(target: Target, pair: LinkedPair, request: Request, sink: DiagnosticSink) -> None:
    """Refuse ints that are larger than what the fragment stage expects of the vertex stage."""
    if pair.vertex.exact_integers and target.whole_numbers is not None:
        from glslc_multi.compiler.codegen.integers.sent_integers import check_sent_integers

        inexact = request.inexact_integers
        check_sent_integers(pair.vertex, pair.fragment, target.name, target.whole_numbers, inexact, sink)


def _stages_of(
    pair: LinkedPair, target: Target, options: dict[str, TargetOptions], request: Request, sink: DiagnosticSink
) -> dict[str, Artifact]:
    """Make machine code of every stage that the target makes of two linked modules."""
    known = {stage: set(pair.of_stage(stage).variables) for stage in options}
    _optimise_pair(target, pair, options, request, sink)
    if request.optimisation and target.known_varyings and {"vertex", "fragment"} <= options.keys():
        from glslc_multi.compiler.codegen.fit import attempt
        from glslc_multi.compiler.linking.origins import read_at_origin

        shorter = read_at_origin(pair, target.known_varyings)
        if shorter is not None:
            show("read at origin", shorter.fragment)
            of_shorter = dict(options)
            optimise_for(target, shorter.fragment, options["fragment"], request)
            _leave_out(target, shorter, of_shorter, request)
            # Values that are read at one place live longer, and may need registers that are not there.
            stages = attempt(partial(_generate, target, shorter, of_shorter, known), sink)
            if not isinstance(stages, CompileError):
                return stages
    return _generate(target, pair, options, known, sink)


def _generate(
    target: Target,
    pair: LinkedPair,
    options: Mapping[str, TargetOptions],
    known: Mapping[str, Collection[str]],
    sink: DiagnosticSink,
) -> dict[str, Artifact]:
    """Generate code of optimised modules; `known` are the variables that they had before they were linked."""
    from glslc_multi.compiler.passes.control_flow.clone import clone_module

    artifacts: dict[str, Artifact] = {}
    for stage, own in options.items():
        # A module may become several stages.
        with making(stage):
            artifacts[stage] = generate_code(target, clone_module(pair.of_stage(stage)), own, sink)
    return {
        stage: replace(each, lent=(*each.lent, *_lent(pair.of_stage(stage), known[stage])))
        for stage, each in artifacts.items()
    }


def _lent(module: Module, known: Collection[str]) -> tuple[Variable, ...]:
    """Return the variables that linking has added to the interface of a module."""
    from glslc_multi.compiler.ir.variables import PREAMBLE

    return tuple(v for v in module.interface() if v.name not in known and v.role != PREAMBLE)


def _compile_geometry(first: Module, second: Module, target: Target, request: Request, sink: DiagnosticSink) -> Program:
    """Compile a vertex and a geometry shader that belong together, and make the file of both."""
    from glslc_multi.compiler.linking.geometry import match_modules, pin_inputs
    from glslc_multi.compiler.target import GeometryTarget

    options = {stage: checked_options(target, stage, request, sink) for stage in target.linked_stages("geometry")}
    assert isinstance(target, GeometryTarget), "it has the stage"
    match_modules(first, second, sink)
    sources = {"vertex": snapshot_for_proof(first, request), "geometry": snapshot_for_proof(second, request)}
    unproven = replace(request, proof=NO_PROOF)
    # Notes about the outputs of the vertex stage do not matter: those of the geometry stage are drawn.
    own = DiagnosticSink()
    with making("vertex"):
        before = compile_module(first, target, options["vertex"], unproven, own)
    sink.diagnostics += [diagnostic for diagnostic in own.diagnostics if diagnostic.severity != "note"]
    pin_inputs(second, before)
    with making("geometry"):
        after = compile_module(second, target, options["geometry"], unproven, sink)
    stages = {"vertex": replace(before, diagnostics=tuple(sink.diagnostics)), "geometry": after}
    stages = _prove_as_one(stages, sources, target, options, request, sink)
    return Program(stages, tuple(sink.diagnostics), target.join([before, after], sink))


def link_sources(
    vertex: Source,
    fragment: Source,
    options: FrontEndOptions,
    sink: DiagnosticSink,
    machine_varyings: Collection[str] = (),
) -> LinkedPair:
    """Lower both stages and match them with each other; some varyings a machine makes by itself."""
    first, second = (lower_source(source, options, sink) for source in (vertex, fragment))
    return _link(first, second, machine_varyings, sink)


def _link(vertex: Module, fragment: Module, machine_varyings: Collection[str], sink: DiagnosticSink) -> LinkedPair:
    """Match two modules with each other."""
    from glslc_multi.compiler.linking.match import link_modules, take_from_machine

    take_from_machine(fragment, machine_varyings)
    pair = link_modules(vertex, fragment, sink)
    for module in (pair.vertex, pair.fragment):
        show("link", module)
    return pair


def _optimise_pair(
    target: Target, pair: LinkedPair, options: dict[str, TargetOptions], request: Request, sink: DiagnosticSink
) -> None:
    """Run the passes on both modules, on the vertex stage without what the fragment stage never reads; let every
    stage's options describe the other stage."""
    optimise_for(target, pair.fragment, _of_module(options, pair.fragment), request)
    if "vertex" in options and "fragment" in options:
        target.adapt_pair(pair, options["fragment"], sink)
        sink.raise_if_errors()
    _leave_out(target, pair, options, request)


def _leave_out(target: Target, pair: LinkedPair, options: dict[str, TargetOptions], request: Request) -> None:
    """Optimise a vertex stage without what its fragment stage never reads, and note what that does."""
    from glslc_multi.compiler.linking.trim import drop_unread, linked_interface

    interface = linked_interface(pair.fragment)
    drop_unread(pair.vertex, interface)
    show("drop unread", pair.vertex)
    optimise_for(target, pair.vertex, _of_module(options, pair.vertex), request)
    for stage, own in options.items():
        options[stage] = replace(own, linked=interface)


def _of_module(options: dict[str, TargetOptions], module: Module) -> TargetOptions:
    """Return the options of a stage that is made from the module, or of any stage where there is none."""
    return options.get(module.stage) or next(iter(options.values()))


def _prove_as_one(
    stages: dict[str, Artifact],
    sources: Mapping[str, Snapshot | None],
    target: Target,
    options: Mapping[str, TargetOptions],
    request: Request,
    sink: DiagnosticSink,
) -> dict[str, Artifact]:
    """Prove stages that were linked; return them with the verdict."""
    known = {stage: source for stage, source in sources.items() if source is not None}
    if not known:
        return stages
    from glslc_multi.compiler.proof.effort import proven_as_one

    return proven_as_one(stages, known, target, options, request.proof, sink)
