"""The `-E` output: readable, and the same tokens when read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.frontends.glsl.preprocess import print_tokens
from glslc_multi.frontends.glsl.tokens import PreprocessedShader, TokenKind
from tests.frontends.glsl.preprocess.support import accepted, run


def places(shader: PreprocessedShader) -> list[tuple[TokenKind, str, tuple[str, int]]]:
    """Kind, text and shown place of every token but the end."""
    stream = shader.tokens
    shown = [file.shown_line(line) for file, line in zip(stream.files, stream.lines, strict=True)]
    return list(zip(stream.kinds, stream.texts, shown, strict=True))[:-1]


def test_lines_and_columns_are_kept() -> None:
    source = "#define PI 3.14\n\nvoid main() { // c\n    float a = PI*2.0;\n}\n"
    assert print_tokens(accepted(source)) == "\n\nvoid main() {\n    float a = 3.14 *2.0;\n}\n"


def test_tokens_of_macros_do_not_grow_together() -> None:
    source = "#define E\n#define M -\n#define N 1\n-M-E-N N.x a E.b"
    printed = print_tokens(accepted(source))
    assert printed == "\n\n\n- - - - 1 1 .x a .b\n"
    assert places(accepted(printed)) == places(accepted(source))


def test_long_gaps_become_line_directives() -> None:
    assert print_tokens(accepted("a\n" + "\n" * 20 + "b\n\nc")) == "a\n#line 22\nb\n\nc\n"


@pytest.mark.parametrize("gap", [1, 2, 8, 9])
def test_lines_up_to_eight_apart_are_left_empty(gap: int) -> None:
    between = "\n" * gap if gap <= 8 else f"\n#line {1 + gap}\n"
    assert print_tokens(accepted("a" + "\n" * gap + "b")) == f"a{between}b\n"


def test_what_the_directives_said_stays() -> None:
    source = (
        "#version 120\n#extension GL_ARB_shader_texture_lod : enable\n"
        "#pragma STDGL invariant(all)\n#pragma target(x)\n\n#line 30\nx\n"
    )
    shader = accepted(source)
    printed = print_tokens(shader)
    assert printed == (
        "#version 120\n#extension GL_ARB_shader_texture_lod : enable\n"
        "#pragma STDGL invariant(all)\n#pragma target(x)\n#line 30\nx\n"
    )
    again = accepted(printed)
    assert (again.language.number, again.extensions, again.all_invariant) == (120, shader.extensions, True)
    assert [text for text, _ in again.pragmas] == ["target(x)"]
    assert places(again) == places(shader)


def test_an_empty_shader_prints_nothing() -> None:
    assert print_tokens(accepted("// nothing\n#define A\n")) == ""


def test_included_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.glsl").write_text("\n\nfloat f() { return 1.0; }\n")
    main = str(tmp_path / "main.frag")
    source = '#extension GL_GOOGLE_include_directive : enable\nx\n#include "a.glsl"\ny z\n'
    shader, diagnostics = run(source, name=main)
    printed = print_tokens(shader)
    assert diagnostics == []
    assert printed == (
        "#extension GL_GOOGLE_include_directive : enable\n"
        "#extension GL_GOOGLE_cpp_style_line_directive : enable\n"
        f'#line 2 "{main}"\nx\n#line 3 "{tmp_path / "a.glsl"}"\nfloat f() {{ return 1.0; }}\n#line 4 "{main}"\ny z\n'
    )
    assert places(run(printed, name=main)[0]) == places(shader)


@pytest.mark.parametrize(
    "source",
    [
        "#define F(a, b) a b\nF(1,\n\n2) 3\n4",
        "a\\\nb c\\\n+\\\n+ d",
        "#line 5 2\na\n#line 3\nb\n#line 100 0\nc",
        "#version 100\n\tx\t+ y",
    ],
)
def test_the_output_has_the_same_tokens(source: str) -> None:
    shader = accepted(source)
    again = accepted(print_tokens(shader))
    assert [place[:2] for place in places(again)] == [place[:2] for place in places(shader)]
