"""Binaries word by word: what the header says, and what each instruction may hold."""

from __future__ import annotations

import struct

import pytest

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.spirv.binary import MAGIC, read_binary, write_binary
from glslc_multi.compiler.spirv.code import Code, Invalid
from glslc_multi.compiler.spirv.text import print_code, read_text
from tests.frontends.spirv.modules import refusal, shader

_BOUND = 100


def _module(*instructions: tuple[int, ...], bound: int = _BOUND, order: str = "<") -> bytes:
    """A module of version 1.4 by tool 7 in its release 515: of each instruction the number and the words."""
    words = [MAGIC, 0x10400, 7 << 16 | 515, bound, 0]
    for number, *rest in instructions:
        words += [(len(rest) + 1) << 16 | number, *rest]
    return struct.pack(f"{order}{len(words)}I", *words)


def _words(text: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(text) // 4}I", text)


@pytest.mark.parametrize("order", ["<", ">"])
def test_the_header_is_that_of_the_text_form(order: str) -> None:
    wanted = ["; SPIR-V", "; Version: 1.4", "; Generator: 7; 515", "; Bound: 100", "; Schema: 0", "OpNop"]
    assert print_code(read_binary(_module((0,), order=order))).splitlines() == wanted


#: The words of an instruction -> its line in the text form.
_READ = {
    "ids alone": ((129, 1, 2, 3, 99), "%2 = OpFAdd %1 %3 %99"),
    "any number of ids": ((65, 1, 2, 3, 4, 5, 6), "%2 = OpAccessChain %1 %3 %4 %5 %6"),
    "a text that fills its words but for the zero": ((5, 9, *_words(b"abc\0")), 'OpName %9 "abc"'),
    "a text whose zero has a word of its own": ((5, 9, *_words(b"abcd\0\0\0\0")), 'OpName %9 "abcd"'),
    "an empty text": ((5, 9, 0), 'OpName %9 ""'),
    "a text in quotes": ((5, 9, *_words(b'a"\\\0')), r'OpName %9 "a\"\\"'),
    "operands behind a text": (
        (15, 4, 8, *_words(b"main\0\0\0\0"), 20, 21),
        'OpEntryPoint Fragment %8 "main" %20 %21',
    ),
    "a parameter of an enumerant": ((71, 5, 30, 3), "OpDecorate %5 Location 3"),
    "a text and another parameter of an enumerant": (
        (71, 5, 41, *_words(b"f\0\0\0"), 1),
        'OpDecorate %5 LinkageAttributes "f" Import',
    ),
    "parameters of a mask in the order of its bits": (
        (88, 1, 2, 3, 4, 2 | 8, 5, 6),
        "%2 = OpImageSampleExplicitLod %1 %3 %4 Lod|ConstOffset %5 %6",
    ),
    "an unknown bit of a mask": ((62, 1, 2, 1 << 30 | 1), "OpStore %1 %2 Volatile|1073741824"),
    "an unknown enumerant": ((17, 9999), "OpCapability 9999"),
    "no bit of a mask": ((54, 1, 2, 0, 3), "%2 = OpFunction %1 None %3"),
    "pairs of ids and numbers": ((75, 1, 2, 0, 3, 7), "OpGroupMemberDecorate %1 %2 0 %3 7"),
    "an instruction of an extended set": ((12, 1, 2, 3, 37, 4, 5), "%2 = OpExtInst %1 %3 FMin %4 %5"),
    "an unknown instruction of an extended set": ((12, 1, 2, 3, 900, 4), "%2 = OpExtInst %1 %3 900 %4"),
    "an instruction on constants": ((52, 1, 2, 128, 3, 4), "%2 = OpSpecConstantOp %1 IAdd %3 %4"),
    "an instruction on constants with numbers": (
        (52, 1, 2, 81, 3, 4),
        "%2 = OpSpecConstantOp %1 CompositeExtract %3 4",
    ),
    "an unknown instruction on constants": ((52, 1, 2, 9999, 3), "%2 = OpSpecConstantOp %1 9999 3"),
    "a constant of two words": ((43, 1, 2, 3, 4), "%2 = OpConstant %1 3 4"),
    "an operand that may be missing": ((59, 1, 2, 6), "%2 = OpVariable %1 Private"),
    "an instruction that is refused later": ((227, 1, 2, 3), "OpAtomicLoad 1 2 3"),
}


@pytest.mark.parametrize("what", _READ)
def test_instructions_are_read(what: str) -> None:
    instruction, line = _READ[what]
    (found,) = print_code(read_binary(_module(instruction))).splitlines()[5:]
    assert found == line


def test_cases_are_spelled_by_the_type_of_the_selector() -> None:
    """-1 of an int, 4294967295 of an uint."""
    below = 0xFFFFFFFF
    for sign, word in ((1, "-1"), (0, "4294967295")):
        lines = print_code(
            read_binary(_module((21, 1, 32, sign), (43, 1, 2, below), (251, 2, 3, below, 4, 7, 5)))
        ).splitlines()[6:]
        assert lines == [f"%2 = OpConstant %1 {word}", f"OpSwitch %2 %3 {word} %4 7 %5"]


_MISSING = "operands are missing"
_BEHIND = "there are words after its operands"
_OUTSIDE = "is 0, or not below the bound of the module"
#: The words of an instruction that no module has -> its name, and what is wrong: an id and a text, or a text.
_REFUSED: dict[str, tuple[tuple[int, ...], str, tuple[int | None, str]]] = {
    "no operands": ((129,), "OpFAdd", (None, _MISSING)),
    "one operand of two": ((129, 1, 2, 3), "OpFAdd", (None, _MISSING)),
    "three operands of two": ((129, 1, 2, 3, 4, 5), "OpFAdd", (None, _BEHIND)),
    "a number of two": ((21, 1, 32), "OpTypeInt", (None, _MISSING)),
    "a number too many": ((21, 1, 32, 1, 1), "OpTypeInt", (None, _BEHIND)),
    "a mask without its parameter": ((62, 1, 2, 2), "OpStore", (None, _MISSING)),
    "an enumerant without its parameter": ((71, 5, 30), "OpDecorate", (None, _MISSING)),
    "words behind a parameter": ((71, 5, 30, 3, 3), "OpDecorate", (None, _BEHIND)),
    "a case without its label": ((251, 1, 2, 3), "OpSwitch", (None, _MISSING)),
    "an id without its number": ((75, 1, 2), "OpGroupMemberDecorate", (None, _MISSING)),
    "a text without its end": ((5, 9, *_words(b"abcd")), "OpName", (None, "its text has no end")),
    "words behind a text": ((5, 9, *_words(b"abc\0abc\0")), "OpName", (None, _BEHIND)),
    "a type that is 0": ((129, 0, 2, 3, 4), "OpFAdd", (0, _OUTSIDE)),
    "a type at the bound": ((129, _BOUND, 2, 3, 4), "OpFAdd", (_BOUND, _OUTSIDE)),
    "a result that is 0": ((129, 1, 0, 3, 4), "OpFAdd", (0, _OUTSIDE)),
    "a result at the bound": ((129, 1, _BOUND, 3, 4), "OpFAdd", (_BOUND, _OUTSIDE)),
    "the result of a type at the bound": ((19, _BOUND), "OpTypeVoid", (_BOUND, _OUTSIDE)),
    "an id of several that is 0": ((129, 1, 2, 3, 0), "OpFAdd", (0, _OUTSIDE)),
    "an id of several at the bound": ((129, 1, 2, 3, _BOUND), "OpFAdd", (_BOUND, _OUTSIDE)),
    "an id among others that is 0": ((5, 0, 0), "OpName", (0, _OUTSIDE)),
    "an id among others at the bound": ((5, _BOUND, 0), "OpName", (_BOUND, _OUTSIDE)),
    "a label at the bound": ((246, 1, _BOUND, 0), "OpLoopMerge", (_BOUND, _OUTSIDE)),
    "a label of a case at the bound": ((251, 1, 2, 3, _BOUND), "OpSwitch", (_BOUND, _OUTSIDE)),
    "an id of a pair at the bound": ((75, 1, _BOUND, 0), "OpGroupMemberDecorate", (_BOUND, _OUTSIDE)),
    "an id of a parameter at the bound": ((88, 1, 2, 3, 4, 2, _BOUND), "OpImageSampleExplicitLod", (_BOUND, _OUTSIDE)),
}


@pytest.mark.parametrize("what", _REFUSED)
def test_instructions_that_are_none(what: str) -> None:
    """The place is the line of the text form: OpNop stands in the sixth."""
    instruction, name, (id, wrong) = _REFUSED[what]
    with pytest.raises(Invalid) as caught:
        read_binary(_module((0,), instruction))
    values = {"name": name, "what": wrong} | ({} if id is None else {"id": id})
    entry = messages.MALFORMED_INSTRUCTION if id is None else messages.BAD_ID
    assert (caught.value.entry, caught.value.at, caught.value.values) == (entry, 7, values)


def _wrong(data: bytes) -> tuple[object, dict[str, object]]:
    with pytest.raises(Invalid) as caught:
        read_binary(data)
    return caught.value.entry, caught.value.values


def test_instructions_end_with_the_module() -> None:
    """OpNop is word 5."""
    module = _module((0,))
    name = "OpNop at word 6"
    for first, what in ((0, "an instruction of no words"), (2 << 16, "2 words, and 1 are left")):
        found = _wrong(module + struct.pack("<I", first))
        assert found == (messages.MALFORMED_INSTRUCTION, {"name": name, "what": what})
    kind = {"word": 60000, "kind": "instruction (at word 6)"}
    assert _wrong(module + struct.pack("<I", 1 << 16 | 60000)) == (messages.UNKNOWN_WORD, kind)
    assert _wrong(module + struct.pack("<I", 2 << 16 | 227))[1]["name"] == "OpAtomicLoad at word 6"


@pytest.mark.parametrize("bound", [1, 0x3FFFFF])
def test_the_largest_and_the_least_bound_of_ids(bound: int) -> None:
    assert read_binary(_module((0,), bound=bound)).bound == bound


@pytest.mark.parametrize("bound", [0, 0x400000])
def test_bounds_of_ids_that_no_module_has(bound: int) -> None:
    what = f"its bound of ids is {bound}, of at most 4194303"
    assert _wrong(_module((0,), bound=bound)) == (messages.NOT_A_MODULE, {"what": what})


@pytest.mark.parametrize("length", [4, 16, 19, 21, 22, 23])
def test_lengths_that_no_module_has(length: int) -> None:
    what = f"{length} bytes are no whole words after a header"
    assert _wrong(_module((0,))[:length]) == (messages.NOT_A_MODULE, {"what": what})


def test_a_module_may_be_a_header_alone() -> None:
    assert read_binary(_module()).instructions == []


def test_numbers_of_32_bits_have_one_word() -> None:
    found = refusal(_module((22, 1, 32), (43, 1, 2, 3, 4)))
    assert found == ("E1006", "invalid SPIR-V: OpConstant: it has not one word", 7)


@pytest.mark.parametrize("length", range(6))
def test_what_is_written_is_read_again(length: int) -> None:
    text = shader("%result = OpFAdd %vec4 %a %b\n", f'%name = OpString "{"ä" * (length % 2)}{"x" * length}"\n')
    code = read_text(text)
    code.names.clear()
    assert print_code(read_binary(write_binary(code))) == print_code(code)


def test_binaries_have_their_lowest_bytes_first() -> None:
    code = Code([], 7, (1, 3), 9 << 16)
    assert write_binary(code) == bytes.fromhex("03022307 00030100 00000900 07000000 00000000")
