"""The front end in order: preprocess, parse, check, lower.

Errors of the preprocessor stop the compilation, as do those of parser and checker together; the steps before
lowering can be had on their own with `check_shader`.  Any text ends in a module or in diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from compiler.diagnostics import DiagnosticSink, SourceFile
from frontends.glsl.check import CheckedShader, check, require_complete

if TYPE_CHECKING:
    from compiler.ir.module import Module
    from frontends.glsl.symbols import Stage
    from frontends.glsl.tokens import Dialect, PreprocessedShader


def compile_shader(
    source: str,
    *,
    filename: str,
    stage: Stage,
    defines: Mapping[str, str] | None = None,
    undefines: Sequence[str] = (),
    include_dirs: Sequence[str] = (),
    dialect: Dialect = "essl100",
    sink: DiagnosticSink,
) -> Module:
    """The IR of one shader; raises `CompileError` where it has errors."""
    from frontends.glsl.preprocess import preprocess

    tokens = preprocess(
        SourceFile(filename, source),
        stage=stage,
        defines=defines,
        undefines=undefines,
        include_dirs=include_dirs,
        dialect=dialect,
        sink=sink,
    )
    return compile_tokens(tokens, filename=filename, stage=stage, dialect=dialect, sink=sink)


def compile_tokens(
    tokens: PreprocessedShader, *, filename: str, stage: Stage, dialect: Dialect = "essl100", sink: DiagnosticSink
) -> Module:
    """The IR of a shader that was preprocessed with the same `sink`; raises `CompileError` where it has errors."""
    from frontends.glsl.lower import lower

    checked = check_tokens(tokens, stage=stage, dialect=dialect, sink=sink)
    require_complete(checked, sink)
    sink.raise_if_errors()
    assert checked.main is not None
    module = lower(checked, checked.main, sink, filename)
    # Functions and their symbols know each other; without that the tree goes now, not when the collector comes.
    for function in checked.functions:
        function.definition = None
    return module


def check_shader(
    source: str,
    *,
    filename: str,
    stage: Stage,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str] = (),
    dialect: Dialect = "essl100",
    sink: DiagnosticSink,
) -> CheckedShader:
    """The typed syntax tree of one shader, which need not have a `main`; raises `CompileError` where it has errors."""
    from frontends.glsl.preprocess import preprocess

    tokens = preprocess(
        SourceFile(filename, source),
        stage=stage,
        defines=defines,
        include_dirs=include_dirs,
        dialect=dialect,
        sink=sink,
    )
    return check_tokens(tokens, stage=stage, dialect=dialect, sink=sink)


def check_tokens(
    tokens: PreprocessedShader, *, stage: Stage, dialect: Dialect = "essl100", sink: DiagnosticSink
) -> CheckedShader:
    """The same for a shader that was preprocessed with the same `sink`."""
    from compiler.diagnostics.catalogue.preprocess import EXTENSION_TOO_LATE
    from frontends.glsl.grammar import parse

    # A late #extension is obeyed all the same, so behind it the tokens are sound.
    if any(d.entry is not EXTENSION_TOO_LATE for d in sink.diagnostics if d.severity == "error"):
        sink.raise_if_errors()
    # What could be parsed is checked even after syntax errors, so that one run tells of all mistakes.
    checked = check(parse(tokens, sink), tokens, stage, sink, dialect)
    sink.raise_if_errors()
    return checked
