"""Characters, comments, lines, words and numbers (GLSL ES 1.00 sections 3.1 to 3.7 and 4.1)."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl.language.versions import language_of
from glslc_multi.frontends.glsl.preprocess import preprocess, processor, state
from glslc_multi.frontends.glsl.preprocess.lexer import lex
from glslc_multi.frontends.glsl.tokens import TokenKind
from tests.frontends.glsl.preprocess.support import accepted, messages, run, text


def kinds(source: str) -> list[tuple[TokenKind, str]]:
    stream = accepted(source).tokens
    return list(zip(stream.kinds, stream.texts, strict=True))[:-1]


def test_kinds_of_words() -> None:
    assert kinds("foo vec2 true goto mat4x gl_Position _") == [
        ("identifier", "foo"),
        ("keyword", "vec2"),
        ("keyword", "true"),
        ("reserved", "goto"),
        ("identifier", "mat4x"),
        ("identifier", "gl_Position"),
        ("identifier", "_"),
    ]


@pytest.mark.parametrize("number", ["0", "1", "42", "017", "00", "0x1F", "0Xab", "2147483648"])
def test_ints(number: str) -> None:
    assert kinds(number) == [("int", number)]


@pytest.mark.parametrize("number", ["1.0", "1.", ".5", "1e3", "1E+3", "1.5e-3", ".5e2", "1.e2", "00.5", "08.5", "09e1"])
def test_floats(number: str) -> None:
    assert kinds(number) == [("float", number)]


def test_operators_are_as_long_as_possible() -> None:
    assert text("a+++b--c<<=d>>e^^f||g&&h!=i<=j") == "a ++ + b -- c <<= d >> e ^^ f || g && h != i <= j"
    assert text("a.b.x,c?d:e;~f%=1") == "a . b . x , c ? d : e ; ~ f %= 1"


def test_a_sign_belongs_to_a_number_only_after_a_decimal_exponent() -> None:
    assert text("1e+2+3 0xE+1 a.x+1") == "1e+2 + 3 0xE + 1 a . x + 1"


@pytest.mark.parametrize(
    ("source", "reason", "help"),
    [
        ("08", "'08' is not an octal number", "write '8' for a decimal number"),
        ("0x", "'0x' has no digits", None),
        ("1.0f", "GLSL ES 1.00 has no number suffix 'f'", "write '1.0'"),
        ("1.5e-3lf", "GLSL ES 1.00 has no number suffix 'lf'", "write '1.5e-3'"),
        ("12u", "GLSL ES 1.00 has no number suffix 'u'", "write '12'"),
        ("0xFFu", "GLSL ES 1.00 has no number suffix 'u'", "write '0xFF'"),
        ("12abc_4", "'12abc_4' is not a number", None),
        ("1.2.3", "'1.2.3' is not a number", None),
    ],
)
def test_malformed_numbers(source: str, reason: str, help: str | None) -> None:
    _, diagnostics = run(f"x = {source};")
    assert messages(f"x = {source};") == [f"1:5-{5 + len(source)}: error: {reason} [E0104]"]
    assert diagnostics[0].help == help


def test_malformed_numbers_reach_the_parser_as_numbers() -> None:
    assert run("1.0f 08")[0].tokens.kinds == ["float", "int", "end"]


def test_characters_outside_the_set() -> None:
    assert messages("a $ b\nfloat größe;\n\\ '") == [
        "1:3-4: error: character '$' is not allowed in a shader [E0101]",
        "2:9-11: error: character 'ö' (U+00F6) is not allowed in a shader [E0101]",
        "3:1-2: error: character '\\' is not allowed in a shader [E0101]",
        "3:3-4: error: character ''' is not allowed in a shader [E0101]",
    ]
    assert messages("a\0b\x7f") == [
        "1:2-3: error: character U+0000 is not allowed in a shader [E0101]",
        "1:4-5: error: character U+007F is not allowed in a shader [E0101]",
    ]


def test_comments_and_skipped_text_may_hold_any_character() -> None:
    assert text('a // größe $ " \\ \n/* 一 @ */ b') == "a b"
    assert text('#if 0\n$ " 08 ## 1.0f 一\n#$\n#"\n#endif\nb') == "b"


def test_comments_separate_tokens_and_do_not_nest() -> None:
    assert text("a/**/b /*/ c /*/ d /* /* */ e // */ /* f\ng") == "a b d e g"
    assert text("/* one\ntwo */ # /**/ define /* x\ny */ A /**/ 1 // z\nA") == "1"


def test_a_comment_must_end() -> None:
    assert messages("a\n  /* b\nc") == ["2:3-5: error: comment is not closed [E0102]"]
    assert messages("#if 1 /* b\n#endif") == [
        "1:7-9: error: comment is not closed [E0102]",
        "1:1-4: error: '#if' is not closed by '#endif' [E0122]",
    ]


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n"])
def test_line_breaks(line_break: str) -> None:
    source = line_break.join(["#define A 1", "/* x", "y */ A", "", "A __LINE__"])
    stream = accepted(source).tokens
    assert list(zip(stream.texts, stream.lines, stream.columns, strict=True)) == [
        ("1", 3, 6),
        ("1", 5, 1),
        ("5", 5, 3),
        ("", 5, 11),
    ]


def test_a_backslash_joins_lines() -> None:
    shader, diagnostics = run("#define SUM(a, b) \\\n    a \\\r\n  + b\nSUM(1, 2) // c \\\n d\nx")
    assert [each.code for each in diagnostics] == ["W0105"]
    stream = shader.tokens
    assert stream.texts == ["1", "+", "2", "x", ""]
    assert stream.lines[3] == 6


def test_a_token_cut_by_a_backslash_lies_on_its_first_line() -> None:
    stream = accepted("  fo\\\no = b\\\n;").tokens
    assert list(zip(stream.texts, stream.lines, stream.columns, stream.widths, strict=True)) == [
        ("foo", 1, 3, 2),
        ("=", 2, 3, 1),
        ("b", 2, 5, 1),
        (";", 3, 1, 1),
        ("", 3, 2, 1),
    ]


def test_a_hash_inside_a_line() -> None:
    assert messages("a # b ## c") == [
        "1:3-4: error: '#' is only allowed at the start of a line [E0105]",
        "1:7-9: error: '##' is only allowed at the start of a line [E0105]",
    ]


def test_the_length_of_names_is_limited() -> None:
    assert text("a" * 1024) == "a" * 1024
    assert messages("x " + "a" * 1025) == ["1:3-1028: error: name of 1025 characters is too long [E0103]"]
    assert text("a" * 256, dialect="webgl") == "a" * 256
    assert messages("a" * 257, dialect="webgl") == ["1:1-258: error: name of 257 characters is too long [E0103]"]
    assert messages("#define A " + "a" * 257, dialect="webgl") == [
        "1:11-268: error: name of 257 characters is too long [E0103]"
    ]
    assert messages("#define " + "a" * 1025) == ["1:9-1034: error: name of 1025 characters is too long [E0103]"]


def test_an_empty_text_has_an_end() -> None:
    stream = accepted("").tokens
    assert (stream.kinds, stream.texts, stream.lines, stream.columns) == (["end"], [""], [1], [1])


def test_the_external_sampler_is_a_keyword_where_its_extension_is_enabled() -> None:
    assert kinds("samplerExternalOES") == [("identifier", "samplerExternalOES")]
    enabled = "#extension GL_OES_EGL_image_external : require\nsamplerExternalOES"
    assert kinds(enabled) == [("keyword", "samplerExternalOES")]


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("a // one \\\nb\nc", ["1:10-11"]),
        ("a // one \\\n  // two\nc", []),
        ("a // one \\\n\nc", []),
        ("a // one \\ \nb", []),
        ("a /* one \\\nb */ c", []),
        ("a \\\nb", []),
        ("// one \\\r\n#define A\nA", ["1:8-9"]),
        ("// one \\\n// two \\\nb", []),
        ("// one \\\nb // two \\\nc\nd // three \\\ne", ["1:8-9", "4:12-13"]),
        ("// one \\", []),
    ],
)
def test_a_comment_that_swallows_the_next_line_is_warned_of(text: str, warned: list[str]) -> None:
    message = "warning: the comment goes on in the next line, since a backslash ends this one [W0105]"
    assert messages(text) == [f"{place}: {message}" for place in warned]


def test_a_shader_has_so_many_tokens_and_directives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those that are included count, and those that are left out."""
    for module in (processor, state):
        monkeypatch.setattr(module, "TOKEN_LIMIT", 19)
    assert text("a b c d\n\n#define A\n e f g h i j k l m n o p") == "a b c d e f g h i j k l m n o p"
    assert messages("a b c d\n\n#define A\n e f g h i j k l m n o p q r") == [
        "4:26-27: error: the shader and what it includes have more than 19 tokens [E0119]"
    ]
    (tmp_path / "eight").write_text("#if 0\na b c\n#endif")
    includer = str(tmp_path / "a.frag")
    eleven = '#extension GL_GOOGLE_include_directive : enable\n#include "eight"\na b c'
    assert text(eleven, name=includer) == "a b c"
    assert len(messages(eleven + " d", name=includer)) == 1


def test_what_is_cut_nowhere_is_read_whole() -> None:
    """The formatter reads files without the limit, and must not lose what is beyond it."""
    lexed = lex(SourceFile("a", "a " * 20), language_of(""), 1024, DiagnosticSink())
    assert (len(lexed.texts), lexed.cut_at) == (20, None)
    assert len(lex(SourceFile("a", "a " * 20), language_of(""), 1024, DiagnosticSink(), 10).texts) == 11


@pytest.mark.parametrize("line", ["\n", "\r\n", "\r", "\\\n", " \t\n", "x\n", "//\n"])
def test_lines_take_little_memory(line: str) -> None:
    """Where it begins is 8 bytes of each, in the file and where that was joined once more; a text or a number in a list
    takes 40 or more."""
    count = 100_000
    tracemalloc.start()
    preprocess(SourceFile("a", "/*" + line * count + "*/"), sink=DiagnosticSink())
    peak = tracemalloc.get_traced_memory()[1] / count
    tracemalloc.stop()
    assert peak < 32


def test_a_macro_may_have_very_many_parameters() -> None:
    names = [f"p{i}" for i in range(20_000)]
    values = ",".join(map(str, range(20_000)))
    assert text(f"#define F({','.join(names)}) p19999 p7\nF({values})") == "19999 7"
