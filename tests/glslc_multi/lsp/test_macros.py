"""Definitions of macros in the texts of a shader, and which of them a use most likely means."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import SourceFile
from glslc_multi.lsp.macros import Macros


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#define A 1\n", ("A", None, "1", 1, 9)),
        ("  # define A\n", ("A", None, "", 1, 12)),
        ("\t#\tdefine\tA\t1 2\t\n", ("A", None, "1 2", 1, 11)),
        ("x;\n#define LONG_1(a, b) a + b\n", ("LONG_1", "(a, b)", "a + b", 2, 9)),
        # A blank before the parenthesis makes it text.
        ("#define A (b)\n", ("A", None, "(b)", 1, 9)),
        ("#define A() 1\n", ("A", "()", "1", 1, 9)),
        ("#define A 1 \\\n + 2\n", ("A", None, "1 \\\n + 2", 1, 9)),
        ("#define A 1 \\\r\n + 2\r\n", ("A", None, "1 \\\r\n + 2", 1, 9)),
        ("\r\n\r#define A 1", ("A", None, "1", 3, 9)),
        ("x;\r#define A 1 \\\r + 2\ry;", ("A", None, "1 \\\r + 2", 2, 9)),
        ("#if 0\n#define A 1\n#endif", ("A", None, "1", 2, 9)),
    ],
)
def test_definitions(text: str, found: tuple[str, str | None, str, int, int]) -> None:
    file = SourceFile("a.frag", text)
    ((each,),) = Macros([file]).by_name.values()
    name, parameters, body, line, column = found
    assert (each.name, each.parameters, each.text) == (name, parameters, body)
    assert (each.span.file, each.span.line, each.span.column) == (file, line, column)
    assert (each.span.end_line, each.span.end_column) == (line, column + len(name))
    assert each.line == f"#define {name}{parameters or ''} {body}".rstrip()


@pytest.mark.parametrize(
    "text", ["", "define A 1", "x #define A 1", "#defined A", "#define 1A", "#define", "#define é 1"]
)
def test_texts_that_define_nothing(text: str) -> None:
    assert Macros([SourceFile("a.frag", text)]).by_name == {}


def test_a_use_means_the_last_definition_above_it() -> None:
    """Else any: one below, or one of another file."""
    own = SourceFile("a.frag", "\n#define A 2\n\n#define A 4\n#define B 5\n")
    other = SourceFile("b.glsl", "#define A 1\n#define C 2\n")
    macros = Macros([other, own])
    found = {line: macros.find("A", own, line) for line in (1, 2, 3, 4, 9)}
    assert {line: each and each.text for line, each in found.items()} == {1: "1", 2: "2", 3: "2", 4: "4", 9: "4"}
    for name, wanted in (("B", "5"), ("C", "2"), ("D", None)):
        each = macros.find(name, own, 1)
        assert (each and each.text) == wanted
