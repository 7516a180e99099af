"""The text of one shader to its typed syntax tree or its IR, by the steps of the front end."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.glsl.check import CheckedShader
from glslc_multi.frontends.glsl.frontend import check_tokens, compile_tokens
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.tokens import Dialect


def compile_shader(
    source: str,
    *,
    filename: str,
    stage: Stage,
    defines: Mapping[str, str] | None = None,
    compat: bool = False,
    sink: DiagnosticSink,
) -> Module:
    """The IR of one shader; raises `CompileError` where it has errors."""
    tokens = preprocess(SourceFile(filename, source), stage=stage, defines=defines, compat=compat, sink=sink)
    return compile_tokens(tokens, filename=filename, stage=stage, sink=sink)


def check_shader(
    source: str,
    *,
    filename: str,
    stage: Stage,
    dialect: Dialect = "essl100",
    std: str = "",
    compat: bool = False,
    sink: DiagnosticSink,
) -> CheckedShader:
    """The typed syntax tree of one shader, which need not have a `main`; raises `CompileError` where it has errors."""
    file = SourceFile(filename, source)
    tokens = preprocess(file, stage=stage, dialect=dialect, std=std, compat=compat, sink=sink)
    return check_tokens(tokens, stage=stage, dialect=dialect, sink=sink)
