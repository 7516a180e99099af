"""Statements, functions as a whole, and what makes a shader complete (GLSL ES 1.00 chapter 6)."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.frontends.glsl.check import require_complete
from tests.frontends.glsl.check.support import check_body, check_text


@pytest.mark.parametrize(
    "text",
    [
        "if (true) discard; else return;",
        "for (;;) { break; }",
        "for (int i = 0; i < 3; i++) { if (i == 1) continue; }",
        "int i; for (i = 0; bool b = i < 2; i++) {}",
        "while (bool b = true) { if (b) break; }",
        "do { break; } while (true);",
        "if (true) float x = 1.0; float x;",
        ";;",
        "float x; { float x; { float x; } }",
        "return;",
    ],
)
def test_valid(text: str) -> None:
    assert check_body(text).errors == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("if (1) {}", "E0401"),
        ("if (bvec2(true)) {}", "E0401"),
        ("while (1.0) {}", "E0401"),
        ("do {} while (1);", "E0401"),
        ("for (; 1;) {}", "E0401"),
        ("for (; int i = 1;) {}", "E0401"),
        ("while (bool b = 1) {}", "E0401"),
        ("break;", "E0452"),
        ("continue;", "E0452"),
        ("if (true) { break; }", "E0452"),
        ("for (;;) {} break;", "E0452"),
        ("return 1.0;", "E0450"),
        ("if (true) float x = 1.0; x = 2.0;", "E0301"),
        ("do float x = 1.0; while (x < 1.0);", "E0301"),
        ("for (int i = 0; i < 2; i++) {} i = 1;", "E0301"),
    ],
)
def test_invalid(text: str, code: str) -> None:
    assert check_body(text).error_codes == [code]


def test_discard_belongs_to_fragment_shaders() -> None:
    assert check_body("discard;", "vertex").error_codes == ["E0453"]


@pytest.mark.parametrize(
    ("function", "codes"),
    [
        ("float f() { return 1.0; }", []),
        ("float f() { if (true) return 1.0; }", []),
        ("float f() {}", []),
        ("float f() { return; }", ["E0451"]),
        ("float f() { return 1; }", ["E0401"]),
        ("void f() { return f; }", ["E0303", "E0450"]),
        ("int f(out int x) { return x = 1; }", []),
    ],
)
def test_returns(function: str, codes: list[str]) -> None:
    assert check_text(f"precision mediump float; {function}").error_codes == codes


def test_a_function_without_any_return_is_warned_of() -> None:
    result = check_text("int f() {} int g() { if (true) return 1; } void h() {} void main() {}")
    assert (result.error_codes, result.warning_codes) == ([], ["W0454"])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("void main(int x) {}", "E0325"),
        ("int main() { return 1; }", "E0325"),
        ("float main;", "E0328"),
        ("void f() {}", "E0328"),
        ("void main();", "E0328"),
        ("void f(); void main() { f(); }", "E0327"),
        ("void f(); void g() { f(); } void main() {}", ""),
        ("void main(void) {}", ""),
    ],
)
def test_completeness(text: str, code: str) -> None:
    result = check_text(f"precision mediump float; {text}")
    sink = DiagnosticSink()
    if not result.errors:
        assert result.shader is not None
        require_complete(result.shader, sink)
    found = result.error_codes + [d.code for d in sink.diagnostics]
    assert found == ([code] if code else [])


def test_reachable_functions_come_callees_first() -> None:
    text = "void a() {} void b() { a(); } void c() { b(); a(); } void unused() { c(); } void main() { c(); b(); }"
    shader = check_text(text).shader
    assert shader is not None
    assert [function.name for function in shader.functions] == ["a", "b", "c", "main"]


def test_recursion_shows_the_chain() -> None:
    text = "void b(); void c();\nvoid a() { b(); }\nvoid b() { c(); }\nvoid c() { a(); }\nvoid main() {}"
    (error,) = check_text(text).errors
    assert error.message == "'b' calls itself through 'c', 'a'"
    assert [label.text for label in error.labels] == ["'b' calls 'c' here", "'c' calls 'a' here"]


def test_used_builtin_variables() -> None:
    shader = check_body("gl_FragColor = gl_FragCoord;").shader
    assert shader is not None
    facts = {symbol.name: (symbol.role, symbol.used, symbol.written) for symbol in shader.builtin_variables}
    assert facts == {"gl_FragColor": ("frag_color", True, True), "gl_FragCoord": ("frag_coord", True, False)}
