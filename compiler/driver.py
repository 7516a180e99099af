"""The stages of the compiler in order; this page is the whole compiler at a glance.

    GLSL text -> front end -> IR module -> code generator of the target -> artifact

Every function takes the sink that collects diagnostics, returns a finished result, and raises
`CompileError` where there is none.  Each stage is imported when it is reached, so that asking for less
costs less.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from compiler.diagnostics import DiagnosticSink, SourceFile
from compiler.diagnostics.catalogue import usage
from compiler.options import (
    DEFAULT_OPTIMISATION,
    FrontEndOptions,
    TargetOptions,
    check_defines,
    check_optimisation,
    glsl_stage,
    known_names_help,
    resolve_options,
    resolve_stage,
)

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.codegen.target import Target
    from compiler.ir.module import Module
    from frontends.glsl.symbols import Stage


_NO_TARGETS = "this release generates no machine code yet; --emit ir prints the intermediate representation"


def preprocess_source(
    source: str, *, filename: str, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink
) -> str:
    """The text after preprocessing, as GLSL again."""
    from frontends.glsl.preprocess import preprocess, print_tokens

    check_defines(options.defines, sink)
    sink.raise_if_errors()
    shader = preprocess(
        SourceFile(filename, source),
        stage=None if stage is None else _glsl_stage(stage),
        defines=options.defines,
        include_dirs=options.include_dirs,
        sink=sink,
    )
    sink.raise_if_errors()
    return print_tokens(shader)


def lower_source(
    source: str, *, filename: str, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink
) -> Module:
    """The front end: GLSL text to IR."""
    from frontends.glsl.frontend import compile_shader

    resolved = resolve_stage(stage, filename, sink)
    check_defines(options.defines, sink)
    sink.raise_if_errors()
    assert resolved is not None
    module = compile_shader(
        source,
        filename=filename,
        stage=_glsl_stage(resolved),
        defines=options.defines,
        include_dirs=options.include_dirs,
        sink=sink,
    )
    sink.raise_if_errors()
    return module


def compile_source(
    source: str,
    *,
    target: str,
    stage: str | None,
    filename: str,
    front_end: FrontEndOptions,
    optimisation: int = DEFAULT_OPTIMISATION,
    target_options: Mapping[str, object],
    sink: DiagnosticSink,
) -> Artifact:
    """One shader, from text to machine code."""
    backend = find_target(target, sink)
    options = _settle(backend, stage, filename, optimisation, target_options, sink)
    module = lower_source(source, filename=filename, stage=options.stage, options=front_end, sink=sink)
    artifact = backend.generate(module, options, sink)
    sink.raise_if_errors()
    return artifact


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


def _settle(
    backend: Target,
    stage: str | None,
    filename: str,
    optimisation: int,
    given: Mapping[str, object],
    sink: DiagnosticSink,
) -> TargetOptions:
    """The options of one compilation, all checked before any work is done."""
    check_optimisation(optimisation, sink)
    values = resolve_options(backend.options, given, sink)
    resolved = resolve_stage(stage, filename, sink)
    if resolved is not None and resolved not in backend.stages:
        sink.report(
            usage.STAGE_NOT_ON_TARGET,
            help=f"it has: {', '.join(backend.stages)}",
            target=backend.name,
            stage=resolved,
        )
    sink.raise_if_errors()
    assert resolved is not None
    return TargetOptions(resolved, optimisation, values)


def _glsl_stage(stage: str) -> Stage:
    return cast("Stage", glsl_stage(stage))
