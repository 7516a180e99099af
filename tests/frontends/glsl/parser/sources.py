"""From text to tokens and trees, in a line."""

from __future__ import annotations

from compiler.diagnostics import DiagnosticSink, SourceFile
from frontends.glsl import ast
from frontends.glsl.parser import parse
from frontends.glsl.preprocess import preprocess
from frontends.glsl.tokens import PreprocessedShader, TokenStream


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
