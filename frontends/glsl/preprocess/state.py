"""What preprocessing a shader has found so far: directives change it, the main loop (`processor`) reads it."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.limits import TOKEN_LIMIT
from glslc_multi.frontends.glsl.preprocess.conditionals import Conditionals
from glslc_multi.frontends.glsl.preprocess.expand import Expander
from glslc_multi.frontends.glsl.preprocess.includes import Includer
from glslc_multi.frontends.glsl.preprocess.macros import Macro, Token, predefined_macro
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.tokens import Dialect, PreprocessedShader, TokenStream

#: Macros of GLSL ES.
_ES_MACROS = ("GL_ES", "GL_FRAGMENT_PRECISION_HIGH")


class State:
    """The state of preprocessing one shader."""

    def __init__(
        self,
        stage: Stage | None,
        dialect: Dialect,
        language: Language,
        include_dirs: Sequence[str],
        sink: DiagnosticSink,
    ) -> None:
        self.stage = stage
        self.dialect: Dialect = dialect
        self.sink = sink
        self.shader = PreprocessedShader(TokenStream(), language)
        self.macros: dict[str, Macro] = {}
        self.expander = Expander(self.macros, language, sink)
        self.includer = Includer(include_dirs, sink)
        self.conditionals = Conditionals(sink)
        #: How many more tokens may be read.
        self.room = TOKEN_LIMIT
        #: No directive or token was met yet, so `#version` may come.
        self.at_start = True
        #: A macro use whose arguments go on after a directive.
        self.unfinished: list[Token] = []

    @property
    def has_text(self) -> bool:
        """Some token that is not part of a directive was met."""
        return len(self.shader.tokens) > 0 or bool(self.unfinished)

    def predefine_all(self) -> None:
        """The macros of section 3.4; GL_FRAGMENT_PRECISION_HIGH as section 4.5.4 has it, in both stages."""
        for name in ("__LINE__", "__FILE__"):
            self.predefine(name, "0")
        self.macros["__LINE__"].computed = "line"
        self.macros["__FILE__"].computed = "file"
        language = self.shader.language
        self.predefine("__VERSION__", str(language.number))
        for name in _macros_of(language):
            self.predefine(name, "1")

    def predefine(self, name: str, text: str) -> None:
        self.macros[name] = predefined_macro(name, text)


def _macros_of(language: Language) -> tuple[str, ...]:
    """The macros that tell which language it is."""
    if language.is_es:
        return _ES_MACROS
    profiles = ("GL_core_profile", "GL_compatibility_profile")[: 1 + language.compat]
    return (
        *(["GL_FRAGMENT_PRECISION_HIGH"] if language.is_one_of("130-") else ()),
        *(profiles if language.is_one_of("150-") else ()),
    )
