"""Names of the fixed-function pipeline are ordinary attributes, uniforms and varyings under `--compat`."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.linking.match import LinkedPair, link_modules
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import compile_shader

VERTEX = "#version 120\nvoid main() { gl_Position = ftransform(); %s }"
FRAGMENT = "#version 120\nvoid main() { gl_FragColor = %s; }"


def module(source: str, stage: Stage, compat: bool = True) -> Module:
    return compile_shader(source, filename="a", stage=stage, compat=compat, sink=DiagnosticSink())


def interface(source: str, stage: Stage) -> set[tuple[str, str]]:
    return {(variable.name, variable.storage) for variable in module(source, stage).interface()}


def linked(vertex: str, fragment: str) -> LinkedPair:
    return link_modules(module(VERTEX % vertex, "vertex"), module(FRAGMENT % fragment, "fragment"), DiagnosticSink())


def test_names_are_those_of_the_reflection() -> None:
    source = VERTEX % "gl_FrontColor = gl_Color * gl_LightSource[1].diffuse + gl_NormalMatrix[0].xyzz;"
    assert interface(source, "vertex") == {
        ("gl_ModelViewProjectionMatrix", "uniform"),
        ("gl_Vertex", "attribute"),
        ("gl_Color", "attribute"),
        ("gl_LightSource[].diffuse", "uniform"),
        ("gl_NormalMatrix", "uniform"),
        ("gl_FrontColor", "varying"),
        ("gl_Position", "output"),
    }


def test_every_name_of_the_tables_compiles() -> None:
    uniforms = [
        *(f"gl_ModelViewMatrix{form}[0]" for form in ("", "Inverse", "Transpose", "InverseTranspose")),
        *(f"gl_TextureMatrix{form}[1][0]" for form in ("", "Inverse", "Transpose", "InverseTranspose")),
        "vec4(gl_NormalScale + gl_Point.sizeMax + gl_Fog.scale + gl_FrontMaterial.shininess)",
        "gl_ClipPlane[gl_MaxClipPlanes - 1] + gl_BackLightModelProduct.sceneColor + gl_LightModel.ambient",
        "gl_FrontLightProduct[gl_MaxLights - 1].specular + gl_TextureEnvColor[gl_MaxTextureUnits - 1]",
        "gl_EyePlaneS[0] + gl_ObjectPlaneQ[gl_MaxTextureCoords - 1]",
    ]
    inputs = "gl_Color + gl_SecondaryColor + gl_TexCoord[0] + vec4(gl_FogFragCoord)"
    assert module(FRAGMENT % " + ".join([*uniforms, inputs]), "fragment").interface()
    attributes = "gl_Vertex + gl_Color + gl_SecondaryColor + gl_Normal.xyzz + vec4(gl_FogCoord) + gl_MultiTexCoord7"
    outputs = "gl_BackColor = gl_FrontSecondaryColor = gl_BackSecondaryColor = gl_ClipVertex = gl_TexCoord[1]"
    assert module(VERTEX % f"gl_FogFragCoord = 1.0; {outputs} = {attributes};", "vertex").interface()


def test_the_colour_of_the_fragment_is_that_of_the_vertex() -> None:
    pair = linked("gl_FrontColor = gl_Color; gl_FrontSecondaryColor = gl_Vertex;", "gl_Color + gl_SecondaryColor")
    locations = {v.name: v.location for v in pair.vertex.interface() if v.storage == "varying"}
    assert locations == {"gl_FrontColor": 0, "gl_FrontSecondaryColor": 1}
    assert locations == {v.name: v.location for v in pair.fragment.interface() if v.storage == "varying"}


@pytest.mark.parametrize(
    ("vertex", "fragment", "length"),
    [
        ("gl_TexCoord[0] = gl_Vertex;", "gl_TexCoord[0]", 1),
        ("gl_TexCoord[0] = gl_TexCoord[2] = gl_Vertex;", "gl_TexCoord[0]", 3),
        ("gl_TexCoord[0] = gl_Vertex;", "gl_TexCoord[0] + gl_TexCoord[1]", 2),
        ("for (int i = 0; i < 4; i++) gl_TexCoord[i] = gl_Vertex;", "gl_TexCoord[0]", 8),
    ],
)
def test_texture_coordinates_are_as_many_as_both_stages_use(vertex: str, fragment: str, length: int) -> None:
    pair = linked(vertex, fragment)
    found = [v.length for m in (pair.vertex, pair.fragment) for v in m.interface() if v.name == "gl_TexCoord"]
    assert found == [length, length]


def test_texture_coordinates_may_be_declared_with_a_size() -> None:
    source = "#version 120\nvarying vec4 gl_TexCoord[3];\nvoid main() { gl_FragColor = gl_TexCoord[1]; }"
    (found,) = [v for v in module(source, "fragment").interface() if v.name == "gl_TexCoord"]
    assert found.length == 3


def test_structures_have_their_names() -> None:
    source = (
        "#version 120\nvec4 lit(gl_LightSourceParameters light, gl_MaterialParameters material)"
        "{ return light.diffuse * material.diffuse; }"
        "void main() { gl_FragColor = lit(gl_LightSource[0], gl_FrontMaterial); }"
    )
    assert ("gl_FrontMaterial.diffuse", "uniform") in interface(source, "fragment")


@pytest.mark.parametrize("source", [VERTEX % "", "#version 120\nvoid main() { gl_Position = gl_Vertex; }"])
def test_without_compat_they_are_unknown(source: str) -> None:
    with pytest.raises(CompileError):
        module(source, "vertex", compat=False)


def test_gles_has_none_of_them() -> None:
    for version in ("100", "300 es"):
        with pytest.raises(CompileError, match="gl_Vertex"):
            module(f"#version {version}\nvoid main() {{ gl_Position = gl_Vertex; }}", "vertex")


def test_inputs_are_not_written() -> None:
    for text in ("gl_Vertex = vec4(1.0);", "gl_ModelViewMatrix = mat4(1.0);"):
        with pytest.raises(CompileError, match=r"assign|written|modif|read"):
            module(VERTEX % text, "vertex")


def test_a_shader_of_the_fixed_functions_runs() -> None:
    shader = glslc_multi.compile(VERTEX % "", stage="vertex", target="vc4", compat=True)
    matrix = [[0.0, 2.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    result = shader.run({"gl_Vertex": [[1.0, 2.0, 3.0, 1.0]]}, {"gl_ModelViewProjectionMatrix": matrix})
    assert [float(number) for number in result["gl_Position"][0]] == [4.0, 1.0, 3.0, 1.0]
