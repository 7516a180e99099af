"""What is said of an expression of another type, and how the text is mended where that is offered."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import Diagnostic
from tests.frontends.glsl.check.support import check_body, check_text

_GLOBALS = """#define THREE 3
#define SUM 1 + 2
#define OF(x) x
struct S { float a; };
S s;
void nothing() {}
float f(float x) { return x; }"""
_LOCALS = "int n = 3; ivec2 i2 = ivec2(1); vec2 v2 = vec2(1.0); float a = 0.0;"


def _errors(statement: str) -> list[Diagnostic]:
    return check_body(f"{_LOCALS}\n{statement}", globals_=_GLOBALS).errors


def _mended(statement: str, found: Diagnostic) -> str:
    """The statement with the edits that are offered."""
    lines = statement.split("\n")
    first = check_body(f"{_LOCALS}\nnot_declared;", globals_=_GLOBALS).errors[0].span
    assert first is not None
    for fix in sorted(found.fixes, key=lambda fix: (fix.span.line, fix.span.column), reverse=True):
        line = lines[fix.span.line - first.line]
        changed = line[: fix.span.column - 1] + fix.text + line[fix.span.end_column - 1 :]
        lines[fix.span.line - first.line] = changed
    return "\n".join(lines)


_CONVERT = "convert it with the constructor: {}(...)"
_OPERAND = "there are no implicit conversions: make the {} operand float"
#: Statement -> message, help, and what becomes of the statement; the same where nothing is offered.
_CASES: dict[str, tuple[str, str | None, str]] = {
    "a = 2;": ("expected float, found int", "write 2.0", "a = 2.0;"),
    "a = 0x10;": ("expected float, found int", "write 16.0", "a = 16.0;"),
    "a = n;": ("expected float, found int", _CONVERT.format("float"), "a = float(n);"),
    "a = n + 1;": ("expected float, found int", _CONVERT.format("float"), "a = float(n + 1);"),
    "a = -2;": ("expected float, found int", _CONVERT.format("float"), "a = float(-2);"),
    "a = (n);": ("expected float, found int", _CONVERT.format("float"), "a = float((n));"),
    "v2 = i2;": ("expected vec2, found ivec2", _CONVERT.format("vec2"), "v2 = vec2(i2);"),
    "v2 = ivec2(1, 2);": ("expected vec2, found ivec2", _CONVERT.format("vec2"), "v2 = vec2(ivec2(1, 2));"),
    # A macro that stands for one number is written as it is, one that stands for more is not edited; an argument is.
    "a = THREE;": ("expected float, found int", "write 3.0", "a = 3.0;"),
    "a = SUM;": ("expected float, found int", _CONVERT.format("float"), "a = SUM;"),
    "a = OF(n);": ("expected float, found int", _CONVERT.format("float"), "a = OF(float(n));"),
    # Only int to float is edited.
    "n = a;": ("expected int, found float", _CONVERT.format("int"), "n = a;"),
    "a = true;": ("expected float, found bool", _CONVERT.format("float"), "a = true;"),
    "v2 = 1.0;": ("expected vec2, found float", _CONVERT.format("vec2"), "v2 = 1.0;"),
    "i2 = v2;": ("expected ivec2, found vec2", _CONVERT.format("ivec2"), "i2 = v2;"),
    "if (n) {}": ("expected bool, found int", _CONVERT.format("bool"), "if (n) {}"),
    # Shapes that differ: of a longer vector the first components, of others nothing.
    "v2 = vec3(1.0);": ("expected vec2, found vec3", "select the components: .xy", "v2 = vec3(1.0);"),
    "v2 = ivec3(1);": ("expected vec2, found ivec3", None, "v2 = ivec3(1);"),
    "vec3 w = v2;": ("expected vec3, found vec2", None, "vec3 w = v2;"),
    "mat2 m = mat3(1.0);": ("expected mat2, found mat3", None, "mat2 m = mat3(1.0);"),
    "a = s;": ("expected float, found S", None, "a = s;"),
    "a = nothing();": ("a call of a void function has no value", None, "a = nothing();"),
    "f(1);": ("argument 1 of 'f' must be float, found int", "write 1.0", "f(1.0);"),
    "f(n);": ("argument 1 of 'f' must be float, found int", _CONVERT.format("float"), "f(float(n));"),
    # Operands: whichever is the int one.
    "a = 1.0 * n;": ("'*' cannot combine float and int", _OPERAND.format("right"), "a = 1.0 * float(n);"),
    "a = n * 1.0;": ("'*' cannot combine int and float", _OPERAND.format("left"), "a = float(n) * 1.0;"),
    "v2 = v2 * 2;": ("'*' cannot combine vec2 and int", _OPERAND.format("right"), "v2 = v2 * 2.0;"),
    "v2 = 2 - v2;": ("'-' cannot combine int and vec2", _OPERAND.format("left"), "v2 = 2.0 - v2;"),
    "a += 2;": ("'+=' cannot combine float and int", _OPERAND.format("right"), "a += 2.0;"),
}


@pytest.mark.parametrize("statement", _CASES)
def test_expressions_of_another_type(statement: str) -> None:
    message, help, mended = _CASES[statement]
    found, *_ = _errors(statement)
    assert (found.message, found.help) == (message, help)
    assert _mended(statement, found) == mended
    assert mended == statement or _errors(mended) == []


@pytest.mark.parametrize("version", ["120", "130", "330"])
@pytest.mark.parametrize(
    ("expression", "folded"), [("1", 1.0), ("-7", -7.0), ("int(2.9)", 2.0), ("16777217", 16777216.0)]
)
def test_later_desktop_versions_convert_ints(version: str, expression: str, folded: float) -> None:
    """Constants as such; 2^24 + 1 is rounded."""
    result = check_text(f"#version {version}\nconst float result = {expression};\nvoid main() {{}}\n")
    assert result.shader is not None
    assert result.shader.globals[0].constant == (folded,)


@pytest.mark.parametrize(
    ("version", "declaration", "is_taken"),
    [
        ("110", "float a = 1;", False),
        ("120", "float a = 1;", True),
        ("120", "vec2 a = ivec2(1);", True),
        ("120", "vec2 a = 1;", False),
        ("120", "vec3 a = ivec2(1);", False),
        ("120", "int a = 1.0;", False),
        ("120", "float a = true;", False),
        ("130", "float a = 1u;", True),
        ("130", "int a = 1u;", False),
        ("300 es", "highp float a = 1;", False),
    ],
)
def test_what_is_converted_by_itself(version: str, declaration: str, is_taken: bool) -> None:
    assert (check_text(f"#version {version}\n{declaration}\nvoid main() {{}}\n").error_codes == []) == is_taken
