"""The layout of texts: by hand, and over all shaders that nothing but blanks changes."""

from __future__ import annotations

import re

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.editor import layout
from glslc_multi.editor.layout import laid_out
from glslc_multi.frontends.glsl.preprocess import preprocess
from tests.glslc_multi.editor.test_highlight import FILES

BEFORE = """#version 300 es
precision highp float;uniform float a[ 3 ];
struct L{vec3 p ;float  q;} ;
#define  SQ( x )  ((x)*(x))
/* a
     block */
float f(float x,float y)
{
if(x<0.)return -x; // note
    else if (x > - 1.0)
  return x*-y;
for(int i=0;i<3;i++){x+=a [i];--x;}
#ifdef FOO
 if (x==1.) {
#else
 {
#endif
 x= y>1.0?x:y ;
}
switch(int(x)){
case 1:x=2.;break;
default :
x++ ;
}
vec4 v=vec4(1.0,
2.0
).xyzw;
 return SQ (x).x;/* c */ }
"""
AFTER = """#version 300 es
precision highp float; uniform float a[3];
struct L { vec3 p; float q; };
#define  SQ( x )  ((x)*(x))
/* a
     block */
float f(float x, float y)
{
    if (x < 0.) return -x; // note
    else if (x > -1.0)
        return x * -y;
    for (int i = 0; i < 3; i++) { x += a[i]; --x; }
#ifdef FOO
    if (x == 1.) {
#else
    {
#endif
        x = y > 1.0 ? x : y;
    }
    switch (int(x)) {
    case 1: x = 2.; break;
    default:
        x++;
    }
    vec4 v = vec4(1.0,
        2.0
    ).xyzw;
    return SQ(x).x; /* c */ }
"""


def test_by_hand() -> None:
    assert laid_out(BEFORE) == AFTER.split("\n")


@pytest.mark.parametrize("word", ["uniform", "return", "float", "sin", "place", "gl_Position", "cast", "true"])
def test_a_word_stands_apart_from_a_comment(word: str) -> None:
    """A qualifier, a keyword, a type, a function, names, a reserved word, a constant."""
    assert laid_out(f"/* c */{word}") == [f"/* c */ {word}"]


def test_what_stands_behind_a_comment_of_several_lines_counts() -> None:
    assert laid_out("void f()\n/* a\n b */ {\nx;\n/* { c\n*/ }\ny;\n") == [
        *("void f()", "/* a", " b */ {", "    x;", "    /* { c", "*/ }", "y;", "")
    ]


@pytest.mark.parametrize("text", ["float a = 1.0; \\\nfloat b;\n", "#define A /* x\n*/ 1\n"])
def test_what_is_not_safe_stays(text: str) -> None:
    assert laid_out(text) is None


@pytest.mark.parametrize(
    "text", ["a - -b", "a + ++b", "1. .x", "a / *b", "x = - - y;", "// x\\ \nint a;", "}}}}", "))((", "\0"]
)
def test_no_token_is_joined_or_divided(text: str) -> None:
    new = laid_out(text)
    assert new is None or _tokens("\n".join(new)) == _tokens(text)


@pytest.mark.parametrize("path", FILES[::8], ids=lambda path: path.name)
def test_tokens_and_comments_stay(path: object) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    new = laid_out(text)
    if new is None:
        return
    assert _tokens("\n".join(new)) == _tokens(text)
    assert re.sub(r"\s", "", "\n".join(new)) == re.sub(r"\s", "", text)
    assert laid_out("\n".join(new)) == new


def _tokens(text: str) -> object:
    """What the compiler reads, with its lines."""
    shader = preprocess(SourceFile("a.frag", text), stage="fragment", sink=DiagnosticSink(max_errors=0))
    return shader.tokens.texts, shader.tokens.lines[:-1]


def test_a_fault_in_the_spacing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "_would_join", lambda before, after: False)
    monkeypatch.setattr(layout._Writer, "_is_spaced", lambda *_: False)
    assert laid_out("float a;\n") is None
