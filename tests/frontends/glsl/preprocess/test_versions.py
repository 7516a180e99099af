"""What the preprocessor does otherwise in GLSL ES 3.00 and in desktop GLSL."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.preprocess.support import accepted, messages, run, text


# ------------------------------------------------------------------------------- the version line
@pytest.mark.parametrize(
    ("source", "version"),
    [
        ("#version 300 es\nx", 300),
        (" \t# version 300 es // first line\nx", 300),
        ("// a\n/* #version 300 es */\n#version 330 core\nx", 330),
        ("/*\n#version 300 es\n*/\nx", 100),
        ("// #version 300 es\nx", 100),
        ("\\\n#version 330\nx", 330),
    ],
)
def test_comments_name_no_version(source: str, version: int) -> None:
    assert accepted(source).language.number == version


@pytest.mark.parametrize("before", ["\n", "// comment\n", "/* comment */ "])
def test_the_version_of_es_300_stands_on_the_first_line(before: str) -> None:
    shader, (diagnostic,) = run(f"{before}#version 300 es\nx")
    assert (diagnostic.code, shader.language.number) == ("E0157", 300)
    insertion, removal = diagnostic.fixes
    assert (insertion.span.line, insertion.span.column, insertion.text) == (1, 1, "#version 300 es\n")
    assert removal.text == ""
    assert messages(f"{before}#version 330\nx") == []


def test_std_counts_where_the_text_names_none() -> None:
    assert accepted("x", std="300es").language.number == 300
    assert accepted("#version 120\nx", std="300es").language.number == 120
    assert accepted("x", std="150", compat=True).language.spelling == "150 compatibility"


# ----------------------------------------------------------------------------------------- macros
@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("100", "GL_ES GL_FRAGMENT_PRECISION_HIGH"),
        ("300 es", "GL_ES GL_FRAGMENT_PRECISION_HIGH"),
        ("120", ""),
        ("130", "GL_FRAGMENT_PRECISION_HIGH"),
        ("150", "GL_FRAGMENT_PRECISION_HIGH GL_core_profile"),
        ("330 compatibility", "GL_FRAGMENT_PRECISION_HIGH GL_core_profile GL_compatibility_profile"),
    ],
)
def test_predefined_macros(version: str, names: str) -> None:
    known = ("GL_ES", "GL_FRAGMENT_PRECISION_HIGH", "GL_core_profile", "GL_compatibility_profile")
    tests = "".join(f"#ifdef {name}\n is_{name}\n#endif\n" for name in known)
    assert text(f"#version {version}\n{tests}").split() == [f"is_{name}" for name in names.split()]


def test_undefined_names_are_zero_in_desktop_glsl() -> None:
    source = "#if QUALITY > 1\nhigh\n#else\nlow\n#endif"
    assert text(f"#version 120\n{source}") == "low"
    assert messages(f"#version 300 es\n{source}") == ["2:5-12: error: 'QUALITY' is not a defined macro [E0124]"]


def test_line_numbers() -> None:
    source = "\n#line 10\n__LINE__"
    # GLSL 1.50 section 3.3 numbers the line of the directive, GLSL 3.30 and GLSL ES the one after it.
    found = {version: text(f"#version {version}{source}") for version in ("100", "300 es", "110", "150", "330")}
    assert found == {"100": "10", "300 es": "10", "110": "11", "150": "11", "330": "10"}


def test_characters_of_an_unused_macro_are_free_in_es_300() -> None:
    unused = "#define A a \\ b \u7bb8\nx"
    assert text(f"#version 300 es\n{unused}") == "x"
    assert [each[-7:] for each in messages(f"#version 100\n{unused}")] == ["[E0101]", "[E0101]"]
    assert [each[-7:] for each in messages(f"#version 300 es\n{unused} A")] == ["[E0101]", "[E0101]"]
    assert messages("#version 300 es\n#define A #x\n")[0].endswith("[E0105]")


# ----------------------------------------------------------------------------------------- pasting
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#define J(a, b) a ## b\nJ(x, 1) J(1, 2) J(+, =) J(1., 5)", "x1 12 += 1.5"),
        ("#define J(a, b) a##b\n#define x1 found\nJ(x, 1)", "found"),
        # Operands are not expanded, others are (C99 section 6.10.3.3).
        ("#define J(a, b) a ## b a b\n#define p q\nJ(p, r)", "pr q r"),
        ("#define J(a, b, c) a ## b ## c\nJ(x, y, z) J(x, , z) J(, , z) J(, y,)", "xyz xz z y"),
        ("#define J(a, b) left a ## b\nJ(, right)", "left right"),
        ("#define J(a, b) a ## b\nJ(x y, z w)", "x yz w"),
        ("#define L light ## 2\nL", "light2"),
        ("#define J(a) a ## J(1)\nJ(x)", "xJ ( 1 )"),
        ("#define AB J\n#define J(a, b) a ## b\nJ(A, B)", "J"),
    ],
)
def test_pasting(source: str, expected: str) -> None:
    assert text(f"#version 130\n{source}") == expected


def test_what_cannot_be_pasted() -> None:
    assert messages("#version 130\n#define A ## x\n") == [
        "2:11-13: error: '##' has nothing to join on its left [E0158]"
    ]
    assert messages("#version 130\n#define A x ##\n")[0].endswith("'##' has nothing to join on its right [E0158]")
    assert messages("#version 130\n#define A x ## +\nA") == ["3:1-2: error: 'x' and '+' make no token together [E0159]"]
    assert messages("#version 130\n#define A / ## /\nA")[0].endswith("[E0159]")
    for version in ("100", "300 es", "120"):
        assert messages(f"#version {version}\n#define A x ## y\n")[0].endswith("[E0105]")


# -------------------------------------------------------------------------------------- extensions
def test_extensions_belong_to_versions() -> None:
    line = "#extension GL_ARB_explicit_attrib_location : require\nx"
    for version in ("120", "330"):
        assert accepted(f"#version {version}\n{line}").extensions == {"GL_ARB_explicit_attrib_location": "require"}
    assert messages(f"#version 300 es\n{line}")[0].endswith("is not supported [E0134]")


def test_an_extension_of_es_100_says_what_replaces_it() -> None:
    source = "#version 300 es\n#extension GL_OES_standard_derivatives : enable\nx"
    _, (diagnostic,) = run(source)
    assert (diagnostic.severity, diagnostic.code) == ("warning", "W0103")
    assert diagnostic.help == "GLSL ES 3.00 has 'dFdx', 'dFdy' and 'fwidth': leave the line out"
    (fix,) = diagnostic.fixes
    assert (fix.span.line, fix.span.column, fix.span.end_column, fix.text) == (2, 1, 48, "")


def test_extensions_may_come_late_in_desktop_glsl() -> None:
    source = "x;\n#extension GL_ARB_shader_texture_lod : enable\n"
    assert accepted(f"#version 120\n{source}").extensions
    assert messages(f"#version 300 es\n{source}")[0].endswith("not a directive [E0136]")


def test_keywords_of_extensions() -> None:
    shader = accepted("#version 120\n#extension GL_ARB_texture_rectangle : enable\nuniform sampler2DRect s;")
    assert shader.tokens.kinds[1] == "keyword"
    assert accepted("#version 120\nuniform sampler2DRect s;").tokens.kinds[1] == "reserved"


def test_a_text_may_ask_for_the_fixed_functions_itself() -> None:
    assert accepted("#version 140\n#extension GL_ARB_compatibility : enable\nx").language.compat
    assert not accepted("#version 140\nx").language.compat
