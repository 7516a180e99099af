"""Where tokens stand: in the text of the user, with the chain of macros."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.render import render
from tests.frontends.glsl.preprocess.support import accepted, run


def place(source: str, text: str) -> tuple[str, list[tuple[str, str]]]:
    """The quoted source of the first token `text`, and the macros it came out of with the text quoted there."""
    stream = accepted(source).tokens
    span = stream.span(stream.texts.index(text))
    lines = source.split("\n")
    quoted = lines[span.line - 1][span.column - 1 : span.end_column - 1]
    origins = [
        (origin.name, lines[origin.span.line - 1][origin.span.column - 1 : origin.span.end_column - 1])
        for origin in span.origins()
    ]
    return quoted, origins


def test_plain_tokens() -> None:
    assert place("a\n  bcd", "bcd") == ("bcd", [])


def test_a_macros_text_stands_at_the_use() -> None:
    assert place("#define WIDTH w * 2\nx = WIDTH;", "w") == ("WIDTH", [("WIDTH", "w")])


def test_arguments_keep_their_place() -> None:
    assert place("#define SQ(x) ((x) * (x))\ny = SQ(foo);", "foo") == ("foo", [])


def test_nested_macros_are_shown_from_the_outermost_to_the_innermost() -> None:
    source = "#define IN(a) (a + b)\n#define OUT(a) IN(a)\nx = OUT(c);"
    assert place(source, "b") == ("OUT", [("OUT", "IN"), ("IN", "b")])
    assert place(source, "c") == ("c", [])


def test_a_macro_in_an_argument_stands_in_the_argument() -> None:
    assert place("#define N n\n#define F(a) f(a)\nF(N)", "n") == ("N", [("N", "n")])


def test_ranges_of_tokens() -> None:
    stream = accepted("#define E 1 +\na = E b;").tokens
    span = stream.span_from(0, 5)
    assert (span.line, span.column, span.end_column) == (2, 1, 9)


def test_a_message_shows_use_and_definition() -> None:
    _, diagnostics = run("#define HALF(x) (x * 0.5f)\nfloat a = HALF(b);\n")
    assert render(diagnostics, "text") == (
        "a.frag:2:11: error: GLSL ES 1.00 has no number suffix 'f' [E0104]\n"
        "   2 | float a = HALF(b);\n"
        "     |           ^^^^\n"
        "a.frag:1:22: note: in expansion of macro 'HALF'\n"
        "   1 | #define HALF(x) (x * 0.5f)\n"
        "     |                      ^^^^\n"
        "help: write '0.5'\n"
    )
