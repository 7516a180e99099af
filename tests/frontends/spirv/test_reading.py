"""Binaries and texts: what is read, what is written, and what is refused where."""

from __future__ import annotations

import json
import os
import random
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.spirv.binary import MAGIC, read_binary
from glslc_multi.compiler.spirv.code import Invalid
from glslc_multi.compiler.spirv.grammar import TABLE
from glslc_multi.compiler.spirv.grammar.enumerants import KINDS
from glslc_multi.compiler.spirv.grammar.refused import REFUSED
from glslc_multi.compiler.spirv.grammar.standard import NAMES
from glslc_multi.compiler.spirv.text import print_code, read_text
from tests.frontends.spirv.modules import A, lowered, refusal, run, shader
from tests.frontends.spirv.tools import assembled, validated

#: Debian's package spirv-headers, or another copy of the grammar.
GRAMMAR = Path(os.environ.get("SPIRV_GRAMMAR", "/usr/include/spirv/unified1"))
_SAME = {
    "IdRef": "id", "IdScope": "id", "IdMemorySemantics": "id", "LiteralInteger": "literal", "LiteralString": "string",
    "LiteralContextDependentNumber": "number", "LiteralExtInstInteger": "instruction",
    "LiteralSpecConstantOpInteger": "opcode", "PairIdRefIdRef": "id", "PairLiteralIntegerIdRef": "case",
    "PairIdRefLiteralInteger": "pair",
}  # fmt: skip
_SIMPLE = shader("%result = OpFAdd %vec4 %a %b\n")

needs_tools = pytest.mark.skipif(shutil.which("spirv-as") is None, reason="spirv-tools is not installed")
needs_grammar = pytest.mark.skipif(not GRAMMAR.exists(), reason="spirv-headers is not installed")


@needs_grammar
def test_the_table_is_that_of_the_specification() -> None:
    grammar = json.loads((GRAMMAR / "spirv.core.grammar.json").read_text())
    known = {each["opname"]: each for each in grammar["instructions"]}
    for row in TABLE:
        theirs = known[row.name]
        operands = [each for each in theirs.get("operands", []) if not each["kind"].startswith("IdResult")]
        assert theirs["opcode"] == row.number
        kinds = [_SAME.get(each["kind"], each["kind"]) for each in operands]
        assert kinds == ["id" if kind == "label" else kind for kind in row.kinds] or row.name == "OpSpecConstantOp"
        assert sum("quantifier" not in each for each in operands) in (row.least, row.least - 1)
    assert {number: name for number, (name, _) in REFUSED.items()} == {
        known[name]["opcode"]: name for name, _ in REFUSED.values()
    }


def _number(value: int | str) -> int:
    return int(value, 16) if isinstance(value, str) else value


@needs_grammar
def test_names_of_operands_are_those_of_the_specification() -> None:
    kinds = {
        each["kind"]: each for each in json.loads((GRAMMAR / "spirv.core.grammar.json").read_text())["operand_kinds"]
    }
    for name, kind in KINDS.items():
        theirs = {each["enumerant"]: each for each in kinds[name]["enumerants"]}
        values = {word: _number(each["value"]) for word, each in theirs.items()}
        for word, number in kind.numbers.items():
            if word not in theirs:
                # The grammar that is installed may be older than a word.
                assert name == "SourceLanguage" and number > max(values.values())
                continue
            assert number == values[word]
            parameters = [_SAME.get(each["kind"], each["kind"]) for each in theirs[word].get("parameters", [])]
            assert parameters == list(kind.parameters.get(number, ()))
    standard = json.loads((GRAMMAR / "extinst.glsl.std.450.grammar.json").read_text())["instructions"]
    assert {each["opcode"]: each["opname"] for each in standard} == NAMES


@needs_tools
def test_binaries_are_written_as_spirv_dis_writes_them(tmp_path: Path) -> None:
    binary = assembled(_SIMPLE, tmp_path)
    command = ["spirv-dis", "--raw-id", "--no-indent", "--no-header", str(tmp_path / "a.spv")]
    theirs = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert print_code(read_binary(binary)).split("\n", 5)[5] == theirs


@needs_tools
def test_both_orders_of_bytes_are_read(tmp_path: Path) -> None:
    binary = assembled(_SIMPLE, tmp_path)
    swapped = struct.pack(f">{len(binary) // 4}I", *struct.unpack(f"<{len(binary) // 4}I", binary))
    assert print_code(read_binary(swapped)) == print_code(read_binary(binary))


@needs_tools
def test_what_is_read_from_text_is_what_spirv_as_makes_of_it(tmp_path: Path) -> None:
    own = print_code(read_text(print_code(read_binary(assembled(_SIMPLE, tmp_path)))))
    assert own.split("\n", 5)[5] == print_code(read_binary(assembled(_SIMPLE, tmp_path))).split("\n", 5)[5]


def test_floats_of_all_kinds_are_read_and_written() -> None:
    words = ["0.5", "-0", "1e-30", "3.14159274", "0x1p-149", "0x1.8p-128", "0x1p+128", "-0x1p+128", "0x1.8p+128"]
    lines = [f"%{n} = OpConstant %f {word}" for n, word in enumerate(words)]
    written = print_code(read_text("\n".join(["%f = OpTypeFloat 32", *lines])))
    assert [line.rpartition(" ")[2] for line in written.splitlines()[6:]] == words


@pytest.mark.parametrize(
    "line",
    [
        "%1 = OpFunction %2 None %3",
        "%1 = OpFunction %2 Inline|Pure %3",
        "OpStore %1 %2 Volatile|Aligned 4",
        "OpSelectionMerge %1 Flatten|DontFlatten",
        "OpLoopMerge %1 %2 DontUnroll|DependencyLength 4",
        "%1 = OpImageSampleExplicitLod %2 %3 %4 Lod|ConstOffset %5 %6",
    ],
)
def test_masks_of_several_bits_are_written_as_they_are_read(line: str) -> None:
    assert print_code(read_text(line)).splitlines()[-1] == line


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("%f = OpTypeFloat 32 32", "E1004", 1),
        ("OpFAd %x", "E1003", 1),
        ("OpMemoryModel Logical GLSL45", "E1003", 1),
        ("%x = OpMemoryModel Logical GLSL450", "E1002", 1),
        ("OpAtomicLoad", "E1010", 1),
        ("%u = OpTypeInt 64 0", "E1010", 1),
        ("%f = OpTypeFloat 32\n%v = OpTypeVector %f 5", "E1006", 2),
        ("%v = OpTypeVector %f 4", "E1005", 1),
        ("%f = OpTypeFloat 32\n%f = OpTypeFloat 32", "E1005", 2),
        ("", "E1008", 0),
    ],
)
def test_what_is_wrong_is_told_at_its_line(text: str, code: str, line: int) -> None:
    found = refusal(text)
    assert (found[0], found[2]) == (code, line)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("%result = OpFAdd %vec4 %a %i\n", "E1006"),
        ("%result = OpFAdd %float %a %b\n", "E1006"),
        ("%result = OpFAdd %vec4 %a %nothing\n", "E1005"),
        ("%result = OpCompositeConstruct %vec4 %f0 %i0 %f0 %f0\n", "E1006"),
        ("%result = OpCompositeExtract %float %a 4\n", "E1006"),
        ("OpStore %pa %a\n%result = OpCopyObject %vec4 %a\n", "E1006"),
        ("%result = OpExtInst %vec4 %std PackDouble2x32 %a\n", "E1010"),
        ("OpBranch %entry\n%next = OpLabel\n%result = OpCopyObject %vec4 %a\n", "E1007"),
        ("OpBranch %nowhere\n%next = OpLabel\n%result = OpCopyObject %vec4 %a\n", "E1005"),
    ],
)
def test_what_is_wrong_in_functions(body: str, code: str) -> None:
    assert refusal(shader(body))[0] == code


def test_parts_of_a_constant_vector_are_of_its_kind() -> None:
    mixed = "%mixed = OpConstantComposite %vec4 %f0 %i0 %f0 %f0\n"
    assert refusal(shader("%result = OpCopyObject %vec4 %mixed\n", mixed))[0] == "E1006"


def test_a_value_is_not_used_where_it_may_be_unknown() -> None:
    body = """
        %test = OpFOrdLessThan %bvec4 %a %b
        %is = OpAny %bool %test
        OpSelectionMerge %join None
        OpBranchConditional %is %then %join
        %then = OpLabel
        %sum = OpFAdd %vec4 %a %b
        OpBranch %join
        %join = OpLabel
        %result = OpFAdd %vec4 %sum %b
    """
    assert refusal(shader(body))[0] == "E1007"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "E1008"),
        (struct.pack("<I", MAGIC), "E1001"),
        (struct.pack("<5I", MAGIC, 0x10000, 0, 0, 0), "E1001"),
        (struct.pack("<6I", MAGIC, 0x10000, 0, 9, 0, 0), "E1002"),
        (struct.pack("<6I", MAGIC, 0x10000, 0, 9, 0, 5 << 16 | 17), "E1002"),
        (struct.pack("<6I", MAGIC, 0x10000, 0, 9, 0, 1 << 16 | 60000), "E1003"),
        (struct.pack("<7I", MAGIC, 0x10000, 0, 9, 0, 2 << 16 | 19, 9), "E1005"),
        (struct.pack("<8I", MAGIC, 0x10000, 0, 9, 0, 3 << 16 | 5, 1, 0x61616161), "E1002"),
    ],
)
def test_binaries_that_are_none(data: bytes, code: str) -> None:
    assert refusal(data)[0] == code


@needs_tools
def test_mutated_modules_end_in_code_or_a_diagnostic(tmp_path: Path) -> None:
    """A sample; `python -m tests.fuzz.modules` runs more of them."""
    from tests.fuzz.modules import mutants

    binary = assembled(_SIMPLE, tmp_path)
    for mutant in mutants(binary, random.Random(29), 400):
        try:
            lowered(mutant)
        except CompileError:
            pass
        except Invalid as error:
            raise AssertionError("a fault left the front end") from error


_RESULT = "%result = OpCopyObject %vec4 %a\n"
#: Declarations and a body with a rule broken that spirv-val knows too -> our code.
_BROKEN = {
    "an access chain into other memory": (
        "%local = OpTypePointer Function %vec4\n%private = OpTypePointer Private %vec4\n"
        "%g = OpVariable %private Private\n",
        "%p = OpAccessChain %local %g\n%result = OpLoad %vec4 %p\n",
        "E1006",
    ),
    "an access chain by a matrix": (
        "%local = OpTypePointer Function %vec4\n%part = OpTypePointer Function %float\n",
        "%v = OpVariable %local Function\n%m = OpOuterProduct %mat4 %a %b\n%p = OpAccessChain %part %v %m\n"
        "%result = OpLoad %vec4 %v\n",
        "E1006",
    ),
    "modf of a matrix": (
        "%local = OpTypePointer Function %vec4\n",
        "%v = OpVariable %local Function\n%m = OpOuterProduct %mat4 %a %b\n%result = OpExtInst %vec4 %std Modf %m %v\n",
        "E1006",
    ),
    "a variable whose pointer is to other memory": (
        "%private = OpTypePointer Private %vec4\n%g = OpVariable %private Function\n",
        "%result = OpLoad %vec4 %g\n",
        "E1006",
    ),
    "a constant of parts of several kinds": (
        "%mixed = OpConstantComposite %vec4 %f0 %i0 %f0 %f0\n",
        "%result = OpCopyObject %vec4 %mixed\n",
        "E1006",
    ),
    "a load of another type": ("", "%result = OpLoad %vec4 %pi\n", "E1006"),
    "a shuffle of a component that is not there": ("", "%result = OpVectorShuffle %vec4 %a %b 0 1 2 8\n", "E1006"),
    "a phi of a block that is none": (
        "",
        "OpBranch %next\n%next = OpLabel\n%result = OpPhi %vec4 %i %entry\n",
        "E1006",
    ),
    "a phi behind code": (
        "",
        "OpBranch %next\n%next = OpLabel\n%s = OpFAdd %vec4 %a %b\n%result = OpPhi %vec4 %a %entry\n",
        "E1007",
    ),
    "a switch on a float": (
        "",
        "%x = OpCompositeExtract %float %a 0\nOpSelectionMerge %next None\nOpSwitch %x %next\n%next = OpLabel\n"
        "%result = OpCopyObject %vec4 %a\n",
        "E1006",
    ),
    "a condition that is no bool": (
        "",
        "%x = OpCompositeExtract %float %a 0\nOpSelectionMerge %next None\nOpBranchConditional %x %next %other\n"
        "%other = OpLabel\nOpBranch %next\n%next = OpLabel\n%result = OpCopyObject %vec4 %a\n",
        "E1006",
    ),
    "a loop that nothing leaves": (
        "",
        "OpBranch %head\n%head = OpLabel\nOpLoopMerge %after %head None\nOpBranch %head\n%after = OpLabel\n"
        "%result = OpCopyObject %vec4 %a\n",
        "E1007",
    ),
    "a branch to a block of another function": (
        "",
        "OpBranch %far\n%next = OpLabel\n%result = OpCopyObject %vec4 %a\n",
        "E1005",
    ),
    "an array of no elements": ("%none = OpTypeArray %float %i0\n", "%result = OpCopyObject %vec4 %a\n", "E1006"),
    "a matrix of ints": ("%m = OpTypeMatrix %ivec4 2\n", "%result = OpCopyObject %vec4 %a\n", "E1006"),
    "a member that is not there": (
        "%pair = OpTypeStruct %vec4 %vec4\n",
        "%s = OpCompositeConstruct %pair %a %b\n%result = OpCompositeExtract %vec4 %s 2\n",
        "E1006",
    ),
}
_FAR = "%other = OpFunction %void None %fn\n%far = OpLabel\nOpReturn\nOpFunctionEnd\n"


@pytest.mark.parametrize("what", _BROKEN)
def test_rules_that_are_broken(what: str) -> None:
    declarations, body, code = _BROKEN[what]
    assert refusal(shader(body, declarations) + (_FAR if "%far" in body else ""))[0] == code


@pytest.mark.parametrize("length", [1, 2])
def test_arrays_of_the_least_lengths(length: int) -> None:
    declarations = f"%length = OpConstant %int {length}\n%list = OpTypeArray %vec4 %length\n"
    body = f"%l = OpCompositeConstruct %list {'%a ' * length}\n%result = OpCompositeExtract %vec4 %l {length - 1}\n"
    np.testing.assert_array_equal(run(shader(body, declarations)), A)


@needs_tools
@pytest.mark.parametrize("what", [what for what in _BROKEN if "nothing leaves" not in what])
def test_spirv_val_refuses_them_too(what: str, tmp_path: Path) -> None:
    """But for the loop: that a function never ends is no rule of SPIR-V."""
    declarations, body, _ = _BROKEN[what]
    assembled(shader(body, declarations) + (_FAR if "%far" in body else ""), tmp_path)
    assert validated(tmp_path) != ""


def test_modf_leaves_nothing_in_a_uniform() -> None:
    """spirv-val lets it pass; the message is that of a store."""
    code, message, _ = refusal(shader("%result = OpExtInst %vec4 %std Modf %a %pb\n"))
    assert (code, message) == ("E1006", "invalid SPIR-V: OpExtInst: it stores to an input or a uniform")


_TABLE = """
%length = OpConstant %int 65536
%table = OpTypeArray %float %length
%local = OpTypePointer Function %table
"""
#: Few words that ask for very many parts: declarations and body.
_VAST = {
    "constants": (_TABLE + "".join(f"%c{n} = OpConstantNull %table\n" for n in range(99)), _RESULT),
    "values that may be anything": (_TABLE, "".join(f"%c{n} = OpUndef %table\n" for n in range(99)) + _RESULT),
    "copies with another element": (
        _TABLE + "%c0 = OpConstantNull %table\n",
        "".join(f"%c{n + 1} = OpCompositeInsert %table %f1 %c{n} 7\n" for n in range(99)) + _RESULT,
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("what", _VAST)
def test_values_of_very_many_parts(what: str) -> None:
    declarations, body = _VAST[what]
    code, message, _ = refusal(shader(body, declarations))
    assert (code, message.partition(": ")[2]) == ("E1010", "the values of the module have too many parts in all")


@pytest.mark.thorough
def test_values_may_have_a_million_parts_in_all() -> None:
    """Beside those of the module itself there is room for 15 tables of 2^16, not for 16."""
    tables = [f"%c{n} = OpConstantNull %table\n" for n in range(16)]
    assert lowered(shader(_RESULT, _TABLE + "".join(tables[:15])))
    assert refusal(shader(_RESULT, _TABLE + "".join(tables)))[0] == "E1010"


def test_phis_of_many_parts_from_many_blocks() -> None:
    """One phi has as many operands as parts times blocks."""
    labels = range(64)
    body = "%k = OpCompositeExtract %int %i 0\nOpSelectionMerge %end None\n"
    body += f"OpSwitch %k %end {' '.join(f'{n} %to{n}' for n in labels)}\n"
    body += "".join(f"%to{n} = OpLabel\nOpBranch %end\n" for n in labels)
    body += f"%end = OpLabel\n%p = OpPhi %table %none %entry {' '.join(f'%none %to{n}' for n in labels)}\n"
    assert refusal(shader(body + _RESULT, _TABLE + "%none = OpConstantNull %table\n"))[0] == "E0703"


def test_members_of_one_name() -> None:
    """Each is a uniform of its own."""
    names = ["m", "m", "m_2", "m", "m_2"]
    declared = ""
    for n, name in enumerate(names):
        declared += f'OpMemberName %struct {n} "{name}"\nOpMemberDecorate %struct {n} Offset {16 * n}\n'
    declared += f"OpDecorate %struct Block\n%struct = OpTypeStruct{' %vec4' * len(names)}\n"
    declared += "%block = OpTypePointer Uniform %struct\n%global = OpVariable %block Uniform\n"
    declared += "%member = OpTypePointer Uniform %vec4\n"
    declared += "".join(f"%n{index} = OpConstant %int {index}\n" for index in range(len(names)))
    body = "%sum0 = OpCopyObject %vec4 %a\n"
    for n in range(len(names)):
        body += f"%p{n} = OpAccessChain %member %global %n{n}\n%x{n} = OpLoad %vec4 %p{n}\n"
        body += f"%sum{n + 1} = OpFAdd %vec4 %sum{n} %x{n}\n"
    module = lowered(shader(body + f"%result = OpCopyObject %vec4 %sum{len(names)}\n", declared))
    assert len([name for name in module.variables if name.startswith("struct.")]) == len(names)


@pytest.mark.parametrize(
    ("declarations", "entry"),
    [
        ("%pf = OpTypePointer Function %vec4\n%stray = OpVariable %pf Function\n", "E1012"),
        ("%pw = OpTypePointer Workgroup %vec4\n%stray = OpVariable %pw Workgroup\n", "E1010"),
        ("%stray = OpSpecConstantOp %vec4 Load %ones\n", "E1006"),
    ],
)
def test_what_is_invalid_is_told_from_what_no_target_has(declarations: str, entry: str) -> None:
    code, message, _ = refusal(shader("%result = OpCopyObject %vec4 %a\n", declarations))
    assert code == entry
    assert message.startswith("invalid SPIR-V: ") == (code != "E1010")
