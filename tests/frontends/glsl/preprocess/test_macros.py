"""`#define`, `#undef` and expansion (GLSL ES 1.00 section 3.4; the algorithm is that of C99 section 6.10.3)."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.preprocess.support import accepted, messages, run, text


def test_object_like() -> None:
    assert text("#define A 1 + 2\n#define B A * A\n#define C\nB C;") == "1 + 2 * 1 + 2 ;"


def test_function_like() -> None:
    assert text("#define F(a, b) a - (b)\nF(x, y) F((1, 2), [3) F(,)") == "x - ( y ) ( 1 , 2 ) - ( [ 3 ) - ( )"
    assert text("#define N() 0\n#define ONE(a) <a>\nN() N( ) ONE()") == "0 0 < >"


def test_a_space_before_the_parenthesis_makes_an_object_like_macro() -> None:
    assert text("#define F (a)\nF") == "( a )"
    assert text("#define F/**/(a)\nF") == "( a )"


def test_a_function_like_name_alone_is_no_use() -> None:
    assert text("#define F(a) a\nF + F; F") == "F + F ; F"
    assert text("#define F(a) a\nF\n#define X\n;") == "F ;"


def test_a_use_may_go_over_lines_and_directives() -> None:
    assert text("#define F(a, b) a b\nF\n(1,\n  2) 3") == "1 2 3"
    assert text("#define F(a) [a]\nF(1\n#ifdef F\n+ 2\n#else\n+ 3\n#endif\n) F\n#define G\n(4)") == "[ 1 + 2 ] [ 4 ]"


def test_a_macro_is_not_expanded_inside_itself() -> None:
    assert text("#define A A + B\n#define B A\nA") == "A + A"
    assert text("#define f(x) f(x + 1)\nf(f(y))") == "f ( f ( y + 1 ) + 1 )"


def test_example_3_of_the_c_standard() -> None:
    """C99 section 6.10.3.5 gives the source and the result."""
    source = """
        #define x 3
        #define f(a) f(x * (a))
        #undef x
        #define x 2
        #define g f
        #define z z[0]
        #define h g(~
        #define m(a) a(w)
        #define w 0,1
        #define t(a) a
        #define p() int
        #define q(x) x
        f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
        g(x+(3,4)-w) | h 5) & m
            (f)^m(m);
        p() i[q()] = { q(1) };
    """
    result = """
        f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
        f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
        int i[] = { 1 };
    """
    assert text(source) == text(result)


def test_example_7_of_the_c_standard_without_pasting() -> None:
    """Arguments are expanded before they enter the text (C99 section 6.10.3.1)."""
    assert text("#define LPAREN (\n#define F(x) [x]\n#define G(x) F x)\nG(LPAREN 1) F(LPAREN)") == "[ 1 ] [ ( ]"


def test_keywords_may_name_macros() -> None:
    assert text("#define float int\n#define define 1\nfloat define") == "int 1"


def test_predefined_macros() -> None:
    assert text("__VERSION__ GL_ES GL_FRAGMENT_PRECISION_HIGH __FILE__\n__LINE__") == "100 1 1 0 2"


def test_line_stands_for_the_line_of_the_use() -> None:
    """In a macro's text it is the line where the use ends, in an argument its own (CTS, predefined_macros.line_2)."""
    source = "#define L __LINE__\n#define F(a, b) L a b\n\nF(__LINE__,\n__LINE__\n)"
    assert text(source) == "6 4 5"


def test_defining_again() -> None:
    assert text("#define A (x + y)\n#define  A   (x /* c */+  y) // d\nA") == "( x + y )"
    assert text("#define F(a,b)  (a +b)\n#define F( a, b )(a   +b)\nF(1, 2)") == "( 1 + 2 )"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A (x - 1)", "A (x- 1)"),
        ("A 1", "A 2"),
        ("A 1", "A"),
        ("A", "A()"),
        ("A(x) x", "A(y) y"),
        ("A(x) x", "A(x, y) x"),
    ],
)
def test_defining_again_differently(first: str, second: str) -> None:
    _, diagnostics = run(f"#define {first}\n#define {second}")
    assert messages(f"#define {first}\n#define {second}") == [
        "2:9-10: error: macro 'A' is defined again with another text [E0112]"
    ]
    assert [(label.span.line, label.span.column, label.text) for label in diagnostics[0].labels] == [
        (1, 9, "first definition")
    ]


def test_undef() -> None:
    assert text("#define A 1\n#undef A\n#undef NEVER\n#define A 2\nA") == "2"
    assert messages("#undef A B") == ["1:10-11: error: expected the end of the line after '#undef', found 'B' [E0107]"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("#define", "1:8-9: error: expected a macro name after '#define', found the end of the line [E0110]"),
        ("#define 123 321", "1:9-12: error: expected a macro name after '#define', found '123' [E0110]"),
        ("#undef +", "1:8-9: error: expected a macro name after '#undef', found '+' [E0110]"),
        ("#define $", "1:9-10: error: character '$' is not allowed in a shader [E0101]"),
        ("#define A $", "1:11-12: error: character '$' is not allowed in a shader [E0101]"),
        ("#define S(x) #x", "1:14-15: error: '#' is only allowed at the start of a line [E0105]"),
        ("#define P(x) x##1", "1:15-17: error: '##' is only allowed at the start of a line [E0105]"),
        ("#define defined", "1:9-16: error: macro name 'defined' is reserved: it is an operator of '#if' [E0111]"),
        ("#undef __LINE__", "1:8-16: error: macro name '__LINE__' is reserved: it is predefined [E0111]"),
        ("#define GL_ES 1", "1:9-14: error: macro name 'GL_ES' is reserved: it is predefined [E0111]"),
        ("#define GL_foo", "1:9-15: error: macro name 'GL_foo' is reserved: it begins with 'GL_' [E0111]"),
        ("#define a__b", "1:9-13: warning: macro name 'a__b' contains '__', which is reserved [W0102]"),
    ],
)
def test_names_and_texts_that_are_refused(source: str, message: str) -> None:
    assert messages(source) == [message]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "F(",
            "1:11-12: error: expected a parameter name in the parameter list of macro 'F', found the end of the line",
        ),
        ("F(a  a+b", "1:14-15: error: expected ',' or ')' in the parameter list of macro 'F', found 'a'"),
        ("F(a,)", "1:13-14: error: expected a parameter name in the parameter list of macro 'F', found ')'"),
        ("F(1)", "1:11-12: error: expected a parameter name in the parameter list of macro 'F', found '1'"),
        ("F(a", "1:12-13: error: expected ',' or ')' in the parameter list of macro 'F', found the end of the line"),
    ],
)
def test_malformed_parameter_lists(source: str, message: str) -> None:
    assert messages("#define " + source) == [message + " [E0113]"]


def test_parameters_have_different_names() -> None:
    assert messages("#define F(a, b, a)") == ["1:17-18: error: macro 'F' has two parameters 'a' [E0114]"]


@pytest.mark.parametrize(
    ("use", "wanted", "found"),
    [("F()", "2 arguments", "none"), ("F(1)", "2 arguments", "1"), ("F(1, 2, 3)", "2 arguments", "3")],
)
def test_wrong_numbers_of_arguments(use: str, wanted: str, found: str) -> None:
    source = f"#define F(a,b) a+b\nx = {use};"
    assert messages(source) == [f"2:5-6: error: macro 'F' takes {wanted}, found {found} [E0116]"]
    (label,) = run(source)[1][0].labels
    assert (label.span.line, label.span.column, label.text) == (1, 9, "defined here")


def test_wrong_numbers_of_arguments_in_small() -> None:
    assert messages("#define N() 0\nN(1)") == ["2:1-2: error: macro 'N' takes 0 arguments, found 1 [E0116]"]
    assert messages("#define F(a) 0\nF(1, 2)") == ["2:1-2: error: macro 'F' takes 1 argument, found 2 [E0116]"]


def test_arguments_that_do_not_end() -> None:
    source = "#define F(a,b) a+b\nx = F((();\n}\n"
    assert messages(source) == ["2:5-6: error: the argument list of macro 'F' is not closed [E0115]"]
    assert messages("#define F(a) a\n#if F(1\n#endif") == [
        "2:5-6: error: the argument list of macro 'F' is not closed [E0115]",
    ]


def test_malformed_numbers_are_errors_only_where_they_are_used() -> None:
    assert text("#define A 1.0f\nx") == "x"
    (found,) = run("#define A 1.0f\nx = A;")[1]
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column) == ("E0104", 2, 5)


def test_command_line_macros() -> None:
    options = {"defines": {"A": "1 + B", "F(x)": "(x)", "EMPTY": ""}, "undefines": ["EMPTY"]}
    assert text("#version 100\nA F(2) EMPTY", **options) == "1 + B ( 2 ) EMPTY"


def test_mistakes_in_command_line_macros_have_a_place() -> None:
    (found,) = run("x", defines={"GL_x": "1"})[1]
    assert found.span is not None
    assert found.span.location == "<command line>:1:9"
    assert found.code == "E0111"


def test_a_line_break_in_a_command_line_macro_begins_no_directive() -> None:
    assert messages("A", defines={"A": "1\n#error no"}) == [
        "1:13-14: error: '#' is only allowed at the start of a line [E0105]"
    ]


def test_multiplying_macros_are_stopped() -> None:
    doubling = "#define A0 x\n" + "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, 40)) + "A39"
    assert messages(doubling) == ["41:1-4: error: macros expand to more than 250000 tokens [E0117]"]
    nothing = doubling.replace("A0 x", "A0", 1)
    assert messages(nothing) == ["41:1-4: error: macros expand to more than 250000 tokens [E0117]"]
    arguments = "#define F(x) x x\n" + "F(" * 50 + "y" + ")" * 50
    assert [message.split("error: ")[1] for message in messages(arguments)] == [
        "macros expand to more than 250000 tokens [E0117]"
    ]


def test_deep_macros_are_stopped() -> None:
    chain = "#define A0 x\n" + "".join(f"#define A{n} A{n - 1}\n" for n in range(1, 2000))
    assert text(chain + "A400") == "x"
    assert messages(chain + "A1999") == ["2001:1-6: error: macros are nested more than 500 levels deep [E0118]"]
    nested = "#define F(x) x\n" + "F(" * 5000 + "y" + ")" * 5000
    assert [message.split("error: ")[1] for message in messages(nested)] == [
        "macros are nested more than 100 levels deep [E0118]"
    ]
    assert text("#define F(x) x\n" + "F(" * 90 + "y" + ")" * 90) == "y"


def test_unfinished_uses_are_not_scanned_for_ever() -> None:
    source = "#define F(x) x\n" + "F(\n#\n" * 5000
    assert [message.split("error: ")[1] for message in messages(source)] == [
        "macros expand to more than 250000 tokens [E0117]"
    ]


def test_tokens_keep_their_kind() -> None:
    stream = accepted("#define A float x = 1.0 + 2\nA").tokens
    assert stream.kinds == ["keyword", "identifier", "operator", "float", "operator", "int", "end"]
