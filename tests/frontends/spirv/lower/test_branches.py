"""Branches between blocks: switches of all shapes, phis from every predecessor, and control flow that is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontends.spirv.modules import A, B, C, refusal_here, run, run_rows, shader

_SPREAD = "%result = OpConvertSToF %vec4 %r\n"
_HUNDREDS = "".join(f"%n{n} = OpConstant %int {n}\n" for n in (2, 3, 100, 200, 300, 400))
_SPLAT = _HUNDREDS + "".join(f"%v{n} = OpConstantComposite %ivec4 {f'%n{n} ' * 4}\n" for n in (100, 200, 300, 400))
_END = "%end = OpLabel\n%r = OpPhi %ivec4 {}\n" + _SPREAD
#: Shape of a switch over k -> its text, and what it yields of k.
_SWITCHES: dict[str, tuple[str, Callable[[int], int]]] = {
    "one case": (
        "OpSwitch %k %end 2 %two\n%two = OpLabel\nOpBranch %end\n" + _END.format("%v100 %head %v200 %two"),
        lambda k: 200 if k == 2 else 100,
    ),
    "no case": ("OpSwitch %k %end\n" + _END.format("%v100 %head"), lambda k: 100),
    "several cases of one target": (
        "OpSwitch %k %other 0 %low 1 %low -1 %low\n%low = OpLabel\nOpBranch %end\n%other = OpLabel\nOpBranch %end\n"
        + _END.format("%v100 %low %v200 %other"),
        lambda k: 100 if -1 <= k <= 1 else 200,
    ),
    "cases of the default's target": (
        "OpSwitch %k %other 0 %other 1 %one 2 %other\n%one = OpLabel\nOpBranch %end\n%other = OpLabel\nOpBranch %end\n"
        + _END.format("%v100 %one %v200 %other"),
        lambda k: 100 if k == 1 else 200,
    ),
    "all cases of the end": (
        "OpSwitch %k %other 1 %end 3 %end\n%other = OpLabel\nOpBranch %end\n" + _END.format("%v100 %head %v200 %other"),
        lambda k: 100 if k in (1, 3) else 200,
    ),
    "a case that falls into the next": (
        "OpSwitch %k %end 1 %one 2 %two\n%one = OpLabel\n%sum = OpIAdd %ivec4 %v100 %v200\nOpBranch %two\n"
        "%two = OpLabel\n%y = OpPhi %ivec4 %v400 %head %sum %one\nOpBranch %end\n" + _END.format("%v100 %head %y %two"),
        lambda k: {1: 300, 2: 400}.get(k, 100),
    ),
    "the ends of the ints": (
        "OpSwitch %k %end 2147483647 %most -2147483648 %least\n%most = OpLabel\nOpBranch %end\n"
        "%least = OpLabel\nOpBranch %end\n" + _END.format("%v100 %head %v200 %most %v300 %least"),
        lambda k: {2**31 - 1: 200, -(2**31): 300}.get(k, 100),
    ),
}


@pytest.mark.parametrize("shape", _SWITCHES)
def test_switches(shape: str) -> None:
    """By the first component of an int vector; each row is a pixel of its own."""
    text, wanted = _SWITCHES[shape]
    numbers = [-(2**31), -2, -1, 0, 1, 2, 3, 4, 2**31 - 1]
    body = "%x0 = OpCompositeExtract %int %x 0\nOpBranch %head\n%head = OpLabel\n%k = OpCopyObject %int %x0\n"
    for number in numbers:
        # All four rows of a pixel are the same number, so that they are one case.
        found = run_rows(f"{body}OpSelectionMerge %end None\n{text}", [(number,)] * 4, _SPLAT)
        assert found.tolist() == [float(wanted(number))] * 4


def test_both_ways_of_a_branch_may_lead_to_one_block() -> None:
    body = """
        %below = OpFOrdLessThan %bvec4 %a %b
        %is = OpAny %bool %below
        OpSelectionMerge %end None
        OpBranchConditional %is %end %end
        %end = OpLabel
        %result = OpPhi %vec4 %c %entry
    """
    assert run(shader(body)) == list(C)


def test_a_phi_knows_only_blocks_that_control_reaches() -> None:
    """What comes from a block that nothing leads to is no value."""
    body = """
        OpBranch %end
        %never = OpLabel
        %lost = OpFAdd %vec4 %a %a
        OpBranch %end
        %end = OpLabel
        %result = OpPhi %vec4 %lost %never %b %entry
    """
    assert run(shader(body)) == list(B)


def test_phis_exchange_their_values_at_once() -> None:
    """Twice round a loop: what was %a is %a again; after an odd number, it is %b."""
    body = """
        OpBranch %head
        %head = OpLabel
        %n = OpPhi %int %i0 %entry %m %next
        %p = OpPhi %vec4 %a %entry %q %next
        %q = OpPhi %vec4 %b %entry %p %next
        OpLoopMerge %after %next None
        OpBranch %test
        %test = OpLabel
        %goes = OpSLessThan %bool %n %limit
        OpBranchConditional %goes %next %after
        %next = OpLabel
        %m = OpIAdd %int %n %i1
        OpBranch %head
        %after = OpLabel
        %result = OpCopyObject %vec4 %p
    """
    for limit, wanted in ((2, A), (3, B)):
        assert run(shader(body, f"%limit = OpConstant %int {limit}\n")) == list(wanted)


def test_phis_of_matrices_and_structures() -> None:
    """Every column comes from where control came from."""
    body = """
        %m = OpOuterProduct %mat4 %a %b
        %n = OpOuterProduct %mat4 %b %c
        %s = OpCompositeConstruct %pair %m %a
        %t = OpCompositeConstruct %pair %n %b
        %is = OpFOrdLessThan %bool %f0 %f1
        OpSelectionMerge %end None
        OpBranchConditional %is %then %else
        %then = OpLabel
        OpBranch %end
        %else = OpLabel
        OpBranch %end
        %end = OpLabel
        %p = OpPhi %pair %s %then %t %else
        %column = OpCompositeExtract %vec4 %p 0 3
        %last = OpCompositeExtract %vec4 %p 1
        %result = OpFAdd %vec4 %column %last
    """
    assert run(shader(body, "%pair = OpTypeStruct %mat4 %vec4\n")) == [x * B[3] + x for x in A]


_GO = "OpBranch %next\n%next = OpLabel\n"
_RESULT = "%result = OpCopyObject %vec4 %a\n"
#: A body with one line that is wrong -> the code, and the message.
_REFUSED: dict[str, tuple[str, str]] = {
    f"OpSelectionMerge %next None\nOpBranchConditional %f0 %next %next ; here\n%next = OpLabel\n{_RESULT}": (
        "E1006",
        "invalid SPIR-V: OpBranchConditional: its condition is no bool",
    ),
    f"%t = OpFOrdLessThan %bvec4 %a %b\nOpBranchConditional %t %next %next ; here\n%next = OpLabel\n{_RESULT}": (
        "E1006",
        "invalid SPIR-V: OpBranchConditional: its condition is no bool",
    ),
    f"OpSwitch %f0 %next ; here\n%next = OpLabel\n{_RESULT}": (
        "E1006",
        "invalid SPIR-V: OpSwitch: its selector is no int",
    ),
    f"OpSwitch %i %next ; here\n%next = OpLabel\n{_RESULT}": (
        "E1006",
        "invalid SPIR-V: OpSwitch: its selector is no int",
    ),
    f"%t = OpFOrdLessThan %bool %f0 %f1\nOpSwitch %t %next ; here\n%next = OpLabel\n{_RESULT}": (
        "E1006",
        "invalid SPIR-V: OpSwitch: its selector is no int",
    ),
    f"OpBranch %away ; here\n%next = OpLabel\n{_RESULT}": (
        "E1005",
        "invalid SPIR-V: OpBranch: %away is no block of the function",
    ),
    f"OpSwitch %i0 %next 1 %away ; here\n%next = OpLabel\n{_RESULT}": (
        "E1005",
        "invalid SPIR-V: OpSwitch: %away is no block of the function",
    ),
    f"%t = OpFOrdLessThan %bool %f0 %f1\nOpBranchConditional %t %next %away ; here\n%next = OpLabel\n{_RESULT}": (
        "E1005",
        "invalid SPIR-V: OpBranchConditional: %away is no block of the function",
    ),
    f"{_GO}%p = OpPhi %ivec4 %a %entry ; here\n{_RESULT}": (
        "E1006",
        "invalid SPIR-V: OpPhi: a vec4 comes from %entry",
    ),
    f"{_GO}%p = OpPhi %in_vec4 %pa %entry ; here\n{_RESULT}": (
        "E1010",
        "OpPhi: no target has pointers and images that are values",
    ),
    f"{_GO}%p = OpPhi %void %a %entry ; here\n{_RESULT}": (
        "E1010",
        "OpPhi: no target has pointers and images that are values",
    ),
    f"{_GO}%p = OpPhi %image %a %entry ; here\n{_RESULT}": (
        "E1010",
        "OpPhi: no target has pointers and images that are values",
    ),
    f"%p = OpPhi %vec4 %a %entry ; here\n{_RESULT}": (
        "E1007",
        "invalid SPIR-V: a phi does not stand at the beginning of its block",
    ),
    f"{_GO}%s = OpFAdd %vec4 %a %b\n%result = OpPhi %vec4 %a %entry ; here\n": (
        "E1007",
        "invalid SPIR-V: a phi does not stand at the beginning of its block",
    ),
    f"{_GO}%result = OpPhi %vec4 %later %entry ; here\n": (
        "E1005",
        "invalid SPIR-V: OpPhi: %later is no value that is known here",
    ),
}


@pytest.mark.parametrize("body", _REFUSED)
def test_branches_that_are_none(body: str) -> None:
    text = shader(body, "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n")
    assert refusal_here(text) == _REFUSED[body]


#: The beginning of a body -> what is wrong with the function, which is told where that begins.
_WHOLE = {
    "OpBranch %head\n%head = OpLabel\nOpLoopMerge %next %head None\nOpBranch %head\n%next = OpLabel\n": (
        "no path through the function leads to its end"
    ),
    "OpBranch %entry\n%next = OpLabel\n": "a branch leads to the function's first block",
}


@pytest.mark.parametrize("body", _WHOLE)
def test_functions_that_never_end(body: str) -> None:
    start = "%main = OpFunction %void None %fn"
    text = shader(body + _RESULT).replace(start, f"{start} ; here")
    assert refusal_here(text) == ("E1007", f"invalid SPIR-V: {_WHOLE[body]}")


def test_a_function_without_a_body() -> None:
    text = shader(f"%x = OpFunctionCall %void %empty\n{_RESULT}")
    text += "%empty = OpFunction %void None %fn ; here\nOpFunctionEnd\n"
    assert refusal_here(text) == ("E1007", "invalid SPIR-V: the function has no body")
