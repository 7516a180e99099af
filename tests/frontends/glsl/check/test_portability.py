"""The limits of Appendix A: warnings, and errors in the dialect of WebGL."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.check.support import check_body, check_text

GLOBALS = "uniform int n; uniform float u[4]; uniform sampler2D t[2]; const int k = 3; float g[4];"


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < 4; i++) g[i] = 1.0;",
        "for (int i = k; i >= 0; --i) g[i] = 1.0;",
        "for (float x = 0.0; x < 1.0; x += 0.25) g[int(x * 4.0)] = 1.0;",
        "for (int i = 0; i != 4; i += 2) for (int j = 0; j < k; j++) g[i + j * 0] = 1.0;",
        "for (int i = 0; i < 2; i++) texture2D(t[i], vec2(0.0));",
    ],
)
def test_portable_loops(loop: str) -> None:
    assert check_body(loop, globals_=GLOBALS).diagnostics == []


@pytest.mark.parametrize(
    "loop",
    [
        "while (n < 3) {}",
        "do {} while (n < 3);",
        "for (;;) { break; }",
        "for (int i = n; i < 4; i++) {}",
        "for (int i = 0; i < n; i++) {}",
        "for (int i = 0; 4 > i; i++) {}",
        "for (int i = 0; i < 4; i *= 2) {}",
        "for (int i = 0; i < 4; i += n) {}",
        "for (int i = 0; i < 4;) { i++; }",
        "for (int i = 0, j = 0; i < 4; i++) {}",
        "int i; for (i = 0; i < 4; i++) {}",
        "for (int i = 0; i < 4; i++) { i = 2; }",
    ],
)
def test_other_loops_are_warned_of(loop: str) -> None:
    assert check_body(loop, globals_=GLOBALS).warning_codes == ["W0470"]


def test_an_index_passed_to_an_out_parameter_is_changed() -> None:
    globals_ = "void f(inout int x) { x += 1; }"
    assert check_body("for (int i = 0; i < 4; i++) f(i);", globals_=globals_).warning_codes == ["W0470"]


@pytest.mark.parametrize(
    ("expression", "stage", "warned"),
    [
        ("u[n]", "vertex", False),
        ("u[n]", "fragment", True),
        ("g[n]", "vertex", True),
        ("texture2D(t[n], vec2(0.0))", "vertex", True),
        ("texture2D(t[n], vec2(0.0))", "fragment", True),
        ("g[k - 1]", "fragment", False),
        ("vec4(0.0)[n]", "fragment", True),
        ("g[int(u[0])]", "fragment", True),
    ],
)
def test_indices(expression: str, stage: Stage, warned: bool) -> None:
    assert check_body(f"{expression};", stage, GLOBALS).warning_codes == ["W0471"] * warned


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("void main() { while (true) {} }", "W0470"),
        ("float webgl_x; void main() {}", "W0313"),
        ("struct S { float _webgl_x; }; void main() {}", "W0313"),
        (
            "struct A { float x; }; struct B { A x; }; struct C { B x; }; struct D { C x; }; struct E { D x; };"
            "void main() {}",
            "W0356",
        ),
    ],
)
def test_webgl_forbids_what_is_not_portable(source: str, code: str) -> None:
    source = f"precision mediump float; {source}"
    assert check_text(source).warning_codes == [code]
    assert check_text(source, dialect="webgl").error_codes == [code]


def test_webgl_relaxes_initializers_of_globals() -> None:
    source = "precision mediump float; uniform float u; float x = u + 1.0; void main() {}"
    assert check_text(source).error_codes == ["E0362"]
    result = check_text(source, dialect="webgl")
    assert (result.error_codes, result.warning_codes) == ([], ["W0363"])
