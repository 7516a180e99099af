"""The front end in order: preprocess, parse, check, warn, lower.

After most errors of the preprocessor parser and checker go on, so that one run tells of all mistakes; only a shader
without any is lowered.  Any text ends in a module or in diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, cast

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile
from glslc_multi.compiler.frontend import FrontEnd, FrontEndOptions, Prepared, Source
from glslc_multi.frontends.glsl.language.versions import STANDARDS

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.frontends.glsl.check import CheckedShader
    from glslc_multi.frontends.glsl.symbols import Stage
    from glslc_multi.frontends.glsl.tokens import Dialect, PreprocessedShader


class Glsl(FrontEnd):
    """GLSL ES 1.00 and 3.00, and desktop GLSL 1.10 to 3.30."""

    name = "glsl"
    description = "GLSL ES 1.00 and 3.00 (OpenGL ES, WebGL), desktop GLSL 1.10 to 3.30"
    stage_of_suffix: ClassVar[Mapping[str, str]] = {
        ".vert": "vertex",
        ".vs": "vertex",
        ".vsh": "vertex",
        ".frag": "fragment",
        ".fs": "fragment",
        ".fsh": "fragment",
        ".geom": "geometry",
        ".gs": "geometry",
    }

    standards = tuple(STANDARDS)

    def prepare(self, source: Source, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
        from glslc_multi.frontends.glsl.preprocess import preprocess

        shader = preprocess(
            SourceFile(source.filename, source.text),
            stage=None if stage is None else _language_stage(stage),
            defines=options.defines,
            undefines=options.undefines,
            include_dirs=options.include_dirs,
            std=options.std,
            compat=options.compat,
            sink=sink,
        )
        return Prepared(source, shader, shader.dependencies)

    def print_prepared(self, prepared: Prepared) -> str:
        from glslc_multi.frontends.glsl.preprocess import print_tokens

        return print_tokens(prepared.content)

    def version_of(self, prepared: Prepared) -> int:
        shader: PreprocessedShader = prepared.content
        return shader.language.number

    def identity(self, prepared: Prepared) -> object:
        shader: PreprocessedShader = prepared.content
        pragmas = [text for text, _ in shader.pragmas]
        return shader.language, shader.extensions, pragmas, shader.all_invariant, shader.tokens.texts

    def lower(self, prepared: Prepared, stage: str, sink: DiagnosticSink) -> Module:
        filename = prepared.source.filename
        return compile_tokens(prepared.content, filename=filename, stage=_language_stage(stage), sink=sink)


FRONT_END = Glsl()


def _language_stage(stage: str) -> Stage:
    """The stage by whose rules a shader is read: a coordinate shader is a vertex shader that leaves its position."""
    return cast("Stage", "vertex" if stage == "coordinate" else stage)


def compile_tokens(tokens: PreprocessedShader, *, filename: str, stage: Stage, sink: DiagnosticSink) -> Module:
    """The IR of a shader that was preprocessed with the same `sink`; raises `CompileError` where it has errors."""
    from glslc_multi.frontends.glsl.check import require_complete
    from glslc_multi.frontends.glsl.flow import warn_of_flow
    from glslc_multi.frontends.glsl.lower import lower

    checked = check_tokens(tokens, stage=stage, sink=sink)
    require_complete(checked, sink)
    sink.raise_if_errors()
    warn_of_flow(checked, sink)
    sink.raise_if_errors()
    assert checked.main is not None
    return lower(checked, checked.main, sink, filename)


def check_tokens(
    tokens: PreprocessedShader, *, stage: Stage, dialect: Dialect = "essl100", sink: DiagnosticSink
) -> CheckedShader:
    """Return the typed syntax tree, which need not have a `main`; raises `CompileError` where there are errors."""
    checked = examine_tokens(tokens, stage=stage, dialect=dialect, sink=sink)
    sink.raise_if_errors()
    assert checked is not None, "without errors there is a tree"
    return checked


def examine_tokens(
    tokens: PreprocessedShader,
    *,
    stage: Stage,
    dialect: Dialect = "essl100",
    annotates_damaged: bool = False,
    sink: DiagnosticSink,
) -> CheckedShader | None:
    """The same, as far as there is a tree, however many errors there are."""
    from glslc_multi.frontends.glsl.check import check
    from glslc_multi.frontends.glsl.parser import parse

    kept = len(sink.diagnostics)
    checked = None
    # A sink may stop the work after so many errors.
    with suppress(CompileError):
        if not tokens.recovery.is_hopeless:
            # What could be parsed is checked even after other errors, so that one run tells of all mistakes.
            unit = parse(tokens, sink, stage)
            checked = check(unit, tokens, stage, sink, dialect, annotates_damaged=annotates_damaged)
    if sink.error_count:
        from glslc_multi.frontends.glsl.missing_version import report_missing_version

        report_missing_version(tokens, stage, sink, kept)
    return checked
