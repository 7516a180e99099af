"""Names of other shading languages: each is answered, and what the answer says is GLSL ES 1.00."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.frontends.glsl import builtins, foreign
from glslc_multi.frontends.glsl.language.versions import GLSL_ES_100
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.library.functions import function_names, functions_of
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.check.support import check_text
from tests.frontends.glsl.shaders import compile_shader

HEAD = """
#extension GL_OES_standard_derivatives : enable
#extension GL_EXT_shader_texture_lod : enable
precision mediump float;
uniform sampler2D s; uniform samplerCube c; varying vec2 uv; varying vec3 d; varying vec4 p; uniform mat3 m;
uniform vec2 size; uniform float x, y, z, a, lod;
"""
FUNCTIONS = sorted(foreign._FUNCTIONS)
TYPES = sorted(foreign._TYPES)
VARIABLES = sorted(foreign._VARIABLES)


def quoted(help_: str) -> list[str]:
    return re.findall(r"'([^']+)'", help_)


def compiles(statement: str) -> bool:
    text = f"{HEAD}void main() {{ {statement} gl_FragColor = vec4(1.0); }}"
    try:
        compile_shader(text, filename="a.frag", stage="fragment", sink=DiagnosticSink())
    except CompileError as error:
        raise AssertionError(f"{statement}: {error}") from None
    return True


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_stands_for_a_function_is_glsl(name: str) -> None:
    for code in quoted(foreign._FUNCTIONS[name]):
        if code.startswith("texture2DLod") or re.fullmatch(r"\W|\w+", code):
            assert not code[0].isalpha() or functions_of(code.partition("(")[0], 100)
        else:
            assert compiles(code if code.endswith(";") else f"{code};")


@pytest.mark.parametrize("name", TYPES)
def test_what_stands_for_a_type_is_glsl(name: str) -> None:
    for code in quoted(foreign._TYPES[name]):
        as_parameter = f"{HEAD}void f({'in ' + code} q) {{}} void main() {{ gl_FragColor = vec4(1.0); }}"
        compile_shader(as_parameter, filename="a.frag", stage="fragment", sink=DiagnosticSink())


@pytest.mark.parametrize("name", [*FUNCTIONS, *TYPES, *VARIABLES])
def test_no_name_of_glsl_es_1_is_foreign(name: str) -> None:
    assert name not in word_kinds(100) or word_kinds(100)[name] == "reserved"
    assert not functions_of(name, 100)
    assert builtins.find(name, GLSL_ES_100) is None


@pytest.mark.parametrize(
    ("stage", "text", "help_"),
    [
        ("fragment", "void main() { float f = lerp(1.0, 2.0, 0.5); }", "write 'mix(x, y, a)'"),
        ("fragment", "void main() { vec4 f = float4(1.0); }", "write 'vec4'"),
        ("fragment", "void main() { half3x3 f; }", "write 'mat3'"),
        ("fragment", "uniform Texture2D t; void main() {}", "write 'sampler2D'"),
        ("fragment", "void main() { float f = saturate(1.0); }", "write 'clamp(x, 0.0, 1.0)'"),
        (
            "fragment",
            "void main() { vec2 f = mul(1.0, 2.0); }",
            "write 'm * d', or 'd * m' for rows; '*' multiplies matrices",
        ),
        ("fragment", "uniform sampler2D s; void main() { tex2D(s, vec2(1.0)); }", "write 'texture2D(s, uv)'"),
        (
            "fragment",
            "uniform sampler2D s; void main() { texture(s, vec2(1.0)); }",
            "write 'texture2D(s, uv)', or 'textureCube(c, d)'",
        ),
        ("fragment", "void main() { float f = frac(1.5); }", "write 'fract(x)'"),
        (
            "fragment",
            "void main() { mat2 f = inverse(mat2(1.0)); }",
            f"{foreign._OUTSIDE}; a rotation is undone by 'd * m'",
        ),
        ("fragment", "in vec2 uv; void main() {}", "inputs of fragment shaders are 'varying'"),
        ("fragment", "out vec4 uv; void main() {}", "fragment shaders write 'gl_FragColor'"),
        ("vertex", "in vec2 uv; void main() {}", "inputs of vertex shaders are 'attribute'"),
        ("vertex", "out vec2 uv; void main() {}", "outputs of vertex shaders are 'varying'"),
        ("vertex", "void main() { vec4 p = gl_Vertex; }", "declare an attribute of your own"),
        ("fragment", "smooth varying vec2 a; void main() {}", foreign.WORDS["smooth"]),
        (
            "fragment",
            "uniform Block { float a; }; void main() {}",
            "declare each member by itself",
        ),
        ("fragment", "flat varying float a; void main() {}", "leave it out"),
    ],
)
def test_a_name_from_elsewhere_is_answered(stage: Stage, text: str, help_: str) -> None:
    result = check_text(f"#version 100\nprecision mediump float; {text}", stage)
    assert [each.help for each in result.errors] == [help_]


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize(
    ("kind", "vector"),
    [
        *(("float", "vec"), ("half", "mediump vec"), ("fixed", "lowp vec"), ("double", "vec")),
        *(("int", "ivec"), ("uint", "ivec"), ("uvec", "ivec"), ("bool", "bvec")),
    ],
)
def test_vectors_of_every_kind_and_size_are_answered(kind: str, vector: str, size: int) -> None:
    assert foreign.type_help(f"{kind}{size}", GLSL_ES_100) == f"write '{vector}{size}'"


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("kind", ["float", "half", "mat"])
def test_square_matrices_of_every_kind_and_size_are_answered(kind: str, size: int) -> None:
    assert foreign.type_help(f"{kind}{size}x{size}", GLSL_ES_100) == f"write 'mat{size}'"


#: Of those that GLSL ES 3.00 adds (chapter 8): the bits of numbers, and offsets beside another argument.
_WITHOUT_SUBSTITUTE = re.compile(r"(un)?pack\w+|\w+BitsTo\w+|texelFetchOffset|texture(Grad|Lod)Offset|textureProj\w+")


def test_functions_of_later_versions_are_answered() -> None:
    added = set(function_names(300)) - set(function_names(100))
    assert {name for name in added if foreign.function_help(name, GLSL_ES_100) is None} == {
        name for name in added if _WITHOUT_SUBSTITUTE.fullmatch(name)
    }


@pytest.mark.parametrize(
    ("names", "help_"),
    [
        ("gl_ModelViewMatrix gl_ProjectionMatrix gl_ModelViewProjectionMatrix gl_NormalMatrix", "declare a uniform"),
        ("gl_TextureMatrix", "declare a uniform"),
        ("gl_Vertex gl_Normal gl_MultiTexCoord0 gl_MultiTexCoord1 gl_VertexID gl_Color", "declare an attribute"),
        ("gl_TexCoord gl_FrontColor gl_BackColor gl_FogFragCoord", "declare a varying"),
        ("iTime iResolution iMouse iChannel0 iFrame iGlobalTime", "declare it as a uniform"),
        ("gl_FragDepth", "write 'gl_FragDepthEXT'"),
        ("gl_InstanceID", "write 'gl_InstanceIDEXT'"),
        ("M_PI PI", "write '3.14159265'"),
    ],
)
def test_variables_of_other_languages_are_answered(names: str, help_: str) -> None:
    for name in names.split():
        assert (foreign.variable_help(name, GLSL_ES_100) or "").startswith(help_)


def test_a_name_of_the_shader_is_no_foreign_one() -> None:
    result = check_text("precision mediump float; float lerp(float a) { return a; } void main() { lerp(1.0); }")
    assert result.errors == []


def test_helps_are_short() -> None:
    tables = (foreign._FUNCTIONS, foreign._TYPES, foreign._VARIABLES, foreign.WORDS)
    assert max(len(help_) for help_ in chain.from_iterable(table.values() for table in tables)) < 120
