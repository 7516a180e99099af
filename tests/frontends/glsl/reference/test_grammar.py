"""The parser accepts what the reference grammar accepts, and makes the same trees.

A sample by default; ten thousand texts with GLSLC_MULTI_ALL=1.
"""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyparsing import ParseException

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl.parser import parse
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.tokens import TokenStream
from tests.frontends.glsl.parser.shapes import unit_shape
from tests.frontends.glsl.reference import grammar
from tests.fuzz.grammar import write_shader
from tests.shared_data import PROJECT_ROOT

COUNT = 10_000 if os.environ.get("GLSLC_MULTI_ALL") == "1" else 240
_PARTS = 4
#: Of those that the grammar has written, one in so many stays as it is; in the others a few tokens are changed.
_WHOLE = 3
_EXAMPLES = sorted(path for path in (PROJECT_ROOT / "examples/shaders").iterdir() if path.suffix in (".vert", ".frag"))


def _tokens(text: str) -> TokenStream | None:
    """The tokens of a text; none where the preprocessor refuses it."""
    sink = DiagnosticSink()
    try:
        shader = preprocess(SourceFile("a.frag", text), stage="fragment", defines={}, include_dirs=(), sink=sink)
    except CompileError:
        return None
    return None if sink.error_count else shader.tokens


def _by_parser(words: str) -> str | None:
    """The tree of tokens with a blank between any two, as a text; none where there is an error."""
    sink = DiagnosticSink()
    source = SourceFile("a.frag", f"#version {grammar.VERSION}\n {words}")
    shader = preprocess(source, stage="fragment", defines={}, include_dirs=(), sink=sink)
    try:
        unit = parse(shader, sink)
    except CompileError:
        return None
    return None if sink.error_count else unit_shape(unit)


def _by_reference(words: str) -> str | None:
    try:
        (found,) = grammar.translation_unit.parse_string(words)
    except ParseException:
        return None
    return str(found)


def _check(text: str) -> bool | None:
    """Whether a text is valid, if both say the same of it; none where it has no tokens of this version."""
    given_tokens = _tokens(text)
    words = "" if given_tokens is None else " ".join(given_tokens.texts).strip()
    tokens = _tokens(f"#version {grammar.VERSION}\n {words}")
    if tokens is None or not words:
        return None
    expected = _by_reference(words)
    assert _by_parser(words) == expected, words
    return expected is not None


@pytest.mark.parametrize("part", range(_PARTS))
def test_written_and_damaged_texts(part: int) -> None:
    verdicts = []
    for seed in range(part, COUNT, _PARTS):
        random = Random(seed)
        words = write_shader(random, grammar.VERSION, 60).split(" ")
        for _ in range(random.choice((0, 1, 1, 2)) if seed % _WHOLE else 0):
            words[random.randrange(len(words))] = random.choice(words)
        verdicts.append(_check(" ".join(words)))
    assert verdicts.count(True) > COUNT // _PARTS // 8
    assert verdicts.count(False) > COUNT // _PARTS // 8


def test_examples() -> None:
    verdicts = [_check(path.read_text(encoding="utf-8")) for path in _EXAMPLES]
    assert verdicts.count(True) > 20
    assert False not in verdicts


#: What both are to read in the same way, and whether it is valid.
TEXTS = {
    "layout(std140) uniform;": True,
    "const layout(std140) uniform;": True,
    "uniform;": False,
    "invariant a, b;": True,
    "invariant S a;": False,
    "invariant out S a;": True,
    "invariant S f() { }": False,
    "S;": False,
    "const S;": True,
    "float;": True,
    "float, a;": True,
    "S[2] a;": True,
    "S[2];": False,
    "S[2], a;": False,
    "float[2];": True,
    "float(a);": False,
    "void f() { S[2]; S[2] a; S[2](a); S[a](b)[c]; (S)[2](a); }": False,
    "void f() { S[2]; S[2] a; S[2](a); S[a](b)[c]; }": True,
    "void f() { float[2] a; float[2](a, b); float a[2]; }": True,
    "void f() { float[2]; }": True,
    "void f() { float f(float); }": True,
    "void f() { float f(float) { } }": False,
    "void f() { if (a) if (b) c; else d; }": True,
    "void f() { for (;;) ; for (int i = 0; bool b = i < 2; i++) { } while (S a = b) ; }": True,
    "void f() { a ? b, c : d = e; a = b ? c : d; a + b = c; }": True,
    "void f() { a.length(); a.length; a[1].length(); (1).length(); }": True,
    "void f() { a.length(b); f(void); f(void[2](a)); }": False,
    "void f() { f(void); f(void[2](a)); }": True,
    "void f() { f(void a); }": False,
    "void f() { a++.b++; -+a; !-b; a- -b; - -a--; }": True,
    "struct { };": False,
    "struct A { struct B { float a; } b; } c, d[2];": True,
    "uniform A { float a; };": True,
    "A { float a; };": False,
    "uniform A { float a; } f();": False,
    "void f(void); void g(const in float a[2], out struct A { float a; } b);": True,
    "void f() { switch (a) { case 1: b; default: break; } }": True,
    "void f() { while (invariant float a = b) ; for (; layout(a) struct { int b; } c = d;) ; }": True,
    "void f() { while (float[2] a = b) ; while (float[2](a, b)[0]) ; while (a[1]) ; }": True,
    "void f() { while (float a) ; }": False,
    "void f() { discard; return; return a; continue; }": True,
    "void f() { vec3; }": True,
    "void f() { a = vec3; }": False,
    "layout(a = b, c) in layout(d) vec4 e;": True,
}


@pytest.mark.parametrize(("text", "is_valid"), TEXTS.items())
def test_texts(text: str, is_valid: bool) -> None:
    assert _check(f"#version {grammar.VERSION}\n{text}") == is_valid


# --- Expressions ------------------------------------------------------------------------------------------------------

_NAMES = st.sampled_from(
    ["a", "b", "1", "2.0", "true", "vec2(a)", "f()", "f(void)", "a.x", "a[1]", "a++", "S[2](a, b)", "vec2[](a)"]
)
_OPERATORS = st.sampled_from("+ - * / % == < && || ^^ & | ^ << , = += ?".split())


def _combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, _OPERATORS, inner).map(" ".join),
        st.tuples(st.sampled_from("- ! ~ ++ --".split()), inner).map(" ".join),
        st.tuples(inner, inner, inner).map(lambda parts: f"{parts[0]} ? {parts[1]} : {parts[2]}"),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"f({text})"),
        st.tuples(inner, st.sampled_from([".x", "[0]", "++", " .length()"])).map("".join),
    )


@given(st.recursive(_NAMES, _combine, max_leaves=8))
def test_expressions(text: str) -> None:
    assert _check(f"void f() {{ {text}; }}") is not False or "?" in text


@given(st.lists(st.sampled_from("a vec2 void 1 ( ) [ ] . length , ? : + - ++ = ! %".split()), max_size=10))
def test_any_tokens(words: list[str]) -> None:
    _check(f"void f() {{ {' '.join(words)}; }}")
