"""After an error of the preprocessor parser and checker go on: one mistake is one message, later ones are found."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from tests.frontends.glsl.shaders import compile_shader

#: A mistake, as lines between the head of a shader and its main; uses of what it declares, in main; its message's code.
MISTAKES = [
    # Characters and numbers.
    ("float größe = 1.0;", "größe", ["E0101", "E0101"]),
    ("float a$ = 1.0;", "a", ["E0101"]),
    ("float a = 1.0 @ 2.0;", "a", ["E0101"]),
    ("float a\u00a0= 1.0;", "a", ["E0101"]),
    ('float a = "text";', "a", ["E0101"]),
    ("float a = ‘1.0’;", "a", ["E0101", "E0101"]),
    ("float a = 1.0f;", "a", ["E0104"]),
    ("float a = 1f;", "a", ["E0104"]),
    ("int a = 17u;", "float(a)", ["E0104"]),
    ("float a[08];", "a[7]", ["E0104"]),
    ("float a = 1.2.3;", "a", ["E0104"]),
    ("float a[1x];", "a[0]", ["E0104"]),
    ("int a = 0x;", "float(a)", ["E0104"]),
    ("float a = 1.0; # define", "a", ["E0105"]),
    # Macros.
    ("#define JOIN(a, b) a ## b\nfloat JOIN(x, y) = 1.0;", "1.0", ["E0105"]),
    ("#define A 1.0 $", "A", ["E0101"]),
    ("#define A(x, x) 1.0", "A(1.0, 2.0)", ["E0114"]),
    ("#define A(x y) 1.0", "A(1.0, 2.0)", ["E0113"]),
    ("#define A float $\nA x = 1.0;", "1.0", ["E0101"]),
    ("#define A 1.0 $\n#if A > 0\n#endif", "1.0", ["E0101"]),
    ("#define A 1.0 $\n#define A 2.0", "A", ["E0101"]),
    ("#define SQUARE(x) ((x) * (x))\nfloat a = SQUARE(1.0, 2.0);", "a", ["E0116"]),
    ("#define SQUARE(x) ((x) * (x))", "SQUARE(1.0, 2.0)", ["E0116"]),
    ("#define SQUARE(x) ((x) * (x))\nfloat a = SQUARE(1.0;", "1.0", ["E0115"]),
    ("#define GL_mine 1.0", "1.0", ["E0111"]),
    ("#define A 1.0\n#define A 2.0", "A", ["E0112"]),
    # Directives.
    ("#defin A 1.0", "A", ["E0106"]),
    ("#define", "A", ["E0110"]),
    ("#error not today", "1.0", ["E0108"]),
    ("#if UNKNOWN > 1\nfloat a;\n#endif", "a", ["E0124"]),
    ("#if 1 >\nfloat a;\n#endif", "a", ["E0123"]),
    ("#if 1 / 0\nfloat a;\n#endif", "a", ["E0125"]),
    ("#if 1 1\nfloat a = 2.0;\n#endif", "a", ["E0107"]),
    ("#ifdef A\n#endif A\nfloat a = 2.0;", "a", ["E0107"]),
    ("float a = 1.0;\n#endif", "a", ["E0120"]),
    ("#include <a.glsl>", "from_a(1.0)", ["E0142"]),
    ("float a = 1.0;\n#version 100", "a", ["E0130"]),
    ("float a = 1.0;\n#line x", "a", ["E0124"]),
    ("float a = 1.0;\n#extension GL_none : require", "a", ["E0136", "E0134"]),
]


def errors_of(text: str, stage: str = "fragment") -> list[Diagnostic]:
    with pytest.raises(CompileError) as caught:
        compile_shader(text, filename="a.frag", stage=stage, sink=DiagnosticSink(max_errors=0))  # type: ignore[arg-type]
    return [each for each in caught.value.diagnostics if each.severity == "error"]


def shader(lines: str, use: str, late: str) -> str:
    main = f"void main() {{\n  float used = {use};\n  {late}\n  gl_FragColor = vec4(used);\n}}\n"
    return f"precision mediump float;\n{lines}\n{main}"


@pytest.mark.parametrize(("lines", "use", "codes"), MISTAKES)
def test_one_mistake_is_one_message(lines: str, use: str, codes: list[str]) -> None:
    assert [each.code for each in errors_of(shader(lines, use, ""))] == codes


@pytest.mark.parametrize(("lines", "use", "codes"), MISTAKES)
def test_later_mistakes_are_found(lines: str, use: str, codes: list[str]) -> None:
    assert [each.code for each in errors_of(shader(lines, use, "int late = 1.0;"))] == [*codes, "E0401"]
    assert [each.code for each in errors_of(shader(lines, use, "int late = ;"))] == [*codes, "E0201"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("float a = 1;\nvoid main() {}\n/* never closed", "E0102"),
        ("float a = 1;\nvoid main() {\n/* never closed }", "E0102"),
        ("float a = 1;\n#ifdef NONE\nvoid main() {}", "E0122"),
        ("float a = 1;\nvoid main() {\n#ifdef NONE\n}", "E0122"),
    ],
)
def test_what_stands_before_a_lost_end_is_checked(text: str, code: str) -> None:
    found = errors_of("precision mediump float;\n" + text)
    assert [each.code for each in found] == [code, "E0401"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("#version 430\nin vec4 v; out vec4 color; void main() { color = texture(v); }", "E0132"),
        ("#pragma shader_stage(vertex)\nattribute vec4 p; void main() { gl_Position = p; }", "E0109"),
        (
            "#define A B B\n#define B C C\n" * 1
            + "\n".join(f"#define C{i} C{i + 1} C{i + 1}" for i in range(30))
            + "\nC0",
            "E0117",
        ),
    ],
)
def test_another_language_is_not_read_on(text: str, code: str) -> None:
    assert [each.code for each in errors_of(text)] == [code]


@pytest.mark.parametrize(("name", "code"), [("absent.glsl", "E0144"), ("../absent.glsl", "E0155")])
def test_what_a_file_that_is_not_included_declares_is_not_missed(name: str, code: str) -> None:
    head = f'#extension GL_GOOGLE_include_directive : require\n#include "{name}"\n'
    assert [each.code for each in errors_of(head + shader("", "from_a(1.0)", ""))] == [code]


def test_a_character_in_a_name_is_shown_by_itself() -> None:
    first, second = errors_of(shader("float größe = 1.0;", "größe", ""))
    assert first.span is not None and second.span is not None
    assert (first.span.column, first.span.end_column, first.message) == (
        9,
        11,
        "character 'ö' (U+00F6) is not allowed in a shader",
    )
    assert (second.span.line, second.span.column) == (4, 18)
