"""The GLSL parser: `parse` turns preprocessed tokens into a syntax tree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from compiler.collector import collector_paused
from frontends.glsl.limits import RECURSION_LIMIT

if TYPE_CHECKING:
    from compiler.diagnostics import DiagnosticSink
    from frontends.glsl.ast import TranslationUnit
    from frontends.glsl.tokens import PreprocessedShader


def parse(shader: PreprocessedShader, sink: DiagnosticSink, stage: str = "") -> TranslationUnit:
    """The syntax tree of a whole shader.

    Syntax errors are reported to `sink`, several in one run; what could not be parsed is missing from the tree, and
    `damage` says where.
    """
    # pyparsing takes long to import, so only those who parse pay for it.
    from frontends.glsl.grammar.alphabet import stand_in
    from frontends.glsl.grammar.renamed import renamed_qualifiers
    from frontends.glsl.grammar.rules import translation_unit

    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    with collector_paused():
        qualifiers = renamed_qualifiers(shader, sink, stage) if "reserved" in shader.tokens.kinds else frozenset()
        text = stand_in(shader.tokens, sink, shader.recovery, shader.language, stage, qualifiers)
        unit: TranslationUnit = translation_unit.parse_string(text)[0]
    return unit
