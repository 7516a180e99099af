"""`#if` and its family (GLSL ES 1.00 section 3.4)."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.preprocess.support import messages, run, text


def is_true(condition: str, before: str = "") -> bool:
    return text(f"{before}\n#if {condition}\nyes\n#else\nno\n#endif") == "yes"


@pytest.mark.parametrize(
    "condition",
    [
        "1",
        "0x10 == 16 && 010 == 8",
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "8 - 3 - 2 == 3",
        "8 / 2 / 2 == 2",
        "-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1",
        "1 << 2 + 1 == 8",
        "8 >> 1 < 5",
        "1 < 2 == 1",
        "(6 & 3 == 3) == 0",
        "(1 ^ 3 & 2) == 3",
        "(4 | 1 ^ 1) == 4",
        "1 || 0 && 0",
        "!0 && ~0 == -1 && - -2 == + 2 && !!5 == 1",
        "2 <= 2 && 2 >= 2 && 3 > 2 && 2 != 3",
        "(0 && 1) == 0 && (2 || 0) == 1",
        "0xFFFFFFFFFFFFFFFF == -1",
        "0x7FFFFFFFFFFFFFFF + 1 < 0",
        # The least number has no opposite in 64 bits.
        "-(0x8000000000000000) < 0 && - -0x8000000000000000 < 0",
        "~0x8000000000000000 == 0x7FFFFFFFFFFFFFFF",
    ],
)
def test_operators(condition: str) -> None:
    """Values by hand, after the precedence table of section 3.4."""
    assert is_true(condition)
    assert not is_true(f"!({condition})")


def test_macros_are_expanded_in_conditions() -> None:
    assert is_true("SQUARE(N) == 16 && __VERSION__ == 100 && GL_ES", "#define N 4\n#define SQUARE(x) ((x) * (x))")
    assert is_true("__LINE__ == 2")


def test_defined() -> None:
    before = "#define A 0\n#define B"
    assert is_true("defined A && defined(A) && defined ( B ) && !defined C && defined GL_ES", before)
    assert is_true("!TEST(1)", "#define TEST(x) defined(NONE)")
    assert is_true("defined F && defined(F)", "#define F(x) x")


def test_skipped_operands_may_be_mistakes() -> None:
    assert is_true("1 || NONE || 1 / 0 || (NONE << 100)")
    assert not is_true("0 && NONE > 1 % 0")


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("", "1:4-5: error: expected an int, a macro or '(', found the end of the line [E0123]"),
        ("3+4+", "1:9-10: error: expected an int, a macro or '(', found the end of the line [E0123]"),
        ("* 2", "1:5-6: error: expected an int, a macro or '(', found '*' [E0123]"),
        ("1.0", "1:5-8: error: expected an int, a macro or '(', found '1.0' [E0123]"),
        ("+ ++1", "1:7-9: error: expected an int, a macro or '(', found '++' [E0123]"),
        ("(1", "1:7-8: error: expected ')' or an operator, found the end of the line [E0123]"),
        ("(1 2)", "1:8-9: error: expected ')' or an operator, found '2' [E0123]"),
        ("4 4", "1:7-8: error: expected the end of the line after '#if', found '4' [E0107]"),
        ("(4)(4)", "1:8-9: error: expected the end of the line after '#if', found '(' [E0107]"),
        ("1 = 1", "1:7-8: error: expected the end of the line after '#if', found '=' [E0107]"),
        ("defined", "1:12-13: error: expected a macro name, found the end of the line [E0123]"),
        ("defined)", "1:12-13: error: expected a macro name, found ')' [E0123]"),
        ("defined(", "1:13-14: error: expected a macro name, found the end of the line [E0123]"),
        ("defined((A))", "1:13-14: error: expected a macro name, found '(' [E0123]"),
        ("defined(A", "1:14-15: error: expected ')', found the end of the line [E0123]"),
        ("!NONE", "1:6-10: error: 'NONE' is not a defined macro [E0124]"),
        ("NONE && 0", "1:5-9: error: 'NONE' is not a defined macro [E0124]"),
        ("1 && true", "1:10-14: error: 'true' is not a defined macro [E0124]"),
        ("1 / 0", "1:7-8: error: division by zero [E0125]"),
        ("1 % (2 - 2)", "1:7-8: error: division by zero [E0125]"),
        ("1 << 64", "1:7-9: error: shift by 64, expected 0 to 63 [E0126]"),
        ("1 >> -1", "1:7-9: error: shift by -1, expected 0 to 63 [E0126]"),
        ("18446744073709551616", "1:5-25: error: number is too large [E0127]"),
        ("08", "1:5-7: error: '08' is not an octal number [E0104]"),
        ("1 $", "1:7-8: error: expected the end of the line after '#if', found '$' [E0107]"),
    ],
)
def test_malformed_conditions(condition: str, message: str) -> None:
    assert messages(f"#if {condition}\n#endif") == [message]


def test_macros_that_have_no_value() -> None:
    assert messages("#define F(x) x\n#if F\n#endif") == [
        "2:5-6: error: macro 'F' has no value here: its arguments are missing [E0129]"
    ]
    assert messages("#define A A\n#if A\n#endif") == [
        "2:5-6: error: macro 'A' has no value here: it refers to itself [E0129]"
    ]


def test_an_undefined_name_that_resembles_a_macro() -> None:
    (found,) = run("#define QUALITY 1\n#if QUALTIY\n#endif")[1]
    assert found.help == "did you mean 'QUALITY'?"


def test_deep_parentheses_are_refused() -> None:
    assert messages("#if " + "(" * 10_000 + "1" + ")" * 10_000 + "\n#endif") == [
        "1:37-38: error: parentheses are nested more than 32 levels deep [E0128]"
    ]
    assert is_true("(" * 32 + "1" + ")" * 32)
    assert is_true("!" * 10_000 + "1")


def test_branches() -> None:
    group = "#if A == 1\none\n#elif A == 2\ntwo\n#elif A <= 3\nthree\n#else\nmany\n#endif"
    chosen = [text(f"#define A {value}\n{group}") for value in (1, 2, 3, 4)]
    assert chosen == ["one", "two", "three", "many"]


def test_ifdef_and_ifndef() -> None:
    group = "#ifdef A\nyes\n#else\nno\n#endif\n#ifndef A\nno\n#else\nyes\n#endif"
    assert text("#define A\n" + group) == "yes yes"
    assert text(group) == "no no"


def test_nesting() -> None:
    source = (
        "#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\n#ifdef X\nc\n#else\nd\n#endif\n#else\n#if 1\ne\n#endif\n#endif f\n"
    )
    assert text(source.replace("#endif f", "#endif\nf")) == "d f"


def test_conditions_that_decide_nothing_are_not_read() -> None:
    assert text("#if 1\na\n#elif 1 / 0 NONE $\nb\n#endif") == "a"
    assert text("#if 0\n#if NONE +\n#elif )\n#else x\n#endif y\n#endif\nb") == "b"


def test_skipped_directives_are_not_carried_out() -> None:
    assert text("#if 0\n#define A 1\n#error no\n#version 300 es\n#nonsense\n#include\n#line -\n#endif\nA") == "A"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("#else\n#endif", "1:1-6: error: '#else' without '#if' [E0120]"),
        ("#elif 1", "1:1-6: error: '#elif' without '#if' [E0120]"),
        ("  # endif", "1:3-10: error: '#endif' without '#if' [E0120]"),
        ("#if 1\n# else\n#else\n#endif", "3:1-6: error: '#else' after '#else' [E0121]"),
        ("#if 0\n#else\n#elif 1\n#endif", "3:1-6: error: '#elif' after '#else' [E0121]"),
        ("#if 1\n", "1:1-4: error: '#if' is not closed by '#endif' [E0122]"),
        ("#if 0\n#if 0\n#endif", "1:1-4: error: '#if' is not closed by '#endif' [E0122]"),
        ("#ifndef A\n#else", "1:1-8: error: '#ifndef' is not closed by '#endif' [E0122]"),
        ("#ifdef\n#endif", "1:7-8: error: expected a macro name after '#ifdef', found the end of the line [E0110]"),
        ("#ifndef 1\n#endif", "1:9-10: error: expected a macro name after '#ifndef', found '1' [E0110]"),
        ("#ifdef A B\n#endif", "1:10-11: error: expected the end of the line after '#ifdef', found 'B' [E0107]"),
        ("#if 1\n#else x\n#endif", "2:7-8: error: expected the end of the line after '#else', found 'x' [E0107]"),
        ("#if 0\n#endif x", "2:8-9: error: expected the end of the line after '#endif', found 'x' [E0107]"),
    ],
)
def test_malformed_groups(source: str, message: str) -> None:
    assert messages(source) == [message]
