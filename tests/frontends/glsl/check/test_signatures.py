"""Heads of functions: what they may say, and how a second declaration must agree, word for word of the messages."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.check.support import Result, check_text

_BEFORE = "'{}' was declared before with another {}"
#: Declarations after one another -> code and message of the last of them.
_REFUSED: dict[str, tuple[str, str]] = {
    "float f(float a); int f(float a);": ("E0322", _BEFORE.format("f(float)", "result type, float")),
    "highp float f(); mediump float f() { return 1.0; }": (
        "E0322",
        _BEFORE.format("f()", "precision of the result, highp"),
    ),
    "float f(float a); float f(out float a);": ("E0322", _BEFORE.format("f(float)", "qualifier on parameter 1")),
    "float f(int b, out float a); float f(int b, inout float a);": (
        "E0322",
        _BEFORE.format("f(int, float)", "qualifier on parameter 2"),
    ),
    "float f(float a); float f(const float a);": ("E0322", _BEFORE.format("f(float)", "qualifier on parameter 1")),
    "float f(float a, highp float b); float f(float a, lowp float b);": (
        "E0322",
        _BEFORE.format("f(float, float)", "precision of parameter 2, highp"),
    ),
    "float f(); float f();": ("E0321", "'f()' is already declared"),
    "float f() { return 1.0; } float f() { return 2.0; }": ("E0320", "'f()' is already defined"),
    "struct S { float a[2]; }; S f();": ("E0329", "functions cannot return structures that contain arrays"),
    "sampler2D f();": ("E0329", "functions cannot return samplers"),
    "struct S { sampler2D s; }; S f();": ("E0329", "functions cannot return samplers"),
    "struct S { float a; } f();": ("E0351", "a structure cannot be declared in a function's result type"),
    "void f(struct S { float a; } s);": ("E0351", "a structure cannot be declared in a function's parameters"),
    "void f(out sampler2D s);": ("E0333", "out 's' cannot have the type sampler2D"),
    "void f(inout sampler2D s);": ("E0333", "inout 's' cannot have the type sampler2D"),
    "void f(const out float s);": ("E0331", "'const' cannot be combined with 'out'"),
    "void f(const in float s) { s = 1.0; }": ("E0410", "the const parameter 's' cannot be assigned"),
    "void f(const float s) { s = 1.0; }": ("E0410", "the const parameter 's' cannot be assigned"),
    "uniform float f();": ("E0332", "'uniform' cannot be used on function results"),
    "const float f();": ("E0332", "'const' cannot be used on function results"),
    "void f(uniform float a);": ("E0332", "'uniform' cannot be used on function parameters"),
    "float sin(float x) { return x; }": (
        "E0323",
        "'sin(float)' is a built-in function and cannot be declared again",
    ),
    "void f() { float g(); }": ("E0324", "functions can only be declared at global scope"),
}


def _check(text: str, version: str = "100") -> Result:
    precision = "precision mediump float;\n" if version in ("100", "300 es") else ""
    return check_text(f"#version {version}\n{precision}{text}\nvoid main() {{}}\n")


@pytest.mark.parametrize("text", _REFUSED)
def test_functions_that_may_not_be_declared(text: str) -> None:
    (found,) = _check(text).errors
    assert (found.code, found.message) == _REFUSED[text]


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("100", "float f(); float f() { return 1.0; }"),
        ("100", "float f() { return 1.0; } float f();"),
        ("300 es", "float f(); float f(); float f() { return 1.0; }"),
        ("120", "float f(); float f();"),
        # Other parameters make another function.
        ("100", "float f(); float f(float a); int f(int a);"),
        ("100", "void f(int); void f(int a) { int b = a; }"),
        ("120", "float f(in float a); float f(float a);"),
        ("100", "void f(float s) { s = 1.0; }"),
        ("100", "void f(out float s[2]);"),
        ("120", "void f(out float s[2]);"),
        ("300 es", "float[2] f();"),
        ("300 es", "struct S { float a[2]; }; S f();"),
        # A built-in function may have more parameters of its own, and on the desktop another body.
        ("100", "float sin(int x) { return 1.0; }"),
        ("120", "float sin(float x) { return x; }"),
        # Of an extension that is not enabled, nothing is taken.
        ("100", "float dFdx(float x) { return x; }"),
    ],
)
def test_functions_that_may_be_declared(version: str, text: str) -> None:
    assert _check(text, version).error_codes == []


@pytest.mark.parametrize(
    ("version", "text", "message"),
    [
        (
            "300 es",
            "float sin(int x) { return 1.0; }",
            "'sin(int)' is a built-in function and cannot be declared again",
        ),
        ("110", "void f(out float s[2]);", "out 's' cannot have the type float[2]"),
        ("120", "float[] f();", "functions cannot return arrays without a size"),
        ("110", "struct S { float a[2]; }; S f();", "functions cannot return structures that contain arrays"),
    ],
)
def test_what_some_versions_refuse(version: str, text: str, message: str) -> None:
    assert [error.message for error in _check(text, version).errors] == [message]


@pytest.mark.parametrize("text", ["void main(int a) {}", "int main() { return 1; }", "float main() { return 1.0; }"])
def test_main_takes_and_yields_nothing(text: str) -> None:
    found = check_text(f"precision mediump float;\n{text}\n").errors
    assert [(error.code, error.message) for error in found] == [("E0325", "main must be declared as 'void main()'")]


def test_the_earlier_declaration_is_shown() -> None:
    (found,) = _check("float f();\n\nint f();").errors
    assert found.span is not None and found.span.line == 5
    assert [label.span.line for label in found.labels] == [3]


def test_the_body_names_the_parameters_of_its_own_head() -> None:
    assert _check("float f(float a); float f(float b) { return b; }").error_codes == []
    assert _check("float f(float a); float f(float b) { return a; }").error_codes == ["E0301"]
