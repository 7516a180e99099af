"""Names of uniforms and varyings as the compilers of HLSL and Slang write them, by small modules in their words."""

from __future__ import annotations

import re

import pytest

from tests.frontends.spirv.modules import lowered, shader

_NUMBERS = """OpName %struct "{struct}"
OpMemberName %struct 0 "tint"
OpMemberDecorate %struct 0 Offset 0
OpDecorate %struct Block
OpName %block "{variable}"
%struct = OpTypeStruct %vec4
%to_struct = OpTypePointer Uniform %struct
%to_member = OpTypePointer Uniform %vec4
%block = OpVariable %to_struct Uniform
"""
_READ = "%p = OpAccessChain %to_member %block %i0\n%result = OpLoad %vec4 %p\n"


@pytest.mark.parametrize(
    ("struct", "variable", "wanted"),
    [
        # glslang: of a cbuffer, of a ConstantBuffer<Lights>; of GLSL, the block's name stands first.
        ("Numbers", "", "tint"),
        ("Lights", "lights", "Lights.tint"),
        # DXC: the same two.
        ("type.Numbers", "Numbers", "tint"),
        ("type.ConstantBuffer.Lights", "lights", "lights.tint"),
        # Slang: the same two, and uniforms in no block.
        ("SLANG_ParameterGroup_Numbers_std140", "Numbers", "tint"),
        ("Lights_std140", "lights", "lights.tint"),
        ("Lights_std430", "pushed", "pushed.tint"),
        ("GlobalParams_std140", "globalParams", "tint"),
    ],
)
def test_members_of_a_block(struct: str, variable: str, wanted: str) -> None:
    module = lowered(shader(_READ, _NUMBERS.format(struct=struct, variable=variable)))
    assert [name for name in module.variables if "tint" in name] == [wanted]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("v_color", "v_color"),
        ("@entryPointOutput.color", "color"),
        ("in.var.COLOR0", "COLOR0"),
        ("entryPointParam_at_corner.color", "color"),
    ],
)
def test_what_flows_between_stages(name: str, wanted: str) -> None:
    text = shader("%result = OpLoad %vec4 %v\n", "%to_in = OpTypePointer Input %vec4\n%v = OpVariable %to_in Input\n")
    text = text.replace('"main" %color', '"main" %color %v', 1).replace(
        "OpDecorate", f'OpName %v "{name}"\nOpDecorate %v Location 0\nOpDecorate', 1
    )
    assert [variable.name for variable in lowered(text).variables.values() if variable.storage == "varying"] == [wanted]


@pytest.mark.parametrize(
    ("marks", "wanted"),
    [
        ("Location 3", "uniform3"),
        ("Location 0|Component 2", "uniform0_2"),
        ("Location 1|Component 0", "uniform1"),
        ("Binding 4", "binding4"),
        ("Binding 4|DescriptorSet 0", "binding4"),
        ("Binding 4|DescriptorSet 2", "set2_binding4"),
    ],
)
def test_uniforms_without_a_name_are_called_by_their_place(marks: str, wanted: str) -> None:
    declared = "".join(f"OpDecorate %1 {mark}\n" for mark in marks.split("|"))
    text = shader("%result = OpLoad %vec4 %1\n", f"{declared}%1 = OpVariable %in_vec4 UniformConstant\n")
    assert wanted in lowered(text).variables


@pytest.mark.parametrize(("storage", "wanted"), [("PushConstant", r"pushed\.tint"), ("Uniform", r"variable\d+\.tint")])
def test_blocks_without_a_name_or_a_place_are_told_apart(storage: str, wanted: str) -> None:
    block = _NUMBERS.format(struct="", variable="").replace("Uniform", storage).replace("%block", "%1")
    module = lowered(shader(_READ.replace("%block", "%1"), block))
    (name,) = (name for name in module.variables if "tint" in name)
    assert re.fullmatch(wanted, name)
