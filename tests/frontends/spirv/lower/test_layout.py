"""Uniform blocks in the reflection: offsets and strides as the module's decorations say, however odd they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from tests.frontends.spirv.modules import lowered, run_rows, shader
from tests.generators.matrix_blocks import FORMS, Laid, MatrixBlock, matrix_blocks

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


#: Members and components -> their numbers in a chain.
_NUMBERS = {"before": 0, "m": 1, "s": 1, "after": 2, "f": 0, "g": 2, "x": 0, "y": 1}


def _struct(name: str, laid: Laid, members: Mapping[str, str], block: MatrixBlock) -> Iterator[str]:
    order = "RowMajor" if block.by_rows else "ColMajor"
    for number, member in enumerate(members):
        yield f'OpMemberName %{name} {number} "{member}"'
        yield f"OpMemberDecorate %{name} {number} Offset {laid.first(f'.{member}')}"
        if member == "m":
            yield f"OpMemberDecorate %{name} {number} MatrixStride {block.stride}"
            yield f"OpMemberDecorate %{name} {number} {order}"
    yield f"%{name} = OpTypeStruct {' '.join(members.values())}"


def _declared(block: MatrixBlock) -> Iterator[str]:
    """Declare a block as a compiler of GLSL does."""
    yield f"%matrix = OpTypeMatrix %vec{block.rows} {block.columns}"
    yield from _struct("s", block.structure, {"f": "%float", "m": "%matrix", "g": "%vec2"}, block)
    members = {}
    for type_, name, length in re.findall(r"(\w+) (\w+)(?:\[(\d)\])?;", FORMS[block.form][0]):
        members[name] = {"M": "%matrix", "S": "%s"}.get(type_, f"%{type_}")
        if length:
            stride = block.laid.first(f".{name}[1]") - block.laid.first(f".{name}[0]")
            yield f"%length = OpConstant %int {length}"
            yield f"OpDecorate %list ArrayStride {stride}"
            yield f"%list = OpTypeArray {members[name]} %length"
            members[name] = "%list"
    yield from _struct("block", block.laid, members, block)
    yield 'OpDecorate %block Block\nOpName %block "B"'
    yield "%to_block = OpTypePointer Uniform %block\n%to_float = OpTypePointer Uniform %float"
    yield "%of_block = OpVariable %to_block Uniform\n%found0 = OpConstantNull %vec4"
    yield from (f"%n{number} = OpConstant %int {number}" for number in range(4))


def _reading(number: int, path: str) -> Iterator[str]:
    """Read a number of the block for the row that has its place among the paths."""
    chain = [f"%n{_NUMBERS.get(step, step)}" for step in re.findall(r"\w+", path)]
    yield f"%p{number} = OpAccessChain %to_float %of_block {' '.join(chain)}"
    yield f"%l{number} = OpLoad %float %p{number}"
    yield f"%v{number} = OpCompositeConstruct %vec4{f' %l{number}' * 4}"
    yield f"%k{number} = OpCompositeConstruct %vec4{f' %row{number}' * 4}"
    yield f"%is{number} = OpFOrdEqual %bvec4 %x %k{number}"
    yield f"%found{number + 1} = OpSelect %vec4 %is{number} %v{number} %found{number}"


@pytest.mark.parametrize("block", matrix_blocks(16, 20), ids=lambda block: block.name)
def test_matrices_are_read_where_the_module_has_them(block: MatrixBlock) -> None:
    paths = list(block.laid.places)
    rows = [(float(number),) for number in range(len(paths))]
    declared = [*_declared(block), *(f"%row{number} = OpConstant %float {number}" for number in range(len(paths)))]
    reads = [line for number, path in enumerate(paths) for line in _reading(number, path)]
    body = "\n".join([*reads, f"%result = OpCopyObject %vec4 %found{len(paths)}\n"])
    found = run_rows(body, rows, "\n".join(declared) + "\n", B=block.buffer())
    assert found.tolist() == [row[0] for row in rows]
