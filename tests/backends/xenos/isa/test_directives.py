"""Directives: what of a file the words of its program do not tell."""

from __future__ import annotations

import pytest

from glslc_multi.backends.xenos.isa import container
from glslc_multi.backends.xenos.isa.asm import assemble_file
from glslc_multi.backends.xenos.isa.container import Element, File, Interpolator
from glslc_multi.backends.xenos.isa.disasm import disassemble
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.records import replace

VERTEX = """ALLOC POSITION SIZE(0x0)
EXEC_END
   (S)FETCH: VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(3) CONST(31, 2)
   (S)ALU: MAXv export62 = R1, R1
"""
FRAGMENT = "ALLOC PARAM/PIXEL SIZE(0x0)\nEXEC_END\n (S)ALU: MAXv export0 = R1, R1\n"
#: Nothing in it is what the words tell.
OTHER_VERTEX = {
    "program_control": 0x12345678,
    "context_misc": 9,
    "interpolators_word": 1 | 1 << 5 | 3 << 10,
    "elements": (Element(1, 10, 3, 3),),
    "interpolators": (Interpolator(10, 1, 2, 7, 1),),
    "exports": (5, 4102),
    "floats": ((3, (1, 2, 3, 4)), (255, (0xFFFFFFFF,) * 8)),
    "integers": ((0x2320, (60,)), (0x2300, (1, 2, 3))),
}
OTHER_FRAGMENT = {
    "program_control": 0x18000100,
    "interpolators_word": 1 | 1 << 5 | 3 << 10,
    "interpolators": (Interpolator(5, 0, 0, 7),),
    "interpolator_control": 0x10001,
    "outputs": 0x31,
}


def file_of(text: str) -> File:
    return assemble_file(text, "test", DiagnosticSink())


def text_of(file: File) -> str:
    return disassemble(container.write(file), "test", DiagnosticSink())


@pytest.mark.parametrize("text", [VERTEX, FRAGMENT])
def test_what_the_words_tell_is_not_written(text: str) -> None:
    file = file_of(text)
    assert "." not in {line[0] for line in text_of(file).splitlines()}
    assert file_of(text_of(file)) == file


@pytest.mark.parametrize(("text", "changes"), [(VERTEX, OTHER_VERTEX), (FRAGMENT, OTHER_FRAGMENT)])
def test_all_else_survives_text(text: str, changes: dict[str, object]) -> None:
    file = replace(file_of(text), **changes)  # type: ignore[arg-type]
    assert file_of(text_of(file)) == file
    # Each alone, too: the others are what the words tell.
    for name in changes.keys() - {"interpolators_word", "interpolators"}:
        one = replace(file_of(text), **{name: changes[name]})  # type: ignore[arg-type]
        assert file_of(text_of(one)) == one


@pytest.mark.parametrize(
    ("directive", "columns"),
    [
        (".elements 1 2 3 4", "2-9"),
        (".element 1 2 3", "1-14"),
        (".element 1 2 3 4 5", "1-18"),
        (".element 1 2 16 4", "14-15"),
        (".element 1 two 1 4", "12-14"),
        (".float 1", "1-8"),
        (".program_control 0x100000000", "18-28"),
        (". 1", "1-1"),
    ],
)
def test_mistakes_are_at_their_places(directive: str, columns: str) -> None:
    with pytest.raises(CompileError) as caught:
        file_of(f"; a comment\n{directive}\n{VERTEX}")
    (diagnostic,) = caught.value.diagnostics
    span = diagnostic.span
    assert span is not None
    assert (span.line, f"{span.column}-{span.end_column - 1}") == (2, columns)


def test_lines_keep_their_numbers() -> None:
    with pytest.raises(CompileError) as caught:
        file_of(f".outputs 1\n.outputs 2\nEXEC_EMD\n{VERTEX}")
    assert {diagnostic.span.line for diagnostic in caught.value.diagnostics if diagnostic.span} == {3}
