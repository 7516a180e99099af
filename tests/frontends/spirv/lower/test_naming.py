"""Names of uniforms and varyings as the compilers of HLSL and Slang write them, by small modules in their words."""

from __future__ import annotations

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
