"""One text, and what the front end finds in it: tokens, the typed tree as far as there is one, diagnostics.

In: any text, its name, its stage and the settings.  Out: an `Analysis`, which never changes; what is costly is made
when it is first asked for.  What the front end cannot parse is missing from the tree, and named by a diagnostic.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from glslc_multi.compiler.diagnostics import Diagnostic, DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.editor.highlight import Piece, pieces
from glslc_multi.frontends.glsl.ast import TranslationUnit
from glslc_multi.frontends.glsl.check import CheckedShader, require_complete
from glslc_multi.frontends.glsl.flow import warn_of_flow
from glslc_multi.frontends.glsl.frontend import examine_tokens
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.preprocess.includes import Includer
from glslc_multi.frontends.glsl.tokens import PreprocessedShader
from glslc_multi.lsp.macros import Macros
from glslc_multi.lsp.occurrences import Occurrences
from glslc_multi.lsp.positions import DEFAULT_ENCODING, Lines
from glslc_multi.lsp.settings import language_stage


class Analysis:
    """What is known of one text."""

    def __init__(
        self,
        text: str,
        filename: str,
        stage: str | None,
        options: FrontEndOptions,
        encoding: str = DEFAULT_ENCODING,
    ) -> None:
        self.file = SourceFile(filename, text)
        self.lines = Lines(text, encoding)
        #: None where neither name nor text nor settings tell: such a file may be a part of a shader.
        self.known_stage = stage
        self.stage = language_stage(stage)
        self.options = options
        sink = DiagnosticSink(max_errors=0)
        self.shader = self._preprocess(sink)
        self.checked = self._check(sink)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sink.diagnostics)

    def _preprocess(self, sink: DiagnosticSink) -> PreprocessedShader:
        options = self.options
        return preprocess(
            self.file,
            stage=self.stage if self.known_stage else None,
            defines=options.defines,
            undefines=options.undefines,
            include_dirs=options.include_dirs,
            std=options.std,
            compat=options.compat,
            sink=sink,
        )

    def _check(self, sink: DiagnosticSink) -> CheckedShader | None:
        """The typed tree, in the order of the driver: what is incomplete is said of whole shaders without mistakes."""
        checked = examine_tokens(self.shader, stage=self.stage, annotates_damaged=True, sink=sink)
        if checked is None or sink.error_count:
            return checked
        if self.known_stage is not None:
            require_complete(checked, sink)
        if not sink.error_count:
            warn_of_flow(checked, sink)
        return checked

    # ------------------------------------------------------------------------------ the text and its parts
    @property
    def text(self) -> str:
        return self.file.text

    @property
    def filename(self) -> str:
        return self.file.name

    @property
    def language(self) -> Language:
        return self.shader.language

    @property
    def unit(self) -> TranslationUnit | None:
        return None if self.checked is None else self.checked.unit

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    @property
    def is_compilable(self) -> bool:
        """Whether there is something to ask targets about."""
        return self.known_stage is not None and self.checked is not None and not self.has_errors

    @cached_property
    def pieces(self) -> list[Piece]:
        """The text as it is written, whatever the preprocessor leaves of it."""
        return list(pieces(self.text, self.language.number))

    @cached_property
    def occurrences(self) -> Occurrences:
        return Occurrences(self.unit, self.shader.tokens)

    @cached_property
    def macros(self) -> Macros:
        return Macros([self.file, *self.included_files])

    @cached_property
    def included_files(self) -> list[SourceFile]:
        """The files that the text includes, in the order in which they were read."""
        known = {file.name: file for file in self.shader.tokens.files if file is not self.file}
        return [known.get(name) or _read(name) for name in self.shader.dependencies]

    def lines_of(self, file: SourceFile) -> Lines:
        return self.lines if file is self.file else Lines(file.text, self.lines.encoding)

    def find_include(self, name: str, quoted: bool) -> str | None:
        """The path of the file that an `#include` of this name means."""
        includer = Includer(self.options.include_dirs, DiagnosticSink(max_errors=0))
        includer.enter(self.file)
        included = includer.open(name, quoted=quoted, includer=self.file, place=Span(self.file, 1, 1, 1, 1))
        return None if included is None else included.name


def _read(name: str) -> SourceFile:
    """A file that has only directives, so that no token knows it; empty where it has gone."""
    try:
        return SourceFile(name, Path(name).read_bytes().decode("utf-8", "replace"))
    except OSError:
        return SourceFile(name)
