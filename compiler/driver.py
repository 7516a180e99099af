"""The stages of the compiler in order; this page is the whole compiler at a glance.

    source -> front end -> IR module [-> link with the other stage] -> passes
           -> code generator of the target -> artifact

The driver knows front ends and targets by their contracts (`frontend.py`, `target.py`); callers find them by name and
hand them over.  Every function takes the sink that collects diagnostics, returns a finished result, and raises
`CompileError` where there is none.  Each stage is imported when it is reached, so that asking for less costs less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, TypeVar

from compiler.analysis.budget import budgeted
from compiler.artifact import Artifact, Program, Reflection
from compiler.codegen.inputs import settle_inputs
from compiler.collector import collector_paused
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue import usage
from compiler.frontend import FrontEndOptions, Prepared, Source
from compiler.ir.declarations import first_values
from compiler.isa.disassembly import report_no_text
from compiler.options import (
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
from compiler.preamble import take_preamble
from compiler.records import replace
from compiler.trace import making, show
from compiler.verification import verifying

if TYPE_CHECKING:
    from compiler.ir.module import Module
    from compiler.ir.variables import Variable
    from compiler.link import LinkedPair
    from compiler.passes.base import CostModel
    from compiler.proof.snapshot import Snapshot
    from compiler.target import Target

Made = TypeVar("Made")
#: Makes code, or raises and reports why there is none.
MakeCode = Callable[[DiagnosticSink], Artifact]


# ---------------------------------------------------------------------------------------- front end
def prepare(source: Source, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
    """The source with everything that it includes; `sink` has what is wrong with it."""
    # Without a stage a source can be read all the same: hardly anything depends on it.
    stage = source_stage(source, sink) if _has_stage(source) else None
    check_macros(options, sink)
    check_standard(source.front_end, options, sink)
    sink.raise_if_errors()
    return source.front_end.prepare(source, stage, options, sink)


@collector_paused()
def lower_source(source: Source, options: FrontEndOptions, sink: DiagnosticSink) -> Module:
    """The front end: a source to IR."""
    return lower_prepared(prepare(source, options, sink), sink)


def lower_prepared(prepared: Prepared, sink: DiagnosticSink) -> Module:
    """The rest of the front end: what `prepare` made of the source to IR."""
    source = prepared.source
    stage = require_stage(source, sink)
    module = source.front_end.lower(prepared, stage, sink)
    sink.raise_if_errors()
    show("front end", module)
    return module


def source_stage(source: Source, sink: DiagnosticSink) -> str | None:
    """The stage that a source is for; None where that was reported."""
    stage = source.stage or source.front_end.stage_of(source.filename, source.content) or None
    return resolve_stage(stage, source.filename, source.front_end.stage_of_suffix, sink)


def require_stage(source: Source, sink: DiagnosticSink) -> str:
    """The stage that a source is for, or the diagnostic that it is not known."""
    stage = source_stage(source, sink)
    if stage is None:
        sink.raise_if_errors()
    assert stage is not None
    return stage


def link_sources(
    vertex: Source,
    fragment: Source,
    options: FrontEndOptions,
    sink: DiagnosticSink,
    machine_varyings: Collection[str] = (),
) -> LinkedPair:
    """Both stages through the front end, matched with each other; some varyings a machine makes by itself."""
    from compiler.link import link_modules, take_from_machine

    first, second = lower_source(vertex, options, sink), lower_source(fragment, options, sink)
    take_from_machine(second, machine_varyings)
    pair = link_modules(first, second, sink)
    for module in (pair.vertex, pair.fragment):
        show("link", module)
    return pair


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
    """The passes of an optimisation level, applied to `module`, and the move of uniform work to a preamble."""
    from compiler.passes.base import GENERIC_COSTS, PassContext
    from compiler.passes.pipeline import hoisting, level
    from compiler.passes.runner import run_pipeline

    pipeline = level(optimisation) + (hoisting() if preamble else ())
    costs = costs or GENERIC_COSTS
    with verifying(verify_each):
        run_pipeline(module, pipeline, PassContext(replace(costs, hoists=costs.hoists or preamble), precise))
    for function in module.functions.values():
        function.renumber()
    return module


def optimise_for(target: Target, module: Module, options: TargetOptions, request: Request) -> None:
    """The passes, with the costs of the target."""
    if not request.optimisation and module.exact_integers and target.whole_numbers is not None:
        from compiler.codegen.integers.whole_numbers import simplify_inexact

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
    """One shader, from its source to machine code; `read` calls `prepare` with the same sink, which it may fill.

    Options come first: what is wrong with them ends the compilation, what is wrong with the text does not yet.
    """
    options = settle_options(target, require_stage(source, sink), request, sink)
    prepared = prepare(source, request.front_end, sink) if read is None else read()
    module = lower_prepared(prepared, sink)
    return compile_module(module, target, options, request, sink)


def compile_module(
    module: Module, target: Target, options: TargetOptions, request: Request, sink: DiagnosticSink
) -> Artifact:
    """Machine code of a module that a front end made, compared with that module."""
    return prepare_code(module, target, options, request, sink)(sink)


def prepare_code(
    module: Module, target: Target, options: TargetOptions, request: Request, sink: DiagnosticSink
) -> MakeCode:
    """The first half of `compile_module`, which leaves the module as it is after the passes; makes the code of it."""
    check_integers(target, module, request, sink)
    source = _proof_source(module, request)
    optimise_for(target, module, options, request)

    def make(sink: DiagnosticSink) -> Artifact:
        artifact = generate_code(target, module, options, sink)
        artifact = replace(artifact, diagnostics=tuple(sink.diagnostics))
        return artifact if source is None else _prove(artifact, source, target, options, request, sink)

    return make


def _proof_source(module: Module, request: Request) -> Snapshot | None:
    """What code is to be compared with, to be made before the passes; None where nobody wants to know."""
    if request.proof == NO_PROOF:
        return None
    from compiler.proof.snapshot import Snapshot

    return Snapshot(module)


def _prove(
    artifact: Artifact, source: Snapshot, target: Target, options: TargetOptions, request: Request, sink: DiagnosticSink
) -> Artifact:
    """The artifact with the verdict on it; an error where its code computes something else than its source."""
    from compiler.proof.effort import proven

    return proven(artifact, source, target, options, request.proof, sink)


def _prove_as_one(
    stages: dict[str, Artifact],
    sources: Mapping[str, Snapshot | None],
    target: Target,
    options: Mapping[str, TargetOptions],
    request: Request,
    sink: DiagnosticSink,
) -> dict[str, Artifact]:
    """The same of stages that were linked."""
    known = {stage: source for stage, source in sources.items() if source is not None}
    if not known:
        return stages
    from compiler.proof.effort import proven_as_one

    return proven_as_one(stages, known, target, options, request.proof, sink)


@budgeted()
def check_integers(target: Target, module: Module, request: Request, sink: DiagnosticSink) -> None:
    """Refuse ints that the target may not hold.

    Before the passes, which compute what a branch guards where it is not guarded: nobody looks at those values then.
    """
    if module.exact_integers and target.whole_numbers is not None:
        from compiler.codegen.integers.whole_numbers import check_whole_numbers

        check_whole_numbers(module, target.name, target.whole_numbers, request.inexact_integers, sink)


@budgeted()
def _check_sent_integers(target: Target, pair: LinkedPair, request: Request, sink: DiagnosticSink) -> None:
    """Refuse ints that are larger than what the fragment stage expects of the vertex stage."""
    if pair.vertex.exact_integers and target.whole_numbers is not None:
        from compiler.codegen.integers.sent_integers import check_sent_integers

        inexact = request.inexact_integers
        check_sent_integers(pair.vertex, pair.fragment, target.name, target.whole_numbers, inexact, sink)


@budgeted()
def generate_code(target: Target, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Machine code of a module after the passes."""
    interpolation = {v.name: v.interpolation for v in module.interface() if v.interpolation}
    preamble = take_preamble(module)
    if module.stage == "fragment":
        from compiler.lowering.interface.colours import widen_colours

        widen_colours(module)
        if not target.has_flat_varyings:
            from compiler.lowering.interface.flat import interpolate_flat

            interpolate_flat(module, target.name, sink)
    settle_inputs(module, target.name, target.rare_inputs, sink)
    demands = _settle_lookups(target, module, sink)
    with verifying(options.verify_each):
        artifact = target.generate(module, options, sink)
    sink.raise_if_errors()
    preamble = artifact.preamble or preamble
    if preamble is not None:
        # Their initializers are what a host begins with.
        preamble.declarations = module.declarations
    return replace(
        artifact,
        preamble=preamble,
        reflection=_completed(artifact.reflection, module, interpolation, demands),
    )


def _completed(
    reflection: Reflection,
    module: Module,
    interpolation: Mapping[str, str],
    demands: Mapping[str, bool | int | str],
) -> Reflection:
    """With what hosts want to know of the source, beside the registers that the target tells."""
    if demands:
        reflection = replace(reflection, host_state={**(reflection.host_state or {}), **demands})
    if module.blocks or interpolation:
        reflection = replace(reflection, blocks=tuple(module.blocks), interpolation=interpolation)
    defaults = first_values(module.declarations)
    if any(uniform.name in defaults for uniform in reflection.uniforms):
        uniforms = (replace(u, default=defaults.get(u.name)) for u in reflection.uniforms)
        reflection = replace(reflection, uniforms=tuple(uniforms))
    return reflection


def _settle_lookups(target: Target, module: Module, sink: DiagnosticSink) -> dict[str, bool | int | str]:
    """Texture lookups as the machine may have them; what that asks of the textures."""
    if not any(variable.type.is_sampler for variable in module.variables.values()):
        return {}
    from compiler.codegen.lookups import refuse_lookups
    from compiler.lowering.interface.depth_comparisons import COMPARISON, compare_depths
    from compiler.lowering.interface.texture_rows import look_up_rows
    from compiler.lowering.interface.texture_sizes import LowerTextureSizes, demands
    from compiler.passes.base import PassContext
    from compiler.passes.runner import run_pipeline

    refuse_lookups(module, target.name, target.textures, sink)
    if target.textures.images:
        run_pipeline(module, (LowerTextureSizes(levels="lod" in target.textures.modes),), PassContext())
    found = demands(module)
    for name in compare_depths(module):
        found |= {f"{name}.compare": COMPARISON, f"{name}.filter": "nearest"}
    return found | {f"{name}.height": 1 for name in look_up_rows(module)}


@collector_paused()
def compile_pair(vertex: Source, fragment: Source, target: Target, request: Request, sink: DiagnosticSink) -> Program:
    """A vertex and a fragment shader that belong together, as the stages that the target makes of them."""
    pair = link_sources(vertex, fragment, request.front_end, sink, target.machine_varyings)
    return compile_linked(pair, target, request, sink)


@collector_paused()
def compile_linked(pair: LinkedPair, target: Target, request: Request, sink: DiagnosticSink) -> Program:
    """Machine code of two modules that were linked."""
    options = {stage: settle_options(target, stage, request, sink) for stage in target.program_stages}
    modules = list(dict.fromkeys(map(pair.of_stage, target.program_stages)))
    for module in modules:
        check_integers(target, module, request, sink)
    _check_sent_integers(target, pair, request, sink)
    # A module may become several stages.
    known = {module: _proof_source(module, request) for module in modules}
    sources = {stage: known[pair.of_stage(stage)] for stage in options}
    stages = _stages_of(pair, target, options, request, sink)
    stages = _prove_as_one(stages, sources, target, options, request, sink)
    return Program(stages, tuple(sink.diagnostics))


def _stages_of(
    pair: LinkedPair, target: Target, options: dict[str, TargetOptions], request: Request, sink: DiagnosticSink
) -> dict[str, Artifact]:
    """Machine code of every stage that the target makes of two linked modules."""
    from compiler.passes.control_flow.clone import clone_module

    known = {stage: set(pair.of_stage(stage).variables) for stage in options}
    _optimise_pair(target, pair, options, request, sink)
    made: dict[str, Artifact] = {}
    for stage, settled in options.items():
        # A module may become several stages.
        with making(stage):
            made[stage] = generate_code(target, clone_module(pair.of_stage(stage)), settled, sink)
    return {
        stage: replace(each, lent=(*each.lent, *_lent(pair.of_stage(stage), known[stage])))
        for stage, each in made.items()
    }


def _lent(module: Module, known: Collection[str]) -> tuple[Variable, ...]:
    """What linking has added to the interface of a module."""
    from compiler.ir.variables import PREAMBLE

    return tuple(v for v in module.interface() if v.name not in known and v.role != PREAMBLE)


def compile_program(vertex: Source, second: Source, target: Target, request: Request, sink: DiagnosticSink) -> Program:
    """A vertex shader with the fragment or geometry shader that belongs to it."""
    link = compile_geometry if second.stage == "geometry" else compile_pair
    return link(vertex, second, target, request, sink)


@collector_paused()
def compile_geometry(
    vertex: Source, geometry: Source, target: Target, request: Request, sink: DiagnosticSink
) -> Program:
    """A vertex and a geometry shader that belong together, and the file of both."""
    from compiler.link_geometry import match_modules, pin_inputs
    from compiler.target import GeometryTarget

    options = {stage: settle_options(target, stage, request, sink) for stage in ("vertex", "geometry")}
    assert isinstance(target, GeometryTarget), "it has the stage"
    first, second = (lower_source(source, request.front_end, sink) for source in (vertex, geometry))
    match_modules(first, second, sink)
    sources = {"vertex": _proof_source(first, request), "geometry": _proof_source(second, request)}
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


# ---------------------------------------------------------------------------------------- machine code as text
def assemble_text(text: str, *, target: Target, filename: str, sink: DiagnosticSink) -> bytes:
    """Assembly text of `target` to its binary form."""
    data = target.assemble(text, filename, sink)
    sink.raise_if_errors()
    return data


def disassemble_data(data: bytes, *, target: Target, filename: str, sink: DiagnosticSink) -> str:
    """A binary of `target` to assembly text, of which the assembler makes the same binary."""
    text = target.disassemble(data, filename, sink)
    sink.raise_if_errors()
    if target.is_assembled(data):
        _check_text(text, data, target, filename, sink)
    return text


def _check_text(text: str, data: bytes, target: Target, filename: str, sink: DiagnosticSink) -> None:
    """Refuse a file of which the text makes another one: damage that the text does not show."""
    own = DiagnosticSink()
    try:
        if assemble_text(text, target=target, filename=filename, sink=own) == data:
            return
    except CompileError:
        pass
    mistakes = [each.message for each in own.diagnostics if each.severity == "error"]
    reason = mistakes[0] if mistakes else "the assembler makes another file of its instructions"
    report_no_text(sink, filename, "the file", reason)
    sink.raise_if_errors()


# ---------------------------------------------------------------------------------------- options
def settle_options(target: Target, stage: str, request: Request, sink: DiagnosticSink) -> TargetOptions:
    """The options of one compilation, all checked before any work is done."""
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


def _has_stage(source: Source) -> bool:
    return source.stage is not None or source.front_end.takes(source.filename, source.content)


def _optimise_pair(
    target: Target, pair: LinkedPair, options: dict[str, TargetOptions], request: Request, sink: DiagnosticSink
) -> None:
    """Both modules after the passes, the vertex stage without what the fragment stage never reads; every stage's
    options describe the other stage."""
    from compiler.trim import drop_unread, linked_interface

    optimise_for(target, pair.fragment, _of_module(options, pair.fragment), request)
    if "vertex" in options and "fragment" in options:
        target.adapt_pair(pair, options["fragment"], sink)
        sink.raise_if_errors()
    interface = linked_interface(pair.fragment)
    drop_unread(pair.vertex, interface)
    show("drop unread", pair.vertex)
    optimise_for(target, pair.vertex, _of_module(options, pair.vertex), request)
    for stage, settled in options.items():
        options[stage] = replace(settled, linked=interface)


def _of_module(options: dict[str, TargetOptions], module: Module) -> TargetOptions:
    """The options of a stage that is made from the module, or of any stage where the target makes none from it."""
    return options.get(module.stage) or next(iter(options.values()))
