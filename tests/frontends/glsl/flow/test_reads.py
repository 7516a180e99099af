"""Reads of variables that nothing wrote: which are reported, at which place, and what stays quiet."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.flow.support import warnings_of

IS, MAY = "W0480", "W0481"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Straight code, by components.
        ("float a; use(a);", [(IS, "'a'")]),
        ("float a; a = 1.0; use(a);", []),
        ("float a; a += 1.0;", [(IS, "'a'")]),
        ("float a; a++;", [(IS, "'a'")]),
        ("float a = a0; use(a);", []),
        ("float a, b; a = b; use(a);", [(IS, "'b'")]),
        ("vec4 a; a.xy = v.xy; use(a.x + a.y);", []),
        ("vec4 a; a.xy = v.xy; use(a.z);", [(IS, "'a'")]),
        ("vec4 a; a.xy = v.xy; use4(a);", [(IS, "a part of 'a'")]),
        ("vec4 a; if (n > 0) a.xy = v.xy; use4(a);", [(IS, "a part of 'a'")]),
        ("vec4 a; a.xy = v.xy; a.qp = v.xy; use4(a);", []),
        ("vec4 a; a.wzyx.x = 1.0; use(a.w);", []),
        ("vec4 a; a[2] = 1.0; use(a.z); use(a.y);", [(IS, "'a'")]),
        ("mat2 m; m[0] = v.xy; use(m[0].y); use(m[1].x);", [(IS, "'m'")]),
        ("mat2 m; m[0].x = 1.0; use(m[0][0]); use(m[0][1]);", [(IS, "'m'")]),
        ("S s; s.b = v.xy; use(s.b.y); use(s.a);", [(IS, "'s'")]),
        ("S s; s.c[1] = 1.0; use(s.c[1]); use(s.c[0]);", [(IS, "'s'")]),
        ("S s; fill(s); use(s.b.x);", []),
        # Elements by an index that is not constant may be any.
        ("float a[3]; a[n] = 1.0; use(a[2]);", []),
        ("float a[3]; a[0] = 1.0; use(a[n]);", []),
        ("float a[3]; use(a[n]);", [(IS, "'a'")]),
        ("float a[3]; a[0] = 1.0; use(a[1]);", [(IS, "'a'")]),
        ("float a[3]; int i; use(a[i]);", [(IS, "'i'"), (IS, "'a'")]),
        ("int i; float a[3]; a[i] = 1.0;", [(IS, "'i'")]),
        # One message for each variable.
        ("float a; use(a); use(a);", [(IS, "'a'")]),
        # Branches.
        ("float a; if (n > 0) a = 1.0; use(a);", [(MAY, "'a'")]),
        ("float a; if (n > 0) a = 1.0; else a = 2.0; use(a);", []),
        ("float a; if (n > 0) a = 1.0; else if (n < 0) a = 2.0; use(a);", [(MAY, "'a'")]),
        ("float a; if (n > 0) a = 1.0; else discard; use(a);", []),
        ("float a; if (n > 0) { a = 1.0; } else { return; } use(a);", []),
        ("float a; if (true) a = 1.0; use(a);", []),
        ("float a; if (false) use(a);", []),
        ("float a; return; use(a);", []),
        ("float a; n > 0 ? (a = 1.0) : (a = 2.0); use(a);", []),
        ("float a; n > 0 ? (a = 1.0) : 2.0; use(a);", [(MAY, "'a'")]),
        ("float a; if (n > 0 && (a = 1.0) > 0.5) {} use(a);", [(MAY, "'a'")]),
        ("float a; if (n > 0 || (a = 1.0) > 0.5) {} use(a);", [(MAY, "'a'")]),
        ("float a; if ((a = 1.0) > 0.5 && n > 0) {} use(a);", []),
        # Loops.
        ("float a; for (int i = 0; i < 3; i++) a = 1.0; use(a);", []),
        ("float a; for (int i = 3; i < 3; i++) a = 1.0; use(a);", [(MAY, "'a'")]),
        ("float a; for (int i = 0; i < n; i++) a = 1.0; use(a);", [(MAY, "'a'")]),
        ("float a; for (int i = 0; i < 3; i++) { if (n > i) continue; a = 1.0; } use(a);", [(MAY, "'a'")]),
        ("float a; for (int i = 0; i < 3; i++) { if (n > i) break; a = 1.0; } use(a);", [(MAY, "'a'")]),
        ("float a; for (int i = 0; i < 3; i++) { a = 1.0; if (n > i) break; } use(a);", []),
        ("float a; for (int i = 0; i < 3; i++) { a += 1.0; }", [(MAY, "'a'")]),
        ("float a; for (int i = 0; i < 3; i++) { use(a); }", [(IS, "'a'")]),
        (
            "float a; for (int i = 0; i < 3; i++) { if (i > 0) use(a); for (int j = 0; j < 2; j++) a = 1.0; }",
            [(MAY, "'a'")],
        ),
        ("for (int i = 0; i < 3; i++) { float a; use(a); a = 1.0; }", [(IS, "'a'")]),
        ("for (int i = 0; i < 3; i++) { float a; a = 1.0; use(a); }", []),
        ("float a; while (n > 0) { a = 1.0; } use(a);", [(MAY, "'a'")]),
        ("float a; while (true) { a = 1.0; if (n > 0) break; } use(a);", []),
        ("float a; for (;;) { if (n > 0) break; a = 1.0; } use(a);", [(MAY, "'a'")]),
        ("float a; do { a = 1.0; } while (n > 0); use(a);", []),
        ("float a; do { if (n > 1) break; a = 1.0; } while (n > 0); use(a);", [(MAY, "'a'")]),
        ("float a; do { if (n > 1) continue; a = 1.0; } while (a > 0.0);", [(MAY, "'a'")]),
        # Calls.
        ("float a; set(a); use(a);", []),
        ("float a; change(a);", [(IS, "'a'")]),
        ("float a[3]; int i; set(a[i]);", [(IS, "'i'")]),
    ],
)
def test_local_variables(body: str, expected: list[tuple[str, str]]) -> None:
    found = warnings_of(f"void main() {{ {body} }}", "W0480", "W0481")
    assert [(each.code, each.values["what"]) for each in found] == expected


def test_an_output_parameter_begins_without_a_value() -> None:
    (found,) = warnings_of("void f(out float r) { r += 1.0; } void main() { float x; f(x); use(x); }", IS, MAY)
    assert (found.values["what"], found.help) == ("'r'", "'inout' gives it the argument's value")


def test_global_variables_that_nothing_writes() -> None:
    globals_ = "float g; float h; vec4 k = vec4(1.0); void f() { h = 1.0; }"
    found = warnings_of(f"{globals_} void main() {{ use(g + h + k.x); use(g); }}", IS, MAY)
    assert [each.message for each in found] == ["'g' is read before it is written"]


def test_only_functions_that_run_are_looked_at() -> None:
    assert warnings_of("float f() { float a; return a; } void main() {}", IS, MAY) == []


def test_read_and_declaration_are_shown() -> None:
    (found,) = warnings_of("void main() {\n  float first;\n  use(first);\n}", IS)
    assert found.span is not None
    (label,) = found.labels
    assert (found.span.line - label.span.line, found.span.column, label.span.column) == (1, 7, 9)
    assert (label.text, found.help) == ("declared here, without a value", "give it a value where it is declared")


def test_long_chains_and_deep_nests_are_walked() -> None:
    chain = " + ".join(["a"] * 4000)
    assert len(warnings_of(f"void main() {{ float a; use({chain}); }}", IS)) == 1
    branches = " ".join(f"if (n == {i}) a = 1.0; else" for i in range(3000))
    assert warnings_of(f"void main() {{ float a; {branches} a = 2.0; use(a); }}", IS, MAY) == []
    depth = 120
    loops = "for (int i = 0; i < 2; i++) {" * depth + "use(a); a = 1.0;" + "}" * depth
    assert [each.code for each in warnings_of(f"void main() {{ float a; {loops} }}", IS, MAY)] == [MAY]


def test_very_large_arrays_count_as_a_whole() -> None:
    assert warnings_of("void main() { vec4 a[4000]; a[7] = v; use4(a[9]); }", IS, MAY) == []
    assert len(warnings_of("void main() { vec4 a[4000]; use4(a[9]); }", IS)) == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("float a; switch (n) { case 0: a = 1.0; break; default: a = 2.0; } use(a);", []),
        ("float a; switch (n) { case 0: a = 1.0; break; case 1: a = 2.0; } use(a);", [(MAY, "'a'")]),
        ("float a; switch (n) { case 0: a = 1.0; case 1: use(a); }", [(MAY, "'a'")]),
        ("float a; switch (n) { case 0: use(a); default: a = 1.0; }", [(IS, "'a'")]),
        ("float a; switch (n) { default: if (n > 1) break; a = 1.0; } use(a);", [(MAY, "'a'")]),
        ("float a; switch (n) { case 0: return; default: a = 1.0; } use(a);", []),
        ("float a; for (int i = 0; i < 2; i++) { switch (n) { case 0: continue; default: a = 1.0; } use(a); }", []),
        (
            "float a; for (int i = 0; i < 2; i++) { switch (n) { case 0: break; default: a = 1.0; } use(a); }",
            [(MAY, "'a'")],
        ),
        ("float a; do { switch (n) { case 0: continue; default: a = 1.0; } } while (a > 0.0);", [(MAY, "'a'")]),
        ("float a; do { switch (n) { case 0: break; default: a = 1.0; } a = 2.0; } while (a > 0.0);", []),
        ("float a[2]; float b = float(a.length()); use(b);", []),
        ("float a[2] = float[](a0, a0); use(a[1]);", []),
        ("float[2] a; a = float[](a0, a0); use(a[n]);", []),
    ],
)
def test_reads_in_later_versions(body: str, expected: list[tuple[str, str]]) -> None:
    globals_ = "#version 130\nuniform int n; uniform float a0; void use(float x) { gl_FragColor.x += x; }\n"
    found = warnings_of(f"void main() {{ {body} }}", IS, MAY, globals_=globals_)
    assert [(each.code, each.message.split(" ")[0]) for each in found] == expected
