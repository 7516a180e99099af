"""A shader without `#version` is GLSL ES 1.00; where it surely is not, one error says which version to write.

Sure signs are what GLSL ES 1.00 cannot have: `in` and `out` of globals, uniform blocks, and names of the fixed-function
pipeline.  Such texts give an error for almost every line, so this is asked after errors alone, and takes their place.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink, Fix, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.frontends.glsl import fixed_function
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.tokens import PreprocessedShader, TokenStream

_INTERFACE_WORDS = frozenset(("in", "out", "uniform"))
_PRECISIONS = frozenset(("precision", "lowp", "mediump", "highp"))
#: What to add to the help.
_MORE = {"300 es": "; desktop GLSL is '#version 330'", "120": ", and with --compat"}
#: What stands before `in` and `out` of a global: the end of a declaration, or another qualifier.
_BEFORE_GLOBALS = (";", "}", ")", "flat", "smooth", "centroid", "invariant")


def report_missing_version(shader: PreprocessedShader, stage: Stage, sink: DiagnosticSink, kept: int) -> None:
    """Where the text names no version and is not of the one that it is taken for, report that.

    Of the diagnostics there were, only the first `kept` stay then.
    """
    file = shader.unversioned
    if file is None:
        return
    tokens = shader.tokens
    known = fixed_function.names(stage)
    candidates = [position for position, word in enumerate(tokens.texts) if word in _INTERFACE_WORDS or word in known]
    position = next((candidate for candidate in candidates if _is_modern(tokens, candidate)), None)
    if position is not None:
        version = "330" if stage == "fragment" and _PRECISIONS.isdisjoint(tokens.texts) else "300 es"
    else:
        position, version = next((each for each in candidates if tokens.texts[each] in known), None), "120"
    if position is None:
        return
    option = f"--std {version.replace(' ', '')}"
    help = f"write '#version {version}' as the first line, or compile with {option}{_MORE.get(version, '')}"
    fix = Fix(Span(file, 1, 1, 1, 1), f"#version {version}\n")
    sink.keep(kept)
    sink.report(messages.MISSING_VERSION, tokens.span(position), help=help, fixes=[fix], word=tokens.texts[position])


def _is_modern(tokens: TokenStream, position: int) -> bool:
    """Whether GLSL ES 3.00 or desktop GLSL has the token at global level, and GLSL ES 1.00 has not."""
    word = tokens.texts[position]
    if word == "uniform":
        return tokens.kinds[position + 1] == "identifier" and tokens.texts[position + 2] == "{"
    return word in _INTERFACE_WORDS and _declares_global(tokens, position)


def _declares_global(tokens: TokenStream, position: int) -> bool:
    """Whether `in` or `out` begins a declaration: that of a parameter follows a bracket, a comma or `const`."""
    begins = position == 0 or tokens.texts[position - 1] in _BEFORE_GLOBALS
    return begins and tokens.kinds[position + 1] in ("identifier", "keyword")
