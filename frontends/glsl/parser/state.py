"""What a parser knows and remembers."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.frontends.glsl.parser.renamed import renamed_qualifiers
from glslc_multi.frontends.glsl.parser.terminals import END, QUALIFIER, terminal_of
from glslc_multi.frontends.glsl.tokens import PreprocessedShader


class ParserState:
    """The tokens of one shader, of which `at` is the next, and what parsing them has to remember."""

    def __init__(self, shader: PreprocessedShader, sink: DiagnosticSink, stage: str = "") -> None:
        self.tokens = shader.tokens
        self.language = shader.language
        #: What the preprocessor left out or replaced.
        self.recovery = shader.recovery
        self.sink = sink
        #: "" where it is not known.
        self.stage = stage
        #: With another end behind the end, so that there is always a next but one.
        self.terminals = [*map(terminal_of, self.tokens.kinds, self.tokens.texts), END]
        if "reserved" in self.tokens.kinds:
            for index in renamed_qualifiers(shader, sink, stage):
                self.terminals[index] = QUALIFIER
        self.at = 0
        #: Levels of brackets, conditional operators and blocks around the next token.
        self.nesting = 0
        #: Operators of the expression so far: the bound on the height of its tree.
        self.operators = 0
        #: `else if` branches of the function so far.
        self.branches = 0
        #: A global declaration failed, and no function was complete since.
        self.adrift = False
        #: Where parsing failed, and left out something.
        self.damage: list[Span] = []
