"""Every instruction that is more than a value of values: a small module each, and that no row is without one."""

from __future__ import annotations

import re
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import PRECISE, RELAXED
from glslc_multi.compiler.spirv.binary import MAGIC, read_binary
from glslc_multi.compiler.spirv.grammar import TABLE
from glslc_multi.compiler.spirv.grammar.arithmetic import ARITHMETIC, BITS, CONVERSIONS, DERIVATIVES, RELATIONS
from glslc_multi.compiler.spirv.grammar.refused import REFUSED
from glslc_multi.compiler.spirv.grammar.structure import COMPOSITE, FUNCTION, IMAGE, LOOKUPS, MODULE
from glslc_multi.compiler.spirv.text import read_text
from tests.frontends.spirv.modules import END, HEAD, LOADS, START, VALUES, A, B, lowered, refusal, run, shader
from tests.frontends.spirv.tools import assembled, validated

_SUM = [x + y for x, y in zip(A, B, strict=True)]
_RESULT = "%result = OpFAdd %vec4 %a %b\n"
_LOCAL = "%local = OpTypePointer Function %vec4\n"
_IS = "%test = OpFOrdLessThan %bvec4 %a %b\n%is = OpAny %bool %test\n"

#: Instructions -> declarations, body, and the colour.
STATEMENTS: dict[str, tuple[str, str, list[float]]] = {
    "OpNop": ("", f"OpNop\n{_RESULT}", _SUM),
    "OpUndef": (
        "%anything = OpUndef %vec4\n",
        "%else = OpUndef %vec4\n%x = OpVectorShuffle %vec4 %a %anything 0 1 2 3\n"
        "%result = OpVectorShuffle %vec4 %x %else 3 2 1 0\n",
        list(A[::-1]),
    ),
    "OpVariable OpLoad OpStore": (
        f"{_LOCAL}%private = OpTypePointer Private %vec4\n%global = OpVariable %private Private %ones\n",
        "%v = OpVariable %local Function %zeros\n%x = OpLoad %vec4 %v\n%y = OpLoad %vec4 %global Volatile\n"
        "OpStore %v %a Aligned 16\n%z = OpLoad %vec4 %v\n%w = OpFAdd %vec4 %x %y\n%result = OpFAdd %vec4 %z %w\n",
        [x + 1 for x in A],
    ),
    "OpCopyMemory": (
        _LOCAL,
        "%v = OpVariable %local Function\n%w = OpVariable %local Function\nOpStore %v %a\nOpCopyMemory %w %v\n"
        "OpStore %v %b\n%result = OpLoad %vec4 %w\n",
        list(A),
    ),
    "OpAccessChain OpInBoundsAccessChain": (
        f"{_LOCAL}%part = OpTypePointer Function %float\n%to_mat = OpTypePointer Function %mat4\n",
        "%v = OpVariable %to_mat Function\n%column = OpAccessChain %local %v %i1\nOpStore %column %a\n"
        "%cell = OpInBoundsAccessChain %part %column %i0\nOpStore %cell %f2\n"
        "%m = OpLoad %mat4 %v\n%result = OpCompositeExtract %vec4 %m 1\n",
        [2.0, *A[1:]],
    ),
    "OpPhi OpLabel OpBranch OpBranchConditional OpSelectionMerge": (
        "",
        f"{_IS}OpSelectionMerge %join Flatten\nOpBranchConditional %is %then %else 3 1\n"
        "%then = OpLabel\n%x = OpFAdd %vec4 %a %b\nOpBranch %join\n%else = OpLabel\nOpBranch %join\n"
        "%join = OpLabel\n%result = OpPhi %vec4 %x %then %a %else\n",
        _SUM,
    ),
    "OpLoopMerge": (
        "",
        "OpBranch %head\n%head = OpLabel\n%n = OpPhi %int %i0 %entry %m %next\n"
        "%t = OpPhi %vec4 %zeros %entry %u %next\n"
        "OpLoopMerge %after %next Unroll\nOpBranch %test\n%test = OpLabel\n%goes = OpSLessThan %bool %n %i4\n"
        "OpBranchConditional %goes %body %after\n%body = OpLabel\nOpBranch %next\n%next = OpLabel\n"
        "%u = OpFAdd %vec4 %t %a\n%m = OpIAdd %int %n %i1\nOpBranch %head\n%after = OpLabel\n"
        "%result = OpCopyObject %vec4 %t\n",
        [4 * x for x in A],
    ),
    "OpSwitch": (
        "",
        "%n = OpCompositeExtract %int %j 1\nOpSelectionMerge %join None\nOpSwitch %n %other 1 %one 2 %two 7 %two\n"
        "%one = OpLabel\nOpBranch %join\n%two = OpLabel\nOpBranch %join\n%other = OpLabel\nOpBranch %join\n"
        "%join = OpLabel\n%result = OpPhi %vec4 %zeros %one %a %two %ones %other\n",
        list(A),
    ),
    "OpUnreachable": (
        "%yes = OpConstantTrue %bool\n",
        "OpSelectionMerge %go None\nOpBranchConditional %yes %go %never\n%never = OpLabel\nOpUnreachable\n"
        f"%go = OpLabel\n{_RESULT}",
        _SUM,
    ),
    "OpConstantTrue OpConstantFalse OpSpecConstantTrue OpSpecConstantFalse": (
        "%t = OpConstantTrue %bool\n%f = OpConstantFalse %bool\n%st = OpSpecConstantTrue %bool\n"
        "%sf = OpSpecConstantFalse %bool\n",
        "%x = OpSelect %float %t %f1 %f0\n%y = OpSelect %float %f %f1 %f0\n%z = OpSelect %float %st %f1 %f0\n"
        "%w = OpSelect %float %sf %f1 %f0\n%result = OpCompositeConstruct %vec4 %x %y %z %w\n",
        [1.0, 0.0, 1.0, 0.0],
    ),
    "OpConstant OpConstantComposite OpConstantNull OpSpecConstant OpSpecConstantComposite OpSpecConstantOp": (
        "%null = OpConstantNull %vec4\n%five = OpSpecConstant %float 5\n"
        "%mixed = OpSpecConstantComposite %vec4 %five %f1 %f2 %five\n"
        "%turned = OpSpecConstantOp %vec4 VectorShuffle %mixed %null 3 2 1 4\n",
        "%result = OpFAdd %vec4 %turned %null\n",
        [5.0, 2.0, 1.0, 0.0],
    ),
    "OpTypeArray OpTypeStruct": (
        "%pair = OpTypeArray %vec4 %i4\n%record = OpTypeStruct %float %pair\n",
        "%l = OpCompositeConstruct %pair %a %b %a %b\n%r = OpCompositeConstruct %record %f2 %l\n"
        "%result = OpCompositeExtract %vec4 %r 1 3\n",
        list(B),
    ),
    "OpTypeImage OpTypeSampler OpTypeSampledImage": (
        "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampler = OpTypeSampler\n%both = OpTypeSampledImage %image\n",
        _RESULT,
        _SUM,
    ),
    "OpFunction OpFunctionParameter OpFunctionEnd OpFunctionCall OpReturnValue OpReturn": (
        "%kind = OpTypeFunction %vec4 %vec4\n",
        "%result = OpFunctionCall %vec4 %twice %a\n",
        [2 * x for x in A],
    ),
    "OpLine OpNoLine": (
        '%file = OpString "a.hlsl"\n',
        f"OpLine %file 3 1\n{_RESULT}OpNoLine\n",
        _SUM,
    ),
    "OpExtInst": ("", "%result = OpExtInst %vec4 %std FMax %a %b\n", list(map(max, A, B))),
}
_TWICE = """
%twice = OpFunction %vec4 Inline %kind
%given = OpFunctionParameter %vec4
%twice_entry = OpLabel
%sum = OpFAdd %vec4 %given %given
OpReturnValue %sum
OpFunctionEnd
"""


@pytest.mark.parametrize("names", STATEMENTS)
def test_statements(names: str) -> None:
    assert run(_statement(names)) == STATEMENTS[names][-1]


def _statement(names: str) -> str:
    """The module of a case."""
    declarations, body, _ = STATEMENTS[names]
    # Strings stand before decorations.
    strings, types = (declarations, "") if "OpString" in declarations else ("", declarations)
    text = shader(body, types).replace("OpDecorate", f"{strings}OpDecorate", 1)
    return text + (_TWICE if "OpFunctionCall" in names else "")


@pytest.mark.skipif(shutil.which("spirv-val") is None, reason="spirv-tools is not installed")
@pytest.mark.parametrize("names", [*STATEMENTS, "module"])
def test_the_modules_are_valid(names: str, tmp_path: Path) -> None:
    """Another's judgement, so that what is tested here is SPIR-V."""
    text = MODULE_TEXT if names == "module" else _statement(names)
    binary = assembled(text, tmp_path)
    assert validated(tmp_path) == ""
    assert [each.name for each in read_binary(binary).instructions] == [
        each.name for each in read_text(text).instructions
    ]


#: 3 x + 5 y of the pixel's coordinate.
_SLOPE = """
%f3 = OpConstant %float 3
%f5 = OpConstant %float 5
%slope = OpConstantComposite %vec4 %f3 %f5 %f0 %f0
%to_coordinate = OpTypePointer Input %vec4
%coordinate = OpVariable %to_coordinate Input
"""
_DIFFERENCES = {"DPdx": 3.0, "DPdy": 5.0, "Fwidth": 8.0}


@pytest.mark.parametrize("name", [row.name for row in DERIVATIVES])
@pytest.mark.parametrize("origin", ["OriginLowerLeft", "OriginUpperLeft"])
def test_derivatives(name: str, origin: str) -> None:
    """Along y they follow the module's window, wherever that begins."""
    body = (
        "%at = OpLoad %vec4 %coordinate\n%height = OpDot %float %at %slope\n"
        f"%d = {name} %float %height\n%result = OpCompositeConstruct %vec4 %d %d %d %d\n"
    )
    text = shader(body, _SLOPE).replace("OriginLowerLeft", origin)
    text = text.replace('"main" %color', '"main" %color %coordinate')
    text = text.replace("OpDecorate", "OpDecorate %coordinate BuiltIn FragCoord\nOpDecorate", 1)
    module = lowered(text)
    places = np.array([[x, y, 0, 1] for y in (4.5, 5.5) for x in (0.5, 1.5)], dtype=np.float32)
    values = {"gl_WindowHeight": np.float32(100)} if origin == "OriginUpperLeft" else {}
    uniforms = {**values, **{n: np.array(v, np.float32) for n, v in VALUES.items() if n in module.variables}}
    (found,) = evaluate(module, {"gl_FragCoord": places}, uniforms, {}, lanes=4, quads=True).outputs.values()
    kind = next(kind for kind in _DIFFERENCES if kind in name)
    assert found.tolist() == [[_DIFFERENCES[kind]] * 4] * 4


@pytest.mark.parametrize("name", ["OpKill", "OpTerminateInvocation", "OpDemoteToHelperInvocation"])
def test_pixels_are_discarded(name: str) -> None:
    """Where a is below b in any component, as it is."""
    after = "OpBranch %go\n" if name == "OpDemoteToHelperInvocation" else ""
    text = shader(
        f"{_IS}OpSelectionMerge %go None\nOpBranchConditional %is %drop %go\n"
        f"%drop = OpLabel\n{name}\n{after}%go = OpLabel\n{_RESULT}"
    )
    for values, is_lost in ((VALUES, True), ({**VALUES, "pb": [x - 1 for x in A]}, False)):
        module = lowered(text)
        uniforms = {n: np.array(v, np.float32) for n, v in values.items() if n in module.variables}
        found = evaluate(module, {}, uniforms, {}, lanes=4, quads=True)
        assert found.discarded.tolist() == [is_lost] * 4


#: Everything that stands outside of functions; the colour is at the location that a group of decorations says.
MODULE_TEXT = """
OpCapability Shader
OpExtension "SPV_GOOGLE_user_type"
OpExtension "SPV_GOOGLE_decorate_string"
OpExtension "SPV_GOOGLE_hlsl_functionality1"
%std = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color
OpExecutionMode %main OriginLowerLeft
%file = OpString "a.glsl"
OpSource GLSL 450 %file "void main() {"
OpSourceContinued "}"
OpSourceExtension "GL_GOOGLE_include_directive"
OpName %block "Numbers"
OpMemberName %block 0 "first"
OpMemberName %block 1 "second"
OpModuleProcessed "by hand"
OpDecorate %group Location 0
%group = OpDecorationGroup
OpGroupDecorate %group %color
OpDecorate %rows RowMajor
OpDecorate %rows Offset 16
OpDecorate %rows MatrixStride 16
%rows = OpDecorationGroup
OpGroupMemberDecorate %rows %block 1
OpMemberDecorate %block 0 Offset 0
OpMemberDecorateString %block 0 UserTypeGOOGLE "float4"
OpDecorate %block Block
OpDecorate %numbers DescriptorSet 0
OpDecorate %numbers Binding 0
OpDecorateId %numbers CounterBuffer %numbers
OpDecorateString %numbers UserTypeGOOGLE "cbuffer"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%one = OpConstant %int 1
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%mat4 = OpTypeMatrix %vec4 4
%fn = OpTypeFunction %void
%block = OpTypeStruct %vec4 %mat4
%to_block = OpTypePointer Uniform %block
%to_mat4 = OpTypePointer Uniform %mat4
%to_vec4 = OpTypePointer Output %vec4
%numbers = OpVariable %to_block Uniform
%color = OpVariable %to_vec4 Output
%main = OpFunction %void None %fn
%entry = OpLabel
%p = OpAccessChain %to_mat4 %numbers %one
%m = OpLoad %mat4 %p
%c = OpCompositeExtract %vec4 %m 1
OpStore %color %c
OpReturn
OpFunctionEnd
"""


def test_what_stands_outside_of_functions() -> None:
    module = lowered(MODULE_TEXT)
    (output,) = [v for v in module.variables.values() if v.storage == "output"]
    assert (output.location, output.role) == (0, "frag_color")
    (block,) = module.blocks
    found = {each.name: (each.offset, each.matrix_stride, each.row_major) for each in block.members}
    assert found == {"Numbers.first": (0, 0, False), "Numbers.second": (16, 16, True)}
    matrix = np.arange(16, dtype=np.float32).reshape(4, 4)
    (name,) = [v.name for v in module.variables.values() if v.storage == "uniform"]
    (colour,) = evaluate(module, {}, {name: matrix}, {}, lanes=1).outputs.values()
    # However it is stored, a matrix is given by its columns.
    assert colour.tolist() == [matrix[1].tolist()]


def test_modes_of_compute_shaders_are_read() -> None:
    """OpExecutionModeId: a module may have other entry points besides."""
    mode = 'OpEntryPoint GLCompute %main "other"\nOpExecutionModeId %main LocalSizeId %i1 %i1 %i1\n'
    assert run(shader(_RESULT).replace("OpExecutionMode %main", f"{mode}OpExecutionMode %main", 1)) == _SUM


def test_no_row_is_without_a_case() -> None:
    """Those that are values of values are counted in `test_instructions.py`, lookups in `test_images.py`."""
    texts = [
        HEAD,
        START,
        LOADS,
        END,
        MODULE_TEXT,
        _TWICE,
        *(part for d, b, _ in STATEMENTS.values() for part in (d, b)),
    ]
    used = {word for text in texts for word in re.findall(r"\bOp[A-Z]\w+", text)}
    used |= {*_REFUSED_TYPES, "OpExecutionModeId", "OpKill", "OpTerminateInvocation", "OpDemoteToHelperInvocation"}
    used |= {"OpSampledImage", "OpImage", *(row.name for row in LOOKUPS)}
    assert {row.name for row in (*MODULE, *FUNCTION, *IMAGE)} <= used
    counted = {*MODULE, *FUNCTION, *IMAGE, *COMPOSITE, *CONVERSIONS, *ARITHMETIC, *BITS, *RELATIONS, *DERIVATIVES}
    assert set(TABLE) == counted


_REFUSED_TYPES = {
    "OpTypeOpaque": '%no = OpTypeOpaque "thing"',
    "OpTypeRuntimeArray": "%no = OpTypeRuntimeArray %float",
    "OpTypeForwardPointer": "OpTypeForwardPointer %later PhysicalStorageBuffer",
}


@pytest.mark.parametrize("name", _REFUSED_TYPES)
def test_types_that_no_target_has(name: str) -> None:
    assert refusal(shader(_RESULT, f"{_REFUSED_TYPES[name]}\n"))[::2] == ("E1010", HEAD.count("\n") + 1)


@pytest.mark.parametrize(("number", "name", "reason"), [(n, *pair) for n, pair in REFUSED.items()])
def test_what_no_target_has_is_refused_by_name_and_line(number: int, name: str, reason: str) -> None:
    """In texts, and in binaries, where the line is that of the source."""
    code, message, line = refusal(shader(f"{name}\n{_RESULT}"))
    assert (code, line) == ("E1010", shader("").splitlines().index("OpStore %color %result"))
    assert name in message and reason in message
    words = shader(f"OpLine %file 7 1\nOpNop\n{_RESULT}")
    words = words.replace("OpDecorate", '%file = OpString "a.hlsl"\nOpDecorate', 1)
    assert refusal(_binary(words, nop=number))[::2] == ("E1010", 7)


_OTHER_BLOCK = """
%gl = OpTypeStruct %vec4 %float
%out_gl = OpTypePointer Output %gl
%out_float = OpTypePointer Output %float
%more = OpVariable %out_gl Output
"""
_OTHER_MARKS = """
OpMemberDecorate %gl 0 BuiltIn Position
OpMemberDecorate %gl 1 BuiltIn CullDistance
OpDecorate %gl Block
OpDecorate"""


@pytest.mark.parametrize("is_written", [False, True])
def test_of_built_in_variables_without_a_meaning_only_their_use_is_refused(is_written: bool) -> None:
    store = "%depth = OpAccessChain %out_float %more %i1\nOpStore %depth %f2\n" if is_written else ""
    text = shader(f"{store}{_RESULT}", _OTHER_BLOCK)
    text = text.replace('"main" %color', '"main" %color %more').replace("OpDecorate", _OTHER_MARKS.strip(), 1)
    if not is_written:
        np.testing.assert_array_equal(run(text), _SUM)
        return
    code, message, line = refusal(text)
    assert (code, line) == ("E1010", text.splitlines().index("OpStore %depth %f2") + 1)
    assert "BuiltIn CullDistance" in message


def _binary(text: str, nop: int) -> bytes:
    """The words of a text, with another number in the place of OpNop's."""
    code = read_text(text)
    words = [MAGIC, 0x10300, 0, code.bound, 0]
    for each in code.instructions:
        rest = [word for word in (each.type, each.result) if word]
        for operand in each.operands:
            data = operand.encode() + b"\0" * (4 - len(operand.encode()) % 4) if isinstance(operand, str) else b""
            rest += struct.unpack(f"<{len(data) // 4}I", data) if isinstance(operand, str) else (operand & 0xFFFFFFFF,)
        words += [(len(rest) + 1) << 16 | (each.row.number or nop), *rest]
    return struct.pack(f"<{len(words)}I", *words)


def test_a_switch_knows_numbers_below_zero() -> None:
    """%i.y is -7."""
    body = (
        "%k = OpCompositeExtract %int %i 1\nOpSelectionMerge %end None\nOpSwitch %k %end 7 %seven -7 %below\n"
        "%seven = OpLabel\nOpBranch %end\n%below = OpLabel\nOpBranch %end\n"
        "%end = OpLabel\n%result = OpPhi %vec4 %a %entry %ones %seven %b %below\n"
    )
    assert run(shader(body)) == list(B)


def _flags(decoration: str) -> set[int]:
    """Those of the sum of %a and %b, with a decoration of it."""
    module = lowered(shader(_RESULT, f"OpDecorate %result {decoration}\n"))
    return {each.flags for each in module.functions["main"].instructions() if each.op is ops.FADD}


def test_how_exactly_a_result_is_computed() -> None:
    assert _flags("NoContraction") == {PRECISE}
    assert _flags("RelaxedPrecision") == {RELAXED}


def test_a_group_hands_its_decorations_on() -> None:
    """OpGroupDecorate to variables, OpGroupMemberDecorate to members of structures."""
    text = shader(
        "%p = OpAccessChain %to_float %block %i1\n%x = OpLoad %float %p\n%z = OpLoad %vec4 %in\n"
        "%o = OpLoad %other %more\n%w = OpCompositeExtract %vec4 %o 0\n%y = OpFAdd %vec4 %z %w\n"
        "%result = OpVectorTimesScalar %vec4 %y %x\n",
        """
        OpDecorate %flat Flat
        OpDecorate %flat Location 3
        %flat = OpDecorationGroup
        OpGroupDecorate %flat %in
        OpDecorate %far Offset 32
        %far = OpDecorationGroup
        OpGroupMemberDecorate %far %struct 1 %other 0
        OpDecorate %struct Block
        OpMemberDecorate %struct 0 Offset 0
        %struct = OpTypeStruct %vec4 %float
        OpDecorate %other Block
        %other = OpTypeStruct %vec4
        %to_other = OpTypePointer Uniform %other
        %more = OpVariable %to_other Uniform
        %to_struct = OpTypePointer Uniform %struct
        %to_float = OpTypePointer Uniform %float
        %block = OpVariable %to_struct Uniform
        %to_in = OpTypePointer Input %vec4
        %in = OpVariable %to_in Input
        """,
    ).replace('"main" %color', '"main" %color %in')
    module = lowered(text)
    varying = module.variables["in"]
    assert (varying.interpolation, varying.location) == ("flat", 3)
    assert sorted([member.offset for member in block.members] for block in module.blocks) == [[0, 32], [32]]


def test_members_of_an_input_take_one_location_after_the_other() -> None:
    """A matrix of two columns takes two."""
    text = shader(
        "%p = OpAccessChain %to_vec4 %in %i1\n%result = OpLoad %vec4 %p\n",
        """
        OpDecorate %in Location 2
        %struct = OpTypeStruct %mat2 %vec4
        %to_struct = OpTypePointer Input %struct
        %to_vec4 = OpTypePointer Input %vec4
        %in = OpVariable %to_struct Input
        """,
    ).replace('"main" %color', '"main" %color %in')
    found = {variable.name: variable.location for variable in lowered(text).variables.values()}
    assert found["in.member1"] == 4


def test_one_part_of_a_part_is_inserted() -> None:
    """The last component of the second column."""
    body = (
        "%m = OpOuterProduct %mat4 %a %b\n%n = OpCompositeInsert %mat4 %f2 %m 1 3\n"
        "%second = OpCompositeExtract %vec4 %n 1\n%last = OpCompositeExtract %vec4 %n 3\n"
        "%result = OpFAdd %vec4 %second %last\n"
    )
    column = [*(x * B[1] for x in A[:3]), 2.0]
    assert run(shader(body)) == [x + y * B[3] for x, y in zip(column, A, strict=True)]


def test_a_uniform_has_the_numbers_of_its_initializer() -> None:
    """OpenGL's uniforms may have some, which a host sets unless it knows better."""
    declared = (
        "%numbers = OpConstantComposite %vec4 %f0 %f1 %f2 %f1\n%u = OpVariable %in_vec4 UniformConstant %numbers\n"
    )
    module = lowered(shader("%result = OpLoad %vec4 %u\n", declared))
    assert [each.defaults for each in module.declarations if each.name == "u"] == [(("u", (0.0, 1.0, 2.0, 1.0)),)]


def test_an_invariant_output_makes_all_results_exact() -> None:
    module = lowered(shader(_RESULT, "OpDecorate %color Invariant\n"))
    (output,) = [variable for variable in module.variables.values() if variable.storage == "output"]
    assert output.invariant
    assert {each.flags for each in module.functions["main"].instructions() if each.op is ops.FADD} == {PRECISE}


_DROPS = """
%drop = OpFunction %void None %fn
%first = OpLabel
%x = OpLoad %vec4 %pa
%y = OpLoad %vec4 %pb
%below = OpFOrdLessThan %bvec4 %x %y
%any = OpAny %bool %below
OpSelectionMerge %stay None
OpBranchConditional %any %leave %stay
%leave = OpLabel
OpKill
%stay = OpLabel
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("is_lost", [False, True])
def test_a_function_discards_the_pixel_of_its_caller(calls: int, is_lost: bool) -> None:
    text = shader("".join(f"%v{n} = OpFunctionCall %void %drop\n" for n in range(calls)) + _RESULT) + _DROPS
    module = lowered(text)
    values = VALUES if is_lost else {**VALUES, "pb": [x - 1 for x in A]}
    uniforms = {n: np.array(v, np.float32) for n, v in values.items() if n in module.variables}
    assert evaluate(module, {}, uniforms, {}, lanes=2).discarded.tolist() == [is_lost] * 2


@pytest.mark.parametrize(("element", "code"), [("float", ""), ("int", "E1012"), ("vec4", "E1012")])
def test_clip_distances_are_an_array_of_floats(element: str, code: str) -> None:
    declared = f"""
    OpDecorate %clip BuiltIn ClipDistance
    %two = OpConstant %int 2
    %list = OpTypeArray %{element} %two
    %to_list = OpTypePointer Input %list
    %to_element = OpTypePointer Input %{element}
    %clip = OpVariable %to_list Input
    """
    body = f"%p = OpAccessChain %to_element %clip %i1\n%d = OpLoad %{element} %p\n%result = OpFAdd %vec4 %a %b\n"
    text = shader(body, declared).replace('"main" %color', '"main" %color %clip')
    if code:
        assert refusal(text)[0] == code
    else:
        assert "clip_distance_in" in {variable.role for variable in lowered(text).variables.values()}
