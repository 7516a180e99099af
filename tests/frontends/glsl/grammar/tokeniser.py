"""Tokens straight from text, so that tests of the parser do not depend on the preprocessor."""

from __future__ import annotations

import re

from compiler.diagnostics import DiagnosticSink, SourceFile
from frontends.glsl import ast
from frontends.glsl.grammar import parse
from frontends.glsl.tokens import PreprocessedShader, TokenKind, TokenStream

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)"
    r"|(?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)"
    r"|(?P<int>0[xX][0-9a-fA-F]+|\d+)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<operator><<=|>>=|[-+*/%<>=!&^|]=|\+\+|--|<<|>>|&&|\|\||\^\^|[-+*/%<>=!&^|~?:;,.(){}\[\]])",
    re.DOTALL,
)
_KEYWORDS = frozenset(
    "attribute const uniform varying break continue do for while if else in out inout float int void bool true false "
    "lowp mediump highp precision invariant discard return mat2 mat3 mat4 vec2 vec3 vec4 ivec2 ivec3 ivec4 "
    "bvec2 bvec3 bvec4 sampler2D samplerCube struct".split()
)
_RESERVED = frozenset("asm class double switch default goto input output template half cast".split())


def tokenise(source: str, name: str = "test.frag") -> TokenStream:
    """The tokens of `source`; directives are skipped like comments."""
    stream, file = TokenStream(), SourceFile(name, source)
    for match in _TOKEN.finditer(source):
        kind, text = match.lastgroup, match.group()
        if kind != "space":
            word_kind: TokenKind = "keyword" if text in _KEYWORDS else "reserved" if text in _RESERVED else "identifier"
            _append(stream, file, word_kind if kind == "word" else kind, text, match.start())  # type: ignore[arg-type]
    _append(stream, file, "end", "", len(source))
    return stream


def _append(stream: TokenStream, file: SourceFile, kind: TokenKind, text: str, offset: int) -> None:
    stream.kinds.append(kind)
    stream.texts.append(text)
    stream.files.append(file)
    stream.lines.append(file.text.count("\n", 0, offset) + 1)
    stream.columns.append(offset - file.text.rfind("\n", 0, offset))
    stream.widths.append(len(text))


def parse_text(source: str) -> tuple[ast.TranslationUnit, DiagnosticSink]:
    """The tree of `source`, and what the parser reported."""
    sink = DiagnosticSink()
    return parse(PreprocessedShader(tokenise(source)), sink), sink
