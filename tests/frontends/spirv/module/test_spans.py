"""Places of instructions: lines of the text form, of sources that OpLine names, and of what debug information holds."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.spirv.text import read_text
from glslc_multi.frontends.spirv.module.contents import Contents
from glslc_multi.frontends.spirv.module.spans import ModuleText, Spans


def _place(span: Span | None) -> tuple[str, int, int, int, int]:
    assert span is not None
    return span.file.name, span.line, span.column, span.end_line, span.end_column


#: Line 2 has code from column 5 to column 15, line 3 nothing but spaces, line 4 none.
_TEXT = "OpNop\n    OpFAdd %x %y  \n   \n\n"


@pytest.mark.parametrize(
    ("line", "columns"), [(1, (1, 6)), (2, (5, 17)), (3, (4, 5)), (4, (1, 2)), (0, (1, 6)), (99, (1, 2))]
)
def test_a_line_of_the_text_is_marked_from_its_first_word_to_its_last(line: int, columns: tuple[int, int]) -> None:
    """An empty one has a mark of one column; there is no line 0."""
    place = max(line, 1)
    found = _place(Spans(SourceFile("a.spvasm", _TEXT)).span(line))
    assert found == ("a.spvasm", place, columns[0], place, columns[1])


def test_nothing_has_no_place() -> None:
    assert Spans(SourceFile("a.spvasm", _TEXT)).span(None) is None


def test_the_text_of_a_binary_is_written_when_somebody_looks_at_a_line() -> None:
    """Its spans are marks of one column, for which no line is looked at."""
    written: list[str] = []

    def write() -> str:
        written.append("written")
        return "OpNop\n  OpKill\n"

    file = ModuleText("a.spv", write)
    assert _place(Spans(file).span(2)) == ("a.spv", 2, 1, 2, 2)
    assert written == []
    assert [file.line_text(line) for line in (1, 2)] == ["OpNop", "  OpKill"]
    assert written == ["written"]


#: Line ends of texts inside the text form, in which a line is an instruction.
_SHADER = "float4 main()~{~    return 1;~}~"
_STRINGS = f'%name = OpString "a.hlsl"\n%text = OpString "{_SHADER}"\n%other = OpString "b.hlsl"\n'


def _contents(text: str, name: str = "a.spvasm") -> Contents:
    code = read_text(text)
    for each in code.instructions:
        each.operands = [value.replace("~", "\n") if isinstance(value, str) else value for value in each.operands]
    contents = Contents(code, SourceFile(name, ""), {})
    contents.read()
    return contents


def _places(contents: Contents) -> list[Span | None]:
    """Of the instructions with a type."""
    return [contents.spans.span(each) for each in contents.code.instructions if each.type]


_TYPES = "%float = OpTypeFloat 32\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("OpLine %name 3 5", ("a.hlsl", 3, 5, 3, 6)),
        # Without a column, the whole line that the source has there.
        ("OpLine %name 3 0", ("a.hlsl", 3, 5, 3, 14)),
        ("OpLine %other 3 0", ("b.hlsl", 3, 1, 3, 2)),
        ("OpLine %name 0 0", ("a.hlsl", 1, 1, 1, 14)),
    ],
)
def test_a_line_of_a_source(line: str, wanted: tuple[str, int, int, int, int]) -> None:
    source = f'OpSource HLSL 600 %name "{_SHADER}"\n'
    (found,) = _places(_contents(f"{_STRINGS}{source}{_TYPES}{line}\n%one = OpConstant %float 1\n"))
    assert _place(found) == wanted


def test_a_line_counts_until_another_one_or_none() -> None:
    text = "OpLine %name 1 2\n%p = OpConstant %float 1\n%q = OpConstant %float 2\nOpLine %name 3 4\n"
    text += "%r = OpConstant %float 3\nOpNoLine\n%s = OpConstant %float 4\n"
    found = [_place(each)[:3] for each in _places(_contents(_STRINGS + _TYPES + text))]
    # The last one is told by its line of the text: three strings, a type, and six before it.
    assert found == [("a.hlsl", 1, 2), ("a.hlsl", 1, 2), ("a.hlsl", 3, 4), ("a.spvasm", 11, 1)]


def test_equal_places_share_one_span_and_one_file() -> None:
    text = "OpLine %name 1 2\n%p = OpConstant %float 1\n%q = OpConstant %float 2\nOpLine %name 3 0\n"
    first, second, third = _places(_contents(_STRINGS + _TYPES + text + "%r = OpConstant %float 3\n"))
    assert first is second
    assert first is not None and third is not None
    assert first.file is third.file


_SOURCE = "OpSource GLSL 450 %name "


@pytest.mark.parametrize(
    ("sources", "first"),
    [
        (_SOURCE + '"void main~"', "void main"),
        # glslang's own options, which are comments, and the text behind them.
        (_SOURCE + '"// OpModuleProcessed client~#line 1~void main~"', "void main"),
        # Others' comments, and lines that are numbered otherwise, belong to the text.
        (_SOURCE + '"// mine~void main~"', "// mine"),
        (_SOURCE + '"precision~#line 1~void main~"', "precision"),
        (_SOURCE + '"void "\nOpSourceContinued "main~"', "void main"),
        # A name alone is no text.
        ("OpSource GLSL 450 %name", ""),
    ],
)
def test_the_text_of_a_source(sources: str, first: str) -> None:
    """Its first line; a text that goes on begins where the one before ends."""
    end = "OpLine %name 1 0\n%one = OpConstant %float 1\n"
    (span,) = _places(_contents(f'%name = OpString "a.glsl"\n{sources}\n{_TYPES}{end}'))
    assert span is not None
    assert (span.file.name, span.file.line_text(1)) == ("a.glsl", first)


_DEBUG = f"""
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%other_set = OpExtInstImport "NonSemantic.Others"
{_STRINGS}
%void = OpTypeVoid
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %void
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%u5 = OpConstant %uint 5
%source = OpExtInst %void %set 35 %name %text
%named = OpExtInst %void %set 35 %other
%main = OpFunction %void None %fn
%label = OpLabel
"""


#: DebugLine: source, first and last line, first and last column, by constants.
_AT = "%l = OpExtInst %void %set 103 %source %u3 %u3 %u5 %u5\n"


def _span_of_sum(lines: str) -> Span:
    """That of an addition behind these lines."""
    contents = _contents(f"{_DEBUG}{lines}\n%sum = OpFAdd %float %u1 %u1\nOpReturn\nOpFunctionEnd\n")
    (added,) = (each for each in contents.code.instructions if each.name == "OpFAdd")
    span = contents.spans.span(added)
    assert span is not None
    return span


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (_AT, ("a.hlsl", 3, 5)),
        ("%l = OpExtInst %void %set 103 %source %u3 %u4 %u1 %u5", ("a.hlsl", 3, 1)),
        ("%l = OpExtInst %void %set 103 %named %u4 %u4 %u5 %u5", ("b.hlsl", 4, 5)),
        (f"{_AT}%m = OpExtInst %void %set 103 %source %u4 %u4 %u1 %u1", ("a.hlsl", 4, 1)),
        # DebugNoLine; another set's numbers mean nothing, nor do those of other instructions.
        (f"{_AT}%m = OpExtInst %void %set 104", None),
        (f"{_AT}%m = OpExtInst %void %other_set 104", ("a.hlsl", 3, 5)),
        (f"{_AT}%m = OpExtInst %void %set 102 %u1", ("a.hlsl", 3, 5)),
        # Without all its operands it says nothing; the end of a block ends it.
        ("%l = OpExtInst %void %set 103 %source %u3 %u3", None),
        (f"{_AT}OpBranch %next\n%next = OpLabel", None),
    ],
)
def test_lines_of_debug_information(lines: str, wanted: tuple[str, int, int] | None) -> None:
    found = _place(_span_of_sum(lines))[:3]
    assert found == wanted if wanted is not None else found[0] == "a.spvasm"


def test_debug_information_has_the_text_of_its_source() -> None:
    assert _span_of_sum(_AT).file.line_text(3) == "    return 1;"


@pytest.mark.parametrize(("noted", "shown"), [("/other/a.hlsl", "src/a.hlsl"), ("./b.hlsl", "./b.hlsl")])
def test_a_copy_of_the_source_is_shown_under_its_name(noted: str, shown: str) -> None:
    """Outside compilers read a copy in a folder of their own."""
    line = f'%name = OpString "{noted}"\n{_TYPES}OpLine %name 2 5\n%one = OpConstant %float 1\n'
    (found,) = _places(_contents(line, "src/a.hlsl"))
    assert _place(found)[:3] == (shown, 2, 5)
