"""Helpers of the preprocessor's tests: run it on a text, show what came out as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from glslc_multi.compiler.diagnostics import Diagnostic, DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.tokens import Dialect, PreprocessedShader


def run(
    source: str,
    *,
    name: str = "a.frag",
    stage: Stage | None = None,
    defines: Mapping[str, str] | None = None,
    undefines: Iterable[str] = (),
    include_dirs: Sequence[str] = (),
    dialect: Dialect = "essl100",
    std: str = "",
    compat: bool = False,
) -> tuple[PreprocessedShader, list[Diagnostic]]:
    """The result and everything that was reported."""
    sink = DiagnosticSink(max_errors=1_000_000)
    shader = preprocess(
        SourceFile(name, source),
        stage=stage,
        defines=defines or {},
        undefines=undefines,
        include_dirs=include_dirs,
        dialect=dialect,
        std=std,
        compat=compat,
        sink=sink,
    )
    return shader, sink.diagnostics


def accepted(source: str, **options: object) -> PreprocessedShader:
    """The result of a text about which there is nothing to say."""
    shader, diagnostics = run(source, **options)  # type: ignore[arg-type]
    assert [shown(each) for each in diagnostics] == []
    return shader


def text(source: str, **options: object) -> str:
    """The tokens of an accepted text, separated by spaces."""
    return " ".join(accepted(source, **options).tokens.texts[:-1])


def shown(diagnostic: Diagnostic) -> str:
    """`line:column-end: severity: message [code]`."""
    span = diagnostic.span
    assert span is not None
    end = span.end_column if span.end_line == span.line else f"{span.end_line}:{span.end_column}"
    return f"{span.line}:{span.column}-{end}: {diagnostic.severity}: {diagnostic.message} [{diagnostic.code}]"


def messages(source: str, **options: object) -> list[str]:
    """Everything reported about a text."""
    return [shown(each) for each in run(source, **options)[1]]  # type: ignore[arg-type]
