"""The GLSL preprocessor: `preprocess` turns a source file into the tokens that the parser reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl.language.versions import language_of, version_line
from glslc_multi.frontends.glsl.preprocess.expand import PreprocessingStopped
from glslc_multi.frontends.glsl.preprocess.output import print_tokens
from glslc_multi.frontends.glsl.preprocess.processor import Preprocessor
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.tokens import Dialect, PreprocessedShader

__all__ = ["preprocess", "print_tokens"]


def preprocess(
    file: SourceFile,
    *,
    stage: Stage | None = None,
    defines: Mapping[str, str] | None = None,
    undefines: Iterable[str] = (),
    include_dirs: Sequence[str] = (),
    dialect: Dialect = "essl100",
    std: str = "",
    compat: bool = False,
    sink: DiagnosticSink,
) -> PreprocessedShader:
    """The tokens of `file` after all directives and macros (GLSL ES 1.00 sections 3.1 to 3.7).

    Mistakes are reported to `sink`, several in one run; `recovery` of the result says what the tokens are worth then.
    `defines` and `undefines` act like directives before the first line, `stage` is compared with
    `#pragma shader_stage`.  `std` is the version of a text that does not say its own, as after `--std`.
    """
    preprocessor = Preprocessor(stage, dialect, language_of(file.text, std, compat), include_dirs, sink)
    try:
        preprocessor.predefine_all()
        preprocessor.run_command_line(defines or {}, undefines)
        preprocessor.run(file)
    except PreprocessingStopped:
        pass  # It has been reported.
    shader = preprocessor.finish(file)
    if not std and version_line(file.text) is None:
        shader.unversioned = file
    if sink.error_count:
        from glslc_multi.frontends.glsl.preprocess.recovery import recovery_from

        shader.recovery = recovery_from(sink.diagnostics, preprocessor.expander.broken)
    return shader
