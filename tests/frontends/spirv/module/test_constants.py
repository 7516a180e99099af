"""Constants of every kind, those that `--spec` sets, and those that operations make of others."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from glslc_multi.compiler.ir.module import Constant
from tests.frontends.spirv.modules import lowered, refusal, refusal_here, run, shader

_RESULT = "%result = OpCopyObject %vec4 %a\n"
#: The float x, or what an int or a bool x becomes as one, in every component.
_SPREAD = "%result = OpCompositeConstruct %vec4 %x %x %x %x\n"
_OF_INT = f"%x = OpConvertSToF %float %k\n{_SPREAD}"
_OF_UINT = f"%x = OpConvertUToF %float %k\n{_SPREAD}"
_OF_BOOL = f"%x = OpSelect %float %k %f1 %f0\n{_SPREAD}"


@pytest.mark.parametrize(
    ("constant", "wanted"),
    [
        ("%x = OpConstant %float -0.375", -0.375),
        ("%x = OpConstant %float 0x1.8p+1", 3.0),
        ("%x = OpConstant %float 1e39", math.inf),
        ("%x = OpConstant %float -1e39", -math.inf),
        ("%x = OpConstant %float 1e-46", 0.0),
        ("%k = OpConstant %int -7", -7.0),
        ("%k = OpConstant %int 2147483647", 2.0**31),
        ("%k = OpConstant %int 0x80000000", -(2.0**31)),
        ("%k = OpConstant %uint 0x80000000", 2.0**31),
        ("%k = OpConstant %uint 4294967295", 2.0**32),
        ("%k = OpConstantTrue %bool", 1.0),
        ("%k = OpConstantFalse %bool", 0.0),
        ("%k = OpConstantNull %bool", 0.0),
        ("%k = OpConstantNull %int", 0.0),
        ("%x = OpConstantNull %float", 0.0),
    ],
)
def test_scalars(constant: str, wanted: float) -> None:
    body = {"%float": _SPREAD, "%int": _OF_INT, "%uint": _OF_UINT, "%bool": _OF_BOOL}[constant.split()[3]]
    assert run(shader(body, f"{constant}\n")) == [wanted] * 4


_COMPOSITE = """
%two = OpConstant %int 2
%list = OpTypeArray %mat2 %two
%whole = OpTypeStruct %list %vec4 %bool
"""


def test_null_is_null_in_every_part() -> None:
    body = """
        %x = OpCompositeExtract %float %null 0 1 1 0
        %v = OpCompositeExtract %vec4 %null 1
        %b = OpCompositeExtract %bool %null 2
        %y = OpSelect %float %b %f1 %f2
        %w = OpCompositeInsert %vec4 %x %v 0
        %z = OpCompositeInsert %vec4 %y %w 1
        %result = OpFAdd %vec4 %z %ones
    """
    assert run(shader(body.replace("%b ", "%is "), f"{_COMPOSITE}%null = OpConstantNull %whole\n")) == [1, 3, 1, 1]


def test_what_may_be_anything_is_known_to_be() -> None:
    """Optimisers choose what suits them; null is a number."""
    module = lowered(
        shader("%result = OpFAdd %vec4 %any %null\n", "%any = OpUndef %vec4\n%null = OpConstantNull %vec4\n")
    )
    constants = [
        operand.components
        for instruction in module.functions["main"].instructions()
        for operand in instruction.operands
        if isinstance(operand, Constant)
    ]
    assert constants == [(None,) * 4, (0.0,) * 4]


#: Operation on constants -> the float that it is; `%m` has the columns (1, 2) and (2, 0).
_COMPUTED: dict[str, float] = {
    "%float FAdd %f1 %f2": 3.0,
    "%float FDiv %f1 %f2": 0.5,
    "%float FNegate %f2": -2.0,
    "%float Select %yes %f1 %f2": 1.0,
    "%float Select %no %f1 %f2": 2.0,
    "%float CompositeExtract %v 1": 2.0,
    "%float CompositeExtract %m 1 0": 2.0,
    "%float CompositeExtract %m 1 1": 0.0,
    "%float VectorExtractDynamic %v %i1": 2.0,
    "%float Dot %v %v": 5.0,
    "%float CopyObject %f2": 2.0,
    "%float ConvertSToF %i8": 8.0,
    "%float Bitcast %one_bits": 1.0,
    "%float FConvert %f2": 2.0,
}
_GIVEN = """
%yes = OpConstantTrue %bool
%no = OpConstantFalse %bool
%v = OpConstantComposite %vec2 %f1 %f2
%w = OpConstantComposite %vec2 %f2 %f0
%m = OpConstantComposite %mat2 %v %w
%one_bits = OpConstant %int 0x3F800000
"""


@pytest.mark.parametrize("operation", _COMPUTED)
def test_operations_on_constants_are_constants(operation: str) -> None:
    """A length of an array must be one, so it is no instruction that is left."""
    type_, rest = operation.split(" ", 1)
    module = shader(_SPREAD, f"{_GIVEN}%x = OpSpecConstantOp {type_} {rest}\n")
    assert run(module) == [_COMPUTED[operation]] * 4
    assert {each.op.name for each in lowered(module).functions["main"].instructions()} <= {"load", "store", "ret"}


@pytest.mark.parametrize(
    ("operation", "wanted"),
    [("IAdd %i4 %i8", 12), ("UConvert %i4", 4), ("SConvert %i8", 8), ("ShiftLeftLogical %i1 %i4", 16), ("Not %i0", -1)],
)
def test_operations_on_whole_constants(operation: str, wanted: int) -> None:
    assert run(shader(_OF_INT, f"%k = OpSpecConstantOp %int {operation}\n")) == [wanted] * 4


def test_a_length_is_an_operation_on_a_constant_that_is_set() -> None:
    """5 + 1 elements, of which one is read by its number."""
    declarations = """
        OpDecorate %n SpecId 4
        %n = OpSpecConstant %int 1
        %length = OpSpecConstantOp %int IAdd %n %i1
        %list = OpTypeArray %float %length
        %to_list = OpTypePointer Private %list
        %to_float = OpTypePointer Private %float
        %g = OpVariable %to_list Private
    """
    body = "%p = OpAccessChain %to_float %g %i1\nOpStore %p %f2\n%x = OpLoad %float %p\n" + _SPREAD
    for given, length in ({}, 2), ({4: "5"}, 6):
        module = lowered(shader(body, declarations), spec=given)
        assert module.variables["g"].length == length


_SETTABLE = {
    "bool": ("%k = OpSpecConstantFalse %bool", _OF_BOOL),
    "true": ("%k = OpSpecConstantTrue %bool", _OF_BOOL),
    "int": ("%k = OpSpecConstant %int 7", _OF_INT),
    "uint": ("%k = OpSpecConstant %uint 7", _OF_UINT),
    "float": ("%x = OpSpecConstant %float 7", _SPREAD),
}


def _run_with(kind: str, spec: Mapping[int, str]) -> float:
    constant, body = _SETTABLE[kind]
    return run(shader(body, f"OpDecorate {constant.split()[0]} SpecId 3\n{constant}\n"), spec=spec)[0]


@pytest.mark.parametrize(
    ("kind", "given", "wanted"),
    [
        ("bool", "true", 1.0),
        ("bool", " True ", 1.0),
        ("bool", "1", 1.0),
        ("bool", "false", 0.0),
        ("bool", "0", 0.0),
        ("true", "false", 0.0),
        ("true", "0", 0.0),
        ("int", "-3", -3.0),
        ("int", "0x10", 16.0),
        ("uint", "4294967295", 2.0**32),
        ("float", "0.5", 0.5),
        ("float", "2", 2.0),
        ("float", "0x1.8p1", 3.0),
    ],
)
def test_constants_are_set(kind: str, given: str, wanted: float) -> None:
    assert _run_with(kind, {3: given}) == wanted


@pytest.mark.parametrize(("kind", "wanted"), [("bool", 0.0), ("true", 1.0), ("int", 7.0), ("float", 7.0)])
def test_constants_that_are_not_set_are_what_the_module_says(kind: str, wanted: float) -> None:
    assert _run_with(kind, {}) == wanted


def test_a_constant_without_the_number_is_not_set() -> None:
    declared = "OpDecorate %y SpecId 3\n%y = OpSpecConstant %float 1\n%x = OpSpecConstant %float 7\n"
    assert run(shader(_SPREAD, declared), spec={3: "2"}) == [7.0] * 4


def test_constants_that_are_no_specialization_constants_are_not_set() -> None:
    text = shader(_SPREAD, "OpDecorate %x SpecId 3\n%x = OpConstant %float 7\n")
    assert refusal(text, spec={3: "1"}) == ("E1011", "--spec 3=1: the module has no such constant", 0)


@pytest.mark.parametrize(
    ("kind", "given", "what"),
    [
        ("bool", "2", "the constant is true or false"),
        ("bool", "yes", "the constant is true or false"),
        ("int", "0.5", "the constant is of type int"),
        ("int", "4294967296", "the constant is of type int"),
        ("uint", "true", "the constant is of type uint"),
        ("float", "half", "the constant is of type float"),
    ],
)
def test_constants_that_cannot_be_set_so(kind: str, given: str, what: str) -> None:
    constant, body = _SETTABLE[kind]
    text = shader(body, f"OpDecorate {constant.split()[0]} SpecId 3\n{constant} ; here\n")
    assert refusal_here(text, spec={3: given}) == ("E1011", f"--spec 3={given}: {what}")


#: A wrong constant -> the code, and the message.
_REFUSED: dict[str, tuple[str, str]] = {
    "OpConstantTrue %float": ("E1006", "invalid SPIR-V: OpConstantTrue: a truth value of type float"),
    "OpSpecConstantFalse %bvec4": ("E1006", "invalid SPIR-V: OpSpecConstantFalse: a truth value of type bvec4"),
    "OpConstantTrue %in_vec4": ("E1006", "invalid SPIR-V: OpConstantTrue: a truth value of type pointer to vec4"),
    "OpConstant %bool 1": ("E1006", "invalid SPIR-V: OpConstant: a number of type bool"),
    "OpSpecConstant %vec4 1": ("E1006", "invalid SPIR-V: OpSpecConstant: a number of type vec4"),
    "OpConstant %in_vec4 1": ("E1006", "invalid SPIR-V: OpConstant: a number of type pointer to vec4"),
    "OpConstantComposite %vec4 %ones %f0": (
        "E1006",
        "invalid SPIR-V: OpConstantComposite: the parts of a vec4 have another number of components",
    ),
    "OpConstantComposite %vec4 %f0 %f0 %f0 %unknown": (
        "E1005",
        "invalid SPIR-V: OpConstantComposite: %unknown is no constant",
    ),
    "OpConstantNull %unknown": ("E1005", "invalid SPIR-V: OpConstantNull: %unknown is no type"),
    "OpSpecConstantOp %float Load %f0": (
        "E1006",
        "invalid SPIR-V: OpSpecConstantOp: OpLoad yields no constant",
    ),
    "OpSpecConstantOp %float DPdx %f0": ("E1010", "OpSpecConstantOp: it is no constant"),
    "OpSpecConstantOp %float FAdd %f0 %unknown": (
        "E1005",
        "invalid SPIR-V: OpSpecConstantOp: %unknown is no constant",
    ),
    "OpSpecConstantOp %float FAdd %f0 %i0": (
        "E1006",
        "invalid SPIR-V: OpFAdd: its operands are of other types (operand 2 must be float, found int)",
    ),
    "OpSpecConstantOp %int FAdd %f0 %f0": ("E1006", "invalid SPIR-V: OpFAdd: its operands yield no int"),
    "OpSpecConstantOp %float FAdd %f0": ("E1002", "invalid SPIR-V: OpFAdd: operands are missing"),
    "OpSpecConstantOp %float FNegate": ("E1002", "invalid SPIR-V: OpFNegate: operands are missing"),
    "OpSpecConstantOp %float CompositeExtract": ("E1002", "invalid SPIR-V: OpCompositeExtract: operands are missing"),
    "OpSpecConstantOp %float CopyObject": ("E1002", "invalid SPIR-V: OpCopyObject: operands are missing"),
    "OpSpecConstantOp %float Bitcast": ("E1002", "invalid SPIR-V: OpBitcast: operands are missing"),
    "OpSpecConstantOp %vec4 VectorShuffle %ones": ("E1002", "invalid SPIR-V: OpVectorShuffle: operands are missing"),
    "OpSpecConstantOp %float FNegate %f0 %f0": (
        "E1006",
        "invalid SPIR-V: OpFNegate: OpFNegate has 1 operands, not 2",
    ),
}


@pytest.mark.parametrize("constant", _REFUSED)
def test_constants_that_are_none(constant: str) -> None:
    assert refusal_here(shader(_RESULT, f"%x = {constant} ; here\n")) == _REFUSED[constant]
