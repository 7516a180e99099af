"""The text form line by line: what is written is what was read, and what is wrong is told where it stands."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.spirv.code import Code, Invalid
from glslc_multi.compiler.spirv.text import print_code, read_text
from tests.frontends.spirv.modules import refusal

_TYPES = "%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"


def _written(text: str) -> list[str]:
    """The lines that are written of a text, but for those of the header and of the types before it."""
    return print_code(read_text(_TYPES + text)).splitlines()[8:]


@pytest.mark.parametrize(
    "line",
    [
        "OpNop",
        '%s = OpString "a \\"quoted\\" \\\\ text; no comment"',
        'OpEntryPoint Vertex %main "main" %a %b',
        'OpDecorate %f LinkageAttributes "f" Export',
        "OpGroupMemberDecorate %group %a 0 %b 12",
        "%x = OpExtInst %float %std FMin %a %b",
        "%x = OpExtInst %float %std 900 %a",
        "%x = OpSpecConstantOp %int IAdd %a %b",
        "%x = OpSpecConstantOp %int CompositeExtract %a 3",
        "OpCapability 9999",
        "OpStore %a %b Volatile|1073741824",
        "OpSource GLSL 450",
        'OpSource HLSL 600 %file "float x;"',
        "%x = OpConstant %int -2147483648",
        "%x = OpConstant %uint 4294967295",
        "%x = OpConstant %float 0.5",
    ],
)
def test_a_line_is_written_as_it_is_read(line: str) -> None:
    assert _written(line) == [line]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("  OpNop  ; and why", "OpNop"),
        ('%s = OpString "a;b" ; "c"', '%s = OpString "a;b"'),
        ('%s = OpString "a"; "c', '%s = OpString "a"'),
        ("%x = OpConstant %int 0x10", "%x = OpConstant %int 16"),
        ("%x = OpConstant %int 4294967295", "%x = OpConstant %int -1"),
        ("%x = OpConstant %uint -1", "%x = OpConstant %uint 4294967295"),
        ("%x = OpExtInst %float %std 37 %a %b", "%x = OpExtInst %float %std FMin %a %b"),
        ("OpStore %a %b Aligned|Volatile 4", "OpStore %a %b Volatile|Aligned 4"),
        ("OpCapability 1", "OpCapability Shader"),
        ("OpStore %a %b 0x1", "OpStore %a %b Volatile"),
        # The float32 nearest to a tenth.
        ("%x = OpConstant %float 0.1", "%x = OpConstant %float 0.100000001"),
        ("", None),
        ("; nothing", None),
    ],
)
def test_what_means_the_same_is_written_in_one_way(line: str, wanted: str | None) -> None:
    assert _written(line) == ([] if wanted is None else [wanted])


@pytest.mark.parametrize(("type_", "word"), [("int", "-1"), ("uint", "4294967295")])
def test_cases_are_spelled_by_the_type_of_the_selector(type_: str, word: str) -> None:
    lines = [f"%x = OpConstant %{type_} {word}", f"OpSwitch %x %rest {word} %minus 7 %seven"]
    assert _written("\n".join(lines)) == lines


def test_ids_are_numbered_as_they_come() -> None:
    """The bound is one more than the last; names of numbers are kept as they are."""
    code = read_text("%late = OpFAdd %float %7 %late\n")
    (found,) = code.instructions
    assert (found.type, found.result, found.operands, code.bound) == (2, 1, [3, 1], 4)
    assert [code.spelled(id) for id in (1, 2, 3, 4)] == ["late", "float", "7", "4"]


def _refused(line: str) -> tuple[int, object, dict[str, object]]:
    with pytest.raises(Invalid) as caught:
        read_text(_TYPES + line)
    assert isinstance(caught.value.at, int)
    return caught.value.at, caught.value.entry, dict(caught.value.values)


_END = "the end of the line"
_NUMBER = "a number of the constant's type, of 32 bits"


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        ("%x =", "an instruction", _END),
        ("x = OpTypeVoid", "an id", "'x'"),
        ("%x = OpFAdd", "a type", _END),
        ("%x = OpFAdd float %a %b", "an id", "'float'"),
        ("%x = OpFAdd %float % %b", "an id", "'%'"),
        ("%x = OpFAdd %float %a.b %b", "an id", "'%a.b'"),
        ("%x = OpFAdd %float %a %b %c", _END, "'%c'"),
        ('OpName "x"', "an id", "'\"x\"'"),
        ("OpName %x name", "a text in quotes", "'name'"),
        ("OpMemberName %x first 'a'", "a whole number", "'first'"),
        ("OpSwitch %x %rest 1", "a label", _END),
        ("OpGroupMemberDecorate %group %a", "a number", _END),
        ("OpDecorate %x Location", "a parameter", _END),
        ("%x = OpConstant %int 0.5", _NUMBER, "'0.5'"),
        ("%x = OpConstant %int 4294967296", _NUMBER, "'4294967296'"),
        ("%x = OpConstant %int -2147483649", _NUMBER, "'-2147483649'"),
        ("%x = OpConstant %float one", _NUMBER, "'one'"),
        ("%x = OpConstant %float 1.2.3", _NUMBER, "'1.2.3'"),
        ("%x = OpConstant %float 0x1p99999", _NUMBER, "'0x1p99999'"),
        ("%x = OpConstant %float 0x.p1", _NUMBER, "'0x.p1'"),
        ("%x = OpExtInst %float %std FMiin %a", "a whole number", "'FMiin'"),
    ],
)
def test_words_that_stand_where_others_are_expected(line: str, expected: str, found: str) -> None:
    assert _refused(line) == (4, messages.TEXT_SYNTAX, {"expected": expected, "found": found})


@pytest.mark.parametrize(
    ("line", "name", "what"),
    [
        ("OpFAdd %float %a %b", "OpFAdd", "it yields a result"),
        ("%x = OpStore %a %b", "OpStore", "it yields no result"),
        ("%x = OpFAdd %float %a", "OpFAdd", "operands are missing"),
        ("%x = OpTypeInt 32", "OpTypeInt", "operands are missing"),
        ('OpString "no result"', "OpString", "it yields a result"),
    ],
)
def test_instructions_that_are_none(line: str, name: str, what: str) -> None:
    assert _refused(line) == (4, messages.MALFORMED_INSTRUCTION, {"name": name, "what": what})


@pytest.mark.parametrize(
    ("line", "word", "kind", "help"),
    [
        ("OpFAd %a", "OpFAd", "instruction", "did you mean 'OpFAdd'?"),
        ("%x = OpSpecConstantOp %int IAd %a", "OpIAd", "instruction", "did you mean 'OpIAdd'?"),
        ("OpCapability Shadr", "Shadr", "Capability", "did you mean 'Shader'?"),
        ("OpStore %a %b Volatile|Alignd", "Alignd", "MemoryAccess", "did you mean 'Aligned'?"),
        ("OpCapability Xyzzyxyzzy", "Xyzzyxyzzy", "Capability", None),
    ],
)
def test_words_that_nobody_knows(line: str, word: str, kind: str, help: str | None) -> None:
    place, entry, values = _refused(line)
    assert (place, entry) == (4, messages.UNKNOWN_WORD)
    assert values == {"word": word, "kind": kind} | ({} if help is None else {"help": help})


def test_numbers_of_two_words_are_written_one_by_one() -> None:
    """Only binaries hold such; whoever reads them refuses them."""
    code = read_text("%long = OpTypeInt 64 0\n%x = OpConstant %long 1\n")
    code.instructions[1].operands = [1, 2]
    assert print_code(code).splitlines()[-1] == "%x = OpConstant %long 1 2"


def test_a_text_has_the_version_that_no_header_says() -> None:
    assert print_code(Code([], 1)).splitlines()[1:4] == ["; Version: 1.0", "; Generator: 0; 0", "; Bound: 1"]


def test_a_wrong_word_is_told_at_its_line() -> None:
    code, message, line = refusal("OpCapability Shader\nOpCapability Shadr\n")
    assert (code, message, line) == ("E1003", "'Shadr' is no Capability that is known here", 2)
