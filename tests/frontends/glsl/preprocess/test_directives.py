"""`#version`, `#extension`, `#pragma`, `#error`, `#line` and unknown directives (GLSL ES 1.00 section 3.4)."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.preprocess.support import accepted, messages, run, text

DERIVATIVES = "GL_OES_standard_derivatives"


# -------------------------------------------------------------------------------------- version
def test_version() -> None:
    assert accepted("/* c */\n\n # version 100 // c\nx").language.number == 100
    assert accepted("x").language.number == 100


@pytest.mark.parametrize("version", [110, 120, 130, 140, 150, 330])
def test_desktop_versions(version: int) -> None:
    source = f"#version {version}\n#ifdef GL_ES\nes\n#else\ndesktop __VERSION__\n#endif"
    assert text(source) == f"desktop {version}"
    assert accepted(source).language.number == version
    assert messages(source, dialect="webgl") == [f"1:10-13: error: version '{version}' is not supported [E0132]"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("#version", "1:9-10: error: expected a version number, found the end of the line [E0131]"),
        ("#version foobar", "1:10-16: error: expected a version number, found 'foobar' [E0131]"),
        ("#version 100.0", "1:10-15: error: expected a version number, found '100.0' [E0131]"),
        ("#version 101", "1:10-13: error: version '101' is not supported [E0132]"),
        ("#version 310 es", "1:10-13: error: version '310' is not supported [E0132]"),
        ("x;\n#version 310 es", "2:10-13: error: version '310' is not supported [E0132]"),
        ("#version 300", "1:10-13: error: version 300 needs 'es' after it [E0156]"),
        ("#version 100 es", "1:14-16: error: expected the end of the line after '#version 100', found 'es' [E0107]"),
        ("#version 100 x", "1:14-15: error: expected the end of the line after '#version', found 'x' [E0107]"),
        ("x;\n#version 100", "2:1-9: error: '#version' must come before anything else [E0130]"),
        ("#define A\n#version 100", "2:1-9: error: '#version' must come before anything else [E0130]"),
        ("#version 100\n#version 100", "2:1-9: error: '#version' must come before anything else [E0130]"),
    ],
)
def test_malformed_versions(source: str, message: str) -> None:
    assert messages(source) == [message]


# ------------------------------------------------------------------------------------ extension
def test_behaviours() -> None:
    source = f"#version 100\n#extension {DERIVATIVES} : enable\n#extension GL_EXT_frag_depth:require\nx"
    assert accepted(source).extensions == {DERIVATIVES: "enable", "GL_EXT_frag_depth": "require"}
    disabled = f"#extension {DERIVATIVES} : require\n#extension {DERIVATIVES} : disable\nx"
    assert accepted(disabled).extensions == {}
    assert accepted(f"#extension {DERIVATIVES} : warn\n#extension all : disable\nx").extensions == {}


def test_all_extensions() -> None:
    assert accepted("#extension all : warn\nx").extensions == {
        "GL_EXT_draw_buffers": "warn",
        "GL_EXT_draw_instanced": "warn",
        "GL_EXT_frag_depth": "warn",
        "GL_EXT_shader_texture_lod": "warn",
        "GL_OES_EGL_image_external": "warn",
        "GL_OES_standard_derivatives": "warn",
    }


def test_macros_are_not_expanded_in_extensions() -> None:
    assert accepted("#define warn enable\n#extension all : warn\nx").extensions != {}


def test_the_macro_of_an_extension_is_defined_where_the_text_names_the_extension() -> None:
    asking = f"#ifdef {DERIVATIVES}\n#extension {DERIVATIVES} : enable\nyes {DERIVATIVES}\n#endif"
    assert text(asking) == text(asking.replace("\n", "\r")) == "yes 1"
    assert text(f"#ifdef {DERIVATIVES}\nyes\n#else\nno\n#endif") == "no"
    assert text(f"#extension all : warn\n#ifdef {DERIVATIVES}\nyes\n#else\nno\n#endif") == "no"


@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ("", "1:11-12: error: expected an extension name in '#extension', found the end of the line [E0133]"),
        ("2 : all", "1:12-13: error: expected an extension name in '#extension', found '2' [E0133]"),
        ("all", "1:15-16: error: expected ':' in '#extension', found the end of the line [E0133]"),
        ("all warn", "1:16-20: error: expected ':' in '#extension', found 'warn' [E0133]"),
        (
            "all : maybe",
            "1:18-23: error: expected require, enable, warn or disable in '#extension', found 'maybe' [E0133]",
        ),
        ("all : warn x", "1:23-24: error: expected the end of the line after '#extension', found 'x' [E0107]"),
        ("all : require", "1:18-25: error: 'all' allows only the behaviours 'warn' and 'disable' [E0135]"),
        ("all : enable", "1:18-24: error: 'all' allows only the behaviours 'warn' and 'disable' [E0135]"),
        ("GL_X : require", "1:12-16: error: extension 'GL_X' is not supported [E0134]"),
        ("GL_X : enable", "1:12-16: warning: extension 'GL_X' is not supported and ignored [W0103]"),
        ("GL_X : warn", "1:12-16: warning: extension 'GL_X' is not supported and ignored [W0103]"),
    ],
)
def test_malformed_and_unsupported_extensions(operands: str, message: str) -> None:
    assert messages(f"#extension {operands}\n") == [message]


def test_disabling_an_unknown_extension_is_fine() -> None:
    assert messages("#extension GL_X : disable") == []


def test_a_mistyped_extension() -> None:
    (found,) = run("#extension GL_OES_standard_derivative : require")[1]
    assert found.help == "did you mean 'GL_OES_standard_derivatives'?"


def test_extensions_come_before_the_text() -> None:
    source = f"#extension {DERIVATIVES} : enable\nx\n#extension {DERIVATIVES} : disable\n"
    assert messages(source) == ["3:1-11: error: '#extension' must come before all text that is not a directive [E0136]"]


def test_webgl_allows_extensions_late_and_keeps_what_earlier_text_may_use() -> None:
    source = f"#extension {DERIVATIVES} : enable\nx\n#extension all : disable\n"
    shader, diagnostics = run(source, dialect="webgl")
    assert [found.code for found in diagnostics] == ["W0104"]
    assert shader.extensions == {DERIVATIVES: "enable"}


# --------------------------------------------------------------------------------- pragma, error
def test_pragmas_of_the_language() -> None:
    source = (
        "#define off INVALID\n#pragma\n#pragma STDGL invariant(all)\n#pragma debug(off)\n#pragma optimize ( on )\nx"
    )
    shader = accepted(source)
    assert (shader.all_invariant, shader.pragmas) == (True, [])
    assert not accepted("x").all_invariant


def test_other_pragmas_are_kept() -> None:
    ((kept, span),) = accepted("#pragma target( fast ) 1.5 // c\nx").pragmas
    assert (kept, span.column, span.end_column) == ("target( fast ) 1.5", 1, 27)


@pytest.mark.parametrize(
    ("pragma", "expected"),
    [
        ("optimize(of)", "'optimize(on)' or 'optimize(off)'"),
        ("debug", "'debug(on)' or 'debug(off)'"),
        ("STDGL invariant(none)", "'STDGL invariant(all)'"),
        ("shader_stage(compute)", "'shader_stage(vertex)', 'geometry' or 'fragment'"),
    ],
)
def test_malformed_pragmas_are_ignored_with_a_warning(pragma: str, expected: str) -> None:
    end = len("#pragma ") + len(pragma) + 1
    assert messages(f"#pragma {pragma}") == [
        f"1:1-{end}: warning: pragma is not understood and ignored: expected {expected} [W0101]"
    ]


def test_the_stage_a_pragma_states_must_be_the_stage() -> None:
    source = "#pragma shader_stage(vertex)\nx"
    assert messages(source) == messages(source, stage="vertex") == []
    assert messages(source, stage="fragment") == [
        "1:1-29: error: '#pragma shader_stage' says 'vertex', but the shader is compiled as 'fragment' [E0109]"
    ]


def test_error() -> None:
    assert messages("#define A b\n#error 1 * A  no /* c */\n#error\n") == [
        "2:1-17: error: #error 1 * A  no [E0108]",
        "3:1-7: error: #error without a message [E0108]",
    ]


# ----------------------------------------------------------------------------------------- line
@pytest.mark.parametrize(
    ("operands", "values"),
    [("234", "234 0"), ("234 10", "234 10"), ("A", "4 0"), ("A + 1 A * 2", "5 8"), ("0", "0 0"), ("(1) (2)", "1 2")],
)
def test_line(operands: str, values: str) -> None:
    """The line after the directive has the number (CTS, builtin.line_and_file)."""
    assert text(f"#define A 4\n\n#line {operands}\n__LINE__ __FILE__") == values


def test_desktop_glsl_numbers_the_directive_itself() -> None:
    assert text("#version 120\n#line 7\n__LINE__") == "8"


def test_line_changes_what_messages_show() -> None:
    locations = [found.span.location for found in run("$\n#line 20\n$\n#line 7 3\n\n$")[1] if found.span is not None]
    assert locations == ["a.frag:1:1", "a.frag:20:1", "3:8:1"]


def test_line_takes_a_file_name_where_an_extension_allows_it() -> None:
    source = '#line 42 "b.glsl"\n$'
    assert messages(source)[0] == (
        "1:10-18: error: expected a source string number in '#line', found '\"b.glsl\"' [E0141]"
    )
    extension = "#extension GL_GOOGLE_cpp_style_line_directive : require\n"
    (found,) = run(extension + source)[1]
    assert found.span is not None
    assert found.span.location == "b.glsl:42:1"


@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ("", "1:6-7: error: expected an int, a macro or '(', found the end of the line [E0123]"),
        ("foobar", "1:7-13: error: 'foobar' is not a defined macro [E0124]"),
        ("22 1.234", "1:10-15: error: expected an int, a macro or '(', found '1.234' [E0123]"),
        ("233 10 2", "1:14-15: error: expected the end of the line after '#line', found '2' [E0107]"),
        ("-1", "1:1-9: error: line number -1 is out of range [E0140]"),
        ("1 2147483648", "1:1-19: error: line number 2147483648 is out of range [E0140]"),
        ('""', "1:7-9: error: expected a source string number in '#line', found '\"\"' [E0141]"),
        ("F(", "1:7-8: error: the argument list of macro 'F' is not closed [E0115]"),
    ],
)
def test_malformed_lines(operands: str, message: str) -> None:
    assert messages(f"#line {operands}\n", defines={"F(x)": "x"}) == [message]


# -------------------------------------------------------------------------------------- unknown
def test_the_null_directive() -> None:
    assert text("#\n  # /* c */ // c\nx") == "x"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("#foo bar", "1:2-5: error: unknown directive '#foo' [E0106]"),
        ("# 12", "1:3-5: error: unknown directive '#12' [E0106]"),
        ("#$", "1:2-3: error: character '$' is not allowed in a shader [E0101]"),
        ("##", "1:1-3: error: '##' is only allowed at the start of a line [E0105]"),
    ],
)
def test_unknown_directives(source: str, message: str) -> None:
    assert messages(source) == [message]


def test_a_mistyped_directive() -> None:
    (found,) = run("#defin A")[1]
    assert found.help == "did you mean '#define'?"


def test_work_goes_on_after_a_mistake() -> None:
    assert [message.split(":")[0] for message in messages("#define\n#foo\n#undef 1\n$\n#error x\n#line x")] == list(
        "123456"
    )
