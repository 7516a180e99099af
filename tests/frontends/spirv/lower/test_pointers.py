"""Pointers that are arguments: copied in and out, or known to the callee where two lead to one variable."""

from __future__ import annotations

import pytest

from tests.frontends.spirv.modules import A, B, refusal, run, shader

_TYPES = """
%local = OpTypePointer Function %vec4
%part = OpTypePointer Function %float
%private = OpTypePointer Private %vec4
%two = OpTypeFunction %void %local %local
%one = OpTypeFunction %void %private
%scalar = OpTypeFunction %void %part
%global = OpVariable %private Private
"""
#: x += y, y += 1, through pointers to memory of functions.
_ADD = """
%add = OpFunction %void None %two
%x = OpFunctionParameter %local
%y = OpFunctionParameter %local
%add_entry = OpLabel
%x0 = OpLoad %vec4 %x
%y0 = OpLoad %vec4 %y
%sum = OpFAdd %vec4 %x0 %y0
OpStore %x %sum
%y1 = OpLoad %vec4 %y
%y2 = OpFAdd %vec4 %y1 %ones
OpStore %y %y2
OpReturn
OpFunctionEnd
"""
_TWICE = """
%twice = OpFunction %void None %scalar
%s = OpFunctionParameter %part
%twice_entry = OpLabel
%s0 = OpLoad %float %s
%s1 = OpFAdd %float %s0 %s0
OpStore %s %s1
OpReturn
OpFunctionEnd
"""
_INCREASE = """
%increase = OpFunction %void None %one
%g = OpFunctionParameter %private
%increase_entry = OpLabel
%g0 = OpLoad %vec4 %g
%g1 = OpFAdd %vec4 %g0 %ones
OpStore %g %g1
%h0 = OpLoad %vec4 %global
%h1 = OpFAdd %vec4 %h0 %h0
OpStore %global %h1
OpReturn
OpFunctionEnd
"""


def _body(code: str, function: str) -> str:
    """A shader whose function stands after `main`."""
    return shader(f"%v = OpVariable %local Function\n%w = OpVariable %local Function\n{code}", _TYPES) + function


def test_arguments_are_copied_in_and_out() -> None:
    code = """
        OpStore %v %a
        OpStore %w %b
        %n = OpFunctionCall %void %add %v %w
        %v1 = OpLoad %vec4 %v
        %w1 = OpLoad %vec4 %w
        %result = OpVectorShuffle %vec4 %v1 %w1 0 1 6 7
    """
    total = [x + y for x, y in zip(A, B, strict=True)]
    assert run(_body(code, _ADD)) == [*total[:2], *(y + 1 for y in B[2:])]


def test_two_pointers_to_one_variable_are_one() -> None:
    """Both are v: what y adds one to is doubled already."""
    code = "OpStore %v %a\n%n = OpFunctionCall %void %add %v %v\n%result = OpLoad %vec4 %v\n"
    assert run(_body(code, _ADD)) == [2 * x + 1 for x in A]


def test_a_part_of_a_vector_is_an_argument() -> None:
    code = """
        OpStore %v %a
        %p = OpAccessChain %part %v %i1
        %n = OpFunctionCall %void %twice %p
        %result = OpLoad %vec4 %v
    """
    assert run(_body(code, _TWICE)) == [A[0], 2 * A[1], A[2], A[3]]


def test_a_part_that_is_chosen_at_run_time_is_an_argument() -> None:
    code = """
        OpStore %v %a
        %index = OpCompositeExtract %int %j 1
        %p = OpAccessChain %part %v %index
        %n = OpFunctionCall %void %twice %p
        %result = OpLoad %vec4 %v
    """
    assert run(_body(code, _TWICE)) == [A[0], A[1], 2 * A[2], A[3]]


def test_a_global_variable_is_seen_through_its_pointer_at_once() -> None:
    """The callee adds one through the pointer, and doubles what it then finds in the variable."""
    code = """
        OpStore %global %a
        %n = OpFunctionCall %void %increase %global
        %result = OpLoad %vec4 %global
    """
    assert run(_body(code, _INCREASE)) == [2 * (x + 1) for x in A]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("%n = OpFunctionCall %void %add %v", "E1006"),
        ("%n = OpFunctionCall %void %add %v %a", "E1006"),
        ("%n = OpFunctionCall %void %add %v %global", "E1006"),
        ("%n = OpFunctionCall %void %main", "E1006"),
        ("%n = OpFunctionCall %void %nothing %v %w", "E1006"),
    ],
)
def test_calls_that_do_not_fit(call: str, code: str) -> None:
    assert refusal(_body(f"{call}\n%result = OpLoad %vec4 %v\n", _ADD))[0] == code


def test_pointers_that_are_values_are_refused() -> None:
    code = "%q = OpSelect %local %yes %v %w\n%result = OpLoad %vec4 %q\n"
    yes = "%yes = OpConstantTrue %bool\n"
    text = shader(f"%v = OpVariable %local Function\n%w = OpVariable %local Function\n{code}", _TYPES + yes)
    assert refusal(text)[0] in ("E1006", "E1010")
