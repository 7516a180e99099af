"""Damaged shaders: whatever the tokens, the parser ends with a tree and messages."""

from __future__ import annotations

import random
from typing import Any

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.sink import TooManyErrors
from glslc_multi.frontends.glsl.parser import parse
from glslc_multi.frontends.glsl.tokens import PreprocessedShader, TokenStream
from glslc_multi.frontends.glsl.walk import walk
from tests.frontends.glsl.parser.sources import tokenise

SHADER = """
precision mediump float;
uniform layout(location = 3) vec4 colours[4];
struct Light { vec3 position, colour; struct { float near; } range[2]; } light;
invariant varying highp vec2 place;
invariant place;
const float half_pi = 1.57, pi = 2.0 * half_pi;
float shade(void);
float dim(in float x, const in Light y, inout vec3 z[3]) { return x * y.position.x + z[0].x; }
void main() {
  for (int i = 0; i < 3; i++) { if (half_pi > 1.0) continue; else if (true) { break; } else discard; }
  while (bool again = shade() < 1.0) ;
  do { ; } while (!(pi < 2.0 && light.range[1].near >= 1e-3));
  vec3 list[3];
  gl_FragColor = place.x > 0.5 ? colours[1] : vec4(-place.yx, 0.25, dim(1.0, light, list)), list[0] *= 2.0;
  return;
}
"""
#: Tokens that may replace others.
_KINDS = (
    "int x = y ? a . b ( ) [ ] { } ; , if else for while do return struct const precision highp 1.0 % ~ void"
).split()


def _lists(stream: TokenStream) -> list[list[Any]]:
    return [stream.kinds, stream.texts, stream.files, stream.lines, stream.columns, stream.widths]


def _copy(stream: TokenStream) -> TokenStream:
    kinds, texts, files, lines, columns, widths = map(list, _lists(stream))
    return TokenStream(kinds, texts, files, lines, columns, widths)


def _delete(stream: TokenStream, first: int, end: int) -> None:
    for values in _lists(stream):
        del values[first:end]


def _double(stream: TokenStream, index: int) -> None:
    for values in _lists(stream):
        values.insert(index, values[index])


def _replace(stream: TokenStream, index: int, text: str) -> None:
    other = tokenise(text)
    stream.kinds[index], stream.texts[index] = other.kinds[0], other.texts[0]


def _parse(stream: TokenStream) -> DiagnosticSink:
    sink = DiagnosticSink()
    try:
        unit = parse(PreprocessedShader(stream), sink)
    except TooManyErrors:
        return sink
    assert sum(1 for _ in walk(unit)) > 0
    return sink


def test_the_shader_itself_is_valid() -> None:
    assert _parse(tokenise(SHADER)).diagnostics == []


def test_every_single_deletion() -> None:
    whole = tokenise(SHADER)
    for index in range(len(whole) - 1):
        stream = _copy(whole)
        _delete(stream, index, index + 1)
        messages = [diagnostic.message for diagnostic in _parse(stream).diagnostics]
        assert len(messages) <= 3, (index, whole.texts[index], messages)


def test_every_single_doubling() -> None:
    whole = tokenise(SHADER)
    for index in range(len(whole) - 1):
        stream = _copy(whole)
        _double(stream, index)
        messages = [diagnostic.message for diagnostic in _parse(stream).diagnostics]
        assert len(messages) <= 3, (index, whole.texts[index], messages)


def test_every_truncation() -> None:
    whole = tokenise(SHADER)
    for end in range(len(whole) - 1):
        stream = _copy(whole)
        _delete(stream, end, len(stream) - 1)
        assert len(_parse(stream).diagnostics) <= 1


@pytest.mark.parametrize("seed", range(60))
def test_heavy_damage(seed: int) -> None:
    choose = random.Random(seed)
    stream = tokenise(SHADER)
    for _ in range(choose.randint(2, 40)):
        index = choose.randrange(len(stream) - 1)
        damage = choose.randrange(3)
        if damage == 0:
            _delete(stream, index, index + 1)
        elif damage == 1:
            _double(stream, index)
        else:
            _replace(stream, index, choose.choice(_KINDS))
    for diagnostic in _parse(stream).diagnostics:
        assert diagnostic.span is not None
