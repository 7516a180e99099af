"""Calls: what callees know of images and globals, what they yield, and arguments that do not fit, at their line."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Value
from tests.frontends.spirv.modules import A, B, C, lowered, refusal, refusal_here, run, shader

_TYPES = """
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%cube = OpTypeImage %float Cube 0 0 0 1 Unknown
%sampler = OpTypeSampler
%both = OpTypeSampledImage %image
%images = OpTypeArray %image %i4
%to_image = OpTypePointer UniformConstant %image
%to_images = OpTypePointer UniformConstant %images
%to_sampler = OpTypePointer UniformConstant %sampler
%to_both = OpTypePointer UniformConstant %both
%local = OpTypePointer Function %vec4
%part = OpTypePointer Function %float
%private = OpTypePointer Private %vec4
%private_part = OpTypePointer Private %float
%reads = OpTypeFunction %vec4 %to_both
%reads_value = OpTypeFunction %vec4 %both
%reads_pair = OpTypeFunction %vec4 %image %sampler
%of_vec4 = OpTypeFunction %vec4 %vec4
%of_float = OpTypeFunction %vec4 %float
%of_two = OpTypeFunction %vec4 %vec4 %vec4
%of_part = OpTypeFunction %void %private_part
%of_parts = OpTypeFunction %void %part %part
%uv = OpConstantComposite %vec2 %f0 %f0
%first = OpVariable %to_both UniformConstant
%second = OpVariable %to_both UniformConstant
%alone = OpVariable %to_image UniformConstant
%list = OpVariable %to_images UniformConstant
%way = OpVariable %to_sampler UniformConstant
%global = OpVariable %private Private
"""
_READS = """
%read = OpFunction %vec4 None %reads
%t = OpFunctionParameter %to_both
%read_entry = OpLabel
%loaded = OpLoad %both %t
%texel = OpImageSampleExplicitLod %vec4 %loaded %uv Lod %f0
OpReturnValue %texel
OpFunctionEnd
"""
_READS_VALUE = """
%read = OpFunction %vec4 None %reads_value
%t = OpFunctionParameter %both
%read_entry = OpLabel
%texel = OpImageSampleExplicitLod %vec4 %t %uv Lod %f0
OpReturnValue %texel
OpFunctionEnd
"""
_READS_PAIR = """
%read = OpFunction %vec4 None %reads_pair
%im = OpFunctionParameter %image
%sa = OpFunctionParameter %sampler
%read_entry = OpLabel
%t = OpSampledImage %both %im %sa
%texel = OpImageSampleExplicitLod %vec4 %t %uv Lod %f0
OpReturnValue %texel
OpFunctionEnd
"""


def _of(red: float) -> Texture:
    return Texture(np.array([[[red, 0, 0, 1]]], np.float32), "nearest", "clamp")


@pytest.mark.parametrize("by_value", [False, True])
def test_a_function_reads_the_texture_that_it_is_given(by_value: bool) -> None:
    """Two calls with two textures, of which each reads its own."""
    if by_value:
        body = "%v1 = OpLoad %both %first\n%v2 = OpLoad %both %second\n"
        body += "%x = OpFunctionCall %vec4 %read %v1\n%y = OpFunctionCall %vec4 %read %v2\n"
    else:
        body = "%x = OpFunctionCall %vec4 %read %first\n%y = OpFunctionCall %vec4 %read %second\n"
    body += "%z = OpFAdd %vec4 %y %y\n%result = OpFAdd %vec4 %x %z\n"
    text = shader(body, _TYPES) + (_READS_VALUE if by_value else _READS)
    assert run(text, textures={"first": _of(3.0), "second": _of(5.0)}) == [13.0, 0.0, 0.0, 3.0]
    assert len(lowered(text).functions) == 3


def test_one_function_serves_calls_with_the_same_texture() -> None:
    body = "%x = OpFunctionCall %vec4 %read %first\n%y = OpFunctionCall %vec4 %read %first\n"
    text = shader(f"{body}%result = OpFAdd %vec4 %x %y\n", _TYPES) + _READS
    assert run(text, textures={"first": _of(3.0)}) == [6.0, 0.0, 0.0, 2.0]
    assert len(lowered(text).functions) == 2


def test_an_image_and_a_sampler_meet_in_the_callee() -> None:
    body = "%im0 = OpLoad %image %alone\n%sa0 = OpLoad %sampler %way\n%result = OpFunctionCall %vec4 %read %im0 %sa0\n"
    assert run(shader(body, _TYPES) + _READS_PAIR, textures={"alone": _of(7.0)}) == [7.0, 0.0, 0.0, 1.0]


_DIFFERENCE = """
%f = OpFunction %vec4 None %of_two
%p = OpFunctionParameter %vec4
%q = OpFunctionParameter %vec4
%l = OpLabel
%d = OpFSub %vec4 %p %q
OpReturnValue %d
OpFunctionEnd
"""


def test_values_are_arguments_in_their_order() -> None:
    """Of two calls neither changes what the other was given or yields."""
    body = "%x = OpFunctionCall %vec4 %f %a %b\n%y = OpFunctionCall %vec4 %f %x %c\n"
    body += "%z = OpFunctionCall %vec4 %f %c %a\n"
    found = run(shader(f"{body}%result = OpFAdd %vec4 %y %z\n", _TYPES) + _DIFFERENCE)
    assert found == [(x - y - z) + (z - x) for x, y, z in zip(A, B, C, strict=True)]


_HALVE = """
%halve = OpFunction %void None %of_part
%p = OpFunctionParameter %private_part
%l = OpLabel
%x = OpLoad %float %p
%h = OpFDiv %float %x %f2
OpStore %p %h
OpReturn
OpFunctionEnd
"""


def test_a_part_of_a_global_variable_is_no_argument() -> None:
    """The callee may see the variable itself, so that a copy would not do."""
    body = "%p0 = OpAccessChain %private_part %global %i0\n%n0 = OpFunctionCall %void %halve %p0 ; here\n"
    found = refusal_here(shader(f"{body}%result = OpLoad %vec4 %global\n", _TYPES) + _HALVE)
    assert found == ("E1010", "OpFunctionCall: a pointer to a part that is chosen at run time is an argument")


_PARTS = """
%four = OpTypeArray %vec4 %i4
%parts = OpTypeStruct %vec4 %four %mat4 %vec4
%to_parts = OpTypePointer Private %parts
%of_pointer = OpTypeFunction %void %private
%i2 = OpConstant %int 2
%i3 = OpConstant %int 3
%whole = OpVariable %to_parts Private
"""
_ADD_ONE = """
%add_one = OpFunction %void None %of_pointer
%p = OpFunctionParameter %private
%l = OpLabel
%old = OpLoad %vec4 %p
%new = OpFAdd %vec4 %old %ones
OpStore %p %new
OpReturn
OpFunctionEnd
"""
_PLACES = ["%i0", "%i1 %i0", "%i1 %i2", "%i1 %i3", "%i2 %i0", "%i2 %i3", "%i3"]


@pytest.mark.parametrize("place", _PLACES)
def test_each_part_of_a_global_variable_is_an_argument_of_its_own(place: str) -> None:
    """Once for the part and twice for another one: members, elements of an array, columns of a matrix."""
    other = _PLACES[_PLACES.index(place) - 1]
    body = f"""
        OpStore %whole %zero
        %p0 = OpAccessChain %private %whole {place}
        %p1 = OpAccessChain %private %whole {other}
        %n0 = OpFunctionCall %void %add_one %p0
        %n1 = OpFunctionCall %void %add_one %p1
        %n2 = OpFunctionCall %void %add_one %p1
        %one = OpLoad %vec4 %p0
        %two = OpLoad %vec4 %p1
        %result = OpVectorShuffle %vec4 %one %two 0 1 4 5
    """
    declared = f"{_TYPES}{_PARTS}%zero = OpConstantNull %parts\n"
    text = shader(body, declared) + _ADD_ONE
    assert run(text) == [1.0, 1.0, 2.0, 2.0]
    assert len(lowered(text).functions) == 3


_SWAP = """
%swap = OpFunction %void None %of_parts
%p = OpFunctionParameter %part
%q = OpFunctionParameter %part
%l = OpLabel
%x = OpLoad %float %p
%y = OpLoad %float %q
OpStore %p %y
OpStore %q %x
OpReturn
OpFunctionEnd
"""


def test_parts_of_two_variables_are_exchanged() -> None:
    body = """
        %v = OpVariable %local Function
        %w = OpVariable %local Function
        OpStore %v %a
        OpStore %w %b
        %p0 = OpAccessChain %part %v %i0
        %q1 = OpAccessChain %part %w %i1
        %n = OpFunctionCall %void %swap %p0 %q1
        %v1 = OpLoad %vec4 %v
        %w1 = OpLoad %vec4 %w
        %result = OpVectorShuffle %vec4 %v1 %w1 0 1 4 5
    """
    assert run(shader(body, _TYPES) + _SWAP) == [B[1], A[1], B[0], A[0]]


#: A call that does not fit -> the functions, the code and the message.
_REFUSED: dict[str, tuple[str, str, str]] = {
    "%called = OpFunctionCall %vec4 %f %a": (
        _DIFFERENCE,
        "E1006",
        "its callee is no function, or takes another number of arguments",
    ),
    "%called = OpFunctionCall %vec4 %f %a %b %c": (
        _DIFFERENCE,
        "E1006",
        "its callee is no function, or takes another number of arguments",
    ),
    "%called = OpFunctionCall %vec4 %a %a": (
        "",
        "E1006",
        "its callee is no function, or takes another number of arguments",
    ),
    "%called = OpFunctionCall %void %main": (
        "",
        "E1006",
        "its callee is no function, or takes another number of arguments",
    ),
    "%called = OpFunctionCall %vec4 %f %a %i": (_DIFFERENCE, "E1006", "a ivec4 is given where a vec4 is taken"),
    "%called = OpFunctionCall %vec4 %f %a %global": (
        _DIFFERENCE,
        "E1006",
        "an argument is a pointer to a vec4, the parameter a vec4",
    ),
    "%called = OpFunctionCall %vec4 %read %a": (
        _READS,
        "E1006",
        "a parameter is a pointer to UniformConstant, and its argument is none",
    ),
    "%called = OpFunctionCall %vec4 %read %global": (
        _READS,
        "E1006",
        "a parameter is a pointer to UniformConstant, and its argument is none",
    ),
    "%called = OpFunctionCall %vec4 %read %pa": (
        _READS,
        "E1006",
        "an argument is a pointer to a vec4, the parameter a pointer to sampler2D",
    ),
    "%called = OpFunctionCall %vec4 %read %whole": (
        _READS_VALUE,
        "E1006",
        "an argument is of another type than the parameter, a sampler2D",
    ),
    "%called = OpFunctionCall %vec4 %read %element %sa0": (
        _READS_PAIR,
        "E1010",
        "an image that is chosen at run time is an argument",
    ),
    "%called = OpFunctionCall %void %halve %global": (
        _HALVE,
        "E1006",
        "an argument is a pointer to a vec4, the parameter a pointer to float",
    ),
    "%called = OpFunctionCall %void %swap %v0 %v1": (
        _SWAP,
        "E1010",
        "a pointer to a part that is chosen at run time is an argument",
    ),
}
_LOADS = """
%v = OpVariable %local Function
%sa0 = OpLoad %sampler %way
%whole = OpLoad %image %alone
%n = OpCompositeExtract %int %i 0
%at = OpAccessChain %to_image %list %n
%element = OpLoad %image %at
%v0 = OpAccessChain %part %v %n
%v1 = OpAccessChain %part %v %i1
"""


@pytest.mark.parametrize("call", _REFUSED)
def test_calls_that_do_not_fit(call: str) -> None:
    functions, code, what = _REFUSED[call]
    text = shader(f"{_LOADS}{call} ; here\n%result = OpCopyObject %vec4 %a\n", _TYPES) + functions
    name = "OpFunctionCall: " if code == "E1010" else "invalid SPIR-V: OpFunctionCall: "
    assert refusal_here(text) == (code, name + what)


def test_what_a_function_returns_is_of_its_type() -> None:
    text = shader("%result = OpFunctionCall %vec4 %f %a\n", _TYPES)
    text += "%f = OpFunction %vec4 None %of_vec4\n%p = OpFunctionParameter %vec4\n%l = OpLabel\n"
    text += "OpReturnValue %i4 ; here\nOpFunctionEnd\n"
    wanted = "invalid SPIR-V: OpReturnValue: a int is given where a vec4 is taken"
    assert refusal_here(text) == ("E1006", wanted)


def test_a_function_does_not_call_itself() -> None:
    text = shader("%result = OpFunctionCall %vec4 %f %a\n", _TYPES)
    text += "%f = OpFunction %vec4 None %of_vec4\n%p = OpFunctionParameter %vec4\n%l = OpLabel\n"
    text += "%x = OpFunctionCall %vec4 %f %p\nOpReturnValue %x\nOpFunctionEnd\n"
    assert refusal(text)[:2] == ("E1007", "invalid SPIR-V: in the function @f: calls itself: @f -> @f")


_DROPS = """
%drop = OpFunction %void None %fn
%l = OpLabel
OpKill
OpFunctionEnd
"""


def _stores(text: str) -> list[tuple[str, Value]]:
    """What the entry point stores to flags before its first call."""
    found = []
    for each in lowered(text).functions["main"].instructions():
        if each.op is ops.CALL:
            break
        if each.op is ops.STORE and each.address.variable.type.kind == "bool":
            found.append((each.address.variable.name, each.operands[0]))
    return found


def test_the_flag_of_a_discarded_pixel_is_unset_at_first() -> None:
    """Only where a callee may set it."""
    is_below = "%is = OpFOrdLessThan %bool %f0 %f1\n"
    body = f"{is_below}OpSelectionMerge %go None\nOpBranchConditional %is %then %go\n%then = OpLabel\n"
    end = "OpBranch %go\n%go = OpLabel\n%result = OpCopyObject %vec4 %a\n"
    ((name, value),) = _stores(shader(f"{body}%n = OpFunctionCall %void %drop\n{end}") + _DROPS)
    assert name.startswith("discarded") and isinstance(value, Constant) and value.components == (False,)
    assert _stores(shader(f"{body}OpKill\n{end.removeprefix('OpBranch %go')}")) == []
