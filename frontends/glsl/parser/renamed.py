"""Qualifiers of GLSL ES 1.00 in a text of GLSL ES 3.00: reported with the word to write, and read as what they were.

So that one run tells of all of them, and of the mistakes after them.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink, Fix
from glslc_multi.compiler.diagnostics.catalogue import syntax as messages
from glslc_multi.frontends.glsl.language.renames import QUALIFIERS, renamed_qualifier
from glslc_multi.frontends.glsl.tokens import PreprocessedShader

_WORDS = frozenset(word for word, _ in QUALIFIERS)
#: What may stand before a declaration, beside other qualifiers.
_BEFORE = frozenset(";}")


def renamed_qualifiers(shader: PreprocessedShader, sink: DiagnosticSink, stage: str) -> frozenset[int]:
    """The tokens that are such qualifiers, where a declaration begins."""
    tokens, language = shader.tokens, shader.language
    qualifiers = []
    for index, (kind, text) in enumerate(zip(tokens.kinds, tokens.texts, strict=True)):
        if kind != "reserved" or text not in _WORDS or not (index == 0 or tokens.texts[index - 1] in _BEFORE):
            continue
        new = renamed_qualifier(text, stage, language)
        if new is not None:
            span = tokens.span(index)
            help_, fixes = f"write '{new}'", [Fix(span, new)]
            sink.report(messages.RESERVED_WORD, span, help=help_, fixes=fixes, word=text, language=language.name)
            qualifiers.append(index)
    return frozenset(qualifiers)
