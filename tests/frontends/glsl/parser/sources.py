"""From text to tokens and trees, in a line."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.parser import parse
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.tokens import PreprocessedShader, TokenStream


def tokenise(source: str) -> TokenStream:
    """The tokens of `source`."""
    return _preprocess(source).tokens


def parse_text(source: str) -> tuple[ast.TranslationUnit, DiagnosticSink]:
    """The tree of `source`, and what the parser reported."""
    sink = DiagnosticSink()
    return parse(_preprocess(source), sink), sink


def _preprocess(source: str) -> PreprocessedShader:
    sink = DiagnosticSink()
    return preprocess(SourceFile("test.frag", source), stage="fragment", defines={}, include_dirs=(), sink=sink)
