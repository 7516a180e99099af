"""The GLSL parser: `parse` turns preprocessed tokens into a syntax tree, by recursive descent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from glslc_multi.compiler.collector import collector_paused
from glslc_multi.frontends.glsl.limits import RECURSION_LIMIT

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.frontends.glsl.ast import TranslationUnit
    from glslc_multi.frontends.glsl.tokens import PreprocessedShader


def parse(shader: PreprocessedShader, sink: DiagnosticSink, stage: str = "") -> TranslationUnit:
    """Return the syntax tree of a whole shader.

    Syntax errors are reported to `sink`, several in one run; what could not be parsed is missing from the tree, and
    `damage` says where.
    """
    from glslc_multi.frontends.glsl.parser.statements import Parser

    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    with collector_paused():
        return Parser(shader, sink, stage).translation_unit()
