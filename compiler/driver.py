"""The stages of the compiler in order; this page is the whole compiler at a glance.

    GLSL text -> front end -> IR module [-> link with the other stage] -> passes
              -> code generator of the target -> artifact

Every function takes the sink that collects diagnostics, returns a finished result, and raises
`CompileError` where there is none.  Each stage is imported when it is reached, so that asking for less
costs less.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from compiler.artifact import Artifact, Program
from compiler.codegen.inputs import refuse_inputs
from compiler.collector import collector_paused
from compiler.diagnostics import DiagnosticSink, SourceFile
from compiler.diagnostics.catalogue import usage
from compiler.options import (
    DEFAULT_OPTIMISATION,
    STAGE_OF_SUFFIX,
    FrontEndOptions,
    TargetOptions,
    check_macros,
    check_optimisation,
    glsl_stage,
    known_names_help,
    resolve_options,
    resolve_stage,
)
from compiler.preamble import take_preamble
from compiler.records import dataclass, field, replace
from compiler.trace import show

if TYPE_CHECKING:
    from compiler.ir.module import Module
    from compiler.link import LinkedPair
    from compiler.passes.base import CostModel
    from compiler.target import GeometryTarget, Target
    from frontends.glsl.symbols import Stage
    from frontends.glsl.tokens import PreprocessedShader

_NO_TARGETS = "this release generates no machine code yet; --emit ir prints the intermediate representation"


@dataclass(frozen=True, slots=True)
class Source:
    """A shader's text, its name in messages, and its stage where the name does not tell."""

    text: str
    filename: str
    stage: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What to compile for, and how."""

    target: str
    optimisation: int = DEFAULT_OPTIMISATION
    #: `-fprecise`: only rewrites that are exact in IEEE arithmetic.
    precise: bool = False
    #: `-fpreamble`: what depends on uniforms alone is computed once, by the host, before the shader runs.
    preamble: bool = False
    front_end: FrontEndOptions = field(default_factory=FrontEndOptions)
    target_options: Mapping[str, object] = field(default_factory=dict)
    #: `-Os`: small code before fast code.
    small: bool = False


def preprocess_tokens(source: Source, options: FrontEndOptions, sink: DiagnosticSink) -> PreprocessedShader:
    """The tokens that the parser reads; `sink` has what is wrong with them."""
    from frontends.glsl.preprocess import preprocess

    # Without a stage the text is preprocessed all the same: hardly any depends on it.
    known = source.stage is not None or PurePath(source.filename).suffix in STAGE_OF_SUFFIX
    stage = resolve_stage(source.stage, source.filename, sink) if known else None
    check_macros(options, sink)
    sink.raise_if_errors()
    return preprocess(
        SourceFile(source.filename, source.text),
        stage=None if stage is None else _glsl_stage(stage),
        defines=options.defines,
        undefines=options.undefines,
        include_dirs=options.include_dirs,
        sink=sink,
    )


@collector_paused()
def lower_source(source: Source, options: FrontEndOptions, sink: DiagnosticSink) -> Module:
    """The front end: GLSL text to IR."""
    return lower_tokens(preprocess_tokens(source, options, sink), source, sink)


def lower_tokens(shader: PreprocessedShader, source: Source, sink: DiagnosticSink) -> Module:
    """The rest of the front end: what `preprocess_tokens` made of the source to IR."""
    from frontends.glsl.frontend import compile_tokens

    stage = resolve_stage(source.stage, source.filename, sink)
    if stage is None:
        sink.raise_if_errors()
    assert stage is not None
    module = compile_tokens(shader, filename=source.filename, stage=_glsl_stage(stage), sink=sink)
    sink.raise_if_errors()
    show("front end", module)
    return module


def link_sources(vertex: Source, fragment: Source, options: FrontEndOptions, sink: DiagnosticSink) -> LinkedPair:
    """Both stages through the front end, matched with each other."""
    from compiler.link import link_modules

    return link_modules(lower_source(vertex, options, sink), lower_source(fragment, options, sink), sink)


@collector_paused()
def optimise(
    module: Module,
    optimisation: int,
    *,
    precise: bool = False,
    preamble: bool = False,
    costs: CostModel | None = None,
) -> Module:
    """The passes of an optimisation level, applied to `module`, and the move of uniform work to a preamble."""
    from compiler.passes.base import GENERIC_COSTS, PassContext
    from compiler.passes.pipeline import PREAMBLE, level, parse_pipeline
    from compiler.passes.runner import run_pipeline

    pipeline = level(optimisation) + (parse_pipeline(PREAMBLE, DiagnosticSink()) if preamble else ())
    run_pipeline(module, pipeline, PassContext(costs or GENERIC_COSTS, precise))
    for function in module.functions.values():
        function.renumber()
    return module


def optimise_for(backend: Target, module: Module, options: TargetOptions, request: Request) -> None:
    """The passes, with the prices of the target."""
    optimise(
        module,
        request.optimisation,
        precise=request.precise,
        preamble=request.preamble,
        costs=backend.costs(options),
    )


@collector_paused()
def compile_source(
    source: Source, request: Request, sink: DiagnosticSink, tokens: PreprocessedShader | None = None
) -> Artifact:
    """One shader, from text to machine code; from its `tokens`, where it was preprocessed with the same sink."""
    backend = find_target(request.target, sink)
    options = _settle(backend, source, request, sink)
    module = lower_tokens(tokens or preprocess_tokens(source, request.front_end, sink), source, sink)
    return compile_module(module, options, request, sink)


def compile_module(module: Module, options: TargetOptions, request: Request, sink: DiagnosticSink) -> Artifact:
    """Machine code of a module that the front end made."""
    backend = find_target(request.target, sink)
    optimise_for(backend, module, options, request)
    return generate_code(backend, module, options, sink)


def generate_code(backend: Target, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Machine code of a module after the passes."""
    preamble = take_preamble(module)
    refuse_inputs(module, backend.name, getattr(backend, "rare_inputs", ()), sink)
    artifact = backend.generate(module, options, sink)
    sink.raise_if_errors()
    return replace(artifact, diagnostics=tuple(sink.diagnostics), preamble=preamble)


@collector_paused()
def compile_pair(vertex: Source, fragment: Source, request: Request, sink: DiagnosticSink) -> Program:
    """A vertex and a fragment shader that belong together, as the stages that the target makes of them."""
    find_target(request.target, sink)
    pair = link_sources(vertex, fragment, request.front_end, sink)
    return compile_linked(pair, request, sink)


@collector_paused()
def compile_geometry(vertex: Source, geometry: Source, request: Request, sink: DiagnosticSink) -> Program:
    """A vertex and a geometry shader that belong together, and the file of both."""
    from compiler.link_geometry import compile_with_geometry

    backend = find_target(request.target, sink)
    settle_options(backend, "geometry", request, sink)
    first, second = (lower_source(source, request.front_end, sink) for source in (vertex, geometry))
    return compile_with_geometry(first, second, cast("GeometryTarget", backend), request, sink)


def compile_linked(pair: LinkedPair, request: Request, sink: DiagnosticSink) -> Program:
    """Machine code of two modules that were linked."""
    from compiler.passes.control_flow.clone import clone_module

    backend = find_target(request.target, sink)
    options = {stage: settle_options(backend, stage, request, sink) for stage in backend.program_stages}
    _optimise_pair(backend, pair, options, request)
    stages = {}
    for stage, settled in options.items():
        module = pair.of_stage(stage)
        refuse_inputs(module, backend.name, getattr(backend, "rare_inputs", ()), sink)
        artifact = backend.generate(clone_module(module), settled, sink)
        sink.raise_if_errors()
        stages[stage] = replace(artifact, preamble=take_preamble(module))
    return Program(stages, tuple(sink.diagnostics))


def assemble_text(text: str, *, target: str, filename: str, sink: DiagnosticSink) -> bytes:
    """Assembly text of `target` to its binary form."""
    data = find_target(target, sink).assemble(text, filename, sink)
    sink.raise_if_errors()
    return data


def disassemble_data(data: bytes, *, target: str, filename: str, sink: DiagnosticSink) -> str:
    """A binary of `target` to assembly text."""
    text = find_target(target, sink).disassemble(data, filename, sink)
    sink.raise_if_errors()
    return text


def find_target(name: str, sink: DiagnosticSink) -> Target:
    """The target called `name`, or the diagnostic that says which ones exist."""
    from backends import load_target, target_names

    names = target_names()
    if name not in names:
        sink.report(usage.UNKNOWN_TARGET, help=known_names_help(name, names, none=_NO_TARGETS), name=name)
        sink.raise_if_errors()
    return load_target(name)


def settle_options(backend: Target, stage: str, request: Request, sink: DiagnosticSink) -> TargetOptions:
    """The options of one compilation, all checked before any work is done."""
    check_optimisation(request.optimisation, sink)
    values = resolve_options(backend.options, request.target_options, sink)
    if stage not in backend.stages:
        has = f"it has: {', '.join(backend.stages)}"
        sink.report(usage.STAGE_NOT_ON_TARGET, help=has, target=backend.name, stage=stage)
    sink.raise_if_errors()
    return TargetOptions(stage, request.optimisation, values, precise=request.precise, small=request.small)


def _settle(backend: Target, source: Source, request: Request, sink: DiagnosticSink) -> TargetOptions:
    stage = resolve_stage(source.stage, source.filename, sink)
    sink.raise_if_errors()
    assert stage is not None
    return settle_options(backend, stage, request, sink)


def _optimise_pair(backend: Target, pair: LinkedPair, options: dict[str, TargetOptions], request: Request) -> None:
    """Both modules after the passes, the vertex stage without what the fragment stage never reads; every stage's
    options learn of the other stage."""
    from compiler.trim import drop_unread, linked_interface

    optimise_for(backend, pair.fragment, _of_module(options, pair.fragment), request)
    interface = linked_interface(pair.fragment)
    drop_unread(pair.vertex, interface)
    optimise_for(backend, pair.vertex, _of_module(options, pair.vertex), request)
    for stage, settled in options.items():
        options[stage] = replace(settled, linked=interface)


def _of_module(options: dict[str, TargetOptions], module: Module) -> TargetOptions:
    """The options of a stage that comes of the module; those of any where the target has none."""
    return options.get(module.stage) or next(iter(options.values()))


def _glsl_stage(stage: str) -> Stage:
    return cast("Stage", glsl_stage(stage))
