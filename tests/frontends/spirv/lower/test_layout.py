"""Uniform blocks in the reflection: offsets and strides as the module's decorations say, however odd they are."""

from __future__ import annotations

import pytest

from tests.frontends.spirv.modules import lowered, shader

_BLOCK = """
OpName %inner "Inner"
OpMemberName %inner 0 "a"
OpMemberName %inner 1 "m"
OpMemberDecorate %inner 0 Offset 8
OpMemberDecorate %inner 1 Offset 32
OpMemberDecorate %inner 1 MatrixStride 24
OpMemberDecorate %inner 1 RowMajor
OpName %outer "Outer"
OpMemberName %outer 0 "f"
OpMemberName %outer 1 "list"
OpMemberName %outer 2 "t"
OpDecorate %outer Block
OpMemberDecorate %outer 0 Offset 4
OpMemberDecorate %outer 1 Offset 64
OpMemberDecorate %outer 2 Offset 520
OpMemberDecorate %outer 2 MatrixStride 40
OpMemberDecorate %outer 2 ColMajor
OpMemberName %outer 3 "i"
OpMemberName %outer 4 "u"
OpMemberDecorate %outer 3 Offset 864
OpMemberDecorate %outer 4 Offset 884
OpDecorate %inners ArrayStride 112
OpDecorate %mats ArrayStride 168
%two = OpConstant %int 2
%inner = OpTypeStruct %vec4 %mat2
%inners = OpTypeArray %inner %two
%mats = OpTypeArray %mat4 %two
%outer = OpTypeStruct %float %inners %mats %ivec4 %uint
%to_outer = OpTypePointer {storage} %outer
%to_vec4 = OpTypePointer {storage} %vec4
%block = OpVariable %to_outer {storage}
"""
_READ = "%p = OpAccessChain %to_vec4 %block %i1 %i1 %i0\n%result = OpLoad %vec4 %p\n"
#: Member -> type, offset, array stride, matrix stride, whether it is by rows.
_WANTED = {
    "f": ("float", 4, 0, 0, False),
    "list[0].a": ("vec4", 64 + 8, 0, 0, False),
    "list[0].m": ("mat2", 64 + 32, 0, 24, True),
    "list[1].a": ("vec4", 64 + 112 + 8, 0, 0, False),
    "list[1].m": ("mat2", 64 + 112 + 32, 0, 24, True),
    "t": ("mat4", 520, 168, 40, False),
    "i": ("ivec4", 864, 0, 0, False),
    "u": ("uint", 884, 0, 0, False),
}


@pytest.mark.parametrize(("storage", "packing"), [("Uniform", "explicit"), ("PushConstant", "push constant")])
def test_members_lie_where_the_module_says(storage: str, packing: str) -> None:
    (block,) = lowered(shader(_READ, _BLOCK.format(storage=storage))).blocks
    found = {
        m.name.removeprefix("Outer."): (m.type, m.offset, m.array_stride, m.matrix_stride, m.row_major)
        for m in block.members
    }
    assert (block.name, block.packing, found) == ("Outer", packing, _WANTED)
    # The last member ends at 884 + 4 = 888: 56 vectors hold it.
    assert block.size == 896


def test_a_block_is_as_large_as_its_last_member_asks_for() -> None:
    """HLSL's packing puts two floats into one vector."""
    declared = """
        OpDecorate %struct Block
        OpMemberDecorate %struct 0 Offset 0
        OpMemberDecorate %struct 1 Offset 4
        %struct = OpTypeStruct %float %float
        %to_struct = OpTypePointer Uniform %struct
        %to_float = OpTypePointer Uniform %float
        %block = OpVariable %to_struct Uniform
    """
    body = "%p = OpAccessChain %to_float %block %i1\n%x = OpLoad %float %p\n"
    body += "%result = OpCompositeConstruct %vec4 %x %x %x %x\n"
    (block,) = lowered(shader(body, declared)).blocks
    assert block.size == 16
