"""A shader without `#version` is GLSL ES 1.00; where it surely is not, one error says which version to write.

Sure signs are what GLSL ES 1.00 cannot have: `in` and `out` of globals, uniform blocks, and names of the fixed-function
pipeline.  Texts with such signs would give an error for almost every line.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.diagnostics import DiagnosticSink, Fix, Span
from compiler.diagnostics.catalogue import preprocess as messages
from frontends.glsl import fixed_function
from frontends.glsl.symbols import Stage
from frontends.glsl.tokens import PreprocessedShader, TokenStream

_INTERFACE_WORDS = ("in", "out")
_PRECISIONS = frozenset(("precision", "lowp", "mediump", "highp"))
#: What to add to the help.
_MORE = {"300 es": "; desktop GLSL is '#version 330'", "120": ", and with --compat"}
#: What stands before `in` and `out` of a global: the end of a declaration, or another qualifier.
_BEFORE_GLOBALS = (";", "}", ")", "flat", "smooth", "centroid", "invariant")


def report_missing_version(shader: PreprocessedShader, stage: Stage, sink: DiagnosticSink) -> bool:
    """Whether the text names no version and is not of the one that it is taken for, which is reported."""
    file = shader.unversioned
    if file is None:
        return False
    words = set(shader.tokens.texts)
    version = "330" if stage == "fragment" and _PRECISIONS.isdisjoint(words) else "300 es"
    position = _modern_sign(shader.tokens, words)
    if position is None:
        position, version = _fixed_function_sign(shader.tokens, words, stage), "120"
    if position is None:
        return False
    option = f"--std {version.replace(' ', '')}"
    help = f"write '#version {version}' as the first line, or compile with {option}{_MORE.get(version, '')}"
    fix = Fix(Span(file, 1, 1, 1, 1), f"#version {version}\n")
    word = shader.tokens.texts[position]
    sink.report(messages.MISSING_VERSION, shader.tokens.span(position), help=help, fixes=[fix], word=word)
    return True


def _modern_sign(tokens: TokenStream, words: set[str]) -> int | None:
    """The first token that GLSL ES 3.00 or desktop GLSL has at global level, and GLSL ES 1.00 has not."""
    found = [
        *(_first(tokens, word, _declares_global) for word in _INTERFACE_WORDS if word in words),
        *(_first(tokens, word, _begins_block) for word in ("uniform",) if word in words),
    ]
    return min((position for position in found if position is not None), default=None)


def _first(tokens: TokenStream, word: str, is_sign: Callable[[TokenStream, int], bool]) -> int | None:
    """The first place of `word` that is a sign."""
    position = -1
    for _ in range(tokens.texts.count(word)):
        position = tokens.texts.index(word, position + 1)
        if is_sign(tokens, position):
            return position
    return None


def _declares_global(tokens: TokenStream, position: int) -> bool:
    """Whether `in` or `out` begins a declaration: that of a parameter follows a bracket, a comma or `const`."""
    begins = position == 0 or tokens.texts[position - 1] in _BEFORE_GLOBALS
    return begins and tokens.kinds[position + 1] in ("identifier", "keyword")


def _begins_block(tokens: TokenStream, position: int) -> bool:
    return tokens.kinds[position + 1] == "identifier" and tokens.texts[position + 2] == "{"


def _fixed_function_sign(tokens: TokenStream, words: set[str], stage: Stage) -> int | None:
    found = fixed_function.names(stage) & words
    return min(map(tokens.texts.index, found), default=None)
