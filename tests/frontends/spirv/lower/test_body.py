"""Instructions in functions that do not fit, each at its line; and which of the ends of functions do what."""

from __future__ import annotations

import pytest

from tests.frontends.spirv.modules import A, B, refusal_here, run, shader

_RESULT = "%result = OpCopyObject %vec4 %a\n"
_TYPES = """
%local = OpTypePointer Function %vec4
%part = OpTypePointer Function %float
%private = OpTypePointer Private %vec4
%out_float = OpTypePointer Output %float
%pair = OpTypeStruct %vec4 %float
%local_pair = OpTypePointer Function %pair
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%with_image = OpTypeStruct %image %vec4
%to_image = OpTypePointer UniformConstant %image
%to_with_image = OpTypePointer UniformConstant %with_image
%global = OpVariable %private Private
%texture = OpVariable %to_image UniformConstant
%textures = OpVariable %to_with_image UniformConstant
"""
#: `%v` is a vec4 of the function, `%s` a structure of a vec4 and a float.
_LOCALS = "%v = OpVariable %local Function\n%s = OpVariable %local_pair Function\n"


def _text(body: str) -> str:
    return shader(_LOCALS + body, _TYPES)


#: A line that does not fit -> code and message.
_REFUSED: dict[str, tuple[str, str]] = {
    # Memory.
    "%x = OpVariable %vec4 Function": ("E1006", "OpVariable: a variable of a function has memory of its own"),
    "%x = OpVariable %private Private": ("E1006", "OpVariable: a variable of a function has memory of its own"),
    "%x = OpVariable %local Function %i0": ("E1006", "OpVariable: it stores a int where a vec4 is"),
    "%x = OpVariable %local Function %a": ("E1005", "OpVariable: %a is no constant"),
    "%x = OpLoad %vec4 %a": ("E1006", "OpLoad: %a is no pointer"),
    "%x = OpLoad %vec4 %away": ("E1005", "OpLoad: %away is no value that is known here"),
    "%x = OpLoad %ivec4 %v": ("E1006", "OpLoad: it loads a vec4"),
    "%x = OpLoad %float %v": ("E1006", "OpLoad: it loads a vec4"),
    "%x = OpLoad %with_image %textures": ("E1006", "OpLoad: a composite of images is no value"),
    "OpStore %v %i": ("E1006", "OpStore: it stores a ivec4 where a vec4 is"),
    "OpStore %pa %a": ("E1006", "OpStore: it stores to an input or a uniform"),
    "OpStore %a %a": ("E1006", "OpStore: %a is no pointer"),
    "OpStore %v %pa": ("E1006", "OpStore: %pa is no value of numbers"),
    "OpCopyMemory %pa %v": ("E1006", "OpCopyMemory: it stores to an input or a uniform"),
    "OpCopyMemory %v %pi": ("E1006", "OpCopyMemory: it stores a ivec4 where a vec4 is"),
    # Pointers.
    "%x = OpAccessChain %part %v %f0": ("E1006", "OpAccessChain: an index is no int"),
    "%x = OpAccessChain %part %v %i": ("E1006", "OpAccessChain: an index is no int"),
    "%x = OpAccessChain %part %a %i0": ("E1006", "OpAccessChain: %a is no pointer"),
    "%x = OpAccessChain %local %v %i0": ("E1006", "OpAccessChain: it leads to a float"),
    "%x = OpAccessChain %vec4 %v": ("E1006", "OpAccessChain: it leads to a vec4"),
    "%x = OpAccessChain %part %v %i0 %i0": ("E1006", "OpAccessChain: a float has no parts"),
    "%x = OpAccessChain %private %v": ("E1006", "OpAccessChain: it does not lead to Private"),
    "%x = OpAccessChain %local %global": ("E1006", "OpAccessChain: it does not lead to Function"),
    "%x = OpAccessChain %part %s %i4": ("E1006", "OpAccessChain: a pair has no part 4"),
    "%x = OpAccessChain %part %s %n": ("E1006", "OpAccessChain: the number of a member is no constant"),
    # Images.
    "%x = OpImage %image %a": ("E1006", "OpImage: %a is no image or sampler"),
    "%x = OpFAdd %vec4 %loaded %a": ("E1006", "OpFAdd: %loaded is no value of numbers"),
    # Ends.
    "OpReturnValue %a": ("E1006", "OpReturnValue: the function yields nothing"),
    # Instructions of extended sets.
    "%x = OpExtInst %vec4 %std 0 %a": ("E1010", "OpExtInst: instruction 0 of GLSL.std.450 is not supported"),
    "%x = OpExtInst %vec4 %std FMin %a": ("E1006", "OpExtInst: FMin has 2 operands, not 1"),
    "%x = OpExtInst %vec4 %std FMin %a %v": ("E1006", "OpExtInst: %v is no value of numbers"),
    "%x = OpExtInst %vec4 %std FMin %a %i": (
        "E1006",
        "OpExtInst: its operands are of other types (operand 2 must be vec4, found ivec4)",
    ),
    "%x = OpExtInst %float %std FMin %a %b": ("E1006", "OpExtInst: its operands yield no float"),
    "%x = OpExtInst %vec4 %std Modf %a %b": ("E1006", "OpExtInst: %b is no pointer"),
    "%x = OpExtInst %vec4 %std Modf %i %v": ("E1006", "OpExtInst: it yields a vec4 of a ivec4"),
    "%x = OpExtInst %vec4 %std Modf %a %pi": ("E1006", "OpExtInst: its operands yield no ivec4"),
    "%x = OpExtInst %vec4 %std Modf %a %pb": ("E1006", "OpExtInst: it stores to an input or a uniform"),
    # What stands elsewhere.
    "%x = OpTypeVoid": ("E1007", "OpTypeVoid stands in a function"),
    "%x = OpConstantTrue %bool": ("E1007", "OpConstantTrue stands in a function"),
    "OpDecorate %a Flat": ("E1007", "OpDecorate stands in a function"),
}


@pytest.mark.parametrize("line", _REFUSED)
def test_instructions_that_do_not_fit(line: str) -> None:
    code, what = _REFUSED[line]
    ids = "%n = OpCompositeExtract %int %i 0\n%loaded = OpLoad %image %texture\n"
    body = f"{line} ; here\n{ids}" if "OpVariable" in line else f"{ids}{line} ; here\n"
    if "OpReturnValue" in line:
        body += "%more = OpLabel\n"
    text = _text(body + _RESULT).replace("OpDecorate", 'OpName %pair "pair"\nOpDecorate', 1)
    assert refusal_here(text) == (code, ("" if code == "E1010" else "invalid SPIR-V: ") + what)


@pytest.mark.parametrize("name", ["OpKill", "OpTerminateInvocation", "OpDemoteToHelperInvocation"])
def test_only_fragments_are_discarded(name: str) -> None:
    end = "OpReturn\n" if name == "OpDemoteToHelperInvocation" else ""
    text = shader(f"{name} ; here\n{end}%more = OpLabel\n{_RESULT}").replace("Fragment %main", "Vertex %main")
    text = text.replace("OpDecorate %color Location 0", "OpDecorate %color BuiltIn Position")
    wanted = f"invalid SPIR-V: {name} stands in a vertex shader"
    assert refusal_here(text, stage="vertex") == ("E1007", wanted)


def test_a_function_that_yields_a_value_does_not_just_return() -> None:
    text = shader("%result = OpFunctionCall %vec4 %f\n", "%kind = OpTypeFunction %vec4\n")
    text += "%f = OpFunction %vec4 None %kind\n%l = OpLabel\nOpReturn ; here\nOpFunctionEnd\n"
    assert refusal_here(text) == ("E1006", "invalid SPIR-V: OpReturn: the function yields a value")


def test_a_copy_of_a_pointer_is_the_pointer() -> None:
    body = """
        OpStore %v %a
        %p = OpCopyObject %local %v
        %q = OpAccessChain %part %p %i1
        OpStore %q %f2
        %result = OpLoad %vec4 %v
    """
    assert run(_text(body)) == [A[0], 2.0, A[2], A[3]]


def test_a_variable_that_has_no_value_yet_begins_with_its_own() -> None:
    body = "%w = OpVariable %local Function %ones\n%w0 = OpLoad %vec4 %w\nOpStore %w %a\n%w1 = OpLoad %vec4 %w\n"
    assert run(_text(f"{body}%result = OpFAdd %vec4 %w0 %w1\n")) == [x + 1 for x in A]


@pytest.mark.parametrize("index", range(4))
def test_components_are_written_through_pointers(index: int) -> None:
    """By a constant, and by a number that is known only at run time."""
    for number in ("%known", "%chosen"):
        body = f"""
            %chosen = OpCompositeExtract %int %i 0
            OpStore %v %a
            %p = OpAccessChain %part %v {number}
            %x = OpLoad %float %p
            %y = OpFAdd %float %x %f1
            OpStore %p %y
            %result = OpLoad %vec4 %v
        """
        text = shader(_LOCALS + body, f"{_TYPES}%known = OpConstant %int {index}\n")
        assert run(text, {"pi": (index, 0, 0, 0)}) == [x + (n == index) for n, x in enumerate(A)]


def test_a_constant_beyond_the_end_leads_to_the_nearest_part() -> None:
    declared = "%far = OpConstant %int 9\n%below = OpConstant %int -9\n"
    body = """
        OpStore %v %b
        %p = OpAccessChain %part %v %far
        %q = OpAccessChain %part %v %below
        %x = OpLoad %float %p
        %y = OpLoad %float %q
        %result = OpCompositeConstruct %vec4 %x %y %f0 %f0
    """
    assert run(shader(_LOCALS + body, _TYPES + declared)) == [B[3], B[0], 0.0, 0.0]


def test_members_of_a_structure_are_memory_of_their_own() -> None:
    body = """
        %first = OpAccessChain %local %s %i0
        %second = OpAccessChain %part %s %i1
        OpStore %first %a
        OpStore %second %f2
        %whole = OpLoad %pair %s
        %x = OpCompositeExtract %vec4 %whole 0
        %y = OpCompositeExtract %float %whole 1
        %result = OpVectorTimesScalar %vec4 %x %y
    """
    assert run(_text(body)) == [2 * x for x in A]


def test_a_function_may_have_several_ends() -> None:
    """The first component is below that of %b; the second is not."""
    kind = "%kind = OpTypeFunction %float %float %float\n"
    body = "".join(
        f"%x{n} = OpCompositeExtract %float %a {n}\n%y{n} = OpCompositeExtract %float %b {n}\n"
        f"%r{n} = OpFunctionCall %float %least %x{n} %y{n}\n"
        for n in range(4)
    )
    text = shader(f"{body}%result = OpCompositeConstruct %vec4 %r0 %r1 %r2 %r3\n", kind)
    text += """
        %least = OpFunction %float None %kind
        %p = OpFunctionParameter %float
        %q = OpFunctionParameter %float
        %start = OpLabel
        %below = OpFOrdLessThan %bool %p %q
        OpSelectionMerge %rest None
        OpBranchConditional %below %then %rest
        %then = OpLabel
        OpReturnValue %p
        %rest = OpLabel
        OpReturnValue %q
        OpFunctionEnd
    """
    assert run(text) == [min(x, y) for x, y in zip(A, B, strict=True)]
