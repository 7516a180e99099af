"""Syntax errors: the exact messages, their columns, and that one mistake gives one message."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.parser.sources import parse_text

#: (shader, what is reported: "line:column-end message" with its labels and help indented below)
CASES = {
    "semicolon missing at the end of a line": (
        "void main() {\n  float a = 1.0\n  float b = 2.0;\n}",
        ["2:16-16 expected ';', found keyword 'float'"],
    ),
    "semicolon missing before an assignment": (
        "void main() {\n  a = 1.0\n  b = 2.0;\n}",
        ["2:10-10 expected ';', found 'b'"],
    ),
    "semicolon missing before a brace": ("void main() { return }", ["1:21-21 expected ';', found '}'"]),
    "semicolon missing between declarations": (
        "attribute vec3 p\nattribute vec3 q;\nuniform mat4 m;",
        ["1:17-17 expected ';', found keyword 'attribute'"],
    ),
    "semicolon missing after a structure": (
        "struct S { float a; }\nuniform S s;\n",
        ["1:22-22 expected ';', found keyword 'uniform'"],
    ),
    "semicolon missing in a structure": ("struct S { float a };", ["1:19-19 expected ';', found '}'"]),
    "semicolon missing after do-while": (
        "void main() { do { } while (a)\n b; }",
        ["1:31-31 expected ';', found 'b'"],
    ),
    "two names in a row": ("void main() { float a b; }", ["1:23-24 expected ';', found 'b'"]),
    "parenthesis missing in a call": (
        "void main() {\n  foo(a, b;\n}",
        ["2:11-12 expected ')', found ';'", "  2:6 this '(' is still open"],
    ),
    "parenthesis missing in a condition": (
        "void main() {\n  if (a {\n    b = 1.0;\n  }\n}",
        ["2:9-10 expected ')', found '{'", "  2:6 this '(' is still open"],
    ),
    "parenthesis missing over several lines": (
        "void main() {\n  v = vec2(1.0,\n    2.0\n  float b;\n}",
        ["3:8-8 expected ')', found keyword 'float'", "  2:11 this '(' is still open"],
    ),
    "bracket missing": (
        "void main() { a[1 = b; }",
        ["1:22-23 expected ']', found ';'", "  1:16 this '[' is still open"],
    ),
    "parenthesis too many": ("void main() { a = (b + c)); }", ["1:26-27 expected ';', found ')'"]),
    "brace missing before the next function": (
        "void main() {\n  if (a) {\n    b = 1.0;\n}\nvoid other() {\n}\n",
        ["4:2-2 expected '}', found keyword 'void'", "  1:13 this '{' is still open"],
    ),
    "brace missing at the end": (
        "void main() {\n  if (a) {\n    b = 1.0;\n",
        ["3:13-13 expected '}', found end of file", "  2:10 this '{' is still open"],
    ),
    "brace too many": (
        "void main() {\n} }\nfloat f();",
        ["2:3-4 '}' closes nothing"],
    ),
    "brace too early": (
        "void main() {\n    b = 1.0; }\n  x = 2.0;\n}\nfloat f() { return 1.0; }",
        ["3:3-4 expected a declaration, found 'x'", "  help: statements belong inside a function"],
    ),
    "operand missing": ("void main() { a = b + ; }", ["1:23-24 expected an expression, found ';'"]),
    "condition missing": ("void main() { if () a; }", ["1:19-20 expected an expression, found ')'"]),
    "argument missing": ("void main() { f(a,); }", ["1:19-20 expected an expression, found ')'"]),
    "colon missing": ("void main() { a ? b; }", ["1:20-21 expected ':', found ';'"]),
    "comparison for an initial value": (
        "void main() { float x == 1.0; }",
        ["1:23-25 expected ';', found '=='", "  help: '==' compares, '=' assigns"],
    ),
    "comma for a semicolon in a for": (
        "void main() { for (int i = 0, i < 3; i++) { a; } }",
        ["1:33-34 expected ';', found '<'"],
    ),
    "semicolon missing in a for": (
        "void main() { for (int i = 0 i < 3; i++) { a; } b; }",
        ["1:30-31 expected ';', found 'i'"],
    ),
    "return type missing": (
        "main() { }",
        ["1:1-5 expected a declaration, found 'main'", "  help: a function needs a return type"],
    ),
    "type for a name": ("void main() { float float; }", ["1:21-26 expected a name, found keyword 'float'"]),
    "name missing": ("uniform vec2 a, ;", ["1:17-18 expected a name, found ';'"]),
    "type missing": ("uniform 3 x;", ["1:9-10 expected a type, found '3'"]),
    "parameter list not closed": ("void main( {\n  a;\n}", ["1:12-13 expected a type, found '{'"]),
    "body missing": ("void main()\nfloat a;", ["2:1-6 expected ';' or '{', found keyword 'float'"]),
    "precision without its qualifier": (
        "precision float;",
        ["1:11-16 expected a precision qualifier, found keyword 'float'"],
    ),
    "precision misspelt": (
        "precision medium float;",
        ["1:11-17 expected a precision qualifier, found 'medium'", "  help: did you mean 'mediump'?"],
    ),
    "qualifier misspelt": (
        "unifrom vec3 a;\nvarying vec2 b;",
        ["1:1-8 expected a declaration, found 'unifrom'", "  help: did you mean 'uniform'?"],
    ),
    "statement misspelt": (
        "float f() { retrun 1.0; }",
        ["1:20-23 expected ';', found '1.0'", "  help: did you mean 'return'?"],
    ),
    "precision of no kind": (
        "precision const float;",
        ["1:11-16 expected a precision qualifier, found keyword 'const'"],
    ),
    "field missing": (
        "void main() { a.b.float = 2; }",
        ["1:19-24 expected a field or components after '.', found keyword 'float'"],
    ),
    "type where a value belongs": ("void main() { a = float; }", ["1:24-25 expected '(' after the type, found ';'"]),
    "reserved words": (
        "double x;\nint input;\nvoid main() { switch (a) { default: b; } }",
        [
            "1:1-7 'double' is a reserved word in GLSL ES 1.00",
            "  help: use 'float' with a precision qualifier",
            "2:5-10 'input' is a reserved word in GLSL ES 1.00",
            "  help: choose another name; inputs and outputs are 'attribute' and 'varying'",
            "3:15-21 'switch' is a reserved word in GLSL ES 1.00",
            "  help: use 'if' and 'else'",
            "3:28-35 'default' is a reserved word in GLSL ES 1.00",
            "  help: use 'if' and 'else'",
        ],
    ),
    "reserved modulus": (
        "void main() { int a = b % c; }",
        [
            "1:25-26 operator '%' is reserved in GLSL ES 1.00",
            "  help: use mod(), or n - (n / m) * m for integers",
        ],
    ),
    "reserved operators": (
        "void main() { a <<= 2; a = ~a | b & c; }",
        [
            "1:17-20 operator '<<=' is reserved in GLSL ES 1.00",
            "1:28-29 operator '~' is reserved in GLSL ES 1.00",
            "1:31-32 operator '|' is reserved in GLSL ES 1.00",
            "1:35-36 operator '&' is reserved in GLSL ES 1.00",
        ],
    ),
    "nested function": (
        "void main() { void g() { a; } b = 1.0; }",
        ["1:20-21 functions can only be defined at global scope"],
    ),
    "array with an initializer": (
        "float x[2] = y;",
        [
            "1:14-15 an array cannot have an initializer in GLSL ES 1.00",
            "  help: declare the array, then assign its elements",
        ],
    ),
    "array constructor": (
        "float x[2] = float[2](1.0, 2.0);",
        ["1:14-19 array constructors do not exist in GLSL ES 1.00"],
    ),
    "array type": (
        "float[3] f(S[2] a) { return ; a = }",
        [
            "1:6-9 a type has no array size in GLSL ES 1.00",
            "  help: write it after the name that is declared",
            "1:13-16 a type has no array size in GLSL ES 1.00",
            "  help: write it after the name that is declared",
            "1:35-36 expected an expression, found '}'",
        ],
    ),
    "initializer list in a function": (
        "void main() { vec2 z = { 1.0, 2.0 }; float a = 1.0 }",
        [
            "1:24-25 initializer lists do not exist in GLSL ES 1.00",
            "  help: write 'vec2(1.0, 2.0)'",
            "1:51-51 expected ';', found '}'",
        ],
    ),
    "initializer list": (
        "vec2 z = { 1.0, 2.0 };",
        ["1:10-11 initializer lists do not exist in GLSL ES 1.00", "  help: write 'vec2(1.0, 2.0)'"],
    ),
    "else without if": ("void main() { a; else b; }", ["1:18-22 'else' without 'if'"]),
    "structure without members": ("struct S { };", ["1:1-13 a structure needs at least one member"]),
    "several mistakes, one message each": (
        "uniform vec3 ;\nvarying 2;\nvoid main() {\n  a = ;\n  if (b { c = 1.0 }\n  d[ = 2;\n}\nfloat f( { }\n",
        [
            "2:9-10 expected a type, found '2'",
            "4:7-8 expected an expression, found ';'",
            "5:9-10 expected ')', found '{'",
            "  5:6 this '(' is still open",
            "5:18-18 expected ';', found '}'",
            "6:6-7 expected an expression, found '='",
            "8:10-11 expected a type, found '{'",
        ],
    ),
    "end of file in an expression": ("void main() { a = b +", ["1:22-23 expected an expression, found end of file"]),
    "end of file in an index": (
        "void main() { a[2",
        ["1:18-18 expected ']', found end of file", "  1:16 this '[' is still open"],
    ),
    "end of file in an index of a name": (
        "void main() { a[b",
        ["1:18-18 expected ']', found end of file", "  1:16 this '[' is still open"],
    ),
    "end of file in a type": (
        "void main() { float[2",
        ["1:22-22 expected ']', found end of file", "  1:20 this '[' is still open"],
    ),
    "only an opener": (
        "void main(",
        ["1:11-12 expected a type, found end of file"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_message(name: str) -> None:
    source, expected = CASES[name]
    assert _report(source) == expected


def _report(source: str) -> list[str]:
    lines = []
    for diagnostic in parse_text(source)[1].diagnostics:
        span = diagnostic.span
        assert span is not None
        lines.append(f"{span.line}:{span.column}-{span.end_column} {diagnostic.message}")
        lines += [f"  {label.span.line}:{label.span.column} {label.text}" for label in diagnostic.labels]
        lines += [f"  help: {diagnostic.help}"] if diagnostic.help else []
    return lines


def test_missing_semicolon_has_a_fix() -> None:
    (diagnostic,) = parse_text("float a\nfloat b;")[1].diagnostics
    (fix,) = diagnostic.fixes
    assert (fix.text, fix.span.line, fix.span.column, fix.span.end_column) == (";", 1, 8, 8)


def test_good_declarations_around_a_mistake_survive() -> None:
    unit, _ = parse_text("float a;\nfloat 3;\nvoid f() { x = ; y; }\nfloat b;")
    assert len(unit.declarations) == 3
